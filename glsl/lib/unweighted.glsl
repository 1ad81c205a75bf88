// Divides colour that was weighted by alpha. Weights of filters may be negative, and so may be sums. If nothing is
// opaque there is no colour.
//
// Needs lib/reproducible.glsl, DEPTH (bits of a channel of the picture) and LIGHT (1: sums are of linear light).
float unweighted(float sum, float alpha) {
#if DEPTH == 32
    return alpha != 0.0 ? product_of(sum, reciprocal(alpha)) : 0.0;
#elif LIGHT == 1
    return alpha > 0.0 ? product_of(sum, reciprocal(alpha)) : 0.0;
#else
    float most = product_of(float((1 << DEPTH) - 1), alpha);
    return alpha > 0.0 ? nearest_quotient(clamp(sum, 0.0, most), alpha, 1.0 / alpha) : 0.0;
#endif
}
