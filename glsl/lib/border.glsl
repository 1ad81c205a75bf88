// Pixels beyond the image. Needs lib/pixel.glsl, and u_border, which is one of these:
#define BORDER_CLAMP 0     // aaa|abcd|ddd
#define BORDER_MIRROR 1    // dcb|abcd|cba
#define BORDER_SYMMETRIC 2 // dcba|abcd|dcba
#define BORDER_WRAP 3      // bcd|abcd|abc
#define BORDER_CONSTANT 4  // u_border_texel: one texel full of the constant pixel, in the bits of the source
uniform int u_border;
uniform uvec4 u_border_texel;

// Kernels that look pixels up one by one have BORDER as a define, because software renderers run what any border would need.
// With u_border, guided takes 6 % longer, a mirrored rotation 30, bilateral 34 and local 60 (llvmpipe, Mesa 22.3.6, 2026-11-28).
#ifdef BORDER
#define border_index index_for
#else
#define BORDER u_border
#endif

// i mod n, never negative. It is computed in float, because integer division is slow on vector units. It is exact for
// |i| < 2^21: (i + 0.5) / n then stays further from any integer than the rounding of the quotient can move it.
int wrap_index(int i, int n) {
    return i - n * int(floor((float(i) + 0.5) / float(n)));
}

// The index in 0 … n - 1 that stands for any i; -1 where the constant does. There are no branches, because such renderers would
// take all of them.
int index_for(int i, int n) {
    int turn = BORDER == BORDER_SYMMETRIC ? 2 * n - 1 : 2 * n - 2; // pixels j and turn - j are the same
    int period = BORDER == BORDER_WRAP ? n : BORDER == BORDER_MIRROR ? max(turn, 1) : 2 * n;
    int j = wrap_index(i, period);
    j = min(j, turn - j); // wrapped, j is the smaller one
    int nearest = clamp(i, 0, n - 1);
    j = BORDER == BORDER_CLAMP ? nearest : j;
    return BORDER != BORDER_CONSTANT ? j : nearest == i ? i : -1;
}

// The same, where most are within the image.
#ifndef border_index
int border_index(int i, int n) {
    if (i < 0 || i >= n) {
        i = index_for(i, n);
    }
    return i;
}
#endif

// Whether the constant stands for index i.
bool is_constant(int i, int n) {
    return BORDER == BORDER_CONSTANT && (i < 0 || i >= n);
}

// Whether all pixels of a texel are in the image.
bool is_whole(int tx) {
    return tx >= 0 && (tx + 1) * SRC_PIXELS <= u_size.x;
}

// Texel column tx of row y of the image, as border_index() gave them, where the texel is wholly inside.
uvec4 inside_texel(int tx, int y) {
    uvec4 texel = texel_at(ivec2(tx, y));
    return y < 0 ? u_border_texel : texel;
}
// The same anywhere, put together pixel by pixel.
uvec4 outside_texel(int tx, int y) {
    uvec4 texel = uvec4(0u);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        int from = border_index(tx * SRC_PIXELS + p, u_size.x);
        uvec4 source = from < 0 ? u_border_texel : inside_texel(from / SRC_PIXELS, y);
        int pixel = from < 0 ? 0 : from % SRC_PIXELS;
        for (int c = 0; c < CHANNELS; ++c) {
            int lane = p * CHANNELS + c;
            uint bits = lane_bits(source, pixel * CHANNELS + c);
#if SRC_DEPTH == 8
            texel[lane >> 2] |= bits << ((lane & 3) * 8);
#elif SRC_DEPTH == 16
            texel[lane >> 1] |= bits << ((lane & 1) * 16);
#else
            texel[lane] = bits;
#endif
        }
    }
    return texel;
}

// The same, for the few texels that need it.
uvec4 bordered_texel(int tx, int y) {
    uvec4 texel = inside_texel(tx, y);
    bool inside = is_whole(tx);
    // A loop that runs once or never, not an if: renderers that run both sides of an if skip a loop that no invocation
    // enters.
    for (int turns = inside ? 0 : 1; turns > 0; --turns) {
        texel = outside_texel(tx, y);
    }
    return texel;
}
