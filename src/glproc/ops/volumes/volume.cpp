#include "glproc/ops/volumes/volume.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

namespace glproc {

namespace {

Number number_of(Depth depth) {
    return depth == Depth::u8 ? Number::u8 : depth == Depth::u16 ? Number::u16 : Number::f32;
}

/// Calls use(values) with the plane's values in their type.
template <class Plane, class Use>
void with_values(Plane& plane, const Use& use) {
    switch (plane.depth()) {
    case Depth::u8:
        return use(plane.template values<std::uint8_t>());
    case Depth::u16:
        return use(plane.template values<std::uint16_t>());
    case Depth::f32:
        return use(plane.template values<float>());
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

template <class Is>
bool has_any(const VolumePart& part, const Is& is) {
    return std::ranges::any_of(part.planes, [&](const Image* plane) {
        return plane->depth() == Depth::f32 && std::ranges::any_of(plane->values<float>(), is);
    });
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

MakePlane rounded_planes(std::vector<double> values, const VolumePart& part, Depth depth) {
    Form form = part.planes.front()->form();
    const std::size_t step = values.size() / part.planes.size();
    form.channels =
        static_cast<int>(step / static_cast<std::size_t>(form.width) / static_cast<std::size_t>(form.height));
    form.depth = depth;
    const auto kept = std::make_shared<const std::vector<double>>(std::move(values));
    return [kept, form, step, first = part.first_wanted](std::size_t number) {
        Image plane(form);
        const auto from = std::span(*kept).subspan((first + number) * step, step);
        with_values(plane, [&](auto to) { round_into(to, from); });
        return plane;
    };
}

MakePlane planes_of(std::vector<std::byte> values, const VolumePart& part) {
    const Form form = part.planes.front()->form();
    const std::size_t step = values.size() / part.planes.size();
    const auto kept = std::make_shared<const std::vector<std::byte>>(std::move(values));
    return [kept, form, step, first = part.first_wanted](std::size_t number) {
        Image plane(form);
        std::memcpy(plane.bytes().data(), kept->data() + (first + number) * step, step);
        return plane;
    };
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

void refuse_nan(const VolumeCall& volume, const VolumePart& part) {
    if (has_any(part, [](float value) { return std::isnan(value); })) {
        throw Error(ErrorCode::operation, volume.name + ": has NaN, which --volume does not skip");
    }
}

void refuse_infinite(const VolumeCall& volume, const VolumePart& part) {
    if (has_any(part, [](float value) { return !std::isfinite(value); })) {
        throw Error(ErrorCode::operation,
                    volume.name + ": has NaN or infinities, which --volume does not skip",
                    "--nan propagate lets them spread");
    }
}

std::optional<int> planes_around(const Border& border, std::int64_t radius) {
    return border.mode == BorderMode::wrap ? std::nullopt : std::optional(static_cast<int>(radius));
}

} // namespace glproc
