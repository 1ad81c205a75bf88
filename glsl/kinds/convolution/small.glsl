// A sum of weights that are no farther than REACH away, row by row, times param(0), plus param(1); without its sign where
// param(2) is 1.
// Kind: stencil
//
// @define EXACT 0|1   whether products are exact floats
// @twin REACH
#include "lib/add_weighted.glsl"

float stencil(int lane) {
    float sum = 0.0;
    for (int dy = -REACH; dy <= REACH; ++dy) {
        for (int dx = -REACH; dx <= REACH; ++dx) {
            sum = add_weighted(sum, param(3 + (dy + REACH) * (2 * REACH + 1) + dx + REACH), near(lane, dx, dy));
        }
    }
    precise float result = sum * param(0) + param(1);
    return param(2) == 1.0 ? abs(result) : result;
}
