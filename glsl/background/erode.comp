#version 430 core
// Erosion by a parabola along one axis: of the pixels of a line, the least of value + distance^2. Pixels beyond the image have no
// part in it. Codes become whole numbers in units so small that the parabola needs no fractions; floats are multiplied alike.
//
// Four of these are an opening by a paraboloid: along x and y, then of the complement along x and y, which is a dilation. A search
// ends where the parabola alone is higher than the least value so far.
//
// Reads   i_src   the image with SRC_DEPTH 8 or 16, or with FLOATS its floats; with FIRST 0 the result of a pass before
// Writes  i_dst   a number or float for each channel, four a texel
// Group grid      covers the texels of i_dst
// Shared memory   none; invocations are independent, groups come in any order
// Source          R. van den Boomgaard, L. Dorst, S. Makram-Ebeid, J. Schavemaker, Quadratic structuring functions in mathematical
//                 morphology, ISMM 1996.
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel of i_src
// @define FIRST     0|1
// @define FLOATS    0|1
// @define FETCHED   0|1       lib/texel.glsl
// @skip FIRST=0 SRC_DEPTH=8
// @skip FIRST=0 SRC_DEPTH=16
// @skip FLOATS=1 SRC_DEPTH=8
// @skip FLOATS=1 SRC_DEPTH=16
// @skip FLOATS=0 FIRST=1 SRC_DEPTH=32
#include "lib/texel.glsl"
#include "lib/reproducible.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_step;    // one pixel along the axis
uniform int u_reach;     // where the parabola ends
uniform int u_unit;      // its height a squared pixel
uniform float u_scale;   // of a code or float
uniform int u_most;      // the largest number: complements are the distance from it; 0 of floats
uniform int u_flips;     // 1: the complement of the values is eroded; 2: the complement of the result is stored; or both

#if FLOATS == 1
#define VALUES vec4
#define NOTHING uintBitsToFloat(0x7f800000u)
#else
#define VALUES ivec4
#define NOTHING 0x3fffffff
#endif

VALUES complement(VALUES v) {
#if FLOATS == 1
    return -v;
#else
    return u_most - v;
#endif
}

// A channel of a pixel that lies in the image.
void load(inout VALUES v, int i, uint bits) {
#if FLOATS == 1
    bool is_missing = (bits & 0x7fffffffu) > 0x7f800000u;
    float value = uintBitsToFloat(bits);
    v[i] = is_missing ? NOTHING : FIRST == 1 ? product_of(value, u_scale) : value;
    v[i] = (u_flips & 1) == 1 && !is_missing ? -v[i] : v[i];
#elif FIRST == 1
    int value = int(bits) * int(u_scale);
    v[i] = (u_flips & 1) == 1 ? u_most - value : value;
#else
    v[i] = (u_flips & 1) == 1 ? u_most - int(bits) : int(bits);
#endif
}

#define PIXELS (4 / CHANNELS) // of a texel of i_dst

// As many pixels, the first at (x, y).
VALUES values_at(ivec2 at) {
    VALUES v = VALUES(NOTHING);
    for (int p = 0; p < PIXELS; ++p) {
        int x = at.x + p;
        if (x >= 0 && x < u_size.x && at.y >= 0 && at.y < u_size.y) {
            uvec4 texel = texel_at(ivec2(x / SRC_PIXELS, at.y));
            for (int c = 0; c < CHANNELS; ++c) {
                load(v, p * CHANNELS + c, lane_bits(texel, x % SRC_PIXELS * CHANNELS + c));
            }
        }
    }
    return v;
}

bool is_done(VALUES found, int height) {
#if FLOATS == 1
    return false;
#else
    return all(lessThanEqual(found, ivec4(height)));
#endif
}

void main() {
    ivec2 unit = ivec2(gl_GlobalInvocationID.xy);
    ivec2 at = ivec2(unit.x * PIXELS, unit.y);
    VALUES found = values_at(at);
    for (int t = 1; t <= u_reach; ++t) {
        int height = t * t * u_unit;
        if (is_done(found, height)) {
            break;
        }
        VALUES near = min(values_at(at - t * u_step), values_at(at + t * u_step));
#if FLOATS == 1
        precise vec4 raised = near + float(height);
        found = min(found, raised);
#else
        found = min(found, near + height);
#endif
    }
    VALUES result = (u_flips & 2) == 2 ? complement(found) : found;
#if FLOATS == 1
    imageStore(i_dst, unit, floatBitsToUint(result));
#else
    imageStore(i_dst, unit, uvec4(result));
#endif
}
