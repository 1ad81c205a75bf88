// Labels of runs: components/number.comp stores them instead of the parents of the roots of blocks, marked by the
// highest bit.
#define LABELLED 0x80000000u
