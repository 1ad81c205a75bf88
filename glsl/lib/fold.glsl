// Indices beyond the ends of a line. Borders are numbered as in lib/border.glsl: in SciPy's words 0 nearest, 1 mirror,
// 2 reflect, 3 wrap, 4 a constant.

// i modulo period, never negative: GLSL leaves % of negative numbers open.
int modulo(int i, int period) {
    return i < 0 ? period - 1 - (-1 - i) % period : i % period;
}

// The index that stands for i on a line, or -1 for the constant.
int folded(int i, int length, int border) {
    if (i >= 0 && i < length)
        return i;
    if (border == 0)
        return clamp(i, 0, length - 1);
    if (border == 4)
        return -1;
    int period = border == 2 ? 2 * length : border == 3 ? length : max(2 * length - 2, 1);
    int place = modulo(i, period);
    return place < length ? place : border == 2 ? period - 1 - place : period - place;
}
