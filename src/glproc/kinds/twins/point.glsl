#version 430 core
// The functions that kinds/point.comp gives a point operation, for its twin.
//
// @define SRC_DEPTH 8|16|32
// @define DST_DEPTH 8|16|32
// @skip SRC_DEPTH=8 DST_DEPTH=16
// @skip SRC_DEPTH=8 DST_DEPTH=32
// @skip SRC_DEPTH=16 DST_DEPTH=8
// @skip SRC_DEPTH=16 DST_DEPTH=32
// @skip SRC_DEPTH=32 DST_DEPTH=8
// @skip SRC_DEPTH=32 DST_DEPTH=16
// @twin ENTRY=2
#include "lib/point_values.glsl"
#include OPERATION
