// How much the channels of a window's pixel count. Needs CHANNELS, SRC_DEPTH and ALPHA: 1 where colours are weighted by alpha.

#if ALPHA == 1
#define COUNT vec4
COUNT cover(vec4 pixel) {
    vec4 counts = vec4(pixel[CHANNELS - 1]);
    counts[CHANNELS - 1] = 1.0;
    return counts;
}

// Without the colours of a pixel of alpha 0, which may be anything. Codes times 0 are 0, anyway.
vec4 seen(vec4 pixel) {
    vec4 none = vec4(0.0);
    none[CHANNELS - 1] = pixel[CHANNELS - 1];
    return SRC_DEPTH == 32 && pixel[CHANNELS - 1] == 0.0 ? none : pixel;
}

vec4 shown(vec4 pixel) {
    float alpha = pixel[CHANNELS - 1];
#if SRC_DEPTH == 32
    precise vec4 colours = pixel * alpha;
#else
    // The code nearest to colour x alpha / the largest code; there are no ties.
    uvec4 products = uvec4(pixel) * uint(alpha) + (1u << (SRC_DEPTH - 1));
    vec4 colours = vec4((products + (products >> SRC_DEPTH)) >> SRC_DEPTH);
#endif
    colours[CHANNELS - 1] = alpha;
    return colours;
}
#else
#define COUNT float
COUNT cover(vec4 pixel) {
    return 1.0;
}

vec4 seen(vec4 pixel) {
    return pixel;
}

vec4 shown(vec4 pixel) {
    return pixel;
}
#endif
