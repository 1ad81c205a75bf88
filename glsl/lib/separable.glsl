// Sums of weighted neighbours along one axis, for a whole unit at once. Needs tap(axis, distance) and lib/pixel.glsl.

// A sum is made in parts of about PART_PIXELS. What it loses to rounding where a part is added is carried into the next
// one (W. Kahan, Further remarks on reducing truncation errors, CACM 8(1), 1965), so that the error does not grow with
// the radius. 8 bits forgive more; the fewer bits of source and result are those of the image.
#if SRC_DEPTH == 8 || DST_DEPTH == 8
#define PART_PIXELS 32
#else
#define PART_PIXELS 16
#endif
#define PART_UNITS max(PART_PIXELS / UNIT_PIXELS, 1)

void clear(out float values[UNIT_LANES]) {
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        values[lane] = 0.0;
    }
}

// Adds a part; `excess` is what the sums hold too much from earlier rounding.
void add_part(float part[UNIT_LANES], inout float sums[UNIT_LANES], inout float excess[UNIT_LANES]) {
    for (int lane = 0; lane < UNIT_LANES; ++lane) {
        precise float addend = part[lane] - excess[lane];
        precise float sum = sums[lane] + addend;
        precise float rounding = (sum - sums[lane]) - addend;
        excess[lane] = rounding;
        sums[lane] = sum;
    }
}

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
