#version 430 core
// Non-local means over frames of a video: adds to the sums of each pixel what one frame has for it. The patches around the pixel
// come from its own frame, those they are compared with from the other one, which may be the same.
//
// It is denoise/means.comp with two pictures. A group makes a block of WIDE x TALL pixels. It holds the block of its own frame with the
// reach of a patch, and the block of the other frame with the reach of the search. A run begins with u_fresh, adds frame by frame, and
// ends with denoise/mean_of_frames.comp. One frame alone has the bits of means.comp.
//
// Reads    i_src   the frame that is denoised
//          i_other the frame that is searched
// Updates  i_sums  a texel a pixel: three floats, weight x difference from the own colour; then the weights
// Group grid       x blocks of WIDE pixels, y of TALL; groups come in any order
// Shared bytes     up to 29216
// Source           A. Buades, B. Coll, J.-M. Morel, Denoising image sequences does not require motion estimation, AVSS 2005
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel
// @define PATCH     1|2|3     how far patches reach
// @define FETCHED   0|1       lib/texel.glsl
#define DST_DEPTH SRC_DEPTH
#include "lib/sync.glsl"
#include "lib/texel.glsl"
#include "lib/elementary.glsl"
#include "lib/code.glsl"
#include "denoise/patches.glsl"

#if PLANES == 1
#define WIDE 32
#define TALL 32
#define GROUP 256 // WIDE * TALL / PER
#else
#define WIDE 16
#define TALL 16
#define GROUP 64
#endif
#define PER 4
layout(local_size_x = GROUP) in;

#if FETCHED == 1
uniform usampler2D i_other;
#else
layout(rgba32ui) readonly uniform uimage2D i_other;
#endif
layout(rgba32ui) uniform uimage2D i_sums;

uniform int u_search; // offsets reach so far; at most 10
uniform int u_fresh; // 1: there are no sums yet

#define MARGIN (10 + PATCH)
#define HELD_WIDE (WIDE + 2 * MARGIN + 1) // odd, so that the pixels of a column lie in different banks
#define HELD (HELD_WIDE * (TALL + 2 * MARGIN))
#define OWN_WIDE (WIDE + 2 * PATCH + 1)
#define OWN (OWN_WIDE * (TALL + 2 * PATCH))

shared uint s_held[PLANES * HELD]; // of the other frame
shared uint s_own[PLANES * OWN];

ivec2 within(ivec2 at) {
    return ivec2(mirrored(at.x, u_size.x), mirrored(at.y, u_size.y));
}

void hold(int i, ivec2 corner) {
    ivec2 at = within(corner + ivec2(i % HELD_WIDE, i / HELD_WIDE) - MARGIN);
    ivec2 place = ivec2(at.x / SRC_PIXELS, at.y);
#if FETCHED == 1
    uvec4 texel = texelFetch(i_other, place, 0);
#else
    uvec4 texel = imageLoad(i_other, place);
#endif
    for (int c = 0; c < PLANES; ++c) {
        s_held[c * HELD + i] = held_bits(texel, at.x % SRC_PIXELS * CHANNELS, c);
    }
}

void hold_own(int i, ivec2 corner) {
    ivec2 at = within(corner + ivec2(i % OWN_WIDE, i / OWN_WIDE) - PATCH);
    uvec4 texel = texel_at(ivec2(at.x / SRC_PIXELS, at.y));
    for (int c = 0; c < PLANES; ++c) {
        s_own[c * OWN + i] = held_bits(texel, at.x % SRC_PIXELS * CHANNELS, c);
    }
}

// PER pixels side by side, as they are held.
uvec4 held(int plane, int i) {
    i += plane * HELD;
    return uvec4(s_held[i], s_held[i + 1], s_held[i + 2], s_held[i + 3]);
}

uvec4 own_pixels(int plane, int i) {
    i += plane * OWN;
    return uvec4(s_own[i], s_own[i + 1], s_own[i + 2], s_own[i + 3]);
}

float squares_at(int x, int y, int offset) {
    int own = y * OWN_WIDE + x;
    int other = (y + MARGIN - PATCH) * HELD_WIDE + x + MARGIN - PATCH + offset;
    float sum = 0.0;
    for (int c = 0; c < COLOURS; ++c) {
        int plane = PLANES == 1 ? 0 : c;
        sum = add_square(sum, s_own[plane * OWN + own], s_held[plane * HELD + other], c);
    }
    return sum;
}

#include "denoise/patch_sums.glsl"

vec4 sums_before(int p, ivec2 first) {
    return u_fresh == 1 ? vec4(0.0) : uintBitsToFloat(imageLoad(i_sums, first + ivec2(p, 0)));
}

void keep(int p, ivec2 first, vec4 sums) {
    imageStore(i_sums, first + ivec2(p, 0), floatBitsToUint(sums)); // nothing beyond the image
}

void main() {
    int id = int(gl_LocalInvocationIndex);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * ivec2(WIDE, TALL);
    for (int i = id; i < HELD; i += GROUP) {
        hold(i, corner);
    }
    for (int i = id; i < OWN; i += GROUP) {
        hold_own(i, corner);
    }
    wg_sync();
    ivec2 at = ivec2(id / TALL * PER, id % TALL); // of the pixels of this invocation, in the block
    int place = (at.y + MARGIN) * HELD_WIDE + at.x + MARGIN;
    int own_place = (at.y + PATCH) * OWN_WIDE + at.x + PATCH;
    ivec2 first = corner + at;
    mat4 before = transpose(mat4(sums_before(0, first), sums_before(1, first), sums_before(2, first), sums_before(3, first)));
    vec4 red = before[0]; // weight x difference from the own colour
    vec4 green = before[1];
    vec4 blue = before[2];
    vec4 weights = before[3];
    for (int dy = -u_search; dy <= u_search; ++dy) {
        for (int dx = -u_search; dx <= u_search; ++dx) {
            int offset = dy * HELD_WIDE + dx;
            add_down(offset);
            wg_sync();
            vec4 sums = add_across(at.y * COLUMNS_WIDE + at.x);
            wg_sync();
            vec4 these = vec4(weight_of(sums.x), weight_of(sums.y), weight_of(sums.z), weight_of(sums.w));
            red = add_colour(red, these, held(0, place + offset), own_pixels(0, own_place), 0);
#if CHANNELS == 4
            const int green_plane = PLANES == 1 ? 0 : 1;
            const int blue_plane = PLANES == 1 ? 0 : 2;
            green = add_colour(green, these, held(green_plane, place + offset), own_pixels(green_plane, own_place), 1);
            blue = add_colour(blue, these, held(blue_plane, place + offset), own_pixels(blue_plane, own_place), 2);
#endif
            precise vec4 together = weights + these;
            weights = together;
        }
    }
    mat4 after = transpose(mat4(red, green, blue, weights));
    for (int p = 0; p < PER; ++p) {
        keep(p, first, after[p]);
    }
}
