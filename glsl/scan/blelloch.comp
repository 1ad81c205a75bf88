#version 430 core
// Prefix sum in place in global memory, one dispatch per level. STEP 0 sums up the tree (u_stride 1, 2, 4 ...). STEP 1
// clears the last value. STEP 2 hands the sums down again (... 4, 2, 1).
//
// Reads   b_in      the values, u_count of them, at stride 1 alone
//         b_carry   the sum before the first value
// Writes  b_out     the tree, and at the end the sums
// Shared memory     none; invocations are independent, groups come in any order. Work 2n.
// Source            G. E. Blelloch, Prefix Sums and Their Applications, CMU-CS-90-190, 1990,
//                   https://www.cs.cmu.edu/~guyb/papers/Ble93.pdf
//
// @define FLOAT 0|1     lib/scan_value.glsl
// @define STEP  0|1|2   up-sweep, clear, down-sweep
// @define GROUP 256     invocations
#include "lib/scan_value.glsl"
#include "lib/blelloch.glsl"

layout(std430) readonly buffer b_in { VALUE source[]; };
layout(std430) readonly buffer b_carry { VALUE carry; };
layout(std430) buffer b_out { VALUE tree[]; };

uniform uint u_count;
uniform uint u_stride;
uniform int u_exclusive;

layout(local_size_x = GROUP) in;
#include "lib/group.glsl"

void up_sweep(uint node) {
    uint left;
    uint right;
    bool both = tree_node(node, u_stride, u_count, left, right);
    if (u_stride == 1u) {
        tree[left] = source[left];
        if (both) {
            tree[right] = source[left] + source[right];
        }
    } else if (both) {
        tree[right] = tree[left] + tree[right];
    }
}

// Exclusive sums come down the tree; at its leaves each value is added to its own for inclusive ones.
void down_sweep(uint node) {
    uint left;
    uint right;
    bool both = tree_node(node, u_stride, u_count, left, right);
    bool add = u_stride == 1u && u_exclusive == 0;
    VALUE before = tree[right];
    if (both) {
        VALUE sum = tree[left];
        tree[left] = add ? before + sum : before;
        before = before + sum;
    }
    tree[right] = add ? before + source[right] : before;
}

void main() {
    uint node = linear_invocation();
#if STEP == 1
    if (node == 0u) {
        tree[u_count - 1u] = carry;
    }
#else
    if (node < tree_nodes(u_stride, u_count)) {
#if STEP == 0
        up_sweep(node);
#else
        down_sweep(node);
#endif
    }
#endif
}
