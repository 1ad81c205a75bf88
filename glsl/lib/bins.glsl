// Which slots a pixel counts in. The values of several channels are counted side by side: slot = bin x
// COUNTED_CHANNELS + place of the channel among those counted, in the order luma, r, g, b, a. Float images
// have two more bins after the others: u_bins for values outside the range, u_bins + 1 for NaN.
//
// Needs lib/texel.glsl, lib/luma.glsl, and
//   COUNTED  the sum of 1 luma, 2 r, 4 g, 8 b, 16 a; with 1 or 2 stored channels only 2 (grey) and 16
//   CODES    1: an integer image, and a bin for each code
#include "lib/whole.glsl"

#define COUNTED_CHANNELS \
    ((COUNTED & 1) + (COUNTED >> 1 & 1) + (COUNTED >> 2 & 1) + (COUNTED >> 3 & 1) + (COUNTED >> 4 & 1))

// The kernel's: counts one pixel. `bin` is below u_bins, for float images below u_bins + 2.
void count(uint bin, uint place);

uint slot_of(uint bin, uint place) {
    return bin * uint(COUNTED_CHANNELS) + place;
}

uniform uint u_bins;
uniform float u_scale;      // integer images: bins / largest code; float images: bins / (high - low)
uniform float u_luma_scale; // integer images: bins / luma of white
uniform float u_low;        // float images: the range
uniform float u_high;
uniform uint u_hides; // 1: pixels of alpha 0 have no colour that counts

// Drivers may or may not flush denormal numbers. Magnitudes below 2^-96 count as 0, and no difference or
// product below can then become denormal.
vec4 without_tiny(vec4 value) {
    return mix(value, vec4(0.0), lessThan(abs(value), vec4(1.2621774483536189e-29)));
}

uint float_bin(float value) {
    precise float offset = value - u_low;
    precise float place = offset * u_scale;
    bool inside = value >= u_low && value <= u_high;
    uint bin = min(uint(inside ? place : 0.0), u_bins - 1u);
    return is_nan(value) ? u_bins + 1u : inside ? bin : u_bins;
}

#if SRC_DEPTH == 32
#define PIXEL_TYPE vec4
#else
#define PIXEL_TYPE uvec4
#endif

// The channel values of a pixel; those that it does not have are 0.
PIXEL_TYPE pixel_of(uvec4 texel, int pixel) {
    uvec4 bits = uvec4(0u);
    for (int c = 0; c < CHANNELS; ++c) {
        bits[c] = lane_bits(texel, pixel * CHANNELS + c);
    }
#if SRC_DEPTH == 32
    return without_tiny(uintBitsToFloat(bits));
#else
    return bits;
#endif
}

uint channel_bin(PIXEL_TYPE pixel, int channel) {
#if SRC_DEPTH == 32
    return float_bin(pixel[channel]);
#elif CODES == 1
    return pixel[channel];
#else
    return whole_bin(pixel[channel], (1u << SRC_DEPTH) - 1u, u_scale, u_bins);
#endif
}

uint luma_bin(PIXEL_TYPE pixel) {
#if SRC_DEPTH == 32
    return float_bin(float_luma(pixel.rgb));
#else
    return whole_bin(whole_luma(pixel.rgb), u_luma.w, u_luma_scale, u_bins);
#endif
}

// Which bit of COUNTED stands for a stored channel.
bool is_counted(int channel) {
    int bit = CHANNELS == 2 && channel == 1 ? 4 : channel + 1;
    return (COUNTED >> bit & 1) != 0;
}

bool has_colour(PIXEL_TYPE pixel) {
#if CHANNELS == 1
    return true;
#elif SRC_DEPTH == 32
    return u_hides == 0u || pixel[CHANNELS - 1] != 0.0;
#else
    return u_hides == 0u || pixel[CHANNELS - 1] != 0u;
#endif
}

void count_pixel(PIXEL_TYPE pixel) {
    uint place = 0u;
    bool shows = has_colour(pixel);
#if (COUNTED & 1) != 0
    if (shows) {
        count(luma_bin(pixel), place);
    }
    ++place;
#endif
    for (int c = 0; c < CHANNELS; ++c) {
        if (is_counted(c)) {
            if (shows || (CHANNELS != 1 && c == CHANNELS - 1)) {
                count(channel_bin(pixel, c), place);
            }
            ++place;
        }
    }
}

// How many of a texel's pixels lie in the image: its first ones, none of a texel beyond it.
int pixels_inside(ivec2 at) {
    return at.y < u_size.y ? clamp(u_size.x - at.x * SRC_PIXELS, 0, SRC_PIXELS) : 0;
}

// The first `pixels` of a texel.
void count_pixels(uvec4 texel, int pixels) {
    for (int p = 0; p < SRC_PIXELS; ++p) {
        if (p < pixels) {
            count_pixel(pixel_of(texel, p));
        }
    }
}

void count_texel(ivec2 at) {
    count_pixels(imageLoad(i_src, at), pixels_inside(at));
}
