// Rows of texels stored two at a time. A row of texels fills only half of each sector of an NVIDIA GPU's memory, as the
// other half belongs to the row below it. Kernels that store 16 or 32 bits and wait for memory gain a fifth by storing
// both at once. Kernels that compute more lose a little.
//
// PAIRED 1 is for subgroups of 32: half of the lanes store a row, and half the row below it. Each lane has a texel of
// both, and hands one of them over to another lane. All lanes of a subgroup make each call, with the same y, begin and
// end.
//
// Needs PAIRED (0 or 1). Included first: an #extension line may not stand after code.
#if PAIRED == 1
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif

struct Stores {
    int count; // how many texels there are
    ivec2 at[2];
    uvec4 texels[2];
};

#if PAIRED == 1
uvec4 held_texel; // of the row above
#endif

// The texels to store, if the rows begin to end - 1 of column x come one after another, and this is row y.
Stores stores_of(int x, int y, int begin, int end, uvec4 texel) {
    Stores now = Stores(1, ivec2[](ivec2(x, y), ivec2(x, y)), uvec4[](texel, texel));
#if PAIRED == 1
    if ((y & 1) == 0) {
        held_texel = texel;
        now.count = y + 1 < end ? 0 : 1;
    } else if (y > begin) {
        bool is_below = (gl_SubgroupInvocationID & 16u) != 0u;
        int other_x = subgroupShuffleXor(x, 16u);
        uvec4 other = subgroupShuffleXor(is_below ? held_texel : texel, 16u);
        int row = is_below ? y : y - 1;
        now = Stores(2, ivec2[](ivec2(is_below ? other_x : x, row), ivec2(is_below ? x : other_x, row)),
                     uvec4[](is_below ? other : held_texel, is_below ? texel : other));
    }
#endif
    return now;
}

#define STORE_ROW(image, now)                        \
    if (now.count > 0) {                             \
        imageStore(image, now.at[0], now.texels[0]); \
    }                                                \
    if (now.count > 1) {                             \
        imageStore(image, now.at[1], now.texels[1]); \
    }
