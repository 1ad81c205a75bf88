// All channels of a pixel as one vector, for shared memory. Needs CHANNELS.
#if CHANNELS == 4
#define PIXEL vec4
#elif CHANNELS == 2
#define PIXEL vec2
#else
#define PIXEL float
#endif

// The first channels of a vector, and back.
PIXEL pixel_of(vec4 values) {
#if CHANNELS == 4
    return values;
#elif CHANNELS == 2
    return values.xy;
#else
    return values.x;
#endif
}

vec4 vec4_of(PIXEL pixel) {
#if CHANNELS == 4
    return pixel;
#elif CHANNELS == 2
    return vec4(pixel, 0.0, 0.0);
#else
    return vec4(pixel, 0.0, 0.0, 0.0);
#endif
}

// sum + weight x value, the product rounded before it is added: see add_product() of lib/reproducible.glsl.
PIXEL add_products(PIXEL sum, float weight, PIXEL value) {
    precise PIXEL product = PIXEL(weight) * value;
    precise PIXEL result = sum + product;
    return result;
}

// The same where products have at most 24 bits, and no rounding can tell one operation from two.
PIXEL add_whole_products(PIXEL sum, float weight, PIXEL value) {
    precise PIXEL result = fma(PIXEL(weight), value, sum);
    return result;
}
