#version 430 core
// Erosion by a parabola along one axis: of the numbers of a line, the least of value + u_unit x distance^2. Pixels beyond the image
// have no part in it. Codes become whole numbers in units so small that the parabola needs no fractions.
//
// Four of these are an opening by a paraboloid: along x and y, then of the complement along x and y, which is a dilation.
//
// Where the least is found for one pixel, that for any pixel after it lies there or further on: moving away from a parabola costs
// more the farther it is. So every 32nd pixel searches as far as the parabola reaches, and those between search between the places
// that their neighbours found: first every 8th, then every 2nd, then all. That is about 20 looks a pixel, whatever the reach.
//
// A group has a part of four lines: the four channels of a pixel, or neighbours across the axis.
//
// Reads   i_src   the image with SRC_DEPTH 8 or 16; with FIRST 0 the result of a pass before
// Writes  i_dst   a whole number for each channel, four a texel
// Group grid      x counts parts of lines, y blocks of four lines
// Shared bytes    16 * (SPAN + PLACES), 31760; groups come in any order
// Source          R. van den Boomgaard, L. Dorst, S. Makram-Ebeid, J. Schavemaker, Quadratic structuring functions in mathematical
//                 morphology, ISMM 1996; A. Aggarwal, M. Klawe, S. Moran, P. Shor, R. Wilber, Geometric applications of a
//                 matrix-searching algorithm, Algorithmica 2, 1987, for why places do not go back.
//
// @define CHANNELS  1|2|4     as stored
// @define SRC_DEPTH 8|16|32   bits of a channel of i_src
// @define FIRST     0|1
// @define DOWN      0|1       along y
// @define FETCHED   0|1       lib/texel.glsl
// @skip FIRST=0 SRC_DEPTH=8
// @skip FIRST=0 SRC_DEPTH=16
// @skip FIRST=1 SRC_DEPTH=32
// @skip FIRST=1 DOWN=1
#include "lib/sync.glsl"
#include "lib/texel.glsl"

#define GROUP 256
#define PART 480          // results of a line
#define FAR 32            // between pixels that search all of the reach
#define MOST_REACH 504
#define SPAN (PART + 1 + 2 * MOST_REACH)
#define PLACES (PART + 16)
#define ACROSS (4 / CHANNELS) // lines of a channel
#define NOTHING 0x3fffffff

layout(local_size_x = GROUP) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_reach;   // where the parabola is as high as white
uniform int u_unit;    // its height a squared pixel
uniform int u_scale;   // of a code
uniform int u_most;    // the largest number: complements are the distance from it
uniform int u_flips;   // 1: the complement of the values is eroded; 2: the complement of the result is stored; or both

shared int s_values[4 * SPAN];
shared int s_places[4 * PLACES]; // where in s_values the least is, of the results that have it

ivec2 pixel_of(int along, int across) {
    return DOWN == 1 ? ivec2(across, along) : ivec2(along, across);
}

int number_of(uint bits) {
#if FIRST == 1
    int value = int(bits) * u_scale;
#else
    int value = int(bits);
#endif
    return (u_flips & 1) == 1 ? u_most - value : value;
}

// Line `k` of the block has channel k % CHANNELS of the pixels k / CHANNELS from its first.
void load(int first, int block, int i) {
    for (int a = 0; a < ACROSS; ++a) {
        ivec2 at = pixel_of(first + i, block * ACROSS + a);
        bool is_inside = all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, u_size));
        uvec4 texel = is_inside ? texel_at(ivec2(at.x / SRC_PIXELS, at.y)) : uvec4(0u);
        for (int c = 0; c < CHANNELS; ++c) {
            int number = NOTHING;
            if (is_inside) {
                number = number_of(lane_bits(texel, at.x % SRC_PIXELS * CHANNELS + c));
            }
            s_values[(a * CHANNELS + c) * SPAN + i] = number;
        }
    }
}

int height(int distance) {
    return distance * distance * u_unit;
}

// Four invocations for each of the pixels that search far: of every fourth distance the least, and where.
ivec2 least_of_all(int line, int result, int quarter) {
    int centre = line * SPAN + u_reach + result;
    ivec2 found = ivec2(s_values[centre], centre);
    for (int t = quarter + 1; t <= u_reach && height(t) < found.x; t += 4) {
        int before = s_values[centre - t] + height(t);
        int after = s_values[centre + t] + height(t);
        found = before < found.x ? ivec2(before, centre - t) : found;
        found = after < found.x ? ivec2(after, centre + t) : found;
    }
    return found;
}

void search_far(int me) {
    int anchor = me / 4;
    int line = anchor / 16;
    int result = anchor % 16 * FAR;
    ivec2 found = least_of_all(line, result, me % 4);
    // Shared by way of the places that follow, which are still free.
    int free = line * PLACES + result + 1;
    s_places[free + me % 4 * 2] = found.x;
    s_places[free + me % 4 * 2 + 1] = found.y;
    wg_sync();
    for (int k = 0; k < 4; ++k) {
        int value = s_places[free + 2 * k];
        found = value < found.x ? ivec2(value, s_places[free + 2 * k + 1]) : found;
    }
    if (me % 4 == 0) {
        s_places[free - 1] = found.y;
    }
    wg_sync();
}

// The results between two that are `spacing` apart, each `step` from the one before.
void search_between(int me, int spacing, int step) {
    int each = spacing / step - 1;
    int of_line = PART / spacing * each;
    for (int n = me; n < 4 * of_line; n += GROUP) {
        int line = n / of_line;
        int k = n % of_line;
        int before = k / each * spacing;
        int result = before + (k % each + 1) * step;
        int own = line * SPAN + u_reach + result;
        int first = s_places[line * PLACES + before];
        int last = s_places[line * PLACES + before + spacing];
        ivec2 found = ivec2(2 * NOTHING, last);
        for (int at = first; at <= last; ++at) {
            int value = s_values[at] + height(own - at);
            found = value < found.x ? ivec2(value, at) : found;
        }
        s_places[line * PLACES + result] = found.y;
    }
    wg_sync();
}

uint result_of(int line, int result) {
    int at = s_places[line * PLACES + result];
    int found = s_values[at] + height(line * SPAN + u_reach + result - at);
    return uint((u_flips & 2) == 2 ? u_most - found : found);
}

void store(int begin, int block, int me) {
#if DOWN == 0 && CHANNELS < 4
    // A texel has neighbours along the line.
    for (int n = me; n < PART; n += GROUP) {
        int row = n % ACROSS;
        int result = n / ACROSS * ACROSS;
        uvec4 texel;
        for (int w = 0; w < 4; ++w) {
            texel[w] = result_of(row * CHANNELS + w % CHANNELS, result + w / CHANNELS);
        }
        imageStore(i_dst, ivec2((begin + result) / ACROSS, block * ACROSS + row), texel);
    }
#else
    for (int result = me; result < PART; result += GROUP) {
        uvec4 texel = uvec4(result_of(0, result), result_of(1, result), result_of(2, result), result_of(3, result));
        imageStore(i_dst, pixel_of(begin + result, block), texel);
    }
#endif
}

void main() {
    int me = int(gl_LocalInvocationIndex);
    int begin = int(gl_WorkGroupID.x) * PART;
    int block = int(gl_WorkGroupID.y);
    for (int i = me; i < PART + 1 + 2 * u_reach; i += GROUP) {
        load(begin - u_reach, block, i);
    }
    wg_sync();
    search_far(me);
    search_between(me, FAR, 8);
    search_between(me, 8, 2);
    search_between(me, 2, 1);
    store(begin, block, me);
}
