#include "glproc/ops/denoise/definition.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"

#include <algorithm>
#include <cmath>

namespace glproc {

PatchWeights::PatchWeights(const Denoise& op, const Form& form) {
    const double full = max_code(form.depth);
    const double values = (2 * op.patch + 1) * (2 * op.patch + 1) * (form.channels < 3 ? 1 : 3);
    free = 2 * op.noise * op.noise * full * full * values;
    per_sum = 1 / (op.strength * op.strength * full * full * values);
}

double PatchWeights::operator()(double sum) const {
    return std::isfinite(sum) ? std::exp(-std::max(sum - free, 0.0) * per_sum) : 0;
}

namespace {

class DenoisedRows {
  public:
    DenoisedRows(const Denoise& op, const DenoiseFrames& from)
        : op_(op), image_(*from.frames.at(from.own)), own_(from.own), weights_(op, image_.form()),
          colours_(image_.channels() < 3 ? 1 : 3), width_(static_cast<std::size_t>(image_.width())) {
        for (const Image* frame : from.frames) {
            planes_.push_back(planes_of(*frame));
        }
        const int reach = op.search + op.patch;
        for (int x = -reach; x < image_.width() + reach; ++x) {
            columns_.push_back(index_within(BorderMode::mirror, x, image_.width()));
        }
    }

    std::vector<double> row(int y) const {
        Sums sums{std::vector<double>(width_ * static_cast<std::size_t>(colours_)), std::vector<double>(width_)};
        for (std::size_t frame = 0; frame < planes_.size(); ++frame) {
            for (int dy = -op_.search; dy <= op_.search; ++dy) {
                for (int dx = -op_.search; dx <= op_.search; ++dx) {
                    add({frame, dx, dy}, y, sums);
                }
            }
        }
        return result_of(y, sums);
    }

  private:
    /// Where the other patch lies.
    struct Offset {
        std::size_t frame;
        int dx;
        int dy;
    };
    /// Of a row.
    struct Sums {
        std::vector<double> moves;
        std::vector<double> weights;
    };

    static std::vector<double> planes_of(const Image& image) {
        std::vector<double> planes;
        for (int c = 0; c < image.channels(); ++c) {
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    planes.push_back(image.at(x, y, c));
                }
            }
        }
        return planes;
    }

    double value(std::size_t frame, int c, int x, int y) const {
        const auto column =
            static_cast<std::size_t>(columns_[static_cast<std::size_t>(x + op_.search + op_.patch)]);
        const auto line = static_cast<std::size_t>(index_within(BorderMode::mirror, y, image_.height()));
        return planes_[frame][(static_cast<std::size_t>(c * image_.height()) + line) * width_ + column];
    }

    void add(const Offset& at, int y, Sums& sums) const {
        const std::vector<double> columns = column_sums(at, y);
        for (std::size_t x = 0; x < width_; ++x) {
            double sum = 0;
            for (int k = 0; k <= 2 * op_.patch; ++k) {
                sum += columns[x + static_cast<std::size_t>(k)];
            }
            const double weight = weights_(sum);
            sums.weights[x] += weight;
            for (int c = 0; c < colours_ && weight > 0; ++c) {
                sums.moves[x * static_cast<std::size_t>(colours_) + static_cast<std::size_t>(c)] +=
                    weight * (value(at.frame, c, static_cast<int>(x) + at.dx, y + at.dy) -
                              value(own_, c, static_cast<int>(x), y));
            }
        }
    }

    /// Of patches, down their columns: patch pixels left of the row and right of it, too.
    std::vector<double> column_sums(const Offset& at, int y) const {
        std::vector<double> sums;
        for (int x = -op_.patch; x < image_.width() + op_.patch; ++x) {
            double sum = 0;
            for (int k = -op_.patch; k <= op_.patch; ++k) {
                for (int c = 0; c < colours_; ++c) {
                    const double difference =
                        value(own_, c, x, y + k) - value(at.frame, c, x + at.dx, y + k + at.dy);
                    sum += difference * difference;
                }
            }
            sums.push_back(sum);
        }
        return sums;
    }

    std::vector<double> result_of(int y, const Sums& sums) const {
        std::vector<double> row;
        for (std::size_t x = 0; x < width_; ++x) {
            for (int c = 0; c < image_.channels(); ++c) {
                const double own = value(own_, c, static_cast<int>(x), y);
                const bool moved = c < colours_ && sums.weights[x] > 0;
                const std::size_t i = x * static_cast<std::size_t>(colours_) + static_cast<std::size_t>(c);
                row.push_back(moved ? own + sums.moves[i] / sums.weights[x] : own);
            }
        }
        return row;
    }

    const Denoise& op_;
    const Image& image_;
    std::size_t own_;
    PatchWeights weights_;
    int colours_;
    std::size_t width_;
    std::vector<std::vector<double>> planes_; ///< of each frame
    std::vector<int> columns_; ///< which column stands for each, beginning left of the image
};

} // namespace

std::vector<double> denoised_rows(const Denoise& op, const DenoiseFrames& from, std::span<const int> rows) {
    const DenoisedRows denoised(op, from);
    std::vector<std::vector<double>> found(rows.size());
    parallel_for(rows.size(), [&](std::size_t i) { found[i] = denoised.row(rows[i]); });
    std::vector<double> values;
    for (const std::vector<double>& row : found) {
        values.insert(values.end(), row.begin(), row.end());
    }
    return values;
}

} // namespace glproc
