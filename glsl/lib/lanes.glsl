// Sums over 32 neighbouring invocations, the lanes of a warp. GROUP holds one warp or several. LANE_SUMS is the type of
// the sums: vec4 or uvec4.
//
//   SHUFFLE 1   by the device's subgroups, which must have 32 invocations. Not by subgroupExclusiveAdd() and the like:
//               NVIDIA's compiler makes some hundred instructions of each, to allow for subgroups that are only partly
//               active.
//   SHUFFLE 0   in shared memory, with barriers, which all invocations of the group must reach: for tests on devices
//               without subgroups.
//
// Shared bytes   none, or 16 * GROUP for SHUFFLE 0
//
// Included first: an #extension line may not follow code.
#if SHUFFLE == 1
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = GROUP) in; // NVIDIA's compiler needs it before gl_SubgroupID
#endif
#include "lib/sync.glsl"

#if SHUFFLE == 1
#define WARP int(gl_SubgroupID)
#define LANE int(gl_SubgroupInvocationID)

LANE_SUMS sum_of_lanes(LANE_SUMS value) {
    for (int s = 0; s < 5; ++s) {
        value += subgroupShuffleXor(value, 1u << s);
    }
    return value;
}

// The sum of the lanes before this one, and of all.
LANE_SUMS lanes_before(LANE_SUMS value, out LANE_SUMS all) {
    LANE_SUMS sum = value;
    for (int s = 0; s < 5; ++s) {
        LANE_SUMS more = subgroupShuffleUp(sum, 1u << s);
        if (LANE >= 1 << s) {
            sum += more;
        }
    }
    all = subgroupShuffle(sum, 31u);
    return sum - value;
}

// The value of another lane.
LANE_SUMS from_lane(LANE_SUMS value, int lane) {
    return subgroupShuffle(value, uint(lane));
}
#else
layout(local_size_x = GROUP) in;
#define WARP int(gl_LocalInvocationIndex >> 5)
#define LANE int(gl_LocalInvocationIndex & 31u)

shared LANE_SUMS s_lanes[GROUP];

LANE_SUMS lanes_before(LANE_SUMS value, out LANE_SUMS all) {
    s_lanes[gl_LocalInvocationIndex] = value;
    wg_sync();
    LANE_SUMS before = LANE_SUMS(0.0);
    all = LANE_SUMS(0.0);
    for (int lane = 0; lane < 32; ++lane) {
        LANE_SUMS more = s_lanes[WARP * 32 + lane];
        before += lane < LANE ? more : LANE_SUMS(0.0);
        all += more;
    }
    wg_sync();
    return before;
}

LANE_SUMS sum_of_lanes(LANE_SUMS value) {
    LANE_SUMS all;
    lanes_before(value, all);
    return all;
}

LANE_SUMS from_lane(LANE_SUMS value, int lane) {
    s_lanes[gl_LocalInvocationIndex] = value;
    wg_sync();
    LANE_SUMS other = s_lanes[WARP * 32 + lane];
    wg_sync();
    return other;
}
#endif
