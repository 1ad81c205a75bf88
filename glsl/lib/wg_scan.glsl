// The prefix sum of one group's values in shared memory (SUBGROUP 0): up-sweep, clear, down-sweep, a barrier
// a level. lib/subgroup.glsl has the same three functions for other values of SUBGROUP.
//
// Source   G. E. Blelloch, Prefix Sums and Their Applications, CMU-CS-90-190, 1990,
//          https://www.cs.cmu.edu/~guyb/papers/Ble93.pdf
//          M. Harris, S. Sengupta, J. D. Owens, Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, ch. 39,
//          2007, https://developer.nvidia.com/gpugems/gpugems3/part-vi-gpu-computing
// Shared bytes   4 * GROUP * QUADS
#include "lib/sync.glsl"
#include "lib/scan_value.glsl"
#include "lib/blelloch.glsl"

#if SUBGROUP == 0
#define WG_VALUES uint(GROUP * QUADS)

shared VALUE s_tree[GROUP * QUADS];

// The place among the group's values of an invocation's value `row`: neighbours hold neighbours.
uint wg_place(uint row) {
    return row * uint(GROUP) + gl_LocalInvocationIndex;
}

void up_sweep() {
    for (uint stride = 1u; stride < WG_VALUES; stride *= 2u) {
        for (uint node = gl_LocalInvocationIndex; node < tree_nodes(stride, WG_VALUES); node += uint(GROUP)) {
            uint left;
            uint right;
            if (tree_node(node, stride, WG_VALUES, left, right)) {
                s_tree[right] = s_tree[left] + s_tree[right];
            }
        }
        wg_sync();
    }
}

void down_sweep() {
    for (uint stride = 1u << findMSB(WG_VALUES - 1u); stride > 0u; stride /= 2u) {
        for (uint node = gl_LocalInvocationIndex; node < tree_nodes(stride, WG_VALUES); node += uint(GROUP)) {
            uint left;
            uint right;
            if (tree_node(node, stride, WG_VALUES, left, right)) {
                VALUE sum = s_tree[left];
                s_tree[left] = s_tree[right];
                s_tree[right] = s_tree[right] + sum;
            }
        }
        wg_sync();
    }
}

// The sum of all values of the group. For all invocations at once.
VALUE wg_sum(VALUE values[QUADS]) {
    for (uint row = 0u; row < uint(QUADS); ++row) {
        s_tree[wg_place(row)] = values[row];
    }
    wg_sync();
    up_sweep();
    VALUE total = s_tree[WG_VALUES - 1u];
    wg_sync(); // the code that follows may write
    return total;
}

// Turns every value of the group into the sum of those before it; returns wg_sum(). For all invocations at
// once.
VALUE wg_scan(inout VALUE values[QUADS]) {
    VALUE total = wg_sum(values);
    if (gl_LocalInvocationIndex == 0u) {
        s_tree[WG_VALUES - 1u] = VALUE(0);
    }
    wg_sync();
    down_sweep();
    for (uint row = 0u; row < uint(QUADS); ++row) {
        values[row] = s_tree[wg_place(row)];
    }
    wg_sync(); // the code that follows may write
    return total;
}
#endif
