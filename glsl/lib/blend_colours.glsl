// The modes of lib/blend_modes.glsl that look at all three colours of a pixel: hue, saturation, color and luminosity.
//
// Luma is in hundredths, and saturations are multiplied by the range that they replace, so that all sums are whole numbers for
// integers. Source: Compositing and Blending Level 1, W3C, 2015, section 10.2.

dvec3 mixed_colours = dvec3(0.0lf); // what is still to be returned, red first
double mixed_below = 1.0lf;

double luma_of_100(dvec3 c) {
    precise double luma = 30.0lf * c.r + 59.0lf * c.g + 11.0lf * c.b;
    return luma;
}

double least_of(dvec3 c) {
    return min(min(c.r, c.g), c.b);
}

double most_of(dvec3 c) {
    return max(max(c.r, c.g), c.b);
}

// A colour with the saturation `range`, which begins at 0: in parts of the second value.
dvec3 with_range(dvec3 c, double range, out double below) {
    double least = least_of(c);
    double own = most_of(c) - least;
    below = own > 0.0lf ? own : 1.0lf;
    precise dvec3 result = (c - least) * range;
    return result;
}

// A colour, in parts of `below`, with another luma.
void set_luma(dvec3 c, double below, double luma) {
    precise double wanted = luma * below;
    precise dvec3 moved = 100.0lf * c + (wanted - luma_of_100(c));
    precise double white = 100.0lf * FULL * below;
    double least = least_of(moved);
    double most = most_of(moved);
    precise double scale = 100.0lf * below;
    precise dvec3 result = moved;
    if (least < 0.0lf) {
        result = wanted * (moved - least);
        scale = (wanted - least) * scale;
    } else if (most > white) {
        result = wanted * (most - wanted) + (moved - wanted) * (white - wanted);
        scale = (most - wanted) * scale;
    }
    mixed_colours = result;
    mixed_below = scale;
}

void keep_colours(vec3 own, vec3 other) {
    if (MODE < FIRST_OF_ALL_COLOURS || MODE > LAST_OF_ALL_COLOURS) {
        return;
    }
    dvec3 from = dvec3(number_of(own.r), number_of(own.g), number_of(own.b));
    dvec3 to = dvec3(number_of(other.r), number_of(other.g), number_of(other.b));
    precise double lumas = luma_of_100(from) + luma_of_100(to);
    if (!(abs(lumas) < 1.0e60lf)) { // infinity or NaN: drivers differ in what is left of infinity without itself
        mixed_colours = dvec3(lumas);
        mixed_below = 1.0lf;
        return;
    }
    double below = 1.0lf;
    if (MODE == 17) { // hue
        dvec3 ranged = with_range(to, most_of(from) - least_of(from), below);
        set_luma(ranged, below, luma_of_100(from));
    } else if (MODE == 18) { // saturation
        dvec3 ranged = with_range(from, most_of(to) - least_of(to), below);
        set_luma(ranged, below, luma_of_100(from));
    } else if (MODE == 19) { // color
        set_luma(to, below, luma_of_100(from));
    } else { // luminosity
        set_luma(from, below, luma_of_100(to));
    }
}

Quotient next_colour() {
    Quotient mixed = Quotient(mixed_colours.r, mixed_below);
    mixed_colours = mixed_colours.gbr;
    return mixed;
}
