#version 430 core
// The functions that kinds/window.comp gives a window, for its twin. A kept alpha is 0 here, as a channel that pixels lack.
//
// @define SRC_DEPTH 8|16|32
// @define ALPHA     0|1
// @define TABLE     0|1
// @skip SRC_DEPTH=8 TABLE=0
// @skip SRC_DEPTH=16 TABLE=0
// @skip SRC_DEPTH=32 TABLE=1
#define DST_DEPTH SRC_DEPTH
#define COLUMN 0
#define CHANNELS u_channels
#include "lib/reproducible.glsl"
#include "lib/code.glsl"

layout(std430) readonly buffer b_params { float params[]; };
layout(std430) readonly buffer b_table { vec2 table[]; };
layout(std430) readonly buffer b_pixels { vec4 pixels[]; };

uniform int u_pitch;
uniform int u_channels; // as stored: 1, 2 or 4
uniform ivec2 u_reach;

float param(int i) {
    return params[i];
}

vec2 pair_at(int i) {
    return table[i];
}

float table_at(int i) {
    return pair_at(i).x;
}

vec4 pixel(int dx, int dy) {
    return pixels[dy * u_pitch + dx];
}

#include "lib/shown.glsl"
#include OPERATION
