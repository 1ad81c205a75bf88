// Reconstruction by dilation: a picture spreads under another one.
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/ops/morphology/parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// One channel. Source: L. Vincent, Morphological grayscale reconstruction in image analysis, IEEE Trans.
/// Image Processing 2(2), 1993: the hybrid algorithm.
template <class T>
class Spread {
  public:
    Spread(int width, int height, std::vector<T> seed, std::vector<T> roof)
        : width_(width), height_(height), seed_(std::move(seed)), roof_(std::move(roof)) {}

    std::vector<T> run() {
        for (std::size_t i = 0; i < seed_.size(); ++i) {
            seed_[i] = std::min(seed_[i], roof_[i]);
        }
        for (int y = 0; y < height_; ++y) {
            for (int x = 0; x < width_; ++x) {
                raise(x, y, {{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}}});
            }
        }
        constexpr Steps after{{{1, 1}, {0, 1}, {-1, 1}, {1, 0}}};
        for (int y = height_ - 1; y >= 0; --y) {
            for (int x = width_ - 1; x >= 0; --x) {
                raise(x, y, after);
                if (any_below(x, y, after)) {
                    open_.push_back(index(x, y));
                }
            }
        }
        for (std::size_t next = 0; next < open_.size(); ++next) {
            pass_on(open_[next]);
        }
        return std::move(seed_);
    }

  private:
    using Steps = std::array<std::pair<int, int>, 4>;

    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    }
    bool is_inside(int x, int y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }

    /// To the largest of some neighbours, as far as the roof allows.
    void raise(int x, int y, const Steps& steps) {
        T largest = seed_[index(x, y)];
        for (const auto& [dx, dy] : steps) {
            if (is_inside(x + dx, y + dy)) {
                largest = std::max(largest, seed_[index(x + dx, y + dy)]);
            }
        }
        seed_[index(x, y)] = std::min(largest, roof_[index(x, y)]);
    }

    bool is_below(std::size_t other, T value) const {
        return seed_[other] < value && seed_[other] < roof_[other];
    }

    bool any_below(int x, int y, const Steps& steps) const {
        return std::any_of(steps.begin(), steps.end(), [&](const auto& step) {
            return is_inside(x + step.first, y + step.second) &&
                   is_below(index(x + step.first, y + step.second), seed_[index(x, y)]);
        });
    }

    void pass_on(std::size_t pixel) {
        const int x = static_cast<int>(pixel % static_cast<std::size_t>(width_));
        const int y = static_cast<int>(pixel / static_cast<std::size_t>(width_));
        for (int v = std::max(y - 1, 0); v <= std::min(y + 1, height_ - 1); ++v) {
            for (int u = std::max(x - 1, 0); u <= std::min(x + 1, width_ - 1); ++u) {
                if (const std::size_t other = index(u, v); is_below(other, seed_[pixel])) {
                    seed_[other] = std::min(seed_[pixel], roof_[other]);
                    open_.push_back(other);
                }
            }
        }
    }

    int width_;
    int height_;
    std::vector<T> seed_;
    std::vector<T> roof_;
    std::vector<std::size_t> open_; ///< pixels that may raise their neighbours
};

template <class T>
T or_least(T value) {
    return value == value ? value : -std::numeric_limits<T>::infinity(); // NaN is missing
}

/// Where either picture has a pixel that cannot be seen, nothing passes, and the own colour stays.
template <class T>
void reconstruct_channel(const Image& roof, int channel, const std::vector<bool>& hidden, Image& image) {
    constexpr T nothing = static_cast<T>(-std::numeric_limits<T>::infinity());
    const auto channels = static_cast<std::size_t>(image.channels());
    const std::size_t pixels = image.values<T>().size() / channels;
    std::vector<T> seed(pixels);
    std::vector<T> above(pixels);
    for (std::size_t i = 0; i < pixels; ++i) {
        const std::size_t value = i * channels + static_cast<std::size_t>(channel);
        seed[i] = hidden[i] ? nothing : or_least(image.values<T>()[value]);
        above[i] = hidden[i] ? nothing : or_least(roof.values<T>()[value]);
    }
    const std::vector<T> result =
        Spread<T>(image.width(), image.height(), std::move(seed), std::move(above)).run();
    for (std::size_t i = 0; i < pixels; ++i) {
        T& own = image.values<T>()[i * channels + static_cast<std::size_t>(channel)];
        own = hidden[i] ? own : result[i];
    }
}

/// The picture with its colours spread under the colours of `roof`; alpha is kept.
Image reconstructed(Image image, const Image& roof) {
    const auto colours = static_cast<std::size_t>(image.channels() - (image.has_alpha() ? 1 : 0));
    std::vector<bool> hidden = hidden_pixels(image);
    const std::vector<bool> above = hidden_pixels(roof);
    std::transform(hidden.begin(), hidden.end(), above.begin(), hidden.begin(), std::logical_or<>());
    hidden.resize(static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()));
    parallel_for(colours, [&](std::size_t channel) {
        const int c = static_cast<int>(channel);
        switch (image.depth()) {
        case Depth::u8:
            return reconstruct_channel<std::uint8_t>(roof, c, hidden, image);
        case Depth::u16:
            return reconstruct_channel<std::uint16_t>(roof, c, hidden, image);
        case Depth::f32:
            return reconstruct_channel<float>(roof, c, hidden, image);
        }
    });
    return image;
}

/// Of a probe, which the second picture does not fit, the probe itself.
const Image& roof_for(const Morphology& op, const Image& image) {
    return op.with.image && op.with.image->form() == image.form() ? *op.with.image : image;
}

class ReconstructLook final : public SweepState {
  public:
    ReconstructLook(const Morphology& op, const Form& form) : op_(op), image_(form) {}

    RowsMade next(Context&, Band& band) override {
        const Image& rows = band.pixels();
        std::memcpy(image_.row(band.first_row()), rows.row(0), rows.bytes().size());
        return {};
    }

    void end(Context&) override { image_ = reconstructed(image_, roof_for(op_, image_)); }

    std::vector<std::byte> rows(const Band& band) const {
        const std::byte* first = image_.row(band.first_row());
        return {first, first + image_.row_bytes() * static_cast<std::size_t>(band.rows())};
    }

  private:
    Morphology op_;
    Image image_;
};

class ReconstructShow final : public SweepState {
  public:
    explicit ReconstructShow(const ReconstructLook& look) : look_(look) {}
    RowsMade next(Context&, Band& band) override { return look_.rows(band); }

  private:
    const ReconstructLook& look_;
};

SweepPlan reconstruct_sweeps(const Morphology& op, const Form& form) {
    const int pixels = pixels_per_texel(form);
    return {
        .source = form,
        .needs =
            [pixels](Context&) {
                return TileNeeds{.what = "morphology by reconstruction",
                                 .texel_pixels = pixels,
                                 .pixel_bytes = 2 * 16.0 / pixels,
                                 .pixel_work = 100};
            },
        .sweeps = {
            {.begin = [op](Context&, const BandCut& cut,
                           SweepState*) { return std::make_unique<ReconstructLook>(op, cut.picture); }},
            {.reads_source = false, .makes = form, .begin = [](Context&, const BandCut&, SweepState* before) {
                 return std::make_unique<ReconstructShow>(static_cast<ReconstructLook&>(*before));
             }}}};
}

} // namespace

Plan reconstruct_plan(const Morphology& op, const Form& form) {
    if (!op.with.image && op.with.path.empty()) {
        throw Error(ErrorCode::usage, "--do reconstruct needs --with, the image that the result stays under",
                    "--with in.png");
    }
    if (op.with.image && !(op.with.image->form() == form)) {
        throw Error(ErrorCode::usage,
                    fmt::format("--with {} has another size, depth or number of channels than the image",
                                op.with.path));
    }
    Swept swept{.sweeps = [op](const Form& any) { return reconstruct_sweeps(op, any); },
                .by_processor = [op](const Image& image) { return reconstructed(image, roof_for(op, image)); },
                .row_cost = 100.0 * form.width};
    Plan plan = swept_plan(form, std::move(swept));
    plan.work.on_cpu = true;
    return plan;
}

} // namespace glproc
