// The path of an invocation over the image. Bands of GROUP_H rows of texels are read one after the other, each from
// left to right. So a group of GROUP_W x GROUP_H covers as many texels at any place except the bottom. The columns of
// all bands are numbered in that order.
//
// Needs GROUP_W and GROUP_H, the size of the group.
uniform uint u_row_texels;
uniform ivec2 u_step; // from one texel of an invocation to its next: columns, below u_row_texels; rows

// The start of a group that begins at a column.
ivec2 walk_start(uint column) {
    column += gl_LocalInvocationID.x;
    return ivec2(column % u_row_texels, column / u_row_texels * GROUP_H + gl_LocalInvocationID.y);
}

ivec2 walk_on(ivec2 at) {
    at += u_step;
    if (at.x >= int(u_row_texels)) {
        at += ivec2(-int(u_row_texels), GROUP_H);
    }
    return at;
}
