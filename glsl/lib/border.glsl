// Pixels beyond the image. Needs BORDER and lib/pixel.glsl:
//   0  clamp      aaa|abcd|ddd
//   1  mirror     dcb|abcd|cba
//   2  symmetric  dcba|abcd|dcba
//   3  wrap       bcd|abcd|abc
//   4  constant   u_border_texel: one texel full of the constant pixel, in the bits of the source
uniform uvec4 u_border_texel;

// i mod n, never negative. It is computed in float, because integer division is slow on vector units. It is exact for
// |i| < 2^21: (i + 0.5) / n then stays further from any integer than the rounding of the quotient can move it.
int wrap_index(int i, int n) {
    return i - n * int(floor((float(i) + 0.5) / float(n)));
}

// The index in 0 … n - 1 that stands for any i; -1 where the constant does.
int border_index(int i, int n) {
#if BORDER == 0
    return clamp(i, 0, n - 1);
#elif BORDER == 1
    int period = max(2 * (n - 1), 1);
    int j = wrap_index(i, period);
    return min(j, 2 * (n - 1) - j);
#elif BORDER == 2
    int j = wrap_index(i, 2 * n);
    return min(j, 2 * n - 1 - j);
#elif BORDER == 3
    return wrap_index(i, n);
#else
    return i >= 0 && i < n ? i : -1;
#endif
}

// Texel column tx of row y of the image, as border_index() gave them, where the texel is wholly inside.
uvec4 inside_texel(int tx, int y) {
    uvec4 texel = texel_at(ivec2(tx, y));
#if BORDER == 4
    return y < 0 ? u_border_texel : texel;
#else
    return texel;
#endif
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
    bool inside = tx >= 0 && (tx + 1) * SRC_PIXELS <= u_size.x;
    // A loop that runs once or never, not an if: renderers that run both sides of an if skip a loop that no invocation
    // enters.
    for (int turns = inside ? 0 : 1; turns > 0; --turns) {
        texel = outside_texel(tx, y);
    }
    return texel;
}
