#version 430 core
// The median of 3 x 3 or 5 x 5 pixels, of each channel by itself, by minima and maxima that neighbours share.
//
// Each invocation walks down a column of texels, ROWS rows a turn, and keeps the rows around them. Columns of pixels are sorted
// first: those of neighbouring rows differ in one value. Of 3 x 3, the median is that of the largest low, the median middle and
// the smallest high of three sorted columns. Of 5 x 5, columns are merged in pairs and pairs of pairs, by Batcher's odd-even
// merge, as far as a fifth column can still move the median; two neighbours share the four columns between them.
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
// @define KEEP      0|1         1: the last channel is kept as it is
// @define RADIUS    1|2         of both axes
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

uvec4 texels[HEIGHT][AROUND];

// Makes room for ROWS rows and loads them; so many texels on the left and the right are not wholly inside the image.
void load_rows(int first, int left, int right, int y) {
    for (int i = 0; i < HEIGHT - ROWS; ++i) {
        texels[i] = texels[i + ROWS];
    }
    for (int j = 0; j < ROWS; ++j) {
        int row = border_index(y + j, u_size.y);
        for (int t = 0; t < AROUND; ++t) {
            texels[HEIGHT - ROWS + j][t] = inside_texel(first + t, row);
        }
    }
    // Few invocations need it: renderers that run both sides of an if skip a loop nobody enters.
    for (int n = 0; n < (left + right) * ROWS; ++n) {
        int k = n / ROWS;
        int at = k < left ? k : AROUND - 1 - (k - left);
        uvec4 texel = outside_texel(first + at, border_index(y + n % ROWS, u_size.y));
        for (int j = 0; j < ROWS; ++j) {
            for (int t = 0; t < AROUND; ++t) {
                int i = HEIGHT - ROWS + j;
                texels[i][t] = j == n % ROWS && t == at ? texel : texels[i][t];
            }
        }
    }
}

// The value `right` of the texel's first pixel.
uint key_at(int row, int right, int channel) {
    int pixel = REACH * SRC_PIXELS + right;
    return key_of(lane_bits(texels[row][pixel / SRC_PIXELS], pixel % SRC_PIXELS * CHANNELS + channel));
}

void sort(inout uint a, inout uint b) {
    uint low = min(a, b);
    b = max(a, b);
    a = low;
}

uint median3(uint a, uint b, uint c) {
    return max(min(a, b), min(max(a, b), c));
}

#if RADIUS == 1
#define TALL 3

// Columns of rows 0 to 2 and 1 to 3, sorted; they share two.
void sort_columns(uint v[HEIGHT], out uint upper[TALL], out uint lower[TALL]) {
    sort(v[1], v[2]);
    upper = uint[](min(v[1], v[0]), max(v[1], min(v[2], v[0])), max(v[2], v[0]));
    lower = uint[](min(v[1], v[3]), max(v[1], min(v[2], v[3])), max(v[2], v[3]));
}

// Of `left`, b, c and of b, c, `right`.
uvec2 medians(uint left[TALL], uint b[TALL], uint c[TALL], uint right[TALL]) {
    uint low = max(b[0], c[0]);
    uint middle_low = min(b[1], c[1]);
    uint middle_high = max(b[1], c[1]);
    uint high = min(b[2], c[2]);
    return uvec2(median3(max(left[0], low), max(middle_low, min(middle_high, left[1])), min(left[2], high)),
                 median3(max(right[0], low), max(middle_low, min(middle_high, right[1])), min(right[2], high)));
}
#else
#define TALL 5

uint[TALL] inserted(uint s[4], uint v) {
    return uint[](min(s[0], v), max(s[0], min(s[1], v)), max(s[1], min(s[2], v)), max(s[2], min(s[3], v)), max(s[3], v));
}

// Columns of rows 0 to 4 and 1 to 5, sorted; they share four.
void sort_columns(uint v[HEIGHT], out uint upper[TALL], out uint lower[TALL]) {
    uint s[4] = uint[](v[1], v[2], v[3], v[4]);
    sort(s[0], s[1]);
    sort(s[2], s[3]);
    sort(s[0], s[2]);
    sort(s[1], s[3]);
    sort(s[1], s[2]);
    upper = inserted(s, v[0]);
    lower = inserted(s, v[5]);
}

// Two sorted pairs as four sorted values.
uvec4 merged2(uint a0, uint a1, uint b0, uint b1) {
    sort(a0, b0);
    sort(a1, b1);
    sort(a1, b0);
    return uvec4(a0, a1, b0, b1);
}

// Two sorted columns as one.
uint[10] merged(uint a[TALL], uint b[TALL]) {
    uvec4 ends = merged2(a[0], a[4], b[0], b[4]);
    uint low = min(a[2], b[2]);
    uint high = max(a[2], b[2]);
    uvec4 odd = merged2(a[1], a[3], b[1], b[3]);
    uint even[6] = uint[](ends.x, min(low, ends.y), max(low, ends.y), min(high, ends.z), max(high, ends.z), ends.w);
    return uint[](even[0], min(odd.x, even[1]), max(odd.x, even[1]), min(odd.y, even[2]), max(odd.y, even[2]),
                  min(odd.z, even[3]), max(odd.z, even[3]), min(odd.w, even[4]), max(odd.w, even[4]), even[5]);
}

// The middle six of two sorted pairs of columns: beyond them, five more values cannot move the median.
uint[6] middle_of(uint a[10], uint b[10]) {
    uint even[10] = merged(uint[](a[0], a[2], a[4], a[6], a[8]), uint[](b[0], b[2], b[4], b[6], b[8]));
    uint odd[10] = merged(uint[](a[1], a[3], a[5], a[7], a[9]), uint[](b[1], b[3], b[5], b[7], b[9]));
    return uint[](min(odd[3], even[4]), max(odd[3], even[4]), min(odd[4], even[5]), max(odd[4], even[5]), min(odd[5], even[6]),
                  max(odd[5], even[6]));
}

// The median of the middle six and the fifth column.
uint median_with(uint m[6], uint column[TALL]) {
    uint low = min(m[5], max(m[4], column[0]));
    uint middle = min(max(m[3], column[1]), max(m[2], column[2]));
    uint high = min(max(m[1], column[3]), max(m[0], column[4]));
    return min(low, min(middle, high));
}
#endif

// The medians of a channel, from pixel `first` on in both rows of the turn, and whether values were missing.
bool find_medians(int first, int channel, out uint result[ROWS][PART]) {
    bool is_missing = false;
    uint columns[ROWS][WIDTH][TALL];
    for (int x = 0; x < WIDTH; ++x) {
        uint v[HEIGHT];
        for (int y = 0; y < HEIGHT; ++y) {
            v[y] = key_at(y, first + x - RADIUS, channel);
        }
        sort_columns(v, columns[0][x], columns[1][x]);
        is_missing = is_missing || max(columns[0][x][TALL - 1], columns[1][x][TALL - 1]) == NO_KEY;
    }
    for (int j = 0; j < ROWS; ++j) {
#if RADIUS == 1
        for (int p = 0; p < PART; p += 2) {
            int last = min(p + 3, WIDTH - 1); // of texels with one pixel the second is not used
            uvec2 two = medians(columns[j][p], columns[j][p + 1], columns[j][p + 2], columns[j][last]);
            result[j][p] = two.x;
            if (p + 1 < PART) {
                result[j][p + 1] = two.y;
            }
        }
#else
        uint pair[10] = merged(columns[j][1], columns[j][2]);
        for (int p = 0; p < PART; p += 2) {
            uint next[10] = merged(columns[j][p + 3], columns[j][p + 4]);
            uint middle[6] = middle_of(pair, next);
            result[j][p] = median_with(middle, columns[j][p]);
            if (p + 1 < PART) {
                result[j][p + 1] = median_with(middle, columns[j][p + 5]);
            }
            pair = next;
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
    uvec4 texel = is_beyond ? u_border_texel : imageLoad(i_src, ivec2(from.x / SRC_PIXELS, from.y));
    return key_of(texel[is_beyond ? channel : from.x % SRC_PIXELS * CHANNELS + channel]);
}

// Values of a window less than `key`; `x` and `y` are its first.
uint count_below(int x, int y, int channel, uint key) {
    uint below = 0u;
    for (int i = 0; i < SIDE; ++i) {
        for (int j = 0; j < SIDE; ++j) {
            below += key_in_image(x + j, y + i, channel) < key ? 1u : 0u;
        }
    }
    return below;
}

// Where values are missing: the one of the wanted rank among the others, bit by bit.
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

// Of PART pixels of the texel. Not in a loop: some compilers keep one that contains another, even for a single turn.
void put_medians(int tx, int y, int first, inout uvec4 stored[ROWS]) {
    for (int c = 0; c < CHANNELS - KEEP; ++c) {
        uint result[ROWS][PART];
        bool is_missing = find_medians(first, c, result);
#if SRC_DEPTH == 32
        for (int turns = is_missing ? 1 : 0; turns > 0; --turns) {
            select_all(tx * SRC_PIXELS + first, y, c, result);
        }
#endif
        for (int j = 0; j < ROWS; ++j) {
            for (int p = 0; p < PART; ++p) {
                put_lane(stored[j], (first + p) * CHANNELS + c, bits_of_key(result[j][p]));
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
            put_lane(stored[j], lane, lane_bits(texels[RADIUS + j][REACH], lane));
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
        load_rows(first, left, right, y + RADIUS);
        for (int turns = y >= begin ? 1 : 0; turns > 0; --turns) {
            store_rows(tx, y, end);
        }
    }
}
