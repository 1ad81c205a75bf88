// Rows under way that move up each turn. The oldest make room for new ones. There are `count` rows of `length` values
// in one flat array.
//
// Flat, because Mesa 25 miscompiles moves within arrays of arrays: `rows[i] = rows[i + 1]` skips a row.
//
// The loops are written this way for Mesa. It unrolls a loop only if it has at most 32 turns and the counter indexes an
// array of just as many elements. NVIDIA's compiler unrolls the loops it is told to, but keeps indices that it reads
// from a table. An array that is not in registers costs 20 to 70 times the time there, and its float results differ in
// the last bit.
//
// Kernels define ROLLED to leave their loops as loops for a single picture (ONE_PICTURE is defined). NVIDIA's compiler
// then takes a fifth of its time, and that saves more than the kernel loses. They do so only where sums are exact, so
// that the bits are the same.

// Row i of `rows` becomes row i + by; the last `by` are still to be filled.
#ifdef GL_NV_gpu_shader5
#ifndef ROLLED
#pragma optionNV(unroll all)
#endif
#define MAKE_ROOM(rows, count, length, by)                                                                                    \
    for (int i = 0; i < (count - (by)) * (length); ++i) {                                                                     \
        rows[i] = rows[i + (by) * (length)];                                                                                  \
    }
#else
#define MAKE_ROOM(rows, count, length, by)                                                                                    \
    {                                                                                                                         \
        int from[count];                                                                                                      \
        for (int i = 0; i < count; ++i) {                                                                                     \
            from[i] = min(i + (by), count - 1) * (length);                                                                    \
        }                                                                                                                     \
        for (int i = 0; i < count; ++i) {                                                                                     \
            for (int k = 0; k < length; ++k) {                                                                                \
                rows[i * (length) + k] = rows[from[i] + k];                                                                   \
            }                                                                                                                 \
        }                                                                                                                     \
    }
#endif

// Row `at` becomes `row[]`.
#define PUT_ROW(rows, at, length, row)                                                                                        \
    for (int k = 0; k < length; ++k) {                                                                                        \
        rows[(at) * (length) + k] = row[k];                                                                                   \
    }

// Row i becomes row i + 1 of `rows`, and the last one `last[]`.
#define MOVE_ROWS(rows, count, length, last)                                                                                  \
    MAKE_ROOM(rows, count, length, 1)                                                                                         \
    PUT_ROW(rows, count - 1, length, last)

// All rows become `row[]`.
#define FILL_ROWS(rows, count, length, row)                                                                                   \
    for (int i = 0; i < count; ++i) {                                                                                         \
        for (int k = 0; k < length; ++k) {                                                                                    \
            rows[i * (length) + k] = row[k];                                                                                  \
        }                                                                                                                     \
    }
