// Rows under way that move up each turn, where the oldest make room: `count` rows of `length` values in one flat array.
//
// Flat, because Mesa 25 miscompiles moves within arrays of arrays: `rows[i] = rows[i + 1]` skips a row.
//
// The loops look as they do because Mesa unrolls a loop only if it has at most 32 turns and an array of just as many elements
// that its counter indexes. A loop that is not unrolled puts the array into memory, which costs a multiple.

// Row i becomes row i + 1 of `rows`, and the last one `last[]`.
#define MOVE_ROWS(rows, count, length, last)                                                                                  \
    {                                                                                                                         \
        int from[count];                                                                                                      \
        for (int i = 0; i < count; ++i) {                                                                                     \
            from[i] = min(i + 1, count - 1) * (length);                                                                       \
        }                                                                                                                     \
        for (int i = 0; i < count; ++i) {                                                                                     \
            for (int k = 0; k < length; ++k) {                                                                                \
                rows[i * (length) + k] = i < count - 1 ? rows[from[i] + k] : last[k];                                         \
            }                                                                                                                 \
        }                                                                                                                     \
    }
