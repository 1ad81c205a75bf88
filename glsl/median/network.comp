#version 430 core
#if PACKED == 1
#extension GL_NV_gpu_shader5 : require
#endif
#if defined(ONE_PICTURE) && SRC_DEPTH == 8 // see lib/moved.glsl
#define ROLLED
#pragma optionNV(unroll none)
#elif SRC_DEPTH < 32 // of floats, a search that few invocations need would become very long
#pragma optionNV(unroll all)
#endif
// The median of 3 x 3 or 5 x 5 pixels, for each channel by itself, by minima and maxima that neighbours share.
//
// Each invocation walks down a column of texels, ROWS rows per turn, and keeps the rows around them. Columns of pixels
// are sorted first: the columns of neighbouring rows differ in one value. For 3 x 3, three sorted columns give the
// largest low, the median middle and the smallest high. The median of these three is the result. For 5 x 5, columns are
// merged in pairs, and pairs of pairs, by Batcher's odd-even merge, as far as a fifth column can still move the median.
// Two neighbours share the four columns between them.
//
// Reads   i_src    the image
//         b_ranks  floats: the rank wanted among n values, for each n
// Writes  i_dst    the result, of the same format
// Group grid       x covers the texels, y the rows, u_rows an invocation
// Shared memory    none; invocations are independent, groups come in any order.
// Sources          J. L. Smith, Implementing median filters in XC4000E FPGAs, XCell 23, 1996 (3 x 3).
//                  A. Adams, Fast median filters using separable sorting networks, ACM Trans. Graph. 40(4), 2021.
//                  K. E. Batcher, Sorting networks and their applications, AFIPS 1968.
//
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define CHANNELS  1|2|4       as stored
// @define SRC_DEPTH 8|16|32     bits of a channel
// @define FETCHED   0|1         lib/texel.glsl
// @define KEEP      0|1         1: the last channel is kept as it is
// @define RADIUS    1|2         of both axes
// @define PACKED    0           1: 4 channels of 8 bits as pairs of halves, of GL_NV_gpu_shader5
// @skip CHANNELS=1 KEEP=1
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/border.glsl"
#include "lib/keys.glsl"

layout(rgba32ui) writeonly uniform uimage2D i_dst;

layout(local_size_x = 32, local_size_y = 1) in;

uniform int u_rows; // a multiple of ROWS

#define ROWS 2
#define HEIGHT (ROWS + 2 * RADIUS)                         // rows that a turn depends on
#define REACH ((RADIUS + SRC_PIXELS - 1) / SRC_PIXELS)     // texels left and right that a texel depends on
#define AROUND (1 + 2 * REACH)
#if SRC_PIXELS < 4
#define PART SRC_PIXELS
#else
#define PART 4 // pixels of a texel that are done at a time
#endif
#define WIDTH (PART + 2 * RADIUS)                          // columns of pixels that they depend on

uvec4 texels[HEIGHT * AROUND]; // row by row

#include "lib/around.glsl"
#include "lib/moved.glsl"

// Makes room for ROWS rows, beginning with row y.
void move_to(int first, int left, int right, int y) {
    uvec4 next[ROWS][AROUND];
    load_rows(first, left, right, y, next);
    for (int j = 0; j < ROWS; ++j) {
        MOVE_ROWS(texels, HEIGHT, AROUND, next[j])
    }
}

#if PACKED == 1
#define KEY f16vec2 // red and blue, or green and alpha; 1024 is added, from where halves count in ones
#define KEYS 2

KEY key_of_pixel(uvec4 texel, int pixel, int k) {
    return unpackFloat2x16(texel[pixel] >> (8 * k) & 0x00ff00ffu | 0x64006400u);
}

void put_key(inout uvec4 texel, int pixel, int k, KEY key) {
    uint mask = KEEP == 1 && k == 1 ? 0x000000ffu : 0x00ff00ffu;
    texel[pixel] |= (packFloat2x16(key) & mask) << (8 * k);
}
#else
#define KEY uint
#define KEYS (CHANNELS - KEEP)

KEY key_of_pixel(uvec4 texel, int pixel, int k) {
    return key_of(lane_bits(texel, pixel * CHANNELS + k));
}

void put_key(inout uvec4 texel, int pixel, int k, KEY key) {
    put_lane(texel, pixel * CHANNELS + k, bits_of_key(key));
}
#endif

// Key `k` of the pixel `right` of the texel's first.
KEY key_at(int row, int right, int k) {
    int pixel = REACH * SRC_PIXELS + right;
    return key_of_pixel(texels[row * AROUND + pixel / SRC_PIXELS], pixel % SRC_PIXELS, k);
}

void sort(inout KEY a, inout KEY b) {
    KEY low = min(a, b);
    b = max(a, b);
    a = low;
}

KEY median3(KEY a, KEY b, KEY c) {
    return max(min(a, b), min(max(a, b), c));
}

#if RADIUS == 1
#define TALL 3

// Columns of rows 0 to 2 and 1 to 3, sorted; they share two.
void sort_columns(KEY v[HEIGHT], out KEY upper[TALL], out KEY lower[TALL]) {
    sort(v[1], v[2]);
    upper = KEY[](min(v[1], v[0]), max(v[1], min(v[2], v[0])), max(v[2], v[0]));
    lower = KEY[](min(v[1], v[3]), max(v[1], min(v[2], v[3])), max(v[2], v[3]));
}

// The medians of `left`, b, c and of b, c, `right`.
KEY[2] medians(KEY left[TALL], KEY b[TALL], KEY c[TALL], KEY right[TALL]) {
    KEY low = max(b[0], c[0]);
    KEY middle_low = min(b[1], c[1]);
    KEY middle_high = max(b[1], c[1]);
    KEY high = min(b[2], c[2]);
    return KEY[](median3(max(left[0], low), max(middle_low, min(middle_high, left[1])), min(left[2], high)),
                 median3(max(right[0], low), max(middle_low, min(middle_high, right[1])), min(right[2], high)));
}
#else
#define TALL 5

KEY[TALL] inserted(KEY s[4], KEY v) {
    return KEY[](min(s[0], v), max(s[0], min(s[1], v)), max(s[1], min(s[2], v)), max(s[2], min(s[3], v)), max(s[3], v));
}

// Columns of rows 0 to 4 and 1 to 5, sorted; they share four.
void sort_columns(KEY v[HEIGHT], out KEY upper[TALL], out KEY lower[TALL]) {
    KEY s[4] = KEY[](v[1], v[2], v[3], v[4]);
    sort(s[0], s[1]);
    sort(s[2], s[3]);
    sort(s[0], s[2]);
    sort(s[1], s[3]);
    sort(s[1], s[2]);
    upper = inserted(s, v[0]);
    lower = inserted(s, v[5]);
}

// Two sorted pairs as four sorted values.
KEY[4] merged2(KEY a0, KEY a1, KEY b0, KEY b1) {
    sort(a0, b0);
    sort(a1, b1);
    sort(a1, b0);
    return KEY[](a0, a1, b0, b1);
}

// Two sorted columns as one.
KEY[10] merged(KEY a[TALL], KEY b[TALL]) {
    KEY ends[4] = merged2(a[0], a[4], b[0], b[4]);
    KEY low = min(a[2], b[2]);
    KEY high = max(a[2], b[2]);
    KEY odd[4] = merged2(a[1], a[3], b[1], b[3]);
    KEY even[6] = KEY[](ends[0], min(low, ends[1]), max(low, ends[1]), min(high, ends[2]), max(high, ends[2]), ends[3]);
    return KEY[](even[0], min(odd[0], even[1]), max(odd[0], even[1]), min(odd[1], even[2]), max(odd[1], even[2]),
                  min(odd[2], even[3]), max(odd[2], even[3]), min(odd[3], even[4]), max(odd[3], even[4]), even[5]);
}

// The middle six of two sorted pairs of columns: beyond them, five more values cannot move the median.
KEY[6] middle_of(KEY a[10], KEY b[10]) {
    KEY even[10] = merged(KEY[](a[0], a[2], a[4], a[6], a[8]), KEY[](b[0], b[2], b[4], b[6], b[8]));
    KEY odd[10] = merged(KEY[](a[1], a[3], a[5], a[7], a[9]), KEY[](b[1], b[3], b[5], b[7], b[9]));
    return KEY[](min(odd[3], even[4]), max(odd[3], even[4]), min(odd[4], even[5]), max(odd[4], even[5]), min(odd[5], even[6]),
                  max(odd[5], even[6]));
}

// The median of the middle six and the fifth column.
KEY median_with(KEY m[6], KEY column[TALL]) {
    KEY low = min(m[5], max(m[4], column[0]));
    KEY middle = min(max(m[3], column[1]), max(m[2], column[2]));
    KEY high = min(max(m[1], column[3]), max(m[0], column[4]));
    return min(low, min(middle, high));
}
#endif

// The medians of a key for the pixels that begin at `first`, in both rows of the turn, and whether values were missing.
bool find_medians(int first, int k, out KEY result[ROWS][PART]) {
    bool is_missing = false;
    KEY columns[ROWS][WIDTH][TALL];
    for (int x = 0; x < WIDTH; ++x) {
        KEY v[HEIGHT];
        for (int y = 0; y < HEIGHT; ++y) {
            v[y] = key_at(y, first + x - RADIUS, k);
        }
        sort_columns(v, columns[0][x], columns[1][x]);
#if SRC_DEPTH == 32
        is_missing = is_missing || max(columns[0][x][TALL - 1], columns[1][x][TALL - 1]) == NO_KEY;
#endif
    }
    for (int j = 0; j < ROWS; ++j) {
#if RADIUS == 1
        for (int p = 0; p < PART; p += 2) {
            int last = min(p + 3, WIDTH - 1); // of texels with one pixel the second is not used
            KEY two[2] = medians(columns[j][p], columns[j][p + 1], columns[j][p + 2], columns[j][last]);
            result[j][p] = two[0];
            if (p + 1 < PART) {
                result[j][p + 1] = two[1];
            }
        }
#else
        KEY pair[10] = merged(columns[j][1], columns[j][2]);
        for (int p = 0; p < PART; p += 2) {
            KEY next[10] = merged(columns[j][p + 3], columns[j][p + 4]);
            KEY middle[6] = middle_of(pair, next);
            result[j][p] = median_with(middle, columns[j][p]);
            if (p + 1 < PART) {
                result[j][p + 1] = median_with(middle, columns[j][p + 5]);
            }
            pair = next; // copy: the next pair is another variable in each turn; right on Mesa 25
        }
#endif
    }
    return is_missing;
}

#if SRC_DEPTH == 32
#define SIDE (2 * RADIUS + 1)

layout(std430) readonly buffer b_ranks { uint ranks[]; };

uint key_in_image(int x, int y, int channel) {
    ivec2 from = ivec2(border_index(x, u_size.x), border_index(y, u_size.y));
    bool is_beyond = from.x < 0 || from.y < 0;
    uvec4 texel = is_beyond ? u_border_texel : texel_at(ivec2(from.x / SRC_PIXELS, from.y));
    return key_of(texel[is_beyond ? channel : from.x % SRC_PIXELS * CHANNELS + channel]);
}

// How many values of a window are less than `key`; `x` and `y` are its first pixel.
uint count_below(int x, int y, int channel, uint key) {
    uint below = 0u;
    int end = min(SIDE * SIDE, u_rows * 1024); // all, which compilers do not know: NVIDIA's took minutes to unroll loops here
    for (int i = 0; i < end; ++i) {
        below += key_in_image(x + i % SIDE, y + i / SIDE, channel) < key ? 1u : 0u;
    }
    return below;
}

// For windows where values are missing: the value of the wanted rank among the others, bit by bit.
uint select(int x, int y, int channel) {
    uint count = count_below(x, y, channel, NO_KEY);
    uint rank = ranks[count];
    uint key = 0u;
    for (uint bit = count > 0u ? 0x80000000u : 0u; bit > 0u; bit >>= 1) {
        key += count_below(x, y, channel, key + bit) <= rank ? bit : 0u;
    }
    return count > 0u ? key : NO_KEY;
}

// Few invocations come here. `x` and `y` are the first pixel's.
void select_all(int x, int y, int channel, inout uint result[ROWS][PART]) {
    for (int j = 0; j < ROWS; ++j) {
        for (int p = 0; p < PART; ++p) {
            result[j][p] = select(x + p - RADIUS, y + j - RADIUS, channel);
        }
    }
}
#endif

// Stores PART pixels of the texel. Not in a loop: some compilers keep a loop that contains another, even for a single
// turn.
void put_medians(int tx, int y, int first, inout uvec4 stored[ROWS]) {
    for (int k = 0; k < KEYS; ++k) {
        KEY result[ROWS][PART];
        bool is_missing = find_medians(first, k, result);
#if SRC_DEPTH == 32
        for (int turns = is_missing ? 1 : 0; turns > 0; --turns) {
            select_all(tx * SRC_PIXELS + first, y, k, result);
        }
#endif
        for (int j = 0; j < ROWS; ++j) {
            for (int p = 0; p < PART; ++p) {
                put_key(stored[j], first + p, k, result[j][p]);
            }
        }
    }
}

void store_rows(int tx, int y, int end) {
    uvec4 stored[ROWS];
    for (int j = 0; j < ROWS; ++j) {
        stored[j] = uvec4(0u);
#if KEEP == 1
        for (int lane = CHANNELS - 1; lane < SRC_LANES; lane += CHANNELS) {
            put_lane(stored[j], lane, lane_bits(texels[(RADIUS + j) * AROUND + REACH], lane));
        }
#endif
    }
    put_medians(tx, y, 0, stored);
#if SRC_PIXELS > PART
    put_medians(tx, y, PART, stored);
#endif
#if SRC_PIXELS > 2 * PART
    put_medians(tx, y, 2 * PART, stored);
    put_medians(tx, y, 3 * PART, stored);
#endif
    for (int j = 0; j < ROWS; ++j) {
        imageStore(i_dst, ivec2(tx, y + j < end ? y + j : -1), stored[j]);
    }
}

void main() {
    int tx = int(gl_GlobalInvocationID.x);
    int begin = int(gl_GlobalInvocationID.y) * u_rows;
    int end = min(begin + u_rows, u_size.y);
    int first = tx - REACH;
    bool inside = tx * SRC_PIXELS < u_size.x;
    int left = inside ? clamp(-first, 0, AROUND) : 0;
    int right = inside ? clamp(first + AROUND - u_size.x / SRC_PIXELS, 0, AROUND) : 0;
    for (int y = begin - 2 * RADIUS; y < end; y += ROWS) {
        move_to(first, left, right, y + RADIUS);
        for (int turns = y >= begin ? 1 : 0; turns > 0; --turns) {
            store_rows(tx, y, end);
        }
    }
}
