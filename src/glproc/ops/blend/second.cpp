#include "glproc/ops/blend/second.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/image/colour.hpp"
#include "glproc/ops/resize.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

Form with_channels(Form form, int channels) {
    form.channels = channels;
    return form;
}

Image in_colours_of(const Form& form, Image image) {
    image = with_depth(std::move(image), form.depth);
    const bool is_grey = image.channels() < 3;
    if (is_grey == (form.channels < 3)) {
        return image;
    }
    Image changed(with_channels(image.form(), is_grey ? colour_channels(image.channels())
                                                      : grey_channels(image.channels())));
    is_grey ? to_colour(image.bytes(), image.form(), changed.bytes())
            : to_grey(image.bytes(), image.form(), changed.bytes());
    return changed;
}

/// A value of the mask times alpha, rounded half to even. A mask shows all at most, and nothing where it is undefined.
template <class T>
T product_of(T mask, T alpha) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::isnan(mask) ? T{0} : std::clamp(mask, T{0}, T{1}) * alpha;
    } else {
        constexpr double full = std::numeric_limits<T>::max();
        return static_cast<T>(std::nearbyint(double{static_cast<double>(mask)} * alpha / full));
    }
}

/// The image with its alpha times the mask.
template <class T>
void put_alpha(const Image& image, const Image& mask, Image& to) {
    const auto from = image.values<T>();
    const auto out = to.values<T>();
    const T opaque = std::is_floating_point_v<T> ? T{1} : std::numeric_limits<T>::max();
    const auto colours = static_cast<std::size_t>(opaque_channels(image.channels()));
    const auto step = static_cast<std::size_t>(image.channels());
    for (std::size_t i = 0; i < from.size() / step; ++i) {
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(i * step), colours,
                    out.begin() + static_cast<std::ptrdiff_t>(i * (colours + 1)));
        const T own = image.has_alpha() ? from[i * step + colours] : opaque;
        out[i * (colours + 1) + colours] = product_of(mask.values<T>()[i], own);
    }
}

void check_mask(const Image& image, const Image& mask) {
    if (mask.width() != image.width() || mask.height() != image.height()) {
        throw Error(
            ErrorCode::usage,
            fmt::format(
                "blend needs a mask as large as the second image: that has {}x{} pixels, the mask {}x{}",
                image.width(), image.height(), mask.width(), mask.height()));
    }
}

/// The image with the share of each pixel, which a mask changes, as its alpha.
Image with_share(const Blend& op, const Form& form, Image image) {
    if (!op.mask.image) {
        return image;
    }
    check_mask(image, *op.mask.image);
    const Image grey = in_colours_of({1, 1, 1, form.depth}, *op.mask.image);
    Image mask(with_channels(grey.form(), 1));
    grey.has_alpha() ? flatten(grey.bytes(), grey.form(), {}, mask.bytes())
                     : static_cast<void>(std::copy(grey.bytes().begin(), grey.bytes().end(), mask.bytes().begin()));
    Image made(with_channels(image.form(), opaque_channels(image.channels()) + 1));
    switch (image.depth()) {
    case Depth::u8:
        put_alpha<std::uint8_t>(image, mask, made);
        break;
    case Depth::u16:
        put_alpha<std::uint16_t>(image, mask, made);
        break;
    case Depth::f32:
        put_alpha<float>(image, mask, made);
        break;
    }
    return made;
}

Plan scaling_plan(const Blend& op, const Form& form, const Form& second) {
    const auto width = static_cast<int>(std::lround(op.scale->value * form.width));
    return plan(Resize{.size = {.width = std::max(width, 1)}}, second);
}

/// By the processor, so that no device is needed to make a plan.
Image scaled(const Image& image, const Plan& resizing) {
    if (!resizing.twin.run) {
        return image_by_processor(resizing, image);
    }
    const auto reader = rows_of(image).open();
    ImageRows rows(resizing.shape.result);
    resizing.twin.run(*reader, rows);
    rows.finish();
    return std::move(rows.image());
}

Int2 place_on(const Blend& op, const Form& form, const Extent& second) {
    const int margin = op.margin.in(form.width);
    if (!op.gravity) {
        return op.at ? Int2{op.at->x, op.at->y} : Int2{margin, margin};
    }
    const Int2 room{form.width - second.width - 2 * margin, form.height - second.height - 2 * margin};
    const Int2 place = place_of(*op.gravity, room[0], room[1]);
    const Int2 aside = op.at ? Int2{op.at->x, op.at->y} : Int2{0, 0};
    return {place[0] + margin + aside[0], place[1] + margin + aside[1]};
}

} // namespace

Rect place_of_second(const Blend& op, const Form& form, const Extent& second) {
    Extent size = second;
    if (op.scale) {
        const Form scaled = scaling_plan(op, form, {second.width, second.height, 3, Depth::u8}).shape.result;
        size = {scaled.width, scaled.height};
    }
    const Int2 place = place_on(op, form, size);
    return {place[0], place[1], size.width, size.height};
}

SecondImage second_of(const Blend& op, const Form& form) {
    Image image = with_share(op, form, in_colours_of(form, *op.with.image));
    if (op.scale) {
        image = scaled(image, scaling_plan(op, form, image.form()));
    }
    const Int2 place = place_on(op, form, {image.width(), image.height()});
    return {.image = std::make_shared<const Image>(std::move(image)), .at = place, .repeats = op.repeat};
}

} // namespace glproc
