#include "glproc/ops/guided/sums.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/fetched.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace glproc {

namespace {

constexpr int most_radius = 127;       // a column's sum of lines has 30 bits
constexpr int slope_bits = 20;         // as in glsl/guided/sums.glsl
constexpr int height_bits = 14;        // of fractions of a code
constexpr int line_bits = 22;          // of a height
constexpr std::int64_t full_gpu = 132; // multiprocessors of the largest GPU measured

/// Pixels that a group loads of a row, which must leave many to store.
struct Shape {
    int group;
    int most_radius;
};
constexpr std::array shapes{Shape{256, 16}, Shape{512, most_radius}};

int pixels_of(const Guided& op) {
    return (2 * op.radius + 1) * (2 * op.radius + 1);
}

/// Bits that columns of lines lose, so that a window of them has 32 bits.
int shift_of(const Guided& op) {
    int bits = 0;
    while (1 << bits < pixels_of(op)) {
        ++bits;
    }
    return std::max(line_bits + bits - 32, 0);
}

enum class Stage { lines, result };

/// Rows of a group. The first row of a strip costs as much as its window has rows: long strips save that,
/// many strips fill the GPU.
int rows_of(int radius, int height, std::int64_t strips) {
    const auto share = [&](std::int64_t groups) { return static_cast<int>(height * strips / groups) + 1; };
    const int least = share(16 * full_gpu);
    return std::max(std::clamp(4 * radius, least, std::max(least, share(4 * full_gpu))), 16);
}

/// A run on one image.
class SumsRun {
  public:
    SumsRun(Context& gpu, const Guided& op, const GpuImage& src, GuidedSums how)
        : gpu_(gpu), op_(op), src_(src), how_(how), lines_(between("guided.lines")),
          result_(gpu.make_image(src.form(), "result")) {}

    GpuImage run() && {
        for (const Stage stage : {Stage::lines, Stage::result}) {
            how_ == GuidedSums::walked ? walk(stage) : march(stage);
        }
        return std::move(result_);
    }

  private:
    /// Four words a pixel, or two with one colour.
    GpuImage between(const char* label) const {
        const int words = src_.stored_channels() == 4 ? 4 : 2;
        return gpu_.make_image({src_.width(), src_.height(), words, Depth::f32}, label);
    }

    Pass pass(const char* name, const char* kernel, Stage stage, Defines defines) const {
        defines["STAGE"] = text(static_cast<int>(stage));
        defines["BORDER"] = text(static_cast<int>(op_.border.mode));
        defines["CHANNELS"] = text(src_.stored_channels());
        const SumsNumbers numbers = sums_numbers(op_);
        Pass pass = gpu_.pass(name, kernel, defines);
        pass.set("u_size", Int2{src_.width(), src_.height()})
            .set("u_radius", op_.radius)
            .set("u_pixels", numbers.pixels)
            .set("u_eps", numbers.eps)
            .set("u_per_unit", numbers.per_unit)
            .set("u_shift", numbers.shift)
            .set("u_scale", numbers.scale);
        return pass;
    }

    void read_or_write(Pass& pass, Stage stage) {
        pass.reads("i_src", src_);
        stage == Stage::lines ? pass.writes("i_lines", lines_)
                              : pass.reads("i_lines", lines_).writes("i_dst", result_);
    }

    void march(Stage stage);
    void walk(Stage stage);

    Context& gpu_;
    const Guided& op_;
    const GpuImage& src_;
    GuidedSums how_;
    GpuImage lines_;
    GpuImage result_;
};

/// In strips.
void SumsRun::march(Stage stage) {
    const Shape& shape = *std::find_if(shapes.begin(), shapes.end() - 1, [&](const Shape& candidate) {
        return op_.radius <= candidate.most_radius;
    });
    const int texel = pixels_per_texel(src_.form());
    const int reach = covering(op_.radius, texel) * texel;
    const std::int64_t units = shape.group - 2 * reach;
    const std::int64_t strips = covering(src_.width(), units);
    const int rows = rows_of(op_.radius, src_.height(), strips);
    Pass pass =
        this->pass(stage == Stage::lines ? "guided.lines" : "guided.result", "guided/strip.comp", stage,
                   {{"GROUP", text(shape.group)},
                    {"SHUFFLE", how_ == GuidedSums::shuffled ? "1" : "0"},
                    {"FETCHED", fetched(gpu_.device())}});
    pass.set("u_reach", reach).set("u_rows", rows);
    read_or_write(pass, stage);
    pass.groups(strips, covering(src_.height(), rows));
}

void SumsRun::walk(Stage stage) {
    GpuImage sums = between("guided.sums");
    std::optional<GpuImage> third; // of lines, whose sums of a third colour have no room beside the others
    if (stage == Stage::result && src_.stored_channels() == 4) {
        third = between("guided.third");
    }
    const auto along = [&](int axis) {
        Pass pass = this->pass(axis == 1 ? "guided.down" : "guided.across", "guided/walk.comp", stage,
                               {{"AXIS", text(axis)}});
        const auto use = [&](const char* name, GpuImage& image) {
            axis == 1 ? pass.writes(name, image) : pass.reads(name, image);
        };
        use("i_sums", sums);
        if (third) {
            use("i_third", *third);
        }
        if (axis == 1 && stage == Stage::lines) {
            pass.reads("i_src", src_);
        } else if (axis == 1) {
            pass.reads("i_lines", lines_);
        } else {
            read_or_write(pass, stage);
        }
        const int columns = stage == Stage::lines ? src_.texture().width() : lines_.texture().width();
        pass.over(axis == 1 ? columns : src_.height());
    };
    along(1);
    along(0);
}

} // namespace

bool can_guide_by_sums(const Guided& op, const Form& form) {
    return form.depth == Depth::u8 && op.with.image == nullptr && op.radius <= most_radius;
}

SumsNumbers sums_numbers(const Guided& op) {
    const double pixels = pixels_of(op);
    const double full = max_code(Depth::u8);
    return {.pixels = pixels_of(op),
            .shift = shift_of(op),
            .eps = static_cast<float>(op.eps * full * full * pixels * pixels),
            .per_unit = static_cast<float>(1 / (pixels * (1 << (slope_bits - height_bits)))),
            .scale = static_cast<float>(std::exp2(shift_of(op) - slope_bits) / pixels)};
}

GuidedSums guided_sums(Context& gpu) {
    if (gpu.device().software) {
        return GuidedSums::walked;
    }
    // Subgroups of other devices may be of another size than the limit says, or of several sizes.
    const bool has_lanes =
        gpu.device().has_subgroup && gpu.limits().subgroup_size == 32 && gpu.device().is("nvidia");
    return has_lanes ? GuidedSums::shuffled : GuidedSums::shared;
}

GpuImage guide_by_sums(Context& gpu, const Guided& op, const GpuImage& src, GuidedSums how) {
    return SumsRun(gpu, op, src, how).run();
}

TileNeeds needs_of_sums(Context& gpu, const Guided& op, const Form& form) {
    const int pixels = pixels_per_texel(form);
    const int halo = 2 * op.radius;
    const bool is_coloured = form.channels > 2;
    const bool walks = guided_sums(gpu) == GuidedSums::walked;
    return {.what = "guided",
            .halo = {covering(halo, pixels) * pixels, halo},
            .grain = {pixels, 1},
            .repeats = op.border.mode == BorderMode::wrap,
            .texel_pixels = is_coloured ? 1 : 2,
            .pixel_bytes = 32.0 / pixels + (is_coloured ? 16 : 8) * (walks ? 3 : 1),
            .pixel_work = is_coloured ? 120.0 : 60.0};
}

} // namespace glproc
