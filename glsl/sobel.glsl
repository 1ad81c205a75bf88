// The gradient of a 3x3 neighbourhood, by an operator that smooths across its direction with the weights
// (param(2), param(3), param(2)).
// Kind: stencil
// Params: 0 scale, 1 output (0 magnitude, 1 x, 2 y, 3 angle), 2 and 3 weights
// Source: I. Sobel, G. Feldman, A 3x3 isotropic gradient operator, 1968.
#include "lib/reproducible.glsl"
#include "lib/elementary.glsl"

float smoothed(float before, float at, float after) {
    precise float sides = before + after;
    return add_product(product_of(param(2), sides), param(3), at);
}

float stencil(int lane) {
    precise float x = smoothed(near(lane, 1, -1), near(lane, 1, 0), near(lane, 1, 1)) -
                      smoothed(near(lane, -1, -1), near(lane, -1, 0), near(lane, -1, 1));
    precise float y = smoothed(near(lane, -1, 1), near(lane, 0, 1), near(lane, 1, 1)) -
                      smoothed(near(lane, -1, -1), near(lane, 0, -1), near(lane, 1, -1));
    int part = int(param(1));
    float result = part == 1 ? x : part == 2 ? y : part == 3 ? angle_of(y, x) : length_of(x, y);
    return product_of(result, param(0));
}
