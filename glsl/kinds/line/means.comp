#version 430 core
// Means over a window along one axis, by a running sum in doubles, each operation rounded, in the order of SciPy's
// uniform_filter1d, so that the bits are SciPy's. An invocation goes along COLUMNS lines.
//
// Reads   b_src   the array, lib/volume.glsl
//         u_reach how far the window reaches before and after the value, without the origin
// Writes  b_dst   an array of the same shape
// Group grid      one invocation for each lane
//
// @define SRC    U8|I8|U16|I16|U32|I32|U64|I64|F32|F64
// @define DST    U8|I8|U16|I16|U32|I32|U64|I64|F32|F64
// @define ALONG  0|1        lib/line.glsl
#if ALONG == 1
#define COLUMNS 1
#endif
#include "lib/volume.glsl"

layout(local_size_x = 64) in;

#include "lib/group.glsl"
#include "lib/line.glsl"

uniform ivec2 u_reach;
uniform int u_origin;
uniform int u_units;

void main() {
    int unit = int(linear_invocation());
    if (unit >= u_units)
        return;
    int lanes = u_step / COLUMNS;
    int line = unit / lanes * u_block + unit % lanes * COLUMNS;
    int size = u_reach.x + u_reach.y + 1;
    int first = -u_reach.x - u_origin;
    precise Lane sum = Lane(0.0LF);
    for (int i = 0; i < size; ++i)
        sum = sum + anywhere(line, first + i);
#if ALONG == 1
    double a = 0.0LF;
    double b = 0.0LF;
    double c = 0.0LF;
#endif
    for (int i = 0; i < u_length; ++i) {
        if (i > 0)
            sum = sum + (anywhere(line, first + i - 1 + size) - anywhere(line, first + i - 1));
        precise Lane mean = sum / double(size);
#if ALONG == 1
        int place = i & 3;
        a = place == 0 ? mean : a;
        b = place == 1 ? mean : b;
        c = place == 2 ? mean : c;
        if (place == 3 || i + 1 == u_length)
            store_four(line + i - place, a, b, c, mean, line + u_length);
#else
        store(line + i * u_step, mean);
#endif
    }
}
