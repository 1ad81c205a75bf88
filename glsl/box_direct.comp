#version 430 core
// Mean over a box along one axis: run with AXIS 0, then with AXIS 1.
//
// Reads   i_src    the image (AXIS 0), or what AXIS 0 wrote (AXIS 1)
// Writes  i_dst    float sums (AXIS 0), the result (AXIS 1)
// Shared memory    none; invocations are independent, groups come in any order.
// Source           a separable filter as in Gonzalez and Woods, Digital Image Processing, 4th ed., 3.5.
//
// @define AXIS      0|1         along x, along y
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define CHANNELS  1|2|4       as stored
// @define SRC_DEPTH 8|16|32     bits of a channel
// @define DST_DEPTH 8|16|32     float after AXIS 0
// @define ALPHA     0|1|2       lib/pixel.glsl
// @skip AXIS=0 DST_DEPTH=8
// @skip AXIS=0 DST_DEPTH=16
// @skip AXIS=1 SRC_DEPTH=8
// @skip AXIS=1 SRC_DEPTH=16
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#include "lib/tap_box.glsl"
#include "lib/separable_direct.glsl"

void main() {
    separable_direct();
}
