#version 430 core
// Mean over a box along both axes in one pass, one group for one tile.
//
// Reads   i_src    the image
// Writes  i_dst    the result, same size and format
// Shared memory    see lib/separable_tiled.glsl; groups are independent and come in any order.
// Source           V. Podlozhnyuk, Image Convolution with CUDA, NVIDIA 2007: apron in shared memory, rows then columns;
//                  here both in one pass.
//
// @define BORDER       0|1|2|3|4   lib/border.glsl
// @define CHANNELS     1|2|4       as stored
// @define SRC_DEPTH    8|16|32     bits of a channel
// @define ALPHA        0|1|2       lib/pixel.glsl
// @define GROUP_W      2|8         units of a tile's row
// @define GROUP_H      32|64       rows of a group; a tile has 2 ry fewer
// @define RADIUS_UNITS 1|4         texels of the neighbourhood left and right
// @skip CHANNELS=1 ALPHA=1
// @skip CHANNELS=1 ALPHA=2
#include "lib/tap_box.glsl"
#include "lib/separable_tiled.glsl"

void main() {
    separable_tiled();
}
