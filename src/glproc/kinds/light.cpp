#include "glproc/kinds/light.hpp"

#include "glproc/op/srgb.hpp"

namespace glproc {

namespace {

Floats on_curve(Depth depth, int count, double shift) {
    Floats values;
    for (int code = 0; code < count; ++code) {
        values.push_back(static_cast<float>(linear_of_srgb((code + shift) / max_code(depth))));
    }
    return values;
}

} // namespace

Floats light_of_codes(Depth depth) {
    return on_curve(depth, static_cast<int>(max_code(depth)) + 1, 0);
}

Floats first_light(Depth depth) {
    return on_curve(depth, static_cast<int>(max_code(depth)), 0.5);
}

} // namespace glproc
