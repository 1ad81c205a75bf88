#version 430 core
// The names that kernels give a file which ends sums, for its twin.
//
// @define DST_DEPTH 8|16|32
// @define ALPHA     0|1|2
// @define SHARPEN   0|1
#define CHANNELS u_channels
#include "lib/reproducible.glsl"
#include "lib/code.glsl"

layout(std430) readonly buffer b_params { float params[]; };

uniform int u_channels; // as stored; 1 where channels are independent

float param(int i) {
    return params[i];
}

#include OPERATION
