// Which of the slots (lib/bins.glsl) a group counts. If they do not all fit in shared memory, the groups of row y of
// the grid see the same texels as the groups of row 0. They count only the slots that begin at y x u_slice_slots.
uniform uint u_slots;
uniform uint u_slice_slots;

uint first_slot() {
    return gl_WorkGroupID.y * u_slice_slots;
}

uint slice_slots() {
    return min(u_slice_slots, u_slots - first_slot());
}

// Where the slot stands in the slice. If it belongs to another slice this is slice_slots() or more, since the numbers
// of earlier slots wrap round.
uint place_in_slice(uint slot) {
    return slot - first_slot();
}
