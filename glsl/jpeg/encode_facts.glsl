// The facts that the CPU passes for each picture that is encoded: the words of gpu_codecs/jpeg/encode_facts.hpp. Places
// of blocks, groups and strips count from the first of the batch.
//
// A unit holds the blocks of all components at one place (an MCU of ITU T.81), luma first. A strip is a whole number of
// units that are coded on their own. A group is the part of a strip that one work group codes.
layout(std430) readonly buffer b_pictures { uint pictures[]; };

#define PICTURE_WORDS 320u
#define FACT_WIDTH 0u
#define FACT_HEIGHT 1u
#define FACT_COMPONENTS 2u
#define FACT_UNIT_BLOCKS 3u
#define FACT_UNITS_ACROSS 4u
#define FACT_UNITS 5u
#define FACT_STRIP_UNITS 6u
#define FACT_STRIPS 7u
#define FACT_FIRST_BLOCK 8u
#define FACT_FIRST_GROUP 9u
#define FACT_STRIP_GROUPS 10u
#define FACT_FIRST_STRIP 11u
#define FACT_OWN_TABLES 12u // 1: Huffman tables are made for the picture
#define FACT_FILE 13u       // where b_file has its part
#define FACT_FILE_WORDS 14u // room there for the data
#define COMPONENT_FACTS 16u // eight of each component:
#define FACT_ACROSS 0u      // blocks of a unit, side by side
#define FACT_DOWN 1u
#define FACT_BLOCKS_ACROSS 2u // of the component, without those that only fill the last units
#define FACT_BLOCKS_DOWN 3u
#define FACT_FIRST_OF_UNIT 4u
#define FACT_PLANE 5u // where its samples begin, in eights of them
#define QUANTISATION 64u // of luma and of colour: reciprocal, then correction | shift << 16, in zigzag order

uint picture = 0u; // which one; main() sets it

uint fact(uint which) {
    return pictures[picture * PICTURE_WORDS + which];
}

uint component_fact(uint component, uint which) {
    return fact(COMPONENT_FACTS + 8u * component + which);
}

uint luma_blocks() { // of a unit
    return component_fact(0u, FACT_ACROSS) * component_fact(0u, FACT_DOWN);
}
