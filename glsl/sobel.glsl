// The gradient of a 3x3 neighbourhood, by an operator that smooths across its direction with the weights
// (param(1), param(2), param(1)); param(0) scales the result.
// Kind: stencil
// Source: I. Sobel, G. Feldman, A 3x3 isotropic gradient operator, 1968.
//
// @define OUTPUT 0|1|2|3   magnitude, x, y, angle
#include "lib/reproducible.glsl"
#include "lib/elementary.glsl"

float smoothed(float before, float at, float after) {
    precise float sides = before + after;
    return add_product(product_of(param(1), sides), param(2), at);
}

float magnitude(float x, float y) {
    precise float squares = x * x + y * y;
#if DST_DEPTH == 8
    // A driver's root is off by less than 1e-3 of a code: which one is nearest is in doubt only beside a tie.
    float result = product_of(sqrt(squares), param(0));
    bool in_doubt = abs(fract(result) - 0.5) < 1.0e-3;
    for (int turns = in_doubt ? 1 : 0; turns > 0; --turns) {
        result = product_of(root_of(squares), param(0));
    }
    return result;
#else
    return product_of(root_of(squares), param(0));
#endif
}

float stencil(int lane) {
    precise float x = smoothed(near(lane, 1, -1), near(lane, 1, 0), near(lane, 1, 1)) -
                      smoothed(near(lane, -1, -1), near(lane, -1, 0), near(lane, -1, 1));
    precise float y = smoothed(near(lane, -1, 1), near(lane, 0, 1), near(lane, 1, 1)) -
                      smoothed(near(lane, -1, -1), near(lane, 0, -1), near(lane, 1, -1));
#if OUTPUT == 0
    return magnitude(x, y);
#elif OUTPUT == 3
    return product_of(angle_of(y, x), param(0));
#else
    return product_of(OUTPUT == 1 ? x : y, param(0));
#endif
}
