#version 430 core
// Adaptive equalisation: counts how often each code, or with colours each luma, occurs in each tile of an image.
//
// Tiles are of equal size. Together they are as large as the image or larger: beyond it the image is mirrored at its last row and
// column, which are not repeated. Pixels of alpha 0 do not count.
//
// Reads    i_src     rows of the image
// Updates  b_counts  for each tile, row by row, a count for each code; cleared before the first rows
// Group grid         x the tiles of a row, y slabs of tiles, u_slabs for each row of tiles, beginning with u_first_slab
// Shared bytes       1024 with 8 bits; groups come in any order
// Source             K. Zuiderveld, Contrast Limited Adaptive Histogram Equalization, Graphics Gems IV, 1994; the sizes are OpenCV's
//
// @define CHANNELS  1|2|4   as stored
// @define SRC_DEPTH 8|16    bits of a channel
// @define HIDES     0|1     whether the last channel is alpha
// @define FETCHED   0|1     lib/texel.glsl
// @skip CHANNELS=1 HIDES=1
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/hidden.glsl"
#include "lib/luma.glsl"
#include "lib/whole.glsl"

#define GROUP 256
#define SLAB 32 // rows
#define BINS (1 << SRC_DEPTH)

layout(local_size_x = GROUP) in;

layout(std430) buffer b_counts { uint counts[]; };

uniform ivec2 u_picture; // pixels of the image
uniform ivec2 u_tile;    // pixels of a tile
uniform ivec2 u_rows;    // of the image: the first that i_src has, and the first that it has no more
uniform int u_slabs;
uniform int u_first_slab;
uniform float u_luma_scale; // bins / luma of white

#if SRC_DEPTH == 8
shared uint s_counts[BINS];
#endif

int mirrored(int i, int n) {
    int period = max(2 * (n - 1), 1);
    int j = i % period;
    return i < n ? i : min(j, period - j);
}

int bin_of(uvec4 texel, int lane) {
#if CHANNELS == 4
    uvec3 code = uvec3(lane_bits(texel, lane), lane_bits(texel, lane + 1), lane_bits(texel, lane + 2));
    return int(whole_bin(whole_luma(code), u_luma.w, u_luma_scale, uint(BINS)));
#else
    return int(lane_bits(texel, lane));
#endif
}

bool can_be_seen(uvec4 texel, int lane) {
    return HIDES == 0 || !hides(lane_bits(texel, lane + CHANNELS - 1));
}

void count(uint tile, int bin) {
#if SRC_DEPTH == 8
    atomicAdd(s_counts[bin], 1u);
#else
    atomicAdd(counts[tile * uint(BINS) + uint(bin)], 1u);
#endif
}

// The pixels of a texel that lie in columns `first` to `end` of a tile. Those beyond the image have texels of their own.
void count_texel(uint tile, int column, int y, int first, int end) {
    uvec4 texel = uvec4(0u);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        int x = column * SRC_PIXELS + p;
        int from = mirrored(x, u_picture.x);
        if (p == 0 || x >= u_picture.x) {
            texel = texel_at(ivec2(from / SRC_PIXELS, y));
        }
        int lane = from % SRC_PIXELS * CHANNELS;
        if (x >= first && x < end && can_be_seen(texel, lane)) {
            count(tile, bin_of(texel, lane));
        }
    }
}

void main() {
    int slab = u_first_slab + int(gl_WorkGroupID.y);
    int first = int(gl_WorkGroupID.x) * u_tile.x;
    int end = first + u_tile.x;
    int top = slab / u_slabs * u_tile.y + slab % u_slabs * SLAB;
    int bottom = min(top + SLAB, (slab / u_slabs + 1) * u_tile.y);
    uint tile = uint(slab / u_slabs) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    int first_column = first / SRC_PIXELS;
    int columns = (end - 1) / SRC_PIXELS + 1 - first_column;
#if SRC_DEPTH == 8
    s_counts[gl_LocalInvocationIndex] = 0u;
    wg_sync();
#endif
    for (int i = int(gl_LocalInvocationIndex); i < columns * (bottom - top); i += GROUP) {
        int row = i / columns;
        int y = mirrored(top + row, u_picture.y);
        if (y >= u_rows.x && y < u_rows.y) {
            count_texel(tile, first_column + i - row * columns, y - u_rows.x, first, end);
        }
    }
#if SRC_DEPTH == 8
    wg_sync();
    uint counted = s_counts[gl_LocalInvocationIndex];
    if (counted > 0u) {
        atomicAdd(counts[tile * uint(BINS) + gl_LocalInvocationIndex], counted);
    }
#endif
}
