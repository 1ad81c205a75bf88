#version 430 core
// Exact distances, second pass: the ends of each strip (distance/ends.comp) become the nearest sites beyond it in the
// column.
//
// Reads    b_beyond  two rows of u_width words: the nearest site above all strips, and below them, or NONE
// Updates  b_lasts   becomes the nearest site above each strip
//          b_firsts  becomes the nearest site below it
// Writes   b_seen    two rows of u_width words: the last site in the strips or above, and the first in them or below
// Group grid         x columns, y 0 down and 1 up; any order
// Shared bytes       none
// Source             see distance/ends.comp
#define AT_ONCE 8 // strips, so that their words are loaded together
#define ROW_BITS 32
layout(local_size_x = 32) in;
#include "lib/sites.glsl"

layout(std430) readonly buffer b_beyond { uint beyond[]; };
layout(std430) buffer b_firsts { uint firsts[]; };
layout(std430) buffer b_lasts { uint lasts[]; };
layout(std430) writeonly buffer b_seen { uint seen[]; };

uniform uint u_width;
uniform uint u_strips;

void go_down(uint x) {
    uint site = beyond[x];
    for (uint strip = 0u; strip < u_strips; strip += uint(AT_ONCE)) {
        uint found[AT_ONCE];
        for (int i = 0; i < AT_ONCE; ++i) {
            found[i] = lasts[min(strip + uint(i), u_strips - 1u) * u_width + x];
        }
        for (int i = 0; i < AT_ONCE; ++i) {
            if (strip + uint(i) < u_strips) {
                lasts[(strip + uint(i)) * u_width + x] = site;
                site = found[i] != NONE ? found[i] : site;
            }
        }
    }
    seen[x] = site;
}

void go_up(uint x) {
    uint site = beyond[u_width + x];
    for (uint done = 0u; done < u_strips; done += uint(AT_ONCE)) {
        uint found[AT_ONCE];
        for (int i = 0; i < AT_ONCE; ++i) {
            found[i] = firsts[(u_strips - 1u - min(done + uint(i), u_strips - 1u)) * u_width + x];
        }
        for (int i = 0; i < AT_ONCE; ++i) {
            if (done + uint(i) < u_strips) {
                firsts[(u_strips - 1u - done - uint(i)) * u_width + x] = site;
                site = found[i] != NONE ? found[i] : site;
            }
        }
    }
    seen[u_width + x] = site;
}

void main() {
    uint x = gl_GlobalInvocationID.x;
    if (x < u_width) {
        if (gl_WorkGroupID.y == 0u) {
            go_down(x);
        } else {
            go_up(x);
        }
    }
}
