// The box counts every pixel once; the division by their number comes at the end, so that integers add up exactly.
uniform ivec2 u_radius;

float tap(int axis, int distance) {
    return abs(distance) <= u_radius[axis] ? 1.0 : 0.0;
}
