// 32 values of 8 bits as 8 planes: bit i of word b is bit b of value i. An operation on a word works on 32 pixels at
// once. Needs lib/texel.glsl, lib/put_lane.glsl and lib/border.glsl.

// Turns bytes into planes, or back: bit b of byte k, k + 8 … becomes bit k of word b, in each of the four bytes
// (Hacker's Delight, 7-3).
void transpose(inout uint words[8]) {
    const uint masks[3] = uint[](0x0f0f0f0fu, 0x33333333u, 0x55555555u);
    for (int stage = 0; stage < 3; ++stage) {
        const int far = 4 >> stage;
        for (int i = 0; i < 4; ++i) {
            const int k = i / far * 2 * far + i % far;
            uint change = (words[k] >> far ^ words[k + far]) & masks[stage];
            words[k + far] ^= change;
            words[k] ^= change << far;
        }
    }
}

// 32 pixels of a channel in a row of the image, beginning at pixel x: pixel 8 m + k is in byte m of word k.
void load_pixels(int x, int y, int channel, out uint words[8]) {
    uvec4 texels[2 * CHANNELS];
    for (int t = 0; t < 2 * CHANNELS; ++t) {
        texels[t] = bordered_texel(x / SRC_PIXELS + t, border_index(y, u_size.y));
    }
    for (int k = 0; k < 8; ++k) {
        words[k] = 0u;
        for (int m = 0; m < 4; ++m) {
            const int lane = (8 * m + k) * CHANNELS;
            uint bits = texels[lane / 16][lane % 16 / 4] >> lane % 4 * 8;
            words[k] |= (bits >> channel * 8 & 255u) << 8 * m;
        }
    }
}

uint majority(uint a, uint b, uint c) {
    return (a & b) | (c & (a | b));
}

// Adds two bits to one of the same weight: returns the carry.
uint add_two(inout uint sum, uint a, uint b) {
    uint carried = majority(sum, a, b);
    sum = sum ^ a ^ b;
    return carried;
}

// 0xffffffff or 0.
uint all_if(bool condition) {
    return condition ? 0xffffffffu : 0u;
}

// 32 pixels of a channel that a group stores, as load_pixels() has them: word k. The kernel says where it lies.
uint stored_word(int row, int word, int channel, int k);

// The texel of a row of a group's results that begins with pixel `first`.
uvec4 stored_texel(int row, int first) {
    uvec4 texel = uvec4(0u);
    for (int p = 0; p < SRC_PIXELS; ++p) {
        int pixel = first + p;
        for (int c = 0; c < CHANNELS; ++c) {
            uint bytes = stored_word(row, pixel / 32, c, pixel % 8);
            put_lane(texel, p * CHANNELS + c, bytes >> pixel % 32 / 8 * 8 & 255u);
        }
    }
    return texel;
}
