// The larger of two texels, channel by channel: keys (lib/keys.glsl), of 8 and 16 bits several in a word. Needs SRC_DEPTH.
#include "lib/keys.glsl"

uniform uint u_flip; // 0, or all ones where the smaller values are wanted

// A texel of the image as keys; the largest is wanted. NaN, which counts as missing, is 0.
uvec4 keys_of_texel(uvec4 texel) {
#if SRC_DEPTH == 32
    for (int lane = 0; lane < 4; ++lane) {
        uint key = key_of(texel[lane]);
        texel[lane] = key == NO_KEY ? 0u : key ^ u_flip;
    }
    return texel;
#else
    return texel ^ u_flip;
#endif
}

uvec4 texel_of_keys(uvec4 keys) {
#if SRC_DEPTH == 32
    for (int lane = 0; lane < 4; ++lane) {
        keys[lane] = bits_of_key(keys[lane] == 0u ? NO_KEY : keys[lane] ^ u_flip);
    }
    return keys;
#else
    return keys ^ u_flip;
#endif
}

uvec4 larger(uvec4 a, uvec4 b) {
#if SRC_DEPTH == 32
    return max(a, b);
#else
#if SRC_DEPTH == 8
    const uint high = 0x80808080u;
#else
    const uint high = 0x80008000u;
#endif
    uvec4 rest = (a | high) - (b & ~high); // keeps its high bits where its other bits are not less than those bits of b
    uvec4 not_less = ((a & ~b) | (~(a ^ b) & rest)) & high;
    uvec4 mask = (not_less << 1) - (not_less >> (SRC_DEPTH - 1));
    return (a & mask) | (b & ~mask);
#endif
}
