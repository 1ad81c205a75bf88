// Channel values out of the texels of i_src.
//
// An image is rgba32ui: each texel packs 128 / SRC_DEPTH channel values, called lanes, in memory order.
//
// Needs SRC_DEPTH (8, 16 or 32) and CHANNELS (1, 2 or 4, as stored).
#define SRC_LANES (128 / SRC_DEPTH)
#define SRC_PIXELS (SRC_LANES / CHANNELS)

layout(rgba32ui) readonly uniform uimage2D i_src;

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
