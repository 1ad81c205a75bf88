// Lines of the guided filter: how they are made of the means of a window, and the value of a mean line.
#include "lib/reproducible.glsl"
#include "lib/value.glsl"

// The mean of products minus the product of the means.
float covariance(float mean_of_product, float a, float b) {
    precise float left = mean_of_product - product_of(a, b);
    return left;
}

// NaN stays NaN, which reciprocal() does not know.
float slope_of(float shared_variance, float variance, float eps) {
    precise float below = max(variance, 0.0) + eps;
    bool is_missing = is_nan(shared_variance) || is_nan(variance);
    return is_missing ? uintBitsToFloat(0x7fc00000u) : product_of(shared_variance, reciprocal(below));
}

// Where the guide is 0.
float height_of(float value, float slope, float guide) {
    precise float height = value - product_of(slope, guide);
    return height;
}

// Values are counted from the middle of the range.
float on_line(float guide, float slope, float height, float middle) {
    precise float moved = guide - middle;
    precise float value = product_of(slope, moved) + height;
    precise float result = value + middle;
    return result;
}
