// The symbols of a picture's four tables, side by side in shared memory: DC and AC of luma, then of colour.
#define DC_SYMBOLS 16u
#define LUMA_SYMBOLS 0u
#define COLOUR_SYMBOLS 272u
#define SYMBOLS 544u

// Where buffers have the same: 256 of each table.
uint global_place(uint place) {
    uint number = place / COLOUR_SYMBOLS;
    uint rest = place - COLOUR_SYMBOLS * number;
    return 512u * number + (rest < DC_SYMBOLS ? rest : rest + 256u - DC_SYMBOLS);
}
