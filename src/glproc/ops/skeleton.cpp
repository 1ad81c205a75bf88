#include "glproc/ops/skeleton.hpp"

#include "glproc/op/describe.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/ops/skeleton/thinning.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace glproc {

namespace {

std::int64_t bits_bytes(const Form& form) {
    return MaskBits::row_words_of(form.width) * form.height *
           static_cast<std::int64_t>(sizeof(std::uint32_t));
}

bool fits(Context& gpu, const Form& form) {
    return bits_bytes(form) <= gpu.limits().storage_block_bytes;
}

/// Sees all of the mask; at the end thins it.
class Thin final : public SweepState {
  public:
    Thin(Context& gpu, const Skeleton& op, const BandCut& cut)
        : op_(op), cut_(cut),
          on_cpu_(op.variant == SkeletonMethod::cpu || cut.is_wide || !fits(gpu, cut.picture) ||
                  (op.variant == SkeletonMethod::automatic && gpu.device().software)) {}

    RowsMade next(Context& gpu, Band& band) override {
        if (!on_cpu_) {
            MaskBits bits = mask_bits(gpu, band.image());
            if (cut_.is_whole()) {
                on_gpu_.emplace(std::move(bits));
            } else {
                add(host_mask(bits).words);
            }
        } else {
            add(host_mask(band.pixels(), MaskedPixels::nonzero).words);
        }
        return {};
    }

    void end(Context& gpu) override {
        mask_.width = cut_.picture.width;
        mask_.height = cut_.picture.height;
        if (on_cpu_) {
            mask_ = thin(std::move(mask_), op_.rule);
            return;
        }
        on_gpu_.emplace(thin(gpu, on_gpu_ ? std::move(*on_gpu_) : upload(gpu, mask_), op_.rule));
        if (!cut_.is_whole()) {
            mask_ = host_mask(*on_gpu_);
            on_gpu_.reset();
        }
    }

    RowsMade rows(Context& gpu, const Band& band) const {
        if (on_gpu_) {
            return picture_of(gpu, *on_gpu_);
        }
        HostMask part{mask_.width, band.rows()};
        const auto words = static_cast<std::size_t>(MaskBits::row_words_of(mask_.width));
        const auto first = mask_.words.begin() + static_cast<std::ptrdiff_t>(words) * band.first_row();
        part.words.assign(first, first + static_cast<std::ptrdiff_t>(words) * band.rows());
        const Image picture = picture_of(part);
        return std::vector<std::byte>(picture.bytes().begin(), picture.bytes().end());
    }

  private:
    void add(const std::vector<std::uint32_t>& words) {
        mask_.words.insert(mask_.words.end(), words.begin(), words.end());
    }

    Skeleton op_;
    BandCut cut_;
    bool on_cpu_;
    std::optional<MaskBits> on_gpu_; ///< of a whole picture
    HostMask mask_;                  ///< else
};

class Show final : public SweepState {
  public:
    explicit Show(const Thin& thin) : thin_(thin) {}
    RowsMade next(Context& gpu, Band& band) override { return thin_.rows(gpu, band); }

  private:
    const Thin& thin_;
};

TileNeeds needs_of(const Form& form) {
    const int pixels = pixels_per_texel(form);
    return {.what = "skeleton", .texel_pixels = pixels, .pixel_bytes = 16.0 / pixels + 1.5, .pixel_work = 20};
}

SweepPlan sweeps_of(const Skeleton& op, const Form& form) {
    return {.source = form,
            .needs = [form](Context&) { return needs_of(form); },
            .sweeps = {{.begin = [op](Context& gpu, const BandCut& cut,
                                      SweepState*) { return std::make_unique<Thin>(gpu, op, cut); }},
                       {.reads_source = false,
                        .makes = Form{form.width, form.height, 1, Depth::u8},
                        .begin = [](Context&, const BandCut&, SweepState* before) {
                            return std::make_unique<Show>(static_cast<const Thin&>(*before));
                        }}}};
}

} // namespace

Plan plan(const Skeleton& op, const Form& form) {
    Swept swept{.sweeps = [op](const Form& any) { return sweeps_of(op, any); },
                .by_processor = [op](const Image& source) { return picture_of(thin(host_mask(source, MaskedPixels::nonzero), op.rule)); },
                .row_cost = 20.0 * form.width};
    Plan plan = swept_plan(form, std::move(swept));
    plan.twin.work = 60; // of a photo above a threshold
    plan.work.on_cpu = op.variant == SkeletonMethod::cpu;
    plan.twin.only_proves = op.variant == SkeletonMethod::gpu;
    plan.work.why_unavailable = [op, form](Context& gpu) -> std::optional<std::string> {
        if (op.variant == SkeletonMethod::gpu && !fits(gpu, form)) {
            return fmt::format("a mask of {}x{} pixels is larger than a storage block of {}", form.width,
                               form.height, gpu.device().renderer);
        }
        return std::nullopt;
    };
    return plan;
}

const OpInfo& skeleton_info() {
    static const OpInfo info =
        Describe<Skeleton>("skeleton", "thin white shapes to lines one pixel wide", "in.png out.png")
            .alias("skeletonize")
            .alias("thin")
            .example("Reduce the lines of a drawing to one pixel",
                     "glproc pipe photo.jpg lines.png invert then threshold 60% then skeleton")
            .cost({.llvmpipe = 40, .alone = 28})
            .field("rule", &Skeleton::rule,
                   {.value = "RULE", .help = "which pixels to remove", .alias = "method"})
            .method(&Skeleton::variant, {.channels = 1})
            .runs();
    return info;
}

} // namespace glproc
