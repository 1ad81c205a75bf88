// The symbols of a picture's four tables, side by side in shared memory: 16 of DC and 256 of AC, for luma and for colour.
#define SYMBOLS 544u

uint place_of_symbol(uint table, uint symbol) {
    return (table >> 1) * 272u + (table & 1u) * 16u + symbol;
}

// Where buffers have the same: 256 of each table.
uint global_place(uint place) {
    uint number = place / 272u;
    uint rest = place - 272u * number;
    return 512u * number + (rest < 16u ? rest : 240u + rest);
}
