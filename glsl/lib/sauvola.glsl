// Whether a pixel is white by Sauvola's rule.
//
// Source: J. Sauvola, M. Pietikainen, Adaptive document image binarization, Pattern Recognition 33(2), 2000.
#include "lib/elementary.glsl"

// `value`: luma above 1/2. The means are of these values and of their squares.
bool is_white_by_moments(float value, float mean, float mean_square, float k) {
    precise float variance = mean_square - product_of(mean, mean);
    precise float away = product_of(2.0, root_of(max(variance, 0.0))) - 1.0; // 1/2 is the largest standard deviation
    precise float bright = mean + 0.5;
    precise float threshold = product_of(bright, add_product(1.0, k, away)) - 0.5;
    return value > threshold;
}

