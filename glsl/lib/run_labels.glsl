// The label of a run (lib/runs.glsl), after components/number.comp.
//
// Needs b_parents with `uint parents[]`.
#include "lib/labels.glsl"

uint label_of(uint run) {
    uint parent = parents[place_of(run)];
    return ((parent & LABELLED) != 0u ? parent : parents[place_of(parent)]) & ~LABELLED;
}
