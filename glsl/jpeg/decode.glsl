// The facts about the pictures of a dispatch that the kernels of the JPEG decoder share. PICTURE is the number of one,
// gl_WorkGroupID.z unless it is defined before.
//
// b_tables begins with 64 words for each picture, the facts; src/glproc/gpu_codecs/jpeg/decode_facts.hpp names them.
// The numbers below are places in b_tables, unless they say something else.
#define FACT_BITS 0u          // where the data begins, a word of b_bits
#define FACT_SUBSEQUENCES 1u  // how many
#define FACT_ENDS 2u          // where their states and sums begin, in b_ends and b_sums
#define FACT_SEGMENTS 3u      // four words each: first subsequence, end in bits, first block in the order of the file, blocks
#define FACT_SEGMENT_OF 4u    // of each subsequence its segment; the highest bit where that begins
#define FACT_LOOKUP 5u        // two tables for DC, two for AC, then those for long codes
#define FACT_UNIT_BLOCKS 6u   // blocks of an MCU
#define FACT_COMPONENTS 7u
#define FACT_UNITS_ACROSS 8u
#define FACT_WIDTH 10u        // pixels as stored, at the fraction that is made
#define FACT_HEIGHT 11u
#define FACT_REPEATS 12u      // 8 bits a component: how many columns (4) and rows (4) of pixels share a sample
#define FACT_BLOCKS 14u
#define FACT_COLOUR 15u       // 1: YCbCr
#define FACT_GROUP_STARTS 16u // where the states lie that groups began with, in b_ends
#define FACT_QUANTISATION 17u // 64 words a component
#define FACT_UPSAMPLING 18u   // 4 bits a component
#define FACT_UNIT 20u         // the blocks of an MCU: component (2 bits), x (3), y (3), DC table (2), AC table (2), 1 << component

// Eight words a component.
#define FACT_COMPONENT 32u
#define PART_BLOCK 0u         // its first
#define PART_ACROSS 1u        // blocks of a row
#define PART_SIZE 2u          // samples across a block, 1 to 8, as a power of 2
#define PART_FACTOR_ACROSS 3u // blocks of an MCU
#define PART_FACTOR_DOWN 4u
#define PART_SAMPLES 5u       // where they begin, a word of b_samples: rows of blocks, four samples a word, or fewer where
                              // a block has fewer
#define PART_WIDTH 6u         // samples that count
#define PART_HEIGHT 7u

// b_flags has two words for each picture. The first says what is wrong with it, 0 if nothing. The second counts its
// segments that came out whole.
#define WRONG_STATE 1u     // two groups do not agree where a subsequence begins
#define WRONG_BLOCK 2u     // a block is not the one that its place in the MCU asks for
#define WRONG_CODE 4u
#define WRONG_DC 8u        // out of range
#define WRONG_RUN 16u      // of zeros, beyond the block
#define WRONG_END 32u      // bits are left
#define WRONG_RANGE 64u    // a value that libjpeg-turbo's inverse transforms differ about
#define WRONG_SEARCH 128u  // the states do not become certain

#ifndef PICTURE
#define PICTURE gl_WorkGroupID.z
#endif

layout(std430) readonly buffer b_tables { uint tables[]; };

uint fact(uint which) {
    return tables[PICTURE * 64u + which];
}

uint fact_of(uint component, uint which) {
    return fact(FACT_COMPONENT + 8u * component + which);
}
