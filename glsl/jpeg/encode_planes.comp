#version 430 core
// The samples of a picture's components, in planes of bytes: colour, and colour at half the resolution, as
// libjpeg-turbo's encoder makes them.
//
// A plane is as large as its blocks: beyond the right edge the picture's last pixel is repeated, beyond the lower edge
// the last row of the component.
//
// Reads   i_src       the picture: 8 bits, grey or RGB
// Writes  b_planes    eight samples of a row in each element
// Group grid      x covers the eights of a row of the last component, y its rows; groups come in any order
// Shared bytes    none
// Source          ITU T.871 (JFIF); libjpeg-turbo, jccolext.c, jcsample.c, jcprepct.c: the rounding
//
// @define CHANNELS 1|4   as stored
// @define ACROSS   1|2   samples of luma for one of colour
// @define DOWN     1|2
// @skip CHANNELS=1 ACROSS=2
// @skip CHANNELS=1 DOWN=2
// @skip ACROSS=1 DOWN=2
#pragma optionNV(unroll all)
#define GROUP 64
layout(local_size_x = GROUP) in;

uniform usampler2D i_src;
layout(std430) writeonly buffer b_planes { uvec2 planes[]; };

// Planes: eights in a row, rows, and where they begin: of luma, of blue and of red.
uniform uvec4 u_luma;
uniform uvec4 u_colour;
uniform ivec2 u_size; // pixels of the picture

#define PIXELS (8 * ACROSS)
uint row[PIXELS]; // pixels, or samples of a grey picture
int blue[8];      // sums of the samples that become one
int red[8];

#if CHANNELS == 4
uint pixel_of(uvec4 texel, uint lane) {
    return lane == 0u ? texel.x : lane == 1u ? texel.y : lane == 2u ? texel.z : texel.w;
}

void load_row(uint first, uint y) {
    uint last = uint(u_size.x) - 1u;
    for (uint t = 0u; t < uint(2 * ACROSS); ++t) {
        uvec4 texel = texelFetch(i_src, ivec2(min(first / 4u + t, last / 4u), y), 0);
        row[4u * t] = texel.x;
        row[4u * t + 1u] = texel.y;
        row[4u * t + 2u] = texel.z;
        row[4u * t + 3u] = texel.w;
    }
    if (first + uint(PIXELS) - 1u > last) {
        uint edge = pixel_of(texelFetch(i_src, ivec2(last / 4u, y), 0), last & 3u);
        for (uint i = 0u; i < uint(PIXELS); ++i) {
            row[i] = first + i > last ? edge : row[i];
        }
    }
}

ivec3 colour_of(uint pixel) {
    return ivec3(bitfieldExtract(pixel, 0, 8), bitfieldExtract(pixel, 8, 8), bitfieldExtract(pixel, 16, 8));
}

// 16 bits of fraction; colour is rounded down at one half.
uint luma(uint i) {
    ivec3 c = colour_of(row[i]);
    return uint((19595 * c.r + 38470 * c.g + 7471 * c.b + 32768) >> 16);
}

void add_colour() {
    for (uint i = 0u; i < uint(PIXELS); ++i) {
        ivec3 c = colour_of(row[i]);
        blue[i / uint(ACROSS)] += (-11059 * c.r - 21709 * c.g + 32768 * c.b + 8421375) >> 16;
        red[i / uint(ACROSS)] += (32768 * c.r - 27439 * c.g - 5329 * c.b + 8421375) >> 16;
    }
}

// The mean of what was added; halves are rounded up and down in turn.
uint mean(int sum, int i) {
#if ACROSS == 1
    return uint(sum);
#elif DOWN == 1
    return uint((sum + (i & 1)) >> 1);
#else
    return uint((sum + 1 + (i & 1)) >> 2);
#endif
}

#else
void load_row(uint first, uint y) {
    uint last = uint(u_size.x) - 1u;
    uvec4 texel = texelFetch(i_src, ivec2(first / 16u, y), 0);
    uvec2 eight = (first & 8u) == 0u ? texel.xy : texel.zw;
    for (uint i = 0u; i < 8u; ++i) {
        row[i] = bitfieldExtract(i < 4u ? eight.x : eight.y, int(8u * (i & 3u)), 8);
    }
    if (first + 7u > last) {
        uint edge = row[0];
        for (uint i = 1u; i < 8u; ++i) { // the eight begins within the picture
            edge = first + i <= last ? row[i] : edge;
            row[i] = edge;
        }
    }
}

uint luma(uint i) {
    return row[i];
}
#endif

void store_luma(uint x, uint y) {
    for (uint t = 0u; t < uint(ACROSS); ++t) {
        uint i = 8u * t;
        uvec2 samples = uvec2(luma(i) | luma(i + 1u) << 8 | luma(i + 2u) << 16 | luma(i + 3u) << 24,
                              luma(i + 4u) | luma(i + 5u) << 8 | luma(i + 6u) << 16 | luma(i + 7u) << 24);
        uint column = uint(ACROSS) * x + t;
        if (column < u_luma.x && y < u_luma.y) {
            planes[u_luma.z + y * u_luma.x + column] = samples;
        }
    }
}

#if CHANNELS == 4
#define PACKED(sums)                                                                                                   \
    uvec2(mean(sums[0], 0) | mean(sums[1], 1) << 8 | mean(sums[2], 2) << 16 | mean(sums[3], 3) << 24,                  \
          mean(sums[4], 4) | mean(sums[5], 5) << 8 | mean(sums[6], 6) << 16 | mean(sums[7], 7) << 24)
#endif

void main() {
    uint x = gl_GlobalInvocationID.x;
    uint y = gl_GlobalInvocationID.y;
#if CHANNELS == 4
    uvec2 last_plane = u_colour.xy;
#else
    uvec2 last_plane = u_luma.xy;
#endif
    if (x >= last_plane.x || y >= last_plane.y) {
        return;
    }
    uint first = x * uint(PIXELS);
    uint height = uint(u_size.y);
#if CHANNELS == 4
    for (int i = 0; i < 8; ++i) {
        blue[i] = 0;
        red[i] = 0;
    }
#endif
#if DOWN == 2
    uint pair = min(y, (height - 1u) / 2u);
    load_row(first, 2u * pair);
    add_colour();
    if (y == pair) {
        store_luma(x, 2u * y);
    }
    load_row(first, min(2u * pair + 1u, height - 1u));
    if (y != pair) { // below the picture
        store_luma(x, 2u * y);
    }
    store_luma(x, 2u * y + 1u);
#else
    load_row(first, min(y, height - 1u));
    store_luma(x, y);
#endif
#if CHANNELS == 4
    add_colour();
    uint at = y * u_colour.x + x;
    planes[u_colour.z + at] = PACKED(blue);
    planes[u_colour.w + at] = PACKED(red);
#endif
}
