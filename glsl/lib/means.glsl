// The end of a fast blur: turns sums along both axes into texels of the result.
//
// Needs lib/pixel.glsl and all that lib/unsharp.glsl needs. i_own is the image: for SHARPEN, and for the alpha that ALPHA 2
// keeps.
#define NEEDS_OWN
#include "lib/unsharp.glsl"

void keep_alpha(int unit, int y, inout float values[UNIT_LANES]) {
#if ALPHA == 2
    for (int t = 0; t < DST_TEXELS; ++t) {
        uvec4 texel = imageLoad(i_own, ivec2(unit * DST_TEXELS + t, y));
        for (int lane = CHANNELS - 1; lane < DST_LANES; lane += CHANNELS) {
            values[t * DST_LANES + lane] = begun_with_zero(own_value(texel, lane)); // as finished()
        }
    }
#endif
}

void finish_means(int unit, int y, inout float sums[UNIT_LANES]) {
    unpremultiply(sums);
    keep_alpha(unit, y, sums);
    sharpen(unit, y, sums);
}

// Texel t of a unit.
uvec4 texel_of_means(float means[UNIT_LANES], int t) {
#if DST_DEPTH == 8
    uvec4 texel; // means of clamped values are within the range themselves
    for (int w = 0; w < 4; ++w) {
        int lane = t * DST_LANES + 4 * w;
        texel[w] = bytes_of(vec4(means[lane], means[lane + 1], means[lane + 2], means[lane + 3]));
    }
    return texel;
#else
    return pack_texel(means, t * DST_LANES);
#endif
}
