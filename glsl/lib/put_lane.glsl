// Channel values into a texel that is to be written; the counterpart of lane_bits().
//
// Needs DST_DEPTH (8, 16 or 32).

// The lane must be 0 so far.
void put_lane(inout uvec4 texel, int lane, uint code) {
#if DST_DEPTH == 8
    texel[lane >> 2] |= code << ((lane & 3) * 8);
#elif DST_DEPTH == 16
    texel[lane >> 1] |= code << ((lane & 1) * 16);
#else
    texel[lane] = code;
#endif
}
