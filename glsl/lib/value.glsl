// Channel values, without the error that they have as floats.

bool is_nan(float value) {
    return (floatBitsToUint(value) & 0x7fffffffu) > 0x7f800000u;
}

// A value in the units of an operation's parameters. For an integer image, whose largest code is `full`, that is the
// code, a whole number. For a float image, where `full` is 0, it is the value itself.
float in_units(float v, float full) {
    precise float scaled = v * full;
    return full > 0.0 ? floor(scaled + 0.5) : v;
}

// v - (high + low): exact if v and high are near each other.
float difference_of(float v, float high, float low) {
    precise float near = v - high;
    precise float difference = near - low;
    return difference;
}
