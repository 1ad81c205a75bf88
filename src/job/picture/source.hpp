// What operations work on, in memory and on the device.
#pragma once

#include "glproc/image/array.hpp"
#include "glproc/image/image.hpp"
#include "glproc/op/op.hpp"

#include <string>
#include <variant>

namespace glproc::job {

using Source = std::variant<Image, Array>;
using Uploaded = std::variant<GpuImage, GpuArray>;

/// `uploaded` must be what became of `source`; both must outlive the result, as `name` must.
inline OpInput op_input(const std::string& name, const Source& source, const Uploaded& uploaded) {
    if (const auto* pixels = std::get_if<Image>(&source)) {
        return ImageInput{.name = name, .pixels = *pixels, .image = std::get<GpuImage>(uploaded)};
    }
    return ArrayInput{.array = std::get<GpuArray>(uploaded)};
}

} // namespace glproc::job
