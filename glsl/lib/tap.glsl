// A step of a filter's sum: one tap.
//
// Every exact method gives the same bits. It adds weight x value from the first tap to the last, along x and then along
// y, and rounds each product and each sum (lib/reproducible.glsl). Boxes of integers are added up exactly, in any
// order: as whole numbers (WHOLE 1), or as floats while the sums stay below 2^24.
//
// Needs lib/pixel.glsl and WHOLE.
#if WHOLE == 1
#define SUM uint
#else
#define SUM float
#endif

// Taps of weight 0 are skipped: they let no NaN through, however many of them a method has beyond the radius.
SUM add_tap(SUM sum, SUM weight, SUM value) {
#if WHOLE == 1
    return sum + weight * value;
#elif SRC_DEPTH == 32 && DST_DEPTH == 32
    return weight == 0.0 ? sum : add_product(sum, weight, value);
#else
    return add_product(sum, weight, value);
#endif
}

// The weight of a channel at a distance, where the pixel's is `weight`: a kept channel sees only itself.
SUM channel_tap(int channel, int distance, SUM weight) {
#if ALPHA == 2
    return channel == CHANNELS - 1 ? SUM(distance == 0) : weight;
#else
    return weight;
#endif
}
