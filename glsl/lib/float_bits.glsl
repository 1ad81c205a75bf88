// Floats of pictures as they come in and go out. Nearer to 0 than 2^-126 they are 0, with their sign: drivers of GPUs take
// such denormals for 0 where they compute, and software renderers do not.

uint without_denormal(uint bits) {
    return (bits & 0x7f800000u) == 0u ? bits & 0x80000000u : bits;
}

float float_of_bits(uint bits) {
    return uintBitsToFloat(without_denormal(bits));
}

// The same for a value between two steps.
float without_denormal(float value) {
    return float_of_bits(floatBitsToUint(value));
}

// A sum that begins with 0 is never -0, but some drivers leave that 0 out.
float begun_with_zero(float sum) {
    uint bits = floatBitsToUint(sum);
    return uintBitsToFloat(bits == 0x80000000u ? 0u : bits);
}
