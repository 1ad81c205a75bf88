#include "glproc/ops/denoise/rows.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/separable/row_ending.hpp"
#include "glproc/kinds/separable/row_sums.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace glproc {

PatchWeights::PatchWeights(const Denoise& op, const Form& form) {
    const double full = max_code(form.depth);
    const double values = (2 * op.patch + 1) * (2 * op.patch + 1) * (form.channels < 3 ? 1 : 3);
    free = static_cast<float>(2 * op.noise * op.noise * full * full * values);
    per_sum = static_cast<float>(1 / (op.strength * op.strength * full * full * values) * std::numbers::log2e);
}

namespace {

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

using Row = std::vector<float>;

class Denoised {
  public:
    Denoised(const Denoise& op, const DenoiseFrames& from)
        : op_(op), own_(*from.frames.at(from.own)), number_(from.own), margin_(op.search + op.patch), colours_(own_.channels() < 3 ? 1 : 3),
          width_(size_of(own_.width())), wide_(width_ + 2 * size_of(margin_)), weights_(op, own_.form()),
          weight_twin_(ending_twin("denoise/weight_end.glsl", Depth::f32, 0)), value_twin_(ending_twin("denoise/value_end.glsl", own_.depth(), 0)) {
        for (const Image* frame : from.frames) {
            frames_.push_back(rows_around(*frame));
        }
    }

    Image run() const {
        Image result = own_; // whose alpha is kept
        result.set_metadata({});
        constexpr int band = 16; // rows, whose squares are shared
        parallel_for(size_of(covering(own_.height(), band)), [&](std::size_t i) {
            const int begin = static_cast<int>(i) * band;
            make_band(begin, std::min(begin + band, own_.height()), result);
        });
        return result;
    }

  private:
    /// Of each colour, with a margin of pixels beyond the edges.
    struct Around {
        std::vector<std::vector<Row>> colours; ///< rows, counted from the margin above the image
    };

    /// Sums over patches, for each pixel of a band.
    struct Sums {
        std::vector<Row> moves; ///< of each colour
        Row weights;
    };

    Around rows_around(const Image& image) const {
        const Plane plane(image, false);
        const std::size_t n = size_of(image.channels());
        Around around{std::vector(size_of(colours_), std::vector<Row>(size_of(image.height() + 2 * margin_), Row(wide_)))};
        for (int y = -margin_; y < image.height() + margin_; ++y) {
            const float* row = plane.row(index_within(BorderMode::mirror, y, image.height()));
            for (int x = -margin_; x < image.width() + margin_; ++x) {
                const float* pixel = row + size_of(index_within(BorderMode::mirror, x, image.width())) * n; // NOLINT: within the row
                for (std::size_t c = 0; c < size_of(colours_); ++c) {
                    around.colours[c][size_of(y + margin_)][size_of(x + margin_)] = pixel[c]; // NOLINT: likewise
                }
            }
        }
        return around;
    }

    /// A row of a colour, beginning with pixel x; both may lie in the margin.
    const float* row_at(std::size_t frame, std::size_t colour, int x, int y) const {
        return &frames_[frame].colours[colour][size_of(y + margin_)][size_of(x + margin_)];
    }

    void make_band(int begin, int end, Image& result) const {
        const std::size_t pixels = size_of(end - begin) * width_;
        Sums sums{std::vector<Row>(size_of(colours_), Row(pixels)), Row(pixels)};
        for (std::size_t frame = 0; frame < frames_.size(); ++frame) {
            for (int dy = -op_.search; dy <= op_.search; ++dy) {
                for (int dx = -op_.search; dx <= op_.search; ++dx) {
                    add_offset(frame, dx, dy, begin, end, sums);
                }
            }
        }
        for (int y = begin; y < end; ++y) {
            end_row(y, size_of(y - begin) * width_, sums, result);
        }
    }

    void add_offset(std::size_t frame, int dx, int dy, int begin, int end, Sums& sums) const {
        const Row weights = weights_of(patch_sums(frame, dx, dy, begin, end));
        for (std::size_t i = 0; i < weights.size(); ++i) {
            sums.weights[i] += weights[i];
        }
        for (std::size_t c = 0; c < size_of(colours_); ++c) {
            for (int y = begin; y < end; ++y) {
                const float* other = row_at(frame, c, dx, y + dy);
                const float* own = row_at(number_, c, 0, y);
                const std::size_t first = size_of(y - begin) * width_;
                for (std::size_t x = 0; x < width_; ++x) { // differences that have no weight may be infinite or NaN
                    const float move = weights[first + x] * (other[x] - own[x]);                     // NOLINT: within the row
                    sums.moves[c][first + x] += weights[first + x] > 0 ? move : 0.0F;
                }
            }
        }
    }

    Row weights_of(const Row& sums) const {
        const std::array<float, 2> params{weights_.free, weights_.per_sum};
        Row weights(sums.size());
        weight_twin_({.params = params.data(), .sums = sums.data(), .to = reinterpret_cast<std::byte*>(weights.data()), .count = sums.size()}); // NOLINT: bytes
        return weights;
    }

    /// Squared differences over the colours, added up down the patches and then across them.
    Row patch_sums(std::size_t frame, int dx, int dy, int begin, int end) const {
        const int patch = op_.patch;
        const std::size_t columns = width_ + 2 * size_of(patch);
        std::vector<Row> squares(size_of(end - begin + 2 * patch), Row(columns));
        for (int y = begin - patch; y < end + patch; ++y) {
            Row& row = squares[size_of(y - begin + patch)];
            for (std::size_t c = 0; c < size_of(colours_); ++c) {
                const float* own = row_at(number_, c, -patch, y);
                const float* other = row_at(frame, c, dx - patch, y + dy);
                for (std::size_t x = 0; x < columns; ++x) {
                    const float difference = own[x] - other[x]; // NOLINT: within the row
                    row[x] += difference * difference;
                }
            }
        }
        Row sums(size_of(end - begin) * width_);
        Row down(columns);
        for (int y = begin; y < end; ++y) {
            std::ranges::fill(down, 0.0F);
            for (int k = 0; k <= 2 * patch; ++k) {
                add(down.data(), squares[size_of(y - begin + k)].data(), columns);
            }
            for (int k = 0; k <= 2 * patch; ++k) {
                add(&sums[size_of(y - begin) * width_], &down[size_of(k)], width_);
            }
        }
        return sums;
    }

    static void add(float* sums, const float* values, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            sums[i] += values[i]; // NOLINT: as many
        }
    }

    /// Values whose weights are all 0 stay as they are.
    void end_row(int y, std::size_t first, const Sums& sums, Image& result) const {
        const std::size_t bytes = bytes_of(own_.depth());
        Row quads;
        for (std::size_t x = 0; x < width_; ++x) {
            for (std::size_t c = 0; c < size_of(colours_); ++c) {
                quads.insert(quads.end(), {row_at(number_, c, 0, y)[x], sums.moves[c][first + x], sums.weights[first + x], 0.0F}); // NOLINT: within the row
            }
        }
        std::vector<std::byte> codes(quads.size() * bytes);
        value_twin_({.sums = quads.data(), .to = codes.data(), .count = quads.size()});
        for (std::size_t i = 0; i < width_ * size_of(colours_); ++i) {
            const std::size_t x = i / size_of(colours_);
            const std::size_t at = (x * size_of(own_.channels()) + i % size_of(colours_)) * bytes;
            if (sums.weights[first + x] > 0) {
                std::copy_n(&codes[4 * i * bytes], bytes, result.row(y) + at); // NOLINT: within the row
            }
        }
    }

    const Denoise& op_;
    const Image& own_;
    std::size_t number_; ///< of the own frame
    int margin_;
    int colours_;
    std::size_t width_;
    std::size_t wide_; ///< with margins
    PatchWeights weights_;
    EndingTwin weight_twin_;
    EndingTwin value_twin_;
    std::vector<Around> frames_;
};

} // namespace

Image denoised(const Denoise& op, const DenoiseFrames& from) {
    return Denoised(op, from).run();
}

} // namespace glproc
