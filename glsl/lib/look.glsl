// Reads the texels of the result before they are stored. Needs lib/pixel.glsl with LOOKS_AT_DST.
//
// If a store waits for the cache, all stores after it wait, too, and renderers that store lane by lane have many of
// them. Loads do not wait: they bring in the memory that the stores will need.

// Always false, but no compiler knows that. Reads the texels of a unit in row y.
bool look_at_result(int unit, int y) {
    uint seen = 0u;
    for (int t = 0; t < DST_TEXELS; ++t) {
        seen |= imageLoad(i_dst, ivec2(unit * DST_TEXELS + t, y)).x;
    }
    return seen == 1u && unit < 0;
}
