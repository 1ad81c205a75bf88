#include "glproc/ops/fast_axis.hpp"
#include "glproc/ops/separable_passes.hpp"

#include <algorithm>

namespace glproc {

namespace {

/// A fast blur under way: the passes take their scratch images in turn.
class FastBlur {
  public:
    FastBlur(Context& gpu, const GpuImage& src, const SeparableFilter& filter, FilterMemory& memory)
        : gpu_(gpu), src_(src), filter_(filter), memory_(memory) {}

    void run() {
        if (memory_.axes.empty()) {
            memory_.axes = {plan_fast_axis(filter_.taps_x, filter_.sigma.x, src_.width()),
                            plan_fast_axis(filter_.taps_y, filter_.sigma.y, src_.height())};
            for (const FastAxis& axis : memory_.axes) {
                const std::size_t bytes = axis.weights.size() * sizeof(float);
                memory_.tables.push_back(gpu_.make_buffer(bytes, "blur.weights"));
                memory_.tables.back().write(axis.weights);
            }
        }
        const FastAxis& x = memory_.axes[0];
        const FastAxis& y = memory_.axes[1];
        const GpuImage* means = &src_;
        for (std::size_t level = 0; level < std::max(x.reductions.size(), y.reductions.size()); ++level) {
            if (level < y.reductions.size()) {
                means = &reduce(1, *means, y.reductions[level]);
            }
            if (level < x.reductions.size()) {
                means = &reduce(0, *means, x.reductions[level]);
            }
        }
        const GpuImage& spread = expand(0, *means, x, scratch(src_.width(), means->height(), "blur.spread"));
        expand(1, spread, y, result_of(memory_, gpu_, src_));
    }

  private:
    GpuImage& scratch(int width, int height, std::string_view label) {
        return memory_.scratch_image(gpu_, next_image_++, {width, height, src_.channels(), Depth::f32},
                                     label);
    }

    /// Alpha matters to the passes `at_an_end`, not to those between: there it is a channel like the others.
    Defines defines(int axis, bool at_an_end) const {
        Defines all = common_defines(src_.form(), filter_);
        all["AXIS"] = text(axis);
        if (!at_an_end) {
            all["ALPHA"] = text(0);
        }
        return all;
    }

    const GpuImage& reduce(int axis, const GpuImage& from, const Reduction& reduction) {
        const bool from_image = &from == &src_;
        const bool along_x = axis == 0;
        GpuImage& to = along_x ? scratch(reduction.means, from.height(), "blur.means")
                               : scratch(from.width(), reduction.means, "blur.means");
        Defines all = defines(axis, from_image && filter_.alpha == AlphaMode::premultiply);
        all["SRC_DEPTH"] = text(static_cast<int>(from.depth()));
        all["FACTOR"] = text(reduction.factor);
        const double beyond = from_image ? border_code(src_.form(), filter_.border)
                                         : border_between_passes(src_.form(), filter_);
        Pass pass = gpu_.pass(along_x ? "blur.down.x" : "blur.down.y", "blur_down.comp", all);
        pass.reads("i_src", from)
            .writes("i_dst", to)
            .set("u_size", Int2{from.width(), from.height()})
            .set("u_border_texel", border_texel(src_.form(), beyond, from.depth(), filter_.border_alpha))
            .set("u_taps", reduction.weights)
            .set("u_first", reduction.first)
            .set("u_means", reduction.means);
        if (along_x) {
            pass.over(to.texture().width(), to.height());
        } else {
            constexpr int means_in_turn = 8; // MEANS of the kernel
            pass.over(from.texture().width(), (reduction.means + means_in_turn - 1) / means_in_turn);
        }
        return to;
    }

    const GpuImage& expand(int axis, const GpuImage& from, const FastAxis& along, GpuImage& to) {
        Defines all = defines(axis, axis == 1);
        all.erase("BORDER");
        all["DST_DEPTH"] = text(static_cast<int>(to.depth()));
        all["TAPS"] = text(along.taps);
        Pass pass = gpu_.pass(axis == 0 ? "blur.up.x" : "blur.up.y", "blur_up.comp", all);
        pass.reads("i_src", from)
            .reads("i_kept", src_)
            .reads("b_taps", memory_.tables[static_cast<std::size_t>(axis)])
            .writes("i_dst", to)
            .set("u_size", Int2{to.width(), to.height()})
            .set("u_factor", along.factor)
            .set("u_shift", along.shift)
            .set("u_first", along.first_block);
        if (axis == 0) {
            pass.over(to.texture().width(), to.height());
        } else {
            constexpr int rows = 64; // of an invocation: it loads `taps` rows before the first
            pass.set("u_rows", rows).over(to.texture().width(), (to.height() + rows - 1) / rows);
        }
        return to;
    }

    Context& gpu_;
    const GpuImage& src_;
    const SeparableFilter& filter_;
    FilterMemory& memory_;
    std::size_t next_image_ = 0;
};

/// What direct passes take less of: they cost the radius, or the image's size where that is less.
bool is_worth_it(const Form& form, const SeparableFilter& filter) {
    const auto extended = [](int size, double sigma) { return size + 8 * sigma; };
    const auto reach = [](int size, int radius) { return 2.0 * std::min(size, radius); };
    return extended(form.width, filter.sigma.x) * extended(form.height, filter.sigma.y) * 8 <
           double(form.width) * form.height *
               (reach(form.width, filter.radius.x) + reach(form.height, filter.radius.y));
}

} // namespace

bool can_blur_fast(const Form& form, const SeparableFilter& filter) {
    const auto fits = [](double sigma, int radius) {
        return sigma >= least_fast_sigma &&
               radius >= 3.5 * sigma - 1; // the fit knows no kernel that is cut short
    };
    return fits(filter.sigma.x, filter.radius.x) && fits(filter.sigma.y, filter.radius.y) &&
           is_worth_it(form, filter);
}

void run_fast_blur(Context& gpu, const GpuImage& src, const SeparableFilter& filter, FilterMemory& memory) {
    FastBlur(gpu, src, filter, memory).run();
}

} // namespace glproc
