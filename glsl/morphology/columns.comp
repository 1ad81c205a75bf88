#version 430 core
// The largest (or smallest) of 2 r + 1 pixels along y, at a cost that does not depend on r. The result is transposed,
// so that a second pass does the other axis and puts the picture upright again.
//
// An invocation walks down a column of texels, BLOCK rows per turn. The windows of a turn's rows begin in one block of
// rows, end in another, and have all rows between them in common. So each result is the largest of three: a suffix of
// the first block, the common rows, and a prefix of the last block. The common rows are whole blocks that came in one
// by one. The last RING of them, or fewer, are kept in a queue that gives its largest value at a constant cost: two
// stacks, one with suffix maxima.
//
// Reads   i_src    the image
// Writes  i_dst    the result, transposed, of the same channels and depth
// Group grid       x covers the texels of a row, y the rows, u_rows an invocation
// Shared bytes     16 * GROUP * RING, with SHARED 1 (16 * GROUP + 8) * BLOCK as well; groups come in any order.
// Sources          M. van Herk, A fast algorithm for local minimum and maximum filters on rectangular and octagonal kernels,
//                  Pattern Recognition Letters 13(7), 1992. J. Gil, M. Werman, Computing 2-D min, median, and max filters, IEEE
//                  Trans. PAMI 15(5), 1993.
//
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define CHANNELS  1|2|4       as stored
// @define SRC_DEPTH 8|16|32     bits of a channel
// @define KEEP      0|1         1: the last channel is kept as it is
// @define RING      -1|0|4|30   at least the blocks between; -1: the radius is RADIUS, and twice that less than a block
// @define RADIUS    0|1|3
// @define FETCHED   0|1         lib/texel.glsl
// @define SHARED    0|1         1: texels of the result are put together in shared memory, and neighbours stored by neighbours; 0: by
//                               each invocation, and invocations are independent
// @skip CHANNELS=1 KEEP=1
// @skip RADIUS=1 RING=0
// @skip RADIUS=1 RING=4
// @skip RADIUS=1 RING=30
// @skip RADIUS=3 RING=0
// @skip RADIUS=3 RING=4
// @skip RADIUS=3 RING=30
// @skip FETCHED=1 RING=-1
// @skip FETCHED=1 RING=0
// @skip SHARED=1 RING=-1
// @skip SHARED=1 RING=4
// @skip SHARED=1 RING=30
// @skip SHARED=1 CHANNELS=1 SRC_DEPTH=8
#define DST_DEPTH SRC_DEPTH
#include "lib/texel.glsl"
#include "lib/put_lane.glsl"
#include "lib/border.glsl"
#include "lib/larger.glsl"
#include "lib/kept.glsl"
#include "lib/sync.glsl"

#define GROUP 32
layout(local_size_x = GROUP) in;

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform int u_rows; // a multiple of BLOCK
uniform int u_radius;

#define BLOCK (SRC_PIXELS > 8 ? SRC_PIXELS : 8)

int tx = int(gl_GlobalInvocationID.x);

uvec4 keys_at(int y) {
    return keys_of_texel(inside_texel(tx, border_index(y, u_size.y)));
}

#if RING < 0
#define SIDE (2 * RADIUS + 1)

// The largest keys of the windows of rows y to y + BLOCK - 1.
void find_largest(int y, out uvec4 result[BLOCK]) {
    uvec4 rows[BLOCK + SIDE - 1];
    for (int i = 0; i < BLOCK + SIDE - 1; ++i) {
        rows[i] = keys_at(y - RADIUS + i);
    }
    // The largest of 2, 4 … rows, then of twice as many as there are.
    int tall = 1;
    for (; 2 * tall <= SIDE; tall *= 2) {
        for (int i = 0; i + tall < BLOCK + SIDE - 1; ++i) {
            rows[i] = larger(rows[i], rows[i + tall]);
        }
    }
    for (int i = 0; i < BLOCK; ++i) {
        result[i] = larger(rows[i], rows[i + SIDE - tall]);
    }
}
#else
int between = 2 * u_radius - BLOCK;   // rows that all windows of a turn have in common
int queued = between / BLOCK;         // blocks of them
int single = between - queued * BLOCK; // rows before those

#if RING > 0
shared uvec4 s_blocks[RING * GROUP]; // blocks as they came, or the largest of a block and all after it

int me = int(gl_LocalInvocationIndex);
int place = 0;            // where the next block goes
uvec4 newest = uvec4(0u); // the largest of the blocks that came after the suffix maxima were made

void push(uvec4 block) {
    s_blocks[place * GROUP + me] = block;
    newest = larger(newest, block);
    if (++place == queued) {
        uvec4 largest = uvec4(0u);
        for (int i = queued - 1; i >= 0; --i) {
            largest = larger(largest, s_blocks[i * GROUP + me]);
            s_blocks[i * GROUP + me] = largest;
        }
        newest = uvec4(0u);
        place = 0;
    }
}

uvec4 largest_between() {
    return larger(s_blocks[place * GROUP + me], newest);
}
#endif

uvec4 largest_of(int y, int rows) {
    uvec4 largest = uvec4(0u);
    for (int i = 0; i < rows; ++i) {
        largest = larger(largest, keys_at(y + i));
    }
    return largest;
}

void begin(int y) {
#if RING > 0
    for (int i = queued; i > 0; --i) {
        push(largest_of(y + u_radius - i * BLOCK, BLOCK));
    }
#endif
}

void find_largest(int y, out uvec4 result[BLOCK]) {
    uvec4 suffix = largest_of(y - u_radius + BLOCK, single);
    uvec4 prefixes[BLOCK];
    for (int i = 0; i < BLOCK; ++i) {
        result[i] = keys_at(y - u_radius + i);
        prefixes[i] = keys_at(y + u_radius + i);
    }
    for (int i = 1; i < BLOCK; ++i) {
        prefixes[i] = larger(prefixes[i - 1], prefixes[i]);
    }
#if RING > 0
    suffix = larger(suffix, largest_between());
    push(prefixes[BLOCK - 1]);
#endif
    for (int i = BLOCK - 1; i >= 0; --i) {
        suffix = larger(suffix, result[i]);
        result[i] = larger(suffix, prefixes[i]);
    }
}
#endif

#if SHARED == 1
#define WORD_LANES (32 / SRC_DEPTH)

shared uint s_rows[BLOCK][4 * GROUP + 2]; // a gap spreads columns over banks

// Pixel `column` of SRC_PIXELS rows as a texel; the first row is `first`.
uvec4 turned_texel(int first, int column) {
#if CHANNELS * SRC_DEPTH == 32
    return uvec4(s_rows[first][column], s_rows[first + 1][column], s_rows[first + 2][column], s_rows[first + 3][column]);
#else
    uvec4 texel = uvec4(0u);
    for (int i = 0; i < SRC_PIXELS; ++i) {
        for (int c = 0; c < CHANNELS; ++c) {
            uint bits = s_rows[first + i][(column * CHANNELS + c) / WORD_LANES];
#if SRC_DEPTH < 32
            bits = bitfieldExtract(bits, (column * CHANNELS + c) % WORD_LANES * SRC_DEPTH, SRC_DEPTH);
#endif
            put_lane(texel, i * CHANNELS + c, bits);
        }
    }
    return texel;
#endif
}

// For all invocations of the group.
void store_transposed(int y, uvec4 rows[BLOCK]) {
    const int across = BLOCK / SRC_PIXELS;
    int me = int(gl_LocalInvocationIndex);
    int first_column = int(gl_WorkGroupID.x) * GROUP * SRC_PIXELS;
    wg_sync(); // the rows before have been stored
    for (int i = 0; i < BLOCK; ++i) {
        for (int w = 0; w < 4; ++w) {
            s_rows[i][4 * me + w] = rows[i][w];
        }
    }
    wg_sync();
    for (int work = me; work < across * GROUP * SRC_PIXELS; work += GROUP) {
        int first = work % across * SRC_PIXELS;
        int column = work / across;
        bool is_in = first_column + column < u_size.x;
        imageStore(i_dst, ivec2((y + first) / SRC_PIXELS, is_in ? first_column + column : -1), turned_texel(first, column));
    }
}
#else
// Pixel p of SRC_PIXELS rows as a texel.
uvec4 column_of(uvec4 rows[BLOCK], int first, int p) {
    uvec4 texel = uvec4(0u);
    for (int i = 0; i < SRC_PIXELS; ++i) {
        for (int c = 0; c < CHANNELS; ++c) {
            put_lane(texel, i * CHANNELS + c, lane_bits(rows[first + i], p * CHANNELS + c));
        }
    }
    return texel;
}

void store_transposed(int y, uvec4 rows[BLOCK]) {
    for (int p = 0; p < SRC_PIXELS; ++p) {
        int to = tx * SRC_PIXELS + p;
        for (int first = 0; first < BLOCK; first += SRC_PIXELS) {
            imageStore(i_dst, ivec2((y + first) / SRC_PIXELS, to < u_size.x ? to : -1), column_of(rows, first, p));
        }
    }
}
#endif

void main() {
    int first = int(gl_GlobalInvocationID.y) * u_rows;
    int end = min(first + u_rows, u_size.y);
#if RING >= 0
    begin(first);
#endif
    for (int y = first; y < end; y += BLOCK) {
        uvec4 rows[BLOCK];
        find_largest(y, rows);
        for (int i = 0; i < BLOCK; ++i) {
            rows[i] = with_kept(texel_of_keys(rows[i]), ivec2(tx, y + i));
        }
        store_transposed(y, rows);
    }
}
