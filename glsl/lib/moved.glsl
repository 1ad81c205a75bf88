// Rows under way that move up each turn, where the oldest make room: `count` rows of `length` values in one flat array.
//
// Flat, because Mesa 25 miscompiles moves within arrays of arrays: `rows[i] = rows[i + 1]` skips a row.
//
// On Mesa the loops look as they do because it unrolls a loop only if it has at most 32 turns and an array of just as many elements
// that its counter indexes. NVIDIA's compiler unrolls what it is told to, but leaves indices that it looks up as they are. An
// array that is not in registers costs 20 to 70 times the time there, and its float results differ in the last bit.

#ifdef GL_NV_gpu_shader5
#pragma optionNV(unroll all)
#define MOVE_ROWS(rows, count, length, last)                                                                                  \
    {                                                                                                                         \
        for (int i = 0; i < (count - 1) * (length); ++i) {                                                                    \
            rows[i] = rows[i + (length)];                                                                                     \
        }                                                                                                                     \
        for (int k = 0; k < length; ++k) {                                                                                    \
            rows[(count - 1) * (length) + k] = last[k];                                                                       \
        }                                                                                                                     \
    }
#else
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
#endif

// All rows become `row[]`.
#define FILL_ROWS(rows, count, length, row)                                                                                   \
    for (int i = 0; i < count; ++i) {                                                                                         \
        for (int k = 0; k < length; ++k) {                                                                                    \
            rows[i * (length) + k] = row[k];                                                                                  \
        }                                                                                                                     \
    }
