// The sum of second differences along x and y. Params: 0 scale, 1 whether the sign is kept.
// Kind: stencil
// Source: Gonzalez and Woods, Digital Image Processing, 4th ed., 3.6.
// @twin REACH=1
#include "lib/reproducible.glsl"

float stencil(int lane) {
    precise float around = (near(lane, -1, 0) + near(lane, 1, 0)) + (near(lane, 0, -1) + near(lane, 0, 1));
    precise float difference = around - 4.0 * near(lane, 0, 0);
    return product_of(param(1) == 1.0 ? difference : abs(difference), param(0));
}
