// Lines of an array along one axis: where they lie, and what is beyond their ends.
//
// Needs lib/volume.glsl. ALONG 1: lines of neighbours, each u_block after the one before. ALONG 0: values of a line lie
// u_step apart, and u_step / COLUMNS lanes of lines side by side.
uniform int u_length;
uniform int u_step;
uniform int u_block;
uniform int u_border; // 0 reflect, 1 nearest, 2 mirror, 3 wrap, 4 a constant: SciPy's names
uniform uvec4 u_constant; // its bits, in the first two

// i modulo period, never negative: GLSL leaves % of negative numbers open.
int modulo(int i, int period) {
    return i < 0 ? period - 1 - (-1 - i) % period : i % period;
}

// The index that stands for i, or -1 for the constant.
int folded(int i) {
    if (i >= 0 && i < u_length)
        return i;
    if (u_border == 1)
        return clamp(i, 0, u_length - 1);
    if (u_border == 4)
        return -1;
    int period = u_border == 0 ? 2 * u_length : u_border == 3 ? u_length : max(2 * u_length - 2, 1);
    int place = modulo(i, period);
    return place < u_length ? place : u_border == 0 ? period - 1 - place : period - place;
}

// Of the line that begins at `line`.
Lane inside(int line, int i) {
    return load(line + i * u_step);
}

Lane anywhere(int line, int i) {
    int place = folded(i);
    return place < 0 ? Lane(packDouble2x32(u_constant.xy)) : load(line + place * u_step);
}
