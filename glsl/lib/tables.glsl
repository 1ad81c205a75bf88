// Tables of kinds/point_table.comp in shared memory, TABLES of them; with none there is nothing here. Groups have 256
// invocations.
#if TABLES > 0

layout(std430) readonly buffer b_codes { uint codes[]; };

shared uint s_codes[256 * TABLES];

// Called by every invocation, before the first lookup.
void load_tables() {
    for (int i = 0; i < TABLES; ++i) {
        uint at = 256u * uint(i) + gl_LocalInvocationIndex;
        s_codes[at] = codes[at];
    }
    wg_sync();
}

// The result for a channel, 0 to 3, whose code is `code`.
uint code_in_table(int table, uint code, int channel) {
    return bitfieldExtract(s_codes[256 * table + int(code & 255u)], channel * 8, 8);
}

#endif
