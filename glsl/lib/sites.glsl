// Nearest sites of columns. A site is a set pixel of a mask. Each pixel has the row of the nearest site in its column, counted in
// the whole picture, or NONE.
//
// Needs ROW_BITS: 16 where the picture has fewer than 65536 rows, two pixels to a word, rows of an even number of pixels;
// else 32.
#define NONE 0xffffffffu

// Words of a row of so many pixels, to be a whole number of pairs.
uint row_words_of(uint width) {
#if ROW_BITS == 16
    return (width + 1u) / 2u;
#else
    return (width + 1u) / 2u * 2u;
#endif
}
