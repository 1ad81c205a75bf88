// Adds noise to each colour; alpha is kept. A pixel's noise depends on the seed and on the pixel's place in the image.
// Kind: point
// Params: 0 standard deviation, 1 kind (0 gaussian, 1 uniform), 2 whether all colours get the same, 3 the seed's low 16 bits,
//         4 its high ones
// Source: G. E. P. Box, M. E. Muller, A note on the generation of random normal deviates, Ann. Math. Statist. 29, 1958.
#include "lib/elementary.glsl"
#include "lib/philox.glsl"

// The middle of one of 2^23 parts of 0 to 1, with all its 24 bits.
float share_of(uint bits) {
    precise float share = float(bits & 0x7fffffu) + 0.5;
    return product_of(share, 1.1920928955078125e-7);
}

// Two of a normal distribution.
vec2 normal_pair(uint for_length, uint for_angle) {
    float radius = root_of(product_of(-1.38629436, log2_of(share_of(for_length >> 9)))); // -2 ln
    float f = share_of(for_angle >> 7);
    precise float rest = 1.0 - f;
    vec2 along = vec2(quarter_sine(rest), quarter_sine(f));
    uint quarter = for_angle >> 30;
    along = (quarter & 1u) == 1u ? vec2(-along.y, along.x) : along;
    along = quarter >= 2u ? -along : along;
    return vec2(product_of(radius, along.x), product_of(radius, along.y));
}

vec3 deviates(uvec4 words) {
    if (param(1) == 1.0) { // from -root of 3 to it
        precise vec3 shares = vec3(share_of(words.x >> 9), share_of(words.y >> 9), share_of(words.z >> 9)) - 0.5;
        precise vec3 uniform_ones = shares * 3.46410162;
        return uniform_ones;
    }
    return vec3(normal_pair(words.x, words.y), normal_pair(words.z, words.w).x);
}

vec4 point(vec4 v) {
    uint seed = uint(param(3)) | uint(param(4)) << 16;
    vec3 noise = deviates(philox(uvec4(place(), 0, 0), uvec2(seed, 0u)));
    noise = param(2) == 1.0 ? noise.xxx : noise;
    return vec4(add_product(v.r, param(0), noise.x), add_product(v.g, param(0), noise.y), add_product(v.b, param(0), noise.z), v.a);
}
