// Runs in a mask of bits (mask/bits.comp): pixels that are set side by side within one word. A word has at most 16. The
// number of a run is 16 times the number of its word, counted through all rows, plus its rank in the word. So numbers
// grow in the order in which rows are read.
//
// Needs EIGHT: 1 where pixels that touch at a corner are connected, too; 0 where only those that share a side are.

// The first pixel of each run.
uint starts_of(uint word) {
    return word & ~(word << 1);
}

uint last_run(uint word) {
    return uint(bitCount(starts_of(word))) - 1u;
}

// Runs of a word and of the word above it that are connected: a bit for each pair, where the two begin to touch. For
// corners, every run counts as one pixel longer at its end. left, above_left: the words to the left of both, or 0.
uint pairs_of(uint word, uint left, uint above, uint above_left) {
    uint shifted = word << 1 | left >> 31;
    uint above_shifted = above << 1 | above_left >> 31;
    uint begins = (word & ~shifted) | (above & ~above_shifted);
#if EIGHT == 1
    return begins & (word | shifted) & (above | above_shifted);
#else
    return begins & word & above;
#endif
}

// The run of a word that a pair belongs to, by its rank; -1: the last run of the word to the left.
int rank_at(uint starts, int bit) {
    return bitCount(starts & ((2u << bit) - 1u)) - 1;
}

// The number of a run. `word`: the number of its word; left: the bits of the word to its left.
uint run_of_rank(uint word, int rank, uint left) {
    return rank < 0 ? (word - 1u) * 16u + last_run(left) : word * 16u + uint(rank);
}
