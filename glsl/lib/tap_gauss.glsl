// Gaussian weights: the half kernel of x, then from u_taps_y on that of y, each followed by zeros as far as
// accumulate_unit() may reach beyond the radius.
layout(std430) readonly buffer b_taps { float taps[]; };

uniform int u_taps_y;

float tap(int axis, int distance) {
    return taps[axis * u_taps_y + abs(distance)];
}
