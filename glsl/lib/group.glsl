// The number of a group, and of an invocation, in a dispatch that Pass::groups_1d() or Pass::over_1d() made:
// one dimension, folded into two where it is longer than the device allows. The last few may lie beyond the
// work. Included after the layout(local_size_x = ...) line, before which gl_WorkGroupSize does not exist.
uint linear_group() {
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

uint linear_invocation() {
    return linear_group() * (gl_WorkGroupSize.x * gl_WorkGroupSize.y) + gl_LocalInvocationIndex;
}
