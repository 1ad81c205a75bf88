#version 430 core
// The samples of a picture's components, in planes of bytes: conversion to YCbCr, and chroma at half the resolution, as
// libjpeg-turbo's encoder makes them.
//
// A plane is as large as its blocks: beyond the right edge the picture's last pixel is repeated, beyond the lower edge
// the last row of the component.
//
// Reads   i_src       the picture: 8 bits, grey or RGB
// Writes  b_planes    eight samples of a row in each element
// Group grid      x covers the eights of a row of the last component, y its rows; groups come in any order. They are
//                 two-dimensional, as textures are
// Shared bytes    none
// Source          ITU T.871 (JFIF); libjpeg-turbo, jccolext.c, jcsample.c, jcprepct.c: the rounding
//
// @define CHANNELS 1|4   as stored
// @define ACROSS   1|2   samples of luma for one of colour
// @define DOWN     1|2
// @skip CHANNELS=1 ACROSS=2
// @skip CHANNELS=1 DOWN=2
layout(local_size_x = 32, local_size_y = 8) in;

uniform usampler2D i_src;
layout(std430) writeonly buffer b_planes { uvec2 planes[]; };

// Planes: eights in a row, rows, and where they begin: of luma, of blue and of red.
uniform uvec4 u_luma;
uniform uvec4 u_colour;
uniform ivec2 u_size; // pixels of the picture

uint bytes_of(ivec4 samples) {
    return uint(samples.x | samples.y << 8 | samples.z << 16 | samples.w << 24);
}

void store_luma(uint column, uint y, uint first_four, uint last_four) {
    if (column < u_luma.x && y < u_luma.y) {
        planes[u_luma.z + y * u_luma.x + column] = uvec2(first_four, last_four);
    }
}

#if CHANNELS == 4
uint lane_of(uvec4 texel, uint lane) {
    return lane == 0u ? texel.x : lane == 1u ? texel.y : lane == 2u ? texel.z : texel.w;
}

uvec4 pixels_from(uint first, uint y) {
    uint last = uint(u_size.x) - 1u;
    uvec4 texel = texelFetch(i_src, ivec2(min(first, last) / 4u, y), 0);
    if (first + 3u > last) {
        uint edge = lane_of(texel, last & 3u);
        texel.x = first > last ? edge : texel.x;
        texel.y = first + 1u > last ? edge : texel.y;
        texel.z = first + 2u > last ? edge : texel.z;
        texel.w = edge;
    }
    return texel;
}

// 16 bits of fraction; chroma is rounded down at one half.
void convert(uvec4 pixels, out ivec4 luma, out ivec4 blue, out ivec4 red) {
    ivec4 r = ivec4(pixels & 255u);
    ivec4 g = ivec4(pixels >> 8 & 255u);
    ivec4 b = ivec4(pixels >> 16 & 255u);
    luma = (19595 * r + 38470 * g + 7471 * b + 32768) >> 16;
    blue = (-11059 * r - 21709 * g + 32768 * b + 8421375) >> 16;
    red = (32768 * r - 27439 * g - 5329 * b + 8421375) >> 16;
}

// A row: luma, and chroma as sums of ACROSS samples.
struct Row {
    uvec4 luma;
    ivec4 blue_first, blue_last;
    ivec4 red_first, red_last;
};

Row row_at(uint x, uint y) {
    Row row;
    uint first = x * uint(8 * ACROSS);
    ivec4 luma, blue, red, blue_next, red_next;
#if ACROSS == 1
    convert(pixels_from(first, y), luma, row.blue_first, row.red_first);
    row.luma.x = bytes_of(luma);
    convert(pixels_from(first + 4u, y), luma, row.blue_last, row.red_last);
    row.luma.y = bytes_of(luma);
#else
    convert(pixels_from(first, y), luma, blue, red);
    row.luma.x = bytes_of(luma);
    convert(pixels_from(first + 4u, y), luma, blue_next, red_next);
    row.luma.y = bytes_of(luma);
    row.blue_first = ivec4(blue.xz + blue.yw, blue_next.xz + blue_next.yw);
    row.red_first = ivec4(red.xz + red.yw, red_next.xz + red_next.yw);
    convert(pixels_from(first + 8u, y), luma, blue, red);
    row.luma.z = bytes_of(luma);
    convert(pixels_from(first + 12u, y), luma, blue_next, red_next);
    row.luma.w = bytes_of(luma);
    row.blue_last = ivec4(blue.xz + blue.yw, blue_next.xz + blue_next.yw);
    row.red_last = ivec4(red.xz + red.yw, red_next.xz + red_next.yw);
#endif
    return row;
}

void store_luma_of(Row row, uint x, uint y) {
    store_luma(uint(ACROSS) * x, y, row.luma.x, row.luma.y);
#if ACROSS == 2
    store_luma(2u * x + 1u, y, row.luma.z, row.luma.w);
#endif
}

// Halves are rounded up and down in turn where colour is halved across, else up.
uvec2 means_of(ivec4 first, ivec4 last) {
#if ACROSS == 1 && DOWN == 2
    return uvec2(bytes_of((first + 1) >> 1), bytes_of((last + 1) >> 1));
#elif ACROSS == 1
    return uvec2(bytes_of(first), bytes_of(last));
#elif DOWN == 1
    const ivec4 bias = ivec4(0, 1, 0, 1);
    return uvec2(bytes_of((first + bias) >> 1), bytes_of((last + bias) >> 1));
#else
    const ivec4 bias = ivec4(1, 2, 1, 2);
    return uvec2(bytes_of((first + bias) >> 2), bytes_of((last + bias) >> 2));
#endif
}

void main() {
    uint x = gl_GlobalInvocationID.x;
    uint y = gl_GlobalInvocationID.y;
    if (x >= u_colour.x || y >= u_colour.y) {
        return;
    }
    uint height = uint(u_size.y);
#if DOWN == 2
    uint pair = min(y, (height - 1u) / 2u);
    Row row = row_at(x, 2u * pair);
    Row next = row_at(x, min(2u * pair + 1u, height - 1u));
    if (y == pair) {
        store_luma_of(row, x, 2u * y);
    } else { // below the picture
        store_luma_of(next, x, 2u * y);
    }
    store_luma_of(next, x, 2u * y + 1u);
    row.blue_first += next.blue_first;
    row.blue_last += next.blue_last;
    row.red_first += next.red_first;
    row.red_last += next.red_last;
#else
    Row row = row_at(x, min(y, height - 1u));
    store_luma_of(row, x, y);
#endif
    uint at = y * u_colour.x + x;
    planes[u_colour.z + at] = means_of(row.blue_first, row.blue_last);
    planes[u_colour.w + at] = means_of(row.red_first, row.red_last);
}
#else
uint byte_of(uvec2 eight, uint i) {
    return bitfieldExtract(i < 4u ? eight.x : eight.y, int(8u * (i & 3u)), 8);
}

void main() {
    uint x = gl_GlobalInvocationID.x;
    uint y = gl_GlobalInvocationID.y;
    if (x >= u_luma.x || y >= u_luma.y) {
        return;
    }
    uint first = 8u * x;
    uint last = uint(u_size.x) - 1u;
    uvec4 texel = texelFetch(i_src, ivec2(first / 16u, min(y, uint(u_size.y) - 1u)), 0);
    uvec2 eight = (first & 8u) == 0u ? texel.xy : texel.zw;
    if (first + 7u > last) { // the eight begins within the picture
        uint edge = last - first;
        eight = uvec2(bytes_of(ivec4(byte_of(eight, 0u), byte_of(eight, min(1u, edge)), byte_of(eight, min(2u, edge)),
                                   byte_of(eight, min(3u, edge)))),
                      bytes_of(ivec4(byte_of(eight, min(4u, edge)), byte_of(eight, min(5u, edge)), byte_of(eight, min(6u, edge)),
                                   byte_of(eight, edge))));
    }
    store_luma(x, y, eight.x, eight.y);
}
#endif
