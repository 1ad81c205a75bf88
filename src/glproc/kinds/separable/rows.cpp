// Separable filters by the processor: light, holes and the choice of a method around the sums.
#include "glproc/files/memory_rows.hpp"
#include "glproc/kinds/light_rows.hpp"
#include "glproc/kinds/separable/passes.hpp"
#include "glproc/kinds/separable/row_ending.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace glproc {

namespace {

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

/// Calls work(value index, whether it is alpha) for values of rows.
template <class Work>
void over_values(const Form& form, std::size_t count, const Work& work) {
    const std::size_t channels = size_of(form.channels);
    for (std::size_t i = 0; i < count; ++i) {
        work(i, form.has_alpha() && i % channels == channels - 1);
    }
}

Image whole_of(RowReader& source) {
    Image image(source.form());
    source.read(image.bytes());
    return image;
}

bool has_holes(const Image& image) {
    const std::span<const float> values = image.values<float>();
    return !std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

Image filtered(const Form& form, const SeparableFilter& filter, const Image& source) {
    if (goes_fast(form, filter)) {
        return filter.is_box() ? box_of_floats_by_processor(filter, source) : blur_fast_by_processor(filter, source);
    }
    ImageRows made(source.form());
    filter_rows_exactly(folded(filter, source.form()), *rows_of(source).open(), made);
    made.finish();
    return std::move(made.image());
}

/// The same as run_around_holes().
Image filtered_around_holes(const Form& form, const SeparableFilter& filter, const Image& source) {
    Image whole = source;
    Image share = source;
    const std::span<float> values = whole.values<float>();
    const std::span<float> shares = share.values<float>();
    const int alpha = alpha_define(form, filter.alpha);
    over_values(form, values.size(), [&](std::size_t i, bool is_alpha) {
        const bool keeps = std::isfinite(values[i]);
        values[i] = keeps ? values[i] : 0;
        shares[i] = is_alpha && alpha == 1 ? values[i] : static_cast<float>(keeps);
    });
    SeparableFilter plain = filter;
    plain.nan = NanMode::propagate;
    Image result = filtered(form, plain, whole);
    over_values(form, values.size(), [&](std::size_t i, bool is_alpha) {
        if (is_alpha && alpha == 2) {
            result.values<float>()[i] = source.values<float>()[i];
        }
    });
    plain.border = {filter.border.mode, 1.0}; // beyond the image there are no holes
    plain.border_alpha = alpha == 1 ? filter.border_alpha : 1.0;
    divide_by_shares(result, filtered(form, plain, share), filter.alpha);
    return result;
}

bool goes_around(const Form& form, const SeparableFilter& filter) {
    return form.depth == Depth::f32 && filter.nan == NanMode::skip;
}

/// Whether every pixel of a part of such a picture sees no other, as methods that fold the filter find.
bool sees_itself(const Form& form, const SeparableFilter& filter, const Form& part) {
    const Form working = working_form(form, filter);
    const bool takes_any_radius = goes_fast(working, filter) || has_whole_sums(working, filter);
    return (takes_any_radius ? filter : folded(filter, part)).radius == PerAxis<int>(0);
}

} // namespace

bool goes_fast(const Form& form, const SeparableFilter& filter) {
    const bool may =
        filter.method == FilterMethod::automatic || filter.method == FilterMethod::fast || filter.method == FilterMethod::cpu;
    return may && (filter.is_box() ? can_box_floats(form, filter) : can_blur_fast(form, filter));
}

bool holds_picture(const Form& form, const SeparableFilter& filter) {
    constexpr double few = 1 << 24; // sums
    const Form working = working_form(form, filter);
    const double sums = double(form.width) * form.channels * (2.0 * filter.radius.y + 1);
    return filter.border.mode == BorderMode::wrap || sums > few || goes_fast(working, filter) || goes_around(form, filter);
}

void filter_rows(const Form& form, const SeparableFilter& filter, RowReader& source, RowWriter& to) {
    if (sees_itself(form, filter, source.form())) {
        return copy_rows(source, to); // bit for bit, the colour of transparent pixels included
    }
    if (filter.linear && form.depth != Depth::f32) {
        SeparableFilter plain = filter;
        plain.linear = false;
        plain.nan = NanMode::propagate; // codes are always numbers
        plain.border = linear_border(filter.border, form.depth);
        LightReader light(source);
        LightWriter back(source.form(), to);
        return filter_rows(working_form(form, filter), plain, light, back);
    }
    if (!goes_around(form, filter) && !goes_fast(form, filter)) {
        const SeparableFilter within = has_whole_sums(form, filter) ? filter : folded(filter, source.form());
        return filter_rows_exactly(within, source, to);
    }
    const Image image = whole_of(source);
    const bool has = goes_around(form, filter) && has_holes(image);
    to.write((has ? filtered_around_holes(form, filter, image) : filtered(form, filter, image)).bytes());
}

} // namespace glproc
