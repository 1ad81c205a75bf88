// Kernels beside their twins: the same bits, whatever comes in.
//
// Floats of any bits have NaN, infinities and denormals, which come in as 0. Drivers of GPUs may also take denormals on the way for
// 0: on those, floats nearer to 0 than 2^-100 are left out, whose products may be denormal.
#pragma once

#include "glproc/kinds/filter.hpp"
#include "glproc/op/workload.hpp"
#include "support/operation_cases.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace glproc::test {

enum class Content { unit, any_bits, denormals };

inline const std::vector<Content> every_content{Content::unit, Content::any_bits, Content::denormals};
inline const std::vector<AlphaMode> every_alpha{AlphaMode::premultiply, AlphaMode::straight, AlphaMode::ignore};

/// Floats by their bits; integers are noise either way. Where kernels copy, they copy the bits of a NaN, too, and else make all
/// NaNs one: that comes in here.
inline Image picture_of(const Form& form, Content content, std::uint32_t seed) {
    Image image = random_image(form, seed);
    if (form.depth != Depth::f32 || content == Content::unit) {
        return image;
    }
    std::uint32_t i = 0;
    for (float& value : image.values<float>()) {
        const auto bits = static_cast<std::uint32_t>(hash_01(seed, i, 1) * 65535) << 16U |
                          static_cast<std::uint32_t>(hash_01(seed, i, 2) * 65535);
        const std::uint32_t special = i % 7 == 0 ? 0x7fc00000U : i % 11 == 0 ? 0xff800000U : i % 13 == 0 ? 0x80000000U : bits;
        value = std::bit_cast<float>(content == Content::any_bits ? special : bits & 0x807fffffU);
        value = std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value;
        const bool may_vanish = std::isnormal(value) && std::abs(value) < 0x1p-100F;
        value = may_vanish && !gpu().device().software ? 0 : value;
        ++i;
    }
    return image;
}

inline Image without_denormals(Image image) {
    if (image.depth() == Depth::f32) {
        for (float& value : image.values<float>()) {
            value = std::fpclassify(value) == FP_SUBNORMAL ? 0 : value;
        }
    }
    return image;
}

/// Without a proof, which would replace a kernel that is wrong.
inline Image by_kernel(const Plan& plan, const Image& image) {
    const GpuImage source = gpu().upload(image);
    const Plan seen = plan.look.at ? plan.look.at(gpu(), &source, {}) : plan;
    return gpu().download(
        seen.work.run(gpu(), {source, whole_of(plan.shape.source)}, whole_of(plan.shape.result)));
}

inline std::string difference_of_machines(const Plan& plan, const Image& image) {
    return difference(by_kernel(plan, image), image_by_processor(plan, image));
}

} // namespace glproc::test
