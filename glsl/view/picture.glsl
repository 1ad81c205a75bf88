#version 430 core
// Shows a picture of packed texels in a window, at any zoom, and another one left of a line.
//
// STAGE 0: a triangle that covers all. STAGE 1: the colour of a pixel of the window. A pixel of the window that covers
// several of the picture gets the mean of up to 4 x 4 of them. PICTURE, BEFORE: the form of each, "stored channels,
// bits of one, channels": 2 and 4 have alpha. SPLIT: 1 if there is a second picture. LABELS: 1 if objects are shown in
// colours, by the number of its object in each pixel. LOOK: which values are shown, see Look in canvas.hpp. CLIPPING: 1 if
// pixels at black or white are marked. COLOURS, BEFORE_COLOURS: how colours of each become the monitor's, 0 not at
// all, 1 by a table, 2 by formulas. All this is decided at compile
// time: llvmpipe runs both sides of a branch.
#if STAGE == 0
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
#else
uniform usampler2D u_picture;
uniform usampler2D u_before;
uniform ivec2 u_picture_size;
uniform ivec2 u_before_size;
uniform vec2 u_frame;  // width and height of the window's part
uniform vec4 u_place;  // the picture's corner in it, and width and height of the whole picture there
uniform vec4 u_before_place;
uniform float u_split; // the line
uniform vec3 u_around; // the colour beside the picture
out vec4 o_colour;

#if COLOURS + BEFORE_COLOURS > 0
uniform sampler3D u_colours;
uniform sampler3D u_before_colours;
uniform float u_formulas[39]; // as profile.glsl has them
uniform float u_before_formulas[39];

// The table is the denser the darker: see MonitorColours in monitor.hpp.
vec3 by_table(sampler3D colours, vec3 v) {
    float side = float(textureSize(colours, 0).x);
    return texture(colours, (sqrt(v) * (side - 1.0) + 0.5) / side).rgb;
}

// Source: ICC.1:2022, F.3, and 10.18 for the curves.
vec3 by_formulas(float p[39], vec3 v) {
    vec3 light, made;
    for (int c = 0; c < 3; ++c) {
        int at = 5 * c;
        light[c] = v[c] < p[at] ? v[c] * p[at + 1] : pow(max(v[c] * p[at + 2] + p[at + 3], 0.0), p[at + 4]);
    }
    for (int c = 0; c < 3; ++c) {
        int at = 24 + 5 * c;
        float mixed = dot(vec3(p[15 + 3 * c], p[16 + 3 * c], p[17 + 3 * c]), light);
        made[c] = mixed < p[at] ? mixed * p[at + 1] : pow(max(mixed, 0.0), p[at + 2]) * p[at + 3] + p[at + 4];
    }
    return made;
}

// The values with which the monitor shows a colour, which has its alpha multiplied in.
vec4 on_monitor(vec4 v, bool is_before) {
    vec3 colour = clamp(v.a > 0.0 ? v.rgb / v.a : vec3(0.0), 0.0, 1.0);
    vec3 here = colour;
    vec3 before = colour;
#if COLOURS == 1
    here = by_table(u_colours, colour);
#elif COLOURS == 2
    here = by_formulas(u_formulas, colour);
#endif
#if BEFORE_COLOURS == 1
    before = by_table(u_before_colours, colour);
#elif BEFORE_COLOURS == 2
    before = by_formulas(u_before_formulas, colour);
#endif
    return vec4(clamp(is_before ? before : here, 0.0, 1.0) * v.a, v.a);
}
#endif

float luma_of(vec3 v) {
    return dot(v, vec3(0.2126, 0.7152, 0.0722));
}

// From dark blue over green and yellow to dark red: the map "turbo" as a polynomial.
// Source: A. Mikhailov, Turbo, An Improved Rainbow Colormap for Visualization, 2019.
vec3 false_colour(float x) {
    vec4 powers = vec4(1.0, x, x * x, x * x * x);
    vec2 more = powers.zw * powers.z;
    return vec3(dot(powers, vec4(0.13572138, 4.61539260, -42.66032258, 132.13108234)) +
                    dot(more, vec2(-152.94239396, 59.28637943)),
                dot(powers, vec4(0.09140261, 2.19418839, 4.84296658, -14.18503333)) +
                    dot(more, vec2(4.27729857, 2.82956604)),
                dot(powers, vec4(0.10667330, 12.64194608, -60.58204836, 110.36276771)) +
                    dot(more, vec2(-89.90310912, 27.34824973)));
}

// The colour that shows a value, with its alpha multiplied in.
vec4 looked_at(vec4 v) {
#if LOOK >= 1 && LOOK <= 3
    return vec4(vec3(v[LOOK - 1]), v.a);
#elif LOOK == 4
    return vec4(vec3(v.a), 1.0);
#elif LOOK == 5
    return vec4(vec3(luma_of(v.rgb)), v.a);
#elif LOOK == 6
    return vec4(clamp(false_colour(luma_of(v.rgb)), 0.0, 1.0), 1.0);
#else
    return v;
#endif
}

#if LABELS == 1
layout(std430, binding = 0) readonly buffer Labels { uint b_labels[]; };
uniform ivec2 u_labels_size;
uniform float u_labels_from; // nothing is coloured left of it
uniform uint u_chosen;       // the object with an outline, or 0

// Colours that are told apart on black, on white and side by side, as labels of neighbours are often consecutive.
const vec3 label_colours[12] =
    vec3[12](vec3(0.90, 0.25, 0.22), vec3(0.16, 0.60, 0.90), vec3(0.30, 0.75, 0.30), vec3(0.98, 0.65, 0.15),
             vec3(0.60, 0.35, 0.85), vec3(0.10, 0.75, 0.70), vec3(0.95, 0.45, 0.70), vec3(0.65, 0.75, 0.15),
             vec3(0.25, 0.35, 0.80), vec3(0.75, 0.50, 0.30), vec3(0.45, 0.85, 0.95), vec3(0.80, 0.20, 0.60));

uint label_at(vec2 share) {
    ivec2 at = ivec2(floor(share * vec2(u_labels_size)));
    bool is_in = all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, u_labels_size));
    return is_in ? b_labels[at.y * u_labels_size.x + at.x] : 0u;
}

// Two pixels of the window wide, around the object.
bool is_outline(vec2 share, vec2 place) {
    if (u_chosen == 0u || label_at(share) == u_chosen) {
        return false;
    }
    for (int i = 0; i < 9; ++i) {
        vec2 step = vec2(float(i % 3 - 1), float(i / 3 - 1));
        if (label_at(share + 2.0 * step / place) == u_chosen || label_at(share + step / place) == u_chosen) {
            return true;
        }
    }
    return false;
}
#endif

float code(uvec4 texel, int bit, int bits) {
    uint word = texel[bit >> 5];
    return bits == 32  ? uintBitsToFloat(word)
           : bits == 8 ? float((word >> (bit & 31)) & 255u) / 255.0
                       : float((word >> (bit & 31)) & 65535u) / 65535.0;
}

// Colour and alpha of a pixel, whatever its channels.
vec4 pixel(usampler2D picture, ivec2 size, const int stored, const int bits, const int channels, ivec2 at) {
    at = clamp(at, ivec2(0), size - 1);
    const int lanes = 128 / (stored * bits);
    uvec4 texel = texelFetch(picture, ivec2(at.x / lanes, at.y), 0);
    if (stored == 4 && bits == 8) {
        vec4 v = unpackUnorm4x8(texel[at.x & 3]);
        return channels == 4 ? v : vec4(v.rgb, 1.0);
    }
    int bit = at.x % lanes * stored * bits;
    vec4 v = vec4(code(texel, bit, bits));
    if (stored == 4) {
        v.g = code(texel, bit + bits, bits);
        v.b = code(texel, bit + 2 * bits, bits);
    }
    v.a = channels == 2 || channels == 4 ? code(texel, bit + (channels - 1) * bits, bits) : 1.0;
    v = mix(v, vec4(0.0), isnan(v));
    return clamp(v, 0.0, 1.0);
}

vec4 mean(usampler2D picture, ivec2 extent, const int stored, const int bits, const int channels, vec2 begin, vec2 size) {
    ivec2 taps = clamp(ivec2(size + 0.35), ivec2(1), ivec2(4));
    vec4 sum = vec4(0.0);
    for (int y = 0; y < taps.y; ++y) {
        for (int x = 0; x < taps.x; ++x) {
            ivec2 at = ivec2(floor(begin + (vec2(x, y) + 0.5) * size / vec2(taps)));
            vec4 v = pixel(picture, extent, stored, bits, channels, at);
            sum += vec4(v.rgb * v.a, v.a);
        }
    }
    return sum / float(taps.x * taps.y);
}

void main() {
    vec2 at = vec2(gl_FragCoord.x, u_frame.y - gl_FragCoord.y);
    vec4 place = u_place;
#if SPLIT == 1
    bool is_before = at.x < u_split && LOOK != 7;
    place = is_before ? u_before_place : place;
#endif
    vec2 share = (at - place.xy) / place.zw;
    if (any(lessThan(share, vec2(0.0))) || any(greaterThanEqual(share, vec2(1.0)))) {
        o_colour = vec4(u_around, 1.0);
        return;
    }
    vec2 extent = vec2(u_picture_size);
    vec2 size = extent / place.zw;
    vec4 v = mean(u_picture, u_picture_size, PICTURE, share * extent - 0.5 * size, size);
#if SPLIT == 1 && LOOK == 7
    vec2 before_extent = vec2(u_before_size);
    vec2 before_size = before_extent / u_before_place.zw;
    vec2 before_share = (at - u_before_place.xy) / u_before_place.zw;
    vec4 other = mean(u_before, u_before_size, BEFORE, before_share * before_extent - 0.5 * before_size, before_size);
    v = vec4(min(abs(v.rgb - other.rgb) * 4.0, 1.0), 1.0);
#elif SPLIT == 1
    if (is_before) {
        extent = vec2(u_before_size);
        size = extent / place.zw;
        v = mean(u_before, u_before_size, BEFORE, share * extent - 0.5 * size, size);
    }
#endif
    ivec2 square = ivec2(floor(at / 8.0));
    float board = (square.x + square.y) % 2 == 0 ? 0.4 : 0.6; // seen where the picture is transparent
    vec4 seen = looked_at(v);
#if LOOK == 0 && COLOURS + BEFORE_COLOURS > 0
#if SPLIT == 1
    seen = on_monitor(seen, is_before);
#else
    seen = on_monitor(seen, false);
#endif
#endif
    o_colour = vec4(seen.rgb + (1.0 - seen.a) * board, 1.0);
#if CLIPPING == 1
    const float half_code = 0.5 / 255.0;
    o_colour.rgb = any(greaterThan(v.rgb, vec3(1.0 - half_code))) ? vec3(1.0, 0.15, 0.15)
                   : all(lessThan(v.rgb, vec3(half_code)))        ? vec3(0.15, 0.35, 1.0)
                                                                  : o_colour.rgb;
#endif
#if LABELS == 1
    if (at.x >= u_labels_from) {
        uint label = label_at(share);
        o_colour.rgb = label == 0u ? o_colour.rgb : mix(o_colour.rgb, label_colours[(label - 1u) % 12u], 0.6);
        o_colour.rgb = is_outline(share, place.zw) ? vec3(1.0, 0.824, 0.247) : o_colour.rgb;
    }
#endif
}
#endif
