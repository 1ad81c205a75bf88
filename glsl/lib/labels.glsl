// Labels of runs: components/number.comp stores them instead of the parents of the roots of blocks, marked by the
// highest bit.
#define LABELLED 0x80000000u

// Where b_parents has the parent of a run (lib/runs.glsl). The runs of one rank in 32 words lie side by side: invocations that go through
// a word each then share cache lines.
uint place_of(uint run) {
    return (run & ~511u) | (run & 15u) << 5 | (run >> 4 & 31u);
}
