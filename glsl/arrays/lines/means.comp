#version 430 core
// Means over a window along one axis, by a running sum in doubles, each operation rounded, in the order of SciPy's
// uniform_filter1d, so that the bits are SciPy's.
//
// Only the additions to a running sum wait for one another. A group makes the results of LINES lines, or of u_segment results of
// each where sums are exact and so the order does not matter. It goes along them in parts of STEPS steps. Its first
// invocations add the differences in a part, one line each. Meanwhile the others load the part that follows, and divide, cast
// and store the part before. Neighbours in a group read and write neighbours in memory, whatever the axis.
//
// Reads   b_src      the array, lib/volume.glsl
//         u_reach    how far the window reaches before and after the value, without the origin
//         u_segment  a multiple of 4, or all of a line
//         u_blocks   how many blocks of lines, lib/line.glsl
// Writes  b_dst      an array of the same shape
// Group grid         one group for each segment of each LINES lines
// Shared memory      13824 bytes
//
// @define SRC    U8|I8|U16|I16|U32|I32|U64|I64|F32|F64
// @define DST    U8|I8|U16|I16|U32|I32|U64|I64|F32|F64
// @define ALONG  0|1        lib/line.glsl
#define COLUMNS 1
#include "lib/volume.glsl"

#define LINES 8
#define STEPS 64
#define ADDERS 32 // a warp by itself; LINES of them have work
#define OTHERS 128
layout(local_size_x = 160) in; // both

#include "lib/group.glsl"
#include "lib/line.glsl"
#include "lib/sync.glsl"

uniform ivec2 u_reach;
uniform int u_origin;
uniform int u_segment;
uniform int u_blocks;

#define PITCH (LINES + 1) // so that a column of steps lies in several banks
#define PART (STEPS * PITCH)
shared double s_parts[3 * PART]; // what differs in each step, then the sums

// Of this group.
int size;
int lead;       // steps before the first result, a multiple of 4; those that are not needed add 0
int from;       // where the first line begins
int lines;
int begin;      // the first result
int end;

// How far apart lines are in memory, and the values of a line.
#if ALONG == 1
#define LINE_STEP u_block
#define VALUE_STEP 1
#else
#define LINE_STEP 1
#define VALUE_STEP u_step
#endif

void find_lines() {
    size = u_reach.x + u_reach.y + 1;
    lead = (size + 2) & ~3;
    int segments = (u_length + u_segment - 1) / u_segment;
    int group = int(linear_group());
    begin = group % segments * u_segment;
    end = min(begin + u_segment, u_length);
    int tile = group / segments;
#if ALONG == 1
    from = tile * LINES * u_block;
    lines = min(u_blocks - tile * LINES, LINES);
#else
    int tiles = (u_step + LINES - 1) / LINES; // of a block
    int first = tile % tiles * LINES;
    from = tile / tiles * u_block + first;
    lines = tile / tiles < u_blocks ? min(u_step - first, LINES) : 0;
#endif
}

// Value n of a part: its step and its line. Neighbours in memory follow one another.
#if ALONG == 1
int step_of(int n) { return n % STEPS; }
int line_of(int n) { return n / STEPS; }
#else
int step_of(int n) { return n / LINES; }
int line_of(int n) { return n % LINES; }
#endif

// Where a value lies that does not need to be folded.
int place_of(int line, int i) { return from + line * LINE_STEP + i * VALUE_STEP; }

double value_beyond(int line, int i) {
    int place = folded(i);
    return place < 0 ? packDouble2x32(u_constant.xy) : value_at(place_of(line, place));
}

// The difference that a step adds to the sum of a line, anywhere.
double difference_at(int line, int step) {
    int number = step - lead + size - 1; // of additions before
    precise double difference = 0.0LF;
    if (line < lines && number >= 0 && step - lead < end - begin) {
        int next = begin - u_reach.x - u_origin + number;
        precise double come = value_beyond(line, next);
        difference = come;
        if (number >= size) {
            precise double gone = value_beyond(line, next - size);
            difference = come - gone;
        }
    }
    return difference;
}

// Whether all steps of a part have a value that comes and one that goes, in the array.
bool is_inside(int part) {
    int next = begin - u_reach.x - u_origin + part * STEPS - lead + size - 1;
    return lines == LINES && part * STEPS > lead && next >= size && next + STEPS <= u_length;
}

double mean_at(int part, int step, int line) {
    precise double mean = s_parts[part % 3 * PART + step * PITCH + line] / double(size);
    return mean;
}

// Each of the others has so many values of a part.
#define VALUES (STEPS * LINES / OTHERS)

void store_part(int part, int other) {
#if DST <= I16 // four neighbours at once, so that no two write one word
#if ALONG == 1
    int step = other % (STEPS / 4) * 4;
    int line = other / (STEPS / 4);
    int result = begin + part * STEPS + step - lead;
    int at = from + line * u_block;
    if (line < lines && result >= begin)
        store_four(at + result, mean_at(part, step, line), mean_at(part, step + 1, line), mean_at(part, step + 2, line),
                   mean_at(part, step + 3, line), at + end);
#else
    int step = other / (LINES / 4);
    int line = other % (LINES / 4) * 4;
    int result = begin + part * STEPS + step - lead;
    int at = from + result * u_step;
    if (result >= begin && result < end)
        store_four(at + line, mean_at(part, step, line), mean_at(part, step, line + 1), mean_at(part, step, line + 2),
                   mean_at(part, step, line + 3), at + lines);
#endif
#else
    for (int i = 0; i < VALUES; ++i) {
        int n = i * OTHERS + other;
        int result = begin + part * STEPS + step_of(n) - lead;
        if (line_of(n) < lines && result >= begin && result < end)
            store(place_of(line_of(n), result), mean_at(part, step_of(n), line_of(n)));
    }
#endif
}

// Words, not doubles, that wait for nothing: they arrive while other sums are stored.
#define EACH_VALUE(M) M(come0, gone0, 0) M(come1, gone1, 1) M(come2, gone2, 2) M(come3, gone3, 3)
#define DECLARE(come, gone, i)                                                                                                 \
    SRC_WORD come = SRC_WORD(0);                                                                                               \
    SRC_WORD gone = SRC_WORD(0);
#define FETCH(come, gone, i)                                                                                                   \
    come = src[SRC_PLACE(place_of(line_of(other + i * OTHERS), next + step_of(other + i * OTHERS)))];                          \
    gone = src[SRC_PLACE(place_of(line_of(other + i * OTHERS), next - size + step_of(other + i * OTHERS)))];
#define KEEP(come, gone, i)                                                                                                    \
    {                                                                                                                          \
        int at = place_of(line_of(other + i * OTHERS), next + step_of(other + i * OTHERS));                                    \
        precise double difference = value_in(come, at) - value_in(gone, at - size * VALUE_STEP);                               \
        s_parts[to + step_of(other + i * OTHERS) * PITCH + line_of(other + i * OTHERS)] = difference;                          \
    }

// Loads a part and stores the one two before it.
void load_and_store(int part, int parts, int other) {
    int next = begin - u_reach.x - u_origin + part * STEPS - lead + size - 1;
    int to = part % 3 * PART;
    bool inside = part < parts && is_inside(part);
    EACH_VALUE(DECLARE)
    if (inside) {
        EACH_VALUE(FETCH)
    }
    if (part >= 2)
        store_part(part - 2, other);
    if (inside) {
        EACH_VALUE(KEEP)
    } else if (part < parts) {
        for (int n = other; n < STEPS * LINES; n += OTHERS)
            s_parts[to + step_of(n) * PITCH + line_of(n)] = difference_at(line_of(n), part * STEPS + step_of(n));
    }
}

// Loads that do not wait for stores before them. Variables: NVIDIA's compiler rounds a local array of doubles to floats.
#define EACH(M) M(d0, 0) M(d1, 1) M(d2, 2) M(d3, 3) M(d4, 4) M(d5, 5) M(d6, 6) M(d7, 7)
#define LOAD(d, i) double d = s_parts[at + i * PITCH];
#define ADD(d, i)                                                                                                              \
    sum = sum + d;                                                                                                             \
    d = sum;
#define PUT(d, i) s_parts[at + i * PITCH] = d;

void main() {
    find_lines();
    int me = int(gl_LocalInvocationIndex);
    int parts = lines > 0 ? (end - begin + lead + STEPS - 1) / STEPS : 0;
    precise double sum = 0.0LF;
    for (int part = 0; part < parts + 2; ++part) {
        if (me >= ADDERS) {
            load_and_store(part, parts, me - ADDERS);
        } else if (me < LINES && part >= 1 && part <= parts) {
            int first = (part - 1) % 3 * PART + me;
            for (int at = first; at < first + PART; at += 8 * PITCH) {
                EACH(LOAD)
                EACH(ADD)
                EACH(PUT)
            }
        }
        wg_sync();
    }
}
