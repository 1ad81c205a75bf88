// Channel values as keys: words in the order of the values, so that integers and floats are compared alike.
//
// Floats: -0 comes before +0, and NaN, which counts as missing, after everything. Needs SRC_DEPTH.
#define NO_KEY 0xffffffffu // of floats: NaN

uint key_of(uint bits) {
#if SRC_DEPTH == 32
    bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    uint key = bits ^ (bits >> 31 != 0u ? 0xffffffffu : 0x80000000u);
    return is_nan ? NO_KEY : key;
#else
    return bits;
#endif
}

uint bits_of_key(uint key) {
#if SRC_DEPTH == 32
    uint bits = key ^ (key >> 31 != 0u ? 0x80000000u : 0xffffffffu);
    return key == NO_KEY ? 0x7fc00000u : bits;
#else
    return key;
#endif
}
