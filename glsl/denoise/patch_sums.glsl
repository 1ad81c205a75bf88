// Sums over patches, for a group that makes a block of WIDE x TALL pixels, PER of them side by side in each of its GROUP invocations.
//
// Needs PATCH, and squares_at(x, y, offset): over the colours, the squared differences between a pixel and the one `offset` away from it.
// Pixels are counted from PATCH before the first of the block.
#define SIDE (2 * PATCH + 1)
#define COLUMNS (WIDE + 2 * PATCH)
#define COLUMNS_WIDE (COLUMNS + 1)
#define PARTS 3 // of a column
#define PART ((TALL + PARTS - 1) / PARTS)

shared float s_columns[COLUMNS_WIDE * TALL];

// Squares of differences between pixels `offset` apart, added up down the patches. The last part of a column overlaps another, and
// both write the same sums.
void add_down(int offset) {
    for (int i = int(gl_LocalInvocationIndex); i < COLUMNS * PARTS; i += GROUP) {
        int x = i % COLUMNS;
        int y = min(i / COLUMNS * PART, TALL - PART);
        float squares[PART + 2 * PATCH];
        for (int k = 0; k < PART + 2 * PATCH; ++k) {
            squares[k] = squares_at(x, y + k, offset);
        }
        precise float sum = 0.0;
        for (int j = 0; j < SIDE; ++j) {
            sum = sum + squares[j];
        }
        s_columns[y * COLUMNS_WIDE + x] = sum; // race: the same sums
        for (int k = 1; k < PART; ++k) {
#if SRC_DEPTH == 8
            sum = sum + (squares[k + SIDE - 1] - squares[k - 1]);
#else
            sum = squares[k];
            for (int j = 1; j < SIDE; ++j) {
                sum = sum + squares[k + j];
            }
#endif
            s_columns[(y + k) * COLUMNS_WIDE + x] = sum; // race: the same sums
        }
    }
}

// The sums over the patches of PER pixels. The first of them begins at `place` of s_columns.
vec4 add_across(int place) {
    float columns[PER + 2 * PATCH];
    for (int k = 0; k < PER + 2 * PATCH; ++k) {
        columns[k] = s_columns[place + k];
    }
    precise vec4 sums = vec4(0.0);
    for (int k = 0; k < SIDE; ++k) {
        sums = sums + vec4(columns[k], columns[k + 1], columns[k + 2], columns[k + 3]);
    }
    return sums;
}
