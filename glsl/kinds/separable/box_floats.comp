#version 430 core
// Box sums of floats along one axis, at a cost that does not grow with the radius.
//
// Pixels are counted in blocks. The box of a pixel is the end of one block, some whole blocks, and the beginning of
// another. So nothing is ever subtracted from a sum: no error is carried along a line, and values that are not finite
// affect only the boxes they lie in. Ends and beginnings are running sums, each rounded once. Whole blocks are counted
// in spans of as many blocks as every box has. They are summed in the same way: as the end of a span and the beginning
// of the next. Blocks and spans begin at the same places of the picture if its tiles begin where spans do. Sums then
// have the same bits however the picture is cut.
//
// An invocation marches along a line, which is a row (AXIS 0) or a column of texels (AXIS 1), one block per turn.
//
// Reads   i_src   the image, or its sums along x
// Writes  i_dst   sums along x, or the result
// Group grid      x covers the lines, y the turns, u_turns an invocation; groups come in any order
// Shared bytes    8192 with SPAN 16
// Source          M. van Herk, A fast algorithm for local minimum and maximum filters, Pattern Recognition Letters 13(7), 1992;
//                 D. E. Knuth, The Art of Computer Programming, vol. 2, 4.2.2, theorem B (what an addition loses).
//
// @define AXIS     0|1          along x, along y
// @define ALONE    0|1          1: nothing is summed along the other axis
// @define BORDER   0|1|2|3|4    lib/border.glsl
// @define CHANNELS 1|2|4        as stored
// @define ALPHA    0|1          lib/pixel.glsl
// @define SPAN     16|128       blocks that every box has at most
// @define FETCHED  0|1          lib/texel.glsl
// @define LOOKS    0|1          1: lib/look.glsl
// @skip AXIS=0 LOOKS=1
// @skip CHANNELS=1 ALPHA=1
#pragma optionNV(unroll all)
#define SRC_DEPTH 32
#define DST_DEPTH 32
#if LOOKS == 1
#define LOOKS_AT_DST
#endif
#include "lib/pixel.glsl"
#include "lib/border.glsl"
#if LOOKS == 1
#include "lib/look.glsl"
#endif
#if AXIS == 1
#define VALUE vec4 // a texel's channels are lines of their own
#define value_of(lanes) (lanes)
#define lanes_of(value) (value)
#else
#include "lib/pixel_vector.glsl"
#define VALUE PIXEL
#define value_of(lanes) pixel_of(lanes)
#define lanes_of(value) vec4_of(value)
#endif

#define GROUP 32
#define BLOCK 16 // pixels
layout(local_size_x = GROUP) in;

uniform int u_radius;  // at least half a block
uniform int u_blocks;  // whole blocks that every box has
uniform int u_rest;    // pixels of a box beyond those and a block more
uniform int u_turns;
uniform float u_scale; // 1 / pixels of the box

// A sum as a float, and what it lost to rounding.
struct Sum {
    VALUE high;
    VALUE low;
};

const Sum nothing = Sum(VALUE(0.0), VALUE(0.0));

void add(inout Sum sum, VALUE value) {
    precise VALUE high = sum.high + value;
    precise VALUE share = high - sum.high;
    precise VALUE lost = (sum.high - (high - share)) + (value - share);
    precise VALUE low = sum.low + lost;
    sum = Sum(high, low);
}

VALUE plus(VALUE a, VALUE b) {
    precise VALUE sum = a + b;
    return sum;
}

// A value that is not finite loses nothing to rounding.
VALUE rounded(Sum sum) {
    vec4 high = lanes_of(sum.high);
    precise vec4 both = high + lanes_of(sum.low);
    const uvec4 exponent = uvec4(0x7f800000u);
    return value_of(mix(both, high, equal(floatBitsToUint(high) & exponent, exponent)));
}

#define IS_FIRST (AXIS == 0 || ALONE == 1) // reads the image, not sums

vec4 weighed(uvec4 texel) {
    vec4 v = uintBitsToFloat(texel);
#if IS_FIRST
    for (int lane = 0; lane < 4; ++lane) {
        v[lane] = float_of_bits(texel[lane]);
    }
#endif
#if IS_FIRST && ALPHA == 1
    for (int a = CHANNELS - 1; a < 4; a += CHANNELS) {
        for (int c = a - CHANNELS + 1; c < a; ++c) {
            v[c] = weighted_colour(v[c], v[a]);
        }
    }
#endif
    return v;
}

#define IS_LINE_OF_TEXELS (AXIS == 1 || SRC_PIXELS == 1)
#define ME int(gl_LocalInvocationIndex)

// A pixel of a line, or in AXIS 1 several side by side: the texel that has it, or the border's.
uvec4 texel_of(int line, int i) {
#if AXIS == 1
    return inside_texel(line, border_index(i, u_size.y));
#else
    int from = border_index(i, u_size.x);
    uvec4 texel = texel_at(ivec2(from / SRC_PIXELS, line));
#if BORDER == 4
    texel = from < 0 ? u_border_texel : texel;
#endif
    return texel;
#endif
}

// The block of pixels that begins at `first`.
#if IS_LINE_OF_TEXELS
void load_block(int line, int first, out VALUE values[BLOCK]) {
    for (int i = 0; i < BLOCK; ++i) {
        values[i] = value_of(weighed(texel_of(line, first + i)));
    }
}
#else
#define LOADED (BLOCK / SRC_PIXELS + 1) // texels that a block may overlap

VALUE pixel_at(vec4 lanes, int pixel) {
    vec4 values = vec4(0.0);
    for (int c = 0; c < CHANNELS; ++c) {
        values[c] = lanes[pixel * CHANNELS + c];
    }
    return value_of(values);
}

void load_block(int line, int first, out VALUE values[BLOCK]) {
    int skipped = first & (SRC_PIXELS - 1);
    int texel = (first - skipped) / SRC_PIXELS;
    vec4 lanes[LOADED];
    for (int t = 0; t < LOADED; ++t) {
        lanes[t] = weighed(texel_at(ivec2(texel + t, line)));
    }
    for (int i = 0; i < BLOCK; ++i) {
        values[i] = pixel_at(lanes[i / SRC_PIXELS], i % SRC_PIXELS);
        for (int s = 1; s < SRC_PIXELS; ++s) {
            VALUE next = pixel_at(lanes[(i + s) / SRC_PIXELS], (i + s) % SRC_PIXELS);
            values[i] = s == skipped ? next : values[i];
        }
    }
    // A loop that runs once or never, not an if: renderers that run both sides of an if skip a loop nobody enters.
    bool inside = first >= 0 && first + BLOCK <= u_size.x;
    for (int turns = inside ? 0 : 1; turns > 0; --turns) {
        for (int i = 0; i < BLOCK; ++i) {
            int from = border_index(first + i, u_size.x);
            vec4 border = weighed(texel_of(line, first + i));
            for (int p = 0; p < SRC_PIXELS; ++p) {
                values[i] = from < 0 || (from & (SRC_PIXELS - 1)) == p ? pixel_at(border, p) : values[i];
            }
        }
    }
}
#endif

// The sums of whole blocks: of the span under way so far, and of the span before it, from each of its blocks to its
// end.
Sum span = nothing;
#if SPAN == 16
shared VALUE s_ends[SPAN * GROUP]; // an invocation's own, where an index may vary
#define ENDS_OF_SPAN(slot) s_ends[(slot) * GROUP + ME]
#else
VALUE ends_of_span[SPAN];
#define ENDS_OF_SPAN(slot) ends_of_span[slot]
#endif

// Adds block number `slot` of a span.
void add_block(VALUE sum, int slot) {
    Sum more = span;
    add(more, sum);
    span.high = slot == 0 ? sum : more.high;
    span.low = slot == 0 ? VALUE(0.0) : more.low;
    ENDS_OF_SPAN(slot) = sum;
    Sum end = Sum(sum, VALUE(0.0));
    for (int i = slot == u_blocks - 1 ? slot - 1 : -1; i >= 0; --i) {
        add(end, ENDS_OF_SPAN(i));
        ENDS_OF_SPAN(i) = rounded(end);
    }
}

int slot_after(int slot) {
    return slot + 1 < u_blocks ? slot + 1 : 0;
}

uvec4 packed_lanes(vec4 lanes) {
#if AXIS == 1 || ALONE == 1
    lanes = finished(lanes, u_scale);
#endif
    uvec4 texel = uvec4(0u);
    for (int lane = 0; lane < 4; ++lane) {
        put_code(texel, lane, lanes[lane]);
    }
    return texel;
}

void store_texel(int line, int i, uvec4 texel) {
#if AXIS == 1
    imageStore(i_dst, ivec2(line, i), texel);
#else
    imageStore(i_dst, ivec2(i < 0 ? -1 : i / SRC_PIXELS, line), texel);
#endif
}

void store_block(int line, int first, VALUE values[BLOCK]) {
#if IS_LINE_OF_TEXELS
    for (int i = 0; i < BLOCK; ++i) {
        store_texel(line, first + i, packed_lanes(lanes_of(values[i])));
    }
#else
    for (int i = 0; i < BLOCK; i += SRC_PIXELS) {
        vec4 lanes;
        for (int lane = 0; lane < 4; ++lane) {
            lanes[lane] = lanes_of(values[i + lane / CHANNELS])[lane % CHANNELS];
        }
        store_texel(line, first + i, packed_lanes(lanes));
    }
#endif
}

// False, as look_at_result() is.
bool look_at_block(int line, int first) {
    bool never = false;
#if LOOKS == 1
    for (int i = 0; i < BLOCK; ++i) {
        never = look_at_result(line, first + i) || never;
    }
#endif
    return never;
}

void main() {
    int line = int(gl_GlobalInvocationID.x);
    int turn = int(gl_GlobalInvocationID.y) * u_turns;
    int end = turn + u_turns;
    int length = AXIS == 0 ? u_size.x : u_size.y;
    int slot = u_blocks > 0 ? wrap_index(turn + 1, u_blocks) : 0;
    int first = turn * BLOCK; // of the results
    span = nothing;
    Sum beginning = nothing; // of the block where boxes end, as far as they reach
    for (int b = 1; b <= u_blocks + 1; ++b) {
        VALUE values[BLOCK];
        load_block(line, first - u_radius + b * BLOCK, values);
        Sum sum = nothing;
        for (int i = 0; i < BLOCK; ++i) {
            beginning.high = i == u_rest ? sum.high : beginning.high;
            beginning.low = i == u_rest ? sum.low : beginning.low;
            add(sum, values[i]);
        }
        for (int turns = b <= u_blocks ? 1 : 0; turns > 0; --turns) {
            add_block(rounded(sum), slot);
            slot = slot_after(slot);
        }
    }
    for (; turn < end && first < length; ++turn) {
        bool never = look_at_block(line, first);
        VALUE results[BLOCK]; // first the sums of the rest of the block where boxes begin
        load_block(line, first - u_radius, results);
        Sum sum = nothing;
        for (int i = BLOCK - 1; i >= 0; --i) {
            add(sum, results[i]);
            results[i] = rounded(sum);
        }
        VALUE values[BLOCK];
        load_block(line, first + u_radius, values);
        VALUE whole = rounded(span); // 0 without whole blocks
        whole = slot == 0 ? whole : plus(ENDS_OF_SPAN(slot), whole);
        VALUE block = VALUE(0.0);
        for (int i = 0; i < BLOCK; ++i) {
            add(beginning, values[i]);
            VALUE sum_so_far = rounded(beginning);
            results[i] = plus(plus(results[i], sum_so_far), whole);
            bool is_complete = i + u_rest == BLOCK - 1;
            block = is_complete ? sum_so_far : block;
            whole = is_complete ? plus(whole, sum_so_far) : whole;
            beginning.high = is_complete ? VALUE(0.0) : beginning.high;
            beginning.low = is_complete ? VALUE(0.0) : beginning.low;
        }
        store_block(never ? -1 : line, first, results);
        for (int turns = u_blocks > 0 ? 1 : 0; turns > 0; --turns) {
            add_block(block, slot);
            slot = slot_after(slot);
        }
        first += BLOCK;
    }
}
