// RGB pixels as they lie in CPU memory, three values each, and as they lie in texels, with an opaque fourth.
//
// The work of one invocation is a unit: 12 words (3 uvec4) on one side, 4 texels on the other, whatever the depth. That
// is 16 pixels of 8 bits, 8 of 16 bits, or 4 of floats.
//
// Needs RGB, the bits of a value: 8, 16 or 32.
#define UNIT_TEXELS 4

#if RGB == 8
// The three bytes that begin at byte `at`; the fourth is undefined.
uint pixel_bytes(uint words[12], int at) {
    int shift = (at & 3) * 8;
    uint low = words[at >> 2] >> shift;
    return shift > 8 ? low | words[(at >> 2) + 1] << (32 - shift) : low;
}

void expand(uint words[12], out uvec4 texels[UNIT_TEXELS]) {
    for (int p = 0; p < 16; ++p) {
        texels[p >> 2][p & 3] = pixel_bytes(words, 3 * p) | 0xff000000u;
    }
}

void shrink(uvec4 texels[UNIT_TEXELS], out uint words[12]) {
    for (int k = 0; k < 4; ++k) {
        uvec4 pixels = texels[k] & 0x00ffffffu;
        words[3 * k] = pixels.x | pixels.y << 24;
        words[3 * k + 1] = pixels.y >> 8 | pixels.z << 16;
        words[3 * k + 2] = pixels.z >> 16 | pixels.w << 8;
    }
}
#elif RGB == 16
void expand(uint words[12], out uvec4 texels[UNIT_TEXELS]) {
    for (int k = 0; k < 4; ++k) { // two pixels: words ab cA BC
        uint ab = words[3 * k];
        uint ca = words[3 * k + 1];
        uint bc = words[3 * k + 2];
        texels[k] = uvec4(ab, ca | 0xffff0000u, ca >> 16 | bc << 16, bc >> 16 | 0xffff0000u);
    }
}

void shrink(uvec4 texels[UNIT_TEXELS], out uint words[12]) {
    for (int k = 0; k < 4; ++k) {
        uvec4 pixels = texels[k];
        words[3 * k] = pixels.x;
        words[3 * k + 1] = (pixels.y & 0xffffu) | pixels.z << 16;
        words[3 * k + 2] = pixels.z >> 16 | pixels.w << 16;
    }
}
#else
void expand(uint words[12], out uvec4 texels[UNIT_TEXELS]) {
    for (int k = 0; k < 4; ++k) {
        texels[k] = uvec4(words[3 * k], words[3 * k + 1], words[3 * k + 2], floatBitsToUint(1.0));
    }
}

void shrink(uvec4 texels[UNIT_TEXELS], out uint words[12]) {
    for (int k = 0; k < 4; ++k) {
        words[3 * k] = texels[k].x;
        words[3 * k + 1] = texels[k].y;
        words[3 * k + 2] = texels[k].z;
    }
}
#endif
