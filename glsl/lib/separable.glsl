// Sums of weighted neighbours along one axis, for a whole unit at once. Needs tap(axis, distance) and lib/pixel.glsl.

void unpack_unit(uvec4 texels[SRC_TEXELS], out float values[UNIT_LANES]) {
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        values[lane] = lane_value(texels[lane / SRC_LANES], lane % SRC_LANES);
    }
}

// The weight of a channel at a distance, where the pixel's is `weight`: a kept channel sees only itself.
float channel_tap(int channel, int distance, float weight) {
#if ALPHA == 2
    return channel == CHANNELS - 1 ? float(distance == 0) : weight;
#else
    return weight;
#endif
}

// Adds the pixels of `values`, whose first is `distance` pixels right of the unit's first, to every pixel of `sums`.
void accumulate_unit(int axis, int distance, float values[UNIT_LANES], inout float sums[UNIT_LANES]) {
    float weights[2 * UNIT_PIXELS - 1];
    for (int k = 0; k < 2 * UNIT_PIXELS - 1; ++k) {
        weights[k] = tap(axis, distance + k - (UNIT_PIXELS - 1));
    }
    for (int to = 0; to < UNIT_PIXELS; ++to) {
        for (int from = 0; from < UNIT_PIXELS; ++from) {
            int k = from - to + UNIT_PIXELS - 1;
            for (int c = 0; c < CHANNELS; ++c) {
                sums[to * CHANNELS + c] +=
                    channel_tap(c, distance + from - to, weights[k]) * values[from * CHANNELS + c];
            }
        }
    }
}
