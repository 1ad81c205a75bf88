// The gradient of a 3x3 neighbourhood, by an operator that smooths across its direction with the weights
// (param(1), param(2), param(1)); param(0) scales the result.
// Kind: stencil
// Source: I. Sobel, G. Feldman, A 3x3 isotropic gradient operator, 1968.
//
// @define OUTPUT     0|1|2|3   magnitude, x, y, angle
// @define PLAIN_ROOT 0|1       1: the driver's root gives the same codes
// @twin OUTPUT PLAIN_ROOT REACH=1
#include "lib/reproducible.glsl"
#include "lib/elementary.glsl"

// The line of three values with `at` in the middle.
float weighed(float before, float at, float after) {
    precise float sides = before + after;
    return add_product(product_of(param(1), sides), param(2), at);
}

float along_x(int lane, int dy) {
    precise float difference = near(lane, 1, dy) - near(lane, -1, dy);
    return difference;
}

float along_y(int lane, int dx) {
    precise float difference = near(lane, dx, 1) - near(lane, dx, -1);
    return difference;
}

float magnitude(float x, float y) {
    precise float squares = x * x + y * y;
    return PLAIN_ROOT == 1 ? sqrt(squares) : product_of(root_of(squares), param(0));
}

float stencil(int lane) {
    float x = weighed(along_x(lane, -1), along_x(lane, 0), along_x(lane, 1));
    float y = weighed(along_y(lane, -1), along_y(lane, 0), along_y(lane, 1));
    if (OUTPUT == 0) {
        return magnitude(x, y);
    }
    return product_of(OUTPUT == 3 ? angle_of(y, x) : OUTPUT == 1 ? x : y, param(0));
}
