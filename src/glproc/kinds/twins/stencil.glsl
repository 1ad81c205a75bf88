#version 430 core
// The functions that kinds/stencil.comp gives a stencil, for its twin.
//
// @define SRC_DEPTH 8|16|32
// @define DST_DEPTH 8|16|32
// @skip SRC_DEPTH=8 DST_DEPTH=16
// @skip SRC_DEPTH=16 DST_DEPTH=8
// @skip SRC_DEPTH=32 DST_DEPTH=8
// @skip SRC_DEPTH=32 DST_DEPTH=16
#include "lib/reproducible.glsl"
#include "lib/code.glsl"

layout(std430) readonly buffer b_params { float params[]; };
layout(std430) readonly buffer b_values { float values[]; };

uniform int u_pitch;
uniform int u_channels;
uniform int u_hides;

float param(int i) {
    return params[i];
}

float value_near(int lane, int dx, int dy) {
    return values[dy * u_pitch + lane + dx * u_channels];
}

#define CHANNELS u_channels
#define HIDES u_hides
#include "lib/near.glsl"
#include OPERATION
