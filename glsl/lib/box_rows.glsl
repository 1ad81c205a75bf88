// The sums along y of a column of texels, which a box in strips moves down row by row.
//
// Needs lib/pixel.glsl, lib/border.glsl, u_radius, and weighed(), which turns a pixel into the values that it adds to
// the sums, SUMS.
#ifndef SUMS
#define SUMS uvec4
#endif

#define WARM 4 // rows whose loads are under way at the same time before the first turn

uvec4 row_texel(int tx, int y) {
    return imageLoad(i_src, ivec2(tx, border_index(y, u_size.y)));
}

// A texel of row y, which may have been beyond the image.
uvec4 settled(uvec4 texel, int y) {
#if BORDER == 4
    return y >= 0 && y < u_size.y ? texel : u_border_texel;
#else
    return texel;
#endif
}

// The sums along y of the box around row y of column tx.
void sum_column(int tx, int y, out SUMS sums[4]) {
    for (int p = 0; p < 4; ++p) {
        sums[p] = SUMS(0u);
    }
    for (int d = -u_radius.y; d <= u_radius.y; d += WARM) {
        uvec4 texels[WARM];
        for (int i = 0; i < WARM; ++i) {
            texels[i] = row_texel(tx, y + d + i);
        }
        for (int i = 0; i < WARM; ++i) {
            uvec4 texel = d + i <= u_radius.y ? settled(texels[i], y + d + i) : uvec4(0u);
            for (int p = 0; p < 4; ++p) {
                sums[p] += weighed(texel[p]);
            }
        }
    }
}

// The sums of the next row, from the texel that enters and the one that leaves.
void move_down(inout SUMS sums[4], uvec4 incoming, uvec4 outgoing) {
    for (int p = 0; p < 4; ++p) {
        sums[p] += weighed(incoming[p]) - weighed(outgoing[p]);
    }
}
