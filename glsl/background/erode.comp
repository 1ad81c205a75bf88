#version 430 core
// Erosion of floats by a parabola along one axis: of the pixels of a line, the least of value + distance^2. Pixels beyond the image
// have no part in it, and NaN has none. Values are multiplied, so that the parabola needs no fractions.
//
// As background/envelope.comp, but here sums are rounded, and a search between two results would depend on where a tile begins.
//
// Reads   i_src   the image; with FIRST 0 the result of a pass before
// Writes  i_dst   a float for each channel, four a texel
// Group grid      covers the texels of i_dst
// Shared memory   none; invocations are independent, groups come in any order
// Source          R. van den Boomgaard, L. Dorst, S. Makram-Ebeid, J. Schavemaker, Quadratic structuring functions in mathematical
//                 morphology, ISMM 1996.
//
// @define CHANNELS  1|2|4     as stored
// @define FIRST     0|1
// @define FETCHED   0|1       lib/texel.glsl
#define SRC_DEPTH 32
#include "lib/texel.glsl"
#include "lib/float_bits.glsl"
#include "lib/reproducible.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_step;    // one pixel along the axis
uniform int u_reach;     // where the parabola ends
uniform int u_unit;      // its height a squared pixel
uniform float u_scale;   // of a value
uniform int u_flips;     // 1: the complement of the values is eroded; 2: the complement of the result is stored; or both

#define NOTHING uintBitsToFloat(0x7f800000u)

// A channel of a pixel that lies in the image.
void load(inout vec4 v, int i, uint bits) {
    bool is_missing = (bits & 0x7fffffffu) > 0x7f800000u;
    float value = float_of_bits(bits);
    v[i] = is_missing ? NOTHING : FIRST == 1 ? product_of(value, u_scale) : value;
    v[i] = (u_flips & 1) == 1 && !is_missing ? -v[i] : v[i];
}

#define PIXELS (4 / CHANNELS) // of a texel of i_dst

// As many pixels, the first at (x, y).
vec4 values_at(ivec2 at) {
    vec4 v = vec4(NOTHING);
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

void main() {
    ivec2 unit = ivec2(gl_GlobalInvocationID.xy);
    ivec2 at = ivec2(unit.x * PIXELS, unit.y);
    vec4 found = values_at(at);
    for (int t = 1; t <= u_reach; ++t) {
        vec4 near = min(values_at(at - t * u_step), values_at(at + t * u_step));
        precise vec4 raised = near + float(t * t * u_unit);
        found = min(found, raised);
    }
    imageStore(i_dst, unit, floatBitsToUint((u_flips & 2) == 2 ? -found : found));
}
