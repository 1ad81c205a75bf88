// The prefix sum of one group's values by subgroups. Each scans its own share without a barrier, and the sums of the
// subgroups come together in shared memory. For SUBGROUP 0 there are the same three functions in lib/wg_scan.glsl.
//
//   SUBGROUP 1   the device's subgroups, of any size. Not by subgroupExclusiveAdd() and the like: NVIDIA's compiler
//                makes some hundred instructions of each. Values are placed by subgroup and lane, never by
//                gl_LocalInvocationIndex, whose relation to them is not specified. Assumes that a group fills its
//                subgroups, or is smaller than one, and that GROUP is a power of two.
//   SUBGROUP n   subgroups of n invocations made of shared memory and barriers: slow, for tests of every size
//                on devices that have none or one. n divides GROUP.
//
// Shared bytes   4 * GROUP, twice that for SUBGROUP n
//
// SUBGROUP_LANES, defined before this is included, is the number of invocations of the device's subgroups. If it is
// known, loops over them have a fixed length. 0, the default, means any number.
//
// Included first: an #extension line may not follow code.
#if SUBGROUP == 1
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = GROUP) in; // NVIDIA's compiler needs it before gl_NumSubgroups
#endif
#include "lib/sync.glsl"
#include "lib/scan_value.glsl"

#ifndef SUBGROUP_LANES
#define SUBGROUP_LANES 0
#endif

#if SUBGROUP != 0
shared VALUE s_subgroup_sums[GROUP];

#if SUBGROUP == 1
#if SUBGROUP_LANES > 0 && GROUP >= SUBGROUP_LANES
#define SUBGROUP_SIZE uint(SUBGROUP_LANES)
#define SUBGROUP_COUNT uint(GROUP / SUBGROUP_LANES)
#else
// Not gl_SubgroupSize: drivers that choose a size for each program still give one number for all.
#define SUBGROUP_SIZE (uint(GROUP) / gl_NumSubgroups)
#define SUBGROUP_COUNT gl_NumSubgroups
#endif
#define SUBGROUP_INDEX gl_SubgroupID
#define SUBGROUP_LANE gl_SubgroupInvocationID
#define SUBGROUP_SYNC subgroupBarrier // wg_sync() of a subgroup

// The sum of the lanes before this one, and of all.
VALUE sum_before_lane(VALUE value, out VALUE total) {
    precise VALUE sum = value;
    for (uint step = 1u; step < SUBGROUP_SIZE; step *= 2u) {
        VALUE below = subgroupShuffleUp(sum, step);
        sum += SUBGROUP_LANE >= step ? below : VALUE(0);
    }
    total = subgroupShuffle(sum, SUBGROUP_SIZE - 1u);
#if FLOAT == 1
    VALUE before = subgroupShuffleUp(sum, 1u);
    return SUBGROUP_LANE > 0u ? before : VALUE(0);
#else
    return sum - value;
#endif
}

#if FLOAT == 0
// The sum of all lanes; whole numbers need no order.
VALUE sum_of_subgroup(VALUE value) {
    for (uint step = 1u; step < SUBGROUP_SIZE; step *= 2u) {
        value += subgroupShuffleXor(value, step);
    }
    return value;
}
#endif
#else
#define SUBGROUP_SIZE uint(SUBGROUP)
#define SUBGROUP_COUNT uint(GROUP / SUBGROUP)
#define SUBGROUP_INDEX (gl_LocalInvocationIndex / uint(SUBGROUP))
#define SUBGROUP_LANE (gl_LocalInvocationIndex % uint(SUBGROUP))
#define SUBGROUP_SYNC wg_sync

shared VALUE s_lanes[GROUP];

// The sum of the values of the first `lanes` of this invocation's subgroup.
VALUE sum_of_lanes(VALUE value, uint lanes) {
    s_lanes[gl_LocalInvocationIndex] = value;
    wg_sync();
    uint first = gl_LocalInvocationIndex - SUBGROUP_LANE;
    VALUE sum = VALUE(0);
    for (uint lane = 0u; lane < lanes; ++lane) {
        sum += s_lanes[first + lane];
    }
    wg_sync();
    return sum;
}

VALUE sum_before_lane(VALUE value, out VALUE total) {
    total = sum_of_lanes(value, SUBGROUP_SIZE);
    return sum_of_lanes(value, SUBGROUP_LANE);
}
#endif

// The place among the group's values of an invocation's value `row`: a subgroup's values lie together, and in
// each row of them neighbours hold neighbours.
uint wg_place(uint row) {
    return (SUBGROUP_INDEX * uint(QUADS) + row) * SUBGROUP_SIZE + SUBGROUP_LANE;
}

// Brings the subgroups' sums together: the sum of all, and the sum of those before this one.
VALUE add_subgroups(VALUE sum, out VALUE before) {
    before = VALUE(0);
    if (SUBGROUP_LANE == 0u) {
        s_subgroup_sums[SUBGROUP_INDEX] = sum;
    }
    wg_sync();
    precise VALUE total = VALUE(0);
    for (uint i = 0u; i < SUBGROUP_COUNT; ++i) {
        before = i == SUBGROUP_INDEX ? total : before;
        total += s_subgroup_sums[i];
    }
    wg_sync(); // the code that follows may write
    return total;
}

// The sum of all values of the group. For all invocations at once.
VALUE wg_sum(VALUE values[QUADS]) {
    precise VALUE sum = VALUE(0);
    for (uint row = 0u; row < uint(QUADS); ++row) {
        VALUE row_sum;
        sum_before_lane(values[row], row_sum);
        sum += row_sum;
    }
    VALUE before;
    return add_subgroups(sum, before);
}

// Turns every value of the group into the sum of those before it; returns wg_sum(), with the same additions
// in the same order. For all invocations at once.
VALUE wg_scan(inout VALUE values[QUADS]) {
    precise VALUE sum = VALUE(0);
    for (uint row = 0u; row < uint(QUADS); ++row) {
        VALUE row_sum;
        values[row] = sum + sum_before_lane(values[row], row_sum);
        sum += row_sum;
    }
    VALUE before;
    VALUE total = add_subgroups(sum, before);
    for (uint row = 0u; row < uint(QUADS); ++row) {
        values[row] += before;
    }
    return total;
}
#endif
