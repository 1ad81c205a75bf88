// A run: side by side in a row, as many pixels as fill a texel, beginning at any pixel. Bits are moved, never
// interpreted.
//
// i_src holds a part of a picture, or all of it; coordinates count from the corner of the picture.
//
// Needs SRC_DEPTH and CHANNELS, such that a pixel has the right number of bits, and BORDER.
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/border.glsl"

uniform ivec2 u_part; // the pixel of the picture that is the first of i_src

// Pixels `skipped` to `skipped` + SRC_PIXELS - 1 of those in two texels side by side.
uvec4 across(uvec4 left, uvec4 right, int skipped) {
    int bits = skipped * CHANNELS * SRC_DEPTH;
    if ((bits & 64) != 0) {
        left = uvec4(left.zw, right.xy);
        right = uvec4(right.zw, 0u, 0u);
    }
    if ((bits & 32) != 0) {
        left = uvec4(left.yzw, right.x);
        right = uvec4(right.yzw, 0u);
    }
#if SRC_DEPTH < 32
    int rest = bits & 31;
    left = left >> rest | (uvec4(left.yzw, right.x) << 1) << (31 - rest);
#endif
    return left;
}

uvec4 inside_run(ivec2 from) {
    ivec2 at = from - u_part;
    int skipped = at.x & (SRC_PIXELS - 1); // at.x is negative where the run ends at the first pixels of the part
    int texel = (at.x - skipped) / SRC_PIXELS;
    uvec4 right = SRC_PIXELS > 1 ? texel_at(ivec2(texel + 1, at.y)) : uvec4(0u);
    return across(texel_at(ivec2(texel, at.y)), right, skipped);
}

// Where the pixel is that stands for any coordinate. In a picture that repeats, a part may lie across its edges.
int index_in_part(int i, int n, int first) {
#if BORDER == 3
    return first + wrap_index(i - first, n);
#else
    return border_index(i, n);
#endif
}

// Puts the pixel `from`, which may be beyond the picture, into a run as its pixel `p`.
void put_bordered(inout uvec4 run, int p, ivec2 from) {
    int x = index_in_part(from.x, u_size.x, u_part.x);
    int y = index_in_part(from.y, u_size.y, u_part.y);
    bool inside = BORDER == 3 || (x >= 0 && y >= 0);
    ivec2 at = inside ? ivec2(x, y) - u_part : ivec2(0);
    uvec4 texel = inside ? texel_at(ivec2(at.x / SRC_PIXELS, at.y)) : u_border_texel;
    for (int c = 0; c < CHANNELS; ++c) {
        put_lane(run, p * CHANNELS + c, lane_bits(texel, at.x % SRC_PIXELS * CHANNELS + c));
    }
}

// The first `pixels` of a run that may reach beyond the picture. Its other pixels have any value.
uvec4 outside_run(ivec2 from, int pixels) {
    uvec4 run = uvec4(0u);
#if BORDER == 4
    uvec4 loaded = inside_run(from); // beyond the picture any value
    for (int lane = 0; lane < pixels * CHANNELS; ++lane) {
        ivec2 at = from + ivec2(lane / CHANNELS, 0);
        bool inside = min(at.x, at.y) >= 0 && at.x < u_size.x && at.y < u_size.y;
        put_lane(run, lane, lane_bits(inside ? loaded : u_border_texel, lane));
    }
#else
    for (int p = 0; p < pixels; ++p) {
        put_bordered(run, p, from + ivec2(p, 0));
    }
#endif
    return run;
}

// Whether the runs of so many rows lie within the picture; `from`, the first pixel, becomes the one that stands for it.
bool are_inside(inout ivec2 from, int rows) {
#if BORDER == 3
    from = ivec2(index_in_part(from.x, u_size.x, u_part.x), index_in_part(from.y, u_size.y, u_part.y));
    return from.x + SRC_PIXELS <= u_part.x + u_size.x && from.y + rows <= u_part.y + u_size.y;
#else
    return from.x >= 0 && from.x + SRC_PIXELS <= u_size.x && from.y >= 0 && from.y + rows <= u_size.y;
#endif
}

// The run that begins at this pixel, wherever that is.
uvec4 run_from(ivec2 from) {
    bool inside = are_inside(from, 1);
    uvec4 run = inside ? inside_run(from) : uvec4(0u);
    // A loop that runs once or never, not an if: renderers that run both sides of an if skip a loop that no invocation
    // enters.
    for (int turns = inside ? 0 : 1; turns > 0; --turns) {
        run = outside_run(from, SRC_PIXELS);
    }
    return run;
}

// The run that ends at this pixel, the last one first.
uvec4 run_back_from(ivec2 from) {
    uvec4 run = run_from(from - ivec2(SRC_PIXELS - 1, 0));
    uvec4 turned = uvec4(0u);
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        int pixel = lane / CHANNELS;
        put_lane(turned, (SRC_PIXELS - 1 - pixel) * CHANNELS + lane % CHANNELS, lane_bits(run, lane));
    }
    return turned;
}
