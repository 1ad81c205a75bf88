// Channel values out of the texels of i_src.
//
// An image is rgba32ui: each texel packs 128 / SRC_DEPTH channel values, called lanes, in memory order.
//
// Needs SRC_DEPTH (8, 16 or 32) and CHANNELS (1, 2 or 4, as stored). With FETCHED 1 texels come through the texture
// cache, which pays on GPUs where neighbours load the same ones.
#define SRC_LANES (128 / SRC_DEPTH)
#define SRC_PIXELS (SRC_LANES / CHANNELS)

#ifndef FETCHED
#define FETCHED 0
#endif

#if FETCHED == 1
uniform usampler2D i_src;
#else
layout(rgba32ui) readonly uniform uimage2D i_src;
#endif

// A texel of the whole texture; beyond it any value.
uvec4 texel_at(ivec2 at) {
#if FETCHED == 1
    return texelFetch(i_src, at, 0);
#else
    return imageLoad(i_src, at);
#endif
}

uniform ivec2 u_size; // pixels

uint lane_bits(uvec4 texel, int lane) {
#if SRC_DEPTH == 8
    return bitfieldExtract(texel[lane >> 2], (lane & 3) * 8, 8);
#elif SRC_DEPTH == 16
    return bitfieldExtract(texel[lane >> 1], (lane & 1) * 16, 16);
#else
    return texel[lane];
#endif
}
