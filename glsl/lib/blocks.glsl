// Where the quads of an array lie that is kept in the texels of an image 8192 wide. They lie in blocks of 64 x 16
// texels, row after row of blocks. In a block 32 quads lie together, 4 across and 8 down, which NVIDIA's textures keep
// side by side in memory (bench/notebook.md). src/glproc/gl/blocks.cpp has the same width and height.
#define BLOCK_QUADS 1024u
#define BLOCKS_ACROSS 128u

ivec2 texel_of_quad(uint quad) {
    uint block = quad / BLOCK_QUADS;
    uint patch32 = quad / 32u % 32u;
    uint lane = quad % 32u;
    uvec2 corner = uvec2(block % BLOCKS_ACROSS * 64u, block / BLOCKS_ACROSS * 16u);
    return ivec2(corner + uvec2(patch32 % 16u * 4u + lane % 4u, patch32 / 16u * 8u + lane / 4u));
}
