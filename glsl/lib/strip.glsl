// A strip of the image that a group marches down, ROWS rows per turn. Rows come to shared memory a turn after they were
// loaded. Results are stored a turn after they were made, in whole texels.
//
// Needs lib/pixel.glsl, with results of the source's depth, lib/border.glsl, lib/sync.glsl and
//   GROUP    invocations; as many quads of a row are loaded
//   RADIUS   how far away the pixels are that a result depends on
//   REACH    that in quads, rounded up to whole texels or more
//   ROWS     of a turn
//   HELD     rows in shared memory, a multiple of ROWS
//   UNROLLED 1: the rows of a turn are unrolled
//   EDGE     1: strips may reach beyond the image; code for that fills registers
// and three functions. The first to be called is begin_sums(). All invocations call share_sums() before a barrier. Quad
// `me` of the result that is done with row `i` of the turn comes from result_of(); `at` is its place in the row and the
// row. That row is `slot` + i of s_texel, and that quad REACH + me.
//
// Shared bytes   SRC_DEPTH / 2 * (HELD * STRIP + ROWS * RESULTS)
void begin_sums();
void share_sums(int slot);
vec4 result_of(int slot, int i, int me, ivec2 at);

#define QUADS (SRC_LANES / 4) // of a texel
#define STRIP GROUP
#define RESULTS (STRIP - 2 * REACH)
#define LOADS (ROWS / QUADS) // texels of an invocation

layout(local_size_x = GROUP) in;

uniform ivec2 u_skip; // strips left to another dispatch: the first of them, and how many
uniform int u_rows;   // of a strip; a multiple of ROWS

#if DST_DEPTH == 8
#define WORDS uint
#elif DST_DEPTH == 16
#define WORDS uvec2
#else
#define WORDS uvec4
#endif

shared uvec4 s_texel[HELD][STRIP / QUADS];
shared WORDS s_done[ROWS][RESULTS];

WORDS words_of(vec4 means) {
#if DST_DEPTH == 8
    return bytes_of(means);
#else
    uvec4 codes = uvec4(code_of(means.x), code_of(means.y), code_of(means.z), code_of(means.w));
#if DST_DEPTH == 16
    return codes.xz | codes.yw << 16;
#else
    return codes;
#endif
#endif
}

uvec4 done_texel(int row, int quad) {
#if DST_DEPTH == 8
    return uvec4(s_done[row][quad], s_done[row][quad + 1], s_done[row][quad + 2], s_done[row][quad + 3]);
#elif DST_DEPTH == 16
    return uvec4(s_done[row][quad], s_done[row][quad + 1]);
#else
    return s_done[row][quad];
#endif
}

#if EDGE == 1 && BORDER == 3
#define LOADED_TEXEL bordered_texel // the pixels that a wrapped border needs may lie outside the strip
#else
#define LOADED_TEXEL plain_texel // complete_rows() knows the border along x
#endif

uvec4 plain_texel(int tx, int row) {
    return imageLoad(i_src, ivec2(tx, row));
}

// Loads are a turn ahead of their use, so nothing may read their values here.
void load_rows(int first_texel, int first_row, out uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        int row = border_index(first_row + work / (STRIP / QUADS), u_size.y);
        texels[i] = LOADED_TEXEL(first_texel + work % (STRIP / QUADS), row);
    }
}

vec4 texel_quad(uvec4 texel, int quad) {
    vec4 values;
    for (int lane = 0; lane < 4; ++lane) {
        values[lane] = lane_value(texel, 4 * quad + lane);
    }
    return premultiplied(values);
}

void share_rows(int slot, int first_row, uvec4 texels[LOADS]) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        int row = work / (STRIP / QUADS);
#if BORDER == 4
        texels[i] = first_row + row < 0 || first_row + row >= u_size.y ? u_border_texel : texels[i];
#endif
        s_texel[slot + row][work % (STRIP / QUADS)] = texels[i];
    }
}

#if EDGE == 1 && BORDER != 3
// Fills in the pixels beyond the image along x from the pixels of the image that the strip holds. Pixels that no sum
// needs may have any value. The bits of pixels within the image stay as they are, in words that are written, too.
void complete_rows(int slot, int first_pixel) {
    const int lanes = 32 / SRC_DEPTH; // of a word
    const int words = STRIP * 4 / lanes;
    int left = (clamp(-first_pixel, 0, STRIP * 4 / CHANNELS) * CHANNELS + lanes - 1) / lanes; // with pixels beyond the image
    int right = clamp((u_size.x - first_pixel) * CHANNELS / lanes, left, words);
    for (int work = int(gl_LocalInvocationIndex); work < ROWS * (left + words - right); work += GROUP) {
        int row = slot + work % ROWS;
        int word = work / ROWS;
        word += word < left ? 0 : right - left;
        uint bits = 0u;
        for (int l = 0; l < lanes; ++l) {
            int lane = word * lanes + l;
            int pixel = first_pixel + lane / CHANNELS;
            int seen = border_index(pixel, u_size.x);
            int from = clamp(seen - first_pixel, 0, STRIP * 4 / CHANNELS - 1) * CHANNELS + lane % CHANNELS;
            uint source = s_texel[row][from / SRC_LANES][from % SRC_LANES / lanes]; // race: the bits it takes stay the same
#if BORDER == 4
            source = seen < 0 ? u_border_texel[lane % SRC_LANES / lanes] : source;
#endif
            int shift = from % lanes * SRC_DEPTH;
#if BORDER == 4
            shift = seen < 0 ? l * SRC_DEPTH : shift;
#endif
            bits |= bitfieldExtract(source, shift, SRC_DEPTH) << (l * SRC_DEPTH);
        }
        s_texel[row][word * lanes / SRC_LANES][word % (SRC_LANES / lanes)] = bits;
    }
}
#endif

void store_rows(int first_texel, int first_row, int before, int rows) {
    for (int i = 0; i < LOADS; ++i) {
        int work = int(gl_LocalInvocationIndex) + i * GROUP;
        int row = work / (STRIP / QUADS);
        int texel = work % (STRIP / QUADS);
        if (texel < RESULTS / QUADS && before + row >= 0 && before + row < rows) {
            imageStore(i_dst, ivec2(first_texel + texel, first_row + before + row), done_texel(row, texel * QUADS));
        }
    }
}

void main() {
    int me = int(gl_LocalInvocationIndex);
    int strip = int(gl_WorkGroupID.x);
    strip += strip >= u_skip.x ? u_skip.y : 0;
    int first_texel = (strip * RESULTS - REACH) / QUADS;
    int first_row = int(gl_WorkGroupID.y) * u_rows;
    int rows = min(u_rows, u_size.y - first_row);
    const int lead = (2 * RADIUS + ROWS - 1) / ROWS * ROWS; // rows before the first is done, rounded up to turns
    begin_sums();
    uvec4 next[LOADS];
    load_rows(first_texel, first_row + RADIUS - lead, next);
    int slot = 0; // of s_texel: where the next rows go
    for (int done = -lead; done < rows + ROWS; done += ROWS) { // a turn more stores the last rows
        int row = first_row + RADIUS + done;
        share_rows(slot, row, next);
        load_rows(first_texel, row + ROWS, next);
        wg_sync();
#if EDGE == 1 && BORDER != 3
        complete_rows(slot, first_texel * SRC_PIXELS);
        wg_sync();
#endif
        store_rows(first_texel + REACH / QUADS, first_row, done - ROWS, rows);
        share_sums(slot);
        wg_sync();
#if UNROLLED == 1
        const int wanted = ROWS;
#else
        int wanted = min(ROWS, rows - done);
#endif
        if (me < RESULTS) {
            for (int i = 0; i < wanted; ++i) {
                s_done[i][me] = words_of(result_of(slot, i, me, ivec2(strip * RESULTS + me, first_row + done + i)));
            }
        }
        slot = slot + ROWS < HELD ? slot + ROWS : 0;
    }
}
