// Shared by the kernels that make two neighbouring pixels at a time: sums along x over pixels of four bytes, with the
// same bits as the sums of kinds/gather/resample.comp.
//
// Needs SHORT (1: weights have 16 bits, so that products with 8 bits are exact).

// The first and the third byte as they are, the second and the fourth times 256: that takes no more than a mask.
vec4 values_of(uint pixel) {
    uint upper = pixel >> 16;
    return vec4(pixel & 0xffu, pixel & 0xff00u, upper & 0xffu, upper & 0xff00u);
}

vec4 add_products(vec4 sums, float weight, vec4 values) {
    precise vec4 products = weight * values;
    precise vec4 result = sums + products;
    return result;
}

vec4 add_tap(vec4 sums, float weight, vec4 values) {
#if SHORT == 1
    precise vec4 result = fma(vec4(weight), values, sums);
    return result;
#else
    return add_products(sums, weight, values);
#endif
}

// Turns sums of values_of() into a pixel between the axes, in 256ths. They are whole numbers: above 2^23 these are the
// last bits of a float.
vec4 rounded_sums(vec4 sums) {
    const vec4 most = vec4(255.0, 65280.0, 255.0, 65280.0);
    precise vec4 result = clamp(sums, vec4(0.0), most) * vec4(256.0, 1.0, 256.0, 1.0) + 8388608.0;
    return result;
}
