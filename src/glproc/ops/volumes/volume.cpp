#include "glproc/ops/volumes/volume.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace glproc {

namespace {

Number number_of(Depth depth) {
    return depth == Depth::u8 ? Number::u8 : depth == Depth::u16 ? Number::u16 : Number::f32;
}

/// Calls use(values) with the plane's values in their type.
template <class Use>
void with_values(const Image& plane, const Use& use) {
    switch (plane.depth()) {
    case Depth::u8:
        return use(plane.values<std::uint8_t>());
    case Depth::u16:
        return use(plane.values<std::uint16_t>());
    case Depth::f32:
        return use(plane.values<float>());
    }
}

template <class T>
void round_into(std::span<T> to, std::span<const double> from) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        if constexpr (std::is_floating_point_v<T>) {
            to[i] = static_cast<T>(from[i]);
        } else {
            to[i] =
                static_cast<T>(std::nearbyint(std::clamp<double>(from[i], 0, std::numeric_limits<T>::max())));
        }
    }
}

} // namespace

VolumeForm form_of(const VolumePart& part) {
    const Form& plane = part.planes.front()->form();
    VolumeForm form{number_of(plane.depth),
                    {static_cast<std::int64_t>(part.planes.size()), plane.height, plane.width}};
    if (plane.channels > 1) {
        form.shape.push_back(plane.channels);
    }
    return form;
}

std::vector<std::byte> values_of(const VolumePart& part) {
    std::vector<std::byte> values;
    values.reserve(form_of(part).bytes());
    for (const Image* plane : part.planes) {
        values.insert(values.end(), plane->bytes().begin(), plane->bytes().end());
    }
    return values;
}

std::vector<double> doubles_of(const VolumePart& part) {
    std::vector<double> doubles(static_cast<std::size_t>(form_of(part).count()));
    const std::size_t step = doubles.size() / part.planes.size();
    parallel_for(part.planes.size(), [&](std::size_t i) {
        with_values(*part.planes[i], [&](auto values) {
            std::copy(values.begin(), values.end(), doubles.begin() + static_cast<std::ptrdiff_t>(i * step));
        });
    });
    return doubles;
}

std::vector<Image> rounded_planes(std::span<const double> values, const VolumePart& part, Depth depth) {
    Form form = part.planes.front()->form();
    form.channels =
        static_cast<int>(values.size() / part.planes.size() / static_cast<std::size_t>(form.width) /
                         static_cast<std::size_t>(form.height));
    form.depth = depth;
    const std::size_t step = values.size() / part.planes.size();
    std::vector<Image> planes(part.wanted);
    parallel_for(part.wanted, [&](std::size_t i) {
        Image plane(form);
        const auto from = values.subspan((part.first_wanted + i) * step, step);
        switch (depth) {
        case Depth::u8:
            round_into(plane.values<std::uint8_t>(), from);
            break;
        case Depth::u16:
            round_into(plane.values<std::uint16_t>(), from);
            break;
        case Depth::f32:
            round_into(plane.values<float>(), from);
            break;
        }
        planes[i] = std::move(plane);
    });
    return planes;
}

std::vector<Image> planes_of(std::span<const std::byte> values, const VolumePart& part) {
    const std::size_t step = values.size() / part.planes.size();
    std::vector<Image> planes;
    for (std::size_t i = 0; i < part.wanted; ++i) {
        Image& plane = planes.emplace_back(part.planes.front()->form());
        std::memcpy(plane.bytes().data(), values.data() + (part.first_wanted + i) * step, step);
    }
    return planes;
}

void check_volume(const Form& plane, const Border& border) {
    if (plane.has_alpha()) {
        throw Error(ErrorCode::usage, "--volume is for images without alpha",
                    "leave it out first: glproc convert in.tif out.tif --alpha drop");
    }
    if (border.colour && (border.channel(0) != border.channel(1) || border.channel(0) != border.channel(2))) {
        throw Error(ErrorCode::usage, "--volume takes grey borders", "--border constant:0.5");
    }
}

double constant_of(const Border& border, const Form& plane) {
    const double value = border.channel(0);
    return plane.depth == Depth::f32 ? value : std::nearbyint(value * max_code(plane.depth));
}

void refuse_nan(const VolumePart& part) {
    for (const Image* plane : part.planes) {
        if (plane->depth() == Depth::f32 &&
            std::ranges::any_of(plane->values<float>(), [](float v) { return std::isnan(v); })) {
            throw Error(ErrorCode::operation, "an image has NaN, which --volume does not skip");
        }
    }
}

std::optional<int> planes_around(const Border& border, std::int64_t radius) {
    return border.mode == BorderMode::wrap ? std::nullopt : std::optional(static_cast<int>(radius));
}

} // namespace glproc
