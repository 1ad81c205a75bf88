#include "glproc/ops/denoise.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/op/describe.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glproc {

namespace {

constexpr Limit strength_limit{1e-6, 1e6};
constexpr Limit noise_limit{0, 1e6};
constexpr Limit patch_limit{1, 3};
constexpr Limit search_limit{1, 10};

/// How patches weigh by the sum of their squared differences, in code units.
struct PatchWeights {
    double free;    ///< sums up to this weigh 1
    double per_sum; ///< beyond it, how fast the logarithm of weights falls

    PatchWeights(const Denoise& op, const Form& form) {
        const double full = max_code(form.depth);
        const double values = (2 * op.patch + 1) * (2 * op.patch + 1) * (form.channels < 3 ? 1 : 3);
        free = 2 * op.noise * op.noise * full * full * values;
        per_sum = 1 / (op.strength * op.strength * full * full * values);
    }
    double operator()(double sum) const {
        return std::isfinite(sum) ? std::exp(-std::max(sum - free, 0.0) * per_sum) : 0;
    }
};

/// Rows of the result by the definition, in double precision.
class DenoisedRows {
  public:
    DenoisedRows(const Denoise& op, const Image& image)
        : op_(op), image_(image), weights_(op, image.form()), colours_(image.channels() < 3 ? 1 : 3),
          width_(static_cast<std::size_t>(image.width())) {
        for (int c = 0; c < image.channels(); ++c) {
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    planes_.push_back(image.at(x, y, c));
                }
            }
        }
        const int reach = op.search + op.patch;
        for (int x = -reach; x < image.width() + reach; ++x) {
            columns_.push_back(index_within(BorderMode::mirror, x, image.width()));
        }
    }

    std::vector<double> row(int y) const {
        std::vector<double> moves(width_ * static_cast<std::size_t>(colours_));
        std::vector<double> total(width_);
        for (int dy = -op_.search; dy <= op_.search; ++dy) {
            for (int dx = -op_.search; dx <= op_.search; ++dx) {
                const std::vector<double> columns = column_sums(y, dx, dy);
                for (std::size_t x = 0; x < width_; ++x) {
                    double sum = 0;
                    for (int k = 0; k <= 2 * op_.patch; ++k) {
                        sum += columns[x + static_cast<std::size_t>(k)];
                    }
                    const double weight = weights_(sum);
                    total[x] += weight;
                    for (int c = 0; c < colours_ && weight > 0; ++c) {
                        moves[x * static_cast<std::size_t>(colours_) + static_cast<std::size_t>(c)] +=
                            weight *
                            (value(c, static_cast<int>(x) + dx, y + dy) - value(c, static_cast<int>(x), y));
                    }
                }
            }
        }
        return result_of(y, moves, total);
    }

  private:
    double value(int c, int x, int y) const {
        const auto column =
            static_cast<std::size_t>(columns_[static_cast<std::size_t>(x + op_.search + op_.patch)]);
        const auto line = static_cast<std::size_t>(index_within(BorderMode::mirror, y, image_.height()));
        return planes_[(static_cast<std::size_t>(c * image_.height()) + line) * width_ + column];
    }

    /// Of patches, down their columns: patch pixels left of the row and right of it, too.
    std::vector<double> column_sums(int y, int dx, int dy) const {
        std::vector<double> sums;
        for (int x = -op_.patch; x < image_.width() + op_.patch; ++x) {
            double sum = 0;
            for (int k = -op_.patch; k <= op_.patch; ++k) {
                for (int c = 0; c < colours_; ++c) {
                    const double difference = value(c, x, y + k) - value(c, x + dx, y + k + dy);
                    sum += difference * difference;
                }
            }
            sums.push_back(sum);
        }
        return sums;
    }

    std::vector<double> result_of(int y, const std::vector<double>& moves,
                                  const std::vector<double>& total) const {
        std::vector<double> row;
        for (std::size_t x = 0; x < width_; ++x) {
            for (int c = 0; c < image_.channels(); ++c) {
                const double own = value(c, static_cast<int>(x), y);
                const bool moved = c < colours_ && total[x] > 0;
                row.push_back(
                    moved
                        ? own + moves[x * static_cast<std::size_t>(colours_) + static_cast<std::size_t>(c)] /
                                    total[x]
                        : own);
            }
        }
        return row;
    }

    const Denoise& op_;
    const Image& image_;
    PatchWeights weights_;
    int colours_;
    std::size_t width_;
    std::vector<double> planes_;
    std::vector<int> columns_; ///< which column stands for each, beginning left of the image
};

std::vector<double> denoised_rows(const Denoise& op, const Image& source, std::span<const int> rows) {
    const DenoisedRows denoised(op, source);
    std::vector<std::vector<double>> found(rows.size());
    parallel_for(rows.size(), [&](std::size_t i) { found[i] = denoised.row(rows[i]); });
    std::vector<double> values;
    for (const std::vector<double>& row : found) {
        values.insert(values.end(), row.begin(), row.end());
    }
    return values;
}

GpuImage denoised(Context& gpu, const GpuImage& source, const Denoise& op) {
    const Form& form = source.form();
    const PatchWeights weights(op, form);
    const bool is_one_word = form.depth == Depth::u8 || source.stored_channels() < 4;
    const Int2 block = is_one_word ? Int2{64, 32} : Int2{32, 16}; // WIDE and TALL of glsl/denoise/means.comp
    GpuImage dst = gpu.make_image(form, "result");
    gpu.pass("denoise", "denoise/means.comp",
             {{"CHANNELS", text(source.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(form.depth))},
              {"PATCH", text(op.patch)},
              {"FETCHED", fetched(gpu.device())}})
        .reads("i_src", source)
        .writes("i_dst", dst)
        .set("u_size", Int2{form.width, form.height})
        .set("u_search", op.search)
        .set("u_free", static_cast<float>(weights.free))
        .set("u_per_sum", static_cast<float>(weights.per_sum * std::numbers::log2e))
        .groups((form.width + block[0] - 1) / block[0], (form.height + block[1] - 1) / block[1]);
    return dst;
}

} // namespace

Plan plan(const Denoise& op, const Form& form) {
    check_limit("strength", op.strength, strength_limit);
    check_limit("noise", op.noise, noise_limit);
    check_limit("patch", op.patch, patch_limit);
    check_limit("search", op.search, search_limit);
    const int side = 2 * op.search + 1;
    const double work = side * side * (12.0 + 4 * op.patch);
    Plan plan{.source = form, .result = form};
    plan.needs = [=](Context&) {
        const int pixels = pixels_per_texel(form);
        const int reach = op.search + op.patch;
        return TileNeeds{.what = "denoise",
                         .halo = {(reach + pixels - 1) / pixels * pixels, reach},
                         .grain = {pixels, 1},
                         .texel_pixels = pixels,
                         .pixel_bytes = 32.0 / pixels,
                         .pixel_work = work};
    };
    plan.run = [op](Context& gpu, const Part& source, const Rect&) {
        return denoised(gpu, source.image, op);
    };
    plan.reference = {.rows = [op](const Image& source,
                                   std::span<const int> rows) { return denoised_rows(op, source, rows); },
                      .row_cost = work * form.width};
    return op.method == PointMethod::cpu ? on_cpu(std::move(plan)) : plan;
}

const OpInfo& denoise_info() {
    static const OpInfo info =
        Describe<Denoise>("denoise", "remove noise and keep detail (non-local means)",
                          "in.png out.png --strength 0.05")
            .field(
                "strength", &Denoise::strength,
                {.value = "H",
                 .limit = strength_limit,
                 .slider = {0.005, 0.3, 0.001},
                 .help = "how different places may be that are averaged; about the noise, with 1 for white"})
            .field("noise", &Denoise::noise,
                   {.value = "S",
                    .limit = noise_limit,
                    .slider = {0, 0.3, 0.001},
                    .help = "standard deviation of the noise, which then does not count as a difference"})
            .field("patch", &Denoise::patch,
                   {.value = "R",
                    .unit = "pixels",
                    .limit = patch_limit,
                    .help = "how far the places reach that are compared"})
            .field("search", &Denoise::search,
                   {.value = "R",
                    .unit = "pixels",
                    .limit = search_limit,
                    .help = "how far away similar places may be"})
            .method(&Denoise::method,
                    {.size = "512x512",
                     .ladders = {{.title = "Non-local means of a random 512x512 RGBA8 image, ms",
                                  .columns = {{"search 10", "512x512"},
                                              {"search 5", "512x512", {{"search", "5"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
