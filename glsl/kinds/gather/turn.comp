#version 430 core
// A picture with rows and columns exchanged, bit for bit. A group reads a square of SIDE x SIDE pixels along the source's
// rows, shares it, and writes it along the result's.
//
// Reads   i_src    a part of the source
// Writes  i_dst    a part of the result
// Shared bytes     4 * SIDE * (ROW_WORDS + 1), at most 8448; groups come in any order
//
// @define BORDER    0|1|2|3|4   lib/border.glsl
// @define SRC_DEPTH 8|16|32     bits of a pixel up to 32, else 32
// @define CHANNELS  1|2|4       how often that makes a pixel
// @skip SRC_DEPTH=8 CHANNELS=2
// @skip SRC_DEPTH=8 CHANNELS=4
// @skip SRC_DEPTH=16 CHANNELS=2
// @skip SRC_DEPTH=16 CHANNELS=4
#include "lib/sync.glsl"
#include "lib/run.glsl"

#define GROUP 256
#define SIDE (SRC_DEPTH < 32 ? 64 : CHANNELS < 4 ? 32 : 16)
#define RUNS (SIDE / SRC_PIXELS)
#define WORD_LANES (32 / SRC_DEPTH)
#define ROW_WORDS (SIDE * CHANNELS / WORD_LANES)

layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_first; // the pixel of the source that is the first of i_dst
uniform ivec2 u_step;  // 1 or -1: which way the source is read along its rows and columns

layout(local_size_x = GROUP) in;

// Column x of the square of the result is a row here. One word more per row spreads columns over all banks.
shared uint s_words[SIDE][ROW_WORDS + 1];

// Lane `lane` of pixel y of column x.
uint shared_lane(int x, int y, int lane) {
    int at = y * CHANNELS + lane;
    uint word = s_words[x][at / WORD_LANES];
#if SRC_DEPTH == 32
    return word;
#else
    return bitfieldExtract(word, at % WORD_LANES * SRC_DEPTH, SRC_DEPTH);
#endif
}

void share_square(ivec2 square) {
    for (int work = int(gl_LocalInvocationIndex); work < SIDE * RUNS; work += GROUP) {
        int x = work / RUNS;
        int y = work % RUNS * SRC_PIXELS;
        ivec2 from = u_first + u_step * ivec2(square.y + y, square.x + x);
        uvec4 run = u_step.x > 0 ? run_from(from) : run_back_from(from);
        for (int i = 0; i < 4; ++i) {
            s_words[x][work % RUNS * 4 + i] = run[i];
        }
    }
}

void store_square(ivec2 square) {
    for (int work = int(gl_LocalInvocationIndex); work < SIDE * RUNS; work += GROUP) {
        int run = work % RUNS;
        int y = work / RUNS;
        uvec4 texel = uvec4(0u);
        for (int p = 0; p < SRC_PIXELS; ++p) {
            for (int c = 0; c < CHANNELS; ++c) {
                put_lane(texel, p * CHANNELS + c, shared_lane(run * SRC_PIXELS + p, y, c));
            }
        }
        imageStore(i_dst, ivec2(square.x / SRC_PIXELS + run, square.y + y), texel);
    }
}

void main() {
    ivec2 square = ivec2(gl_WorkGroupID.xy) * SIDE;
    share_square(square);
    wg_sync();
    store_square(square);
}
