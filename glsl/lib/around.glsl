// The texels of a few rows that a unit depends on, for kernels without shared memory.
//
// Needs lib/border.glsl, ROWS and AROUND, the texels of a row.

// Texels `first` to `first` + AROUND - 1 of rows y to y + ROWS - 1, as far as they are wholly inside the image.
void begin_rows(int first, int y, out uvec4 texels[ROWS][AROUND]) {
    for (int j = 0; j < ROWS; ++j) {
        int row = border_index(y + j, u_size.y);
        for (int t = 0; t < AROUND; ++t) {
            texels[j][t] = inside_texel(first + t, row);
        }
    }
}

// Completes the other texels: so many on the left and on the right.
void complete_rows(int first, int left, int right, int y, inout uvec4 texels[ROWS][AROUND]) {
    // Few invocations need it: renderers that run both sides of an if skip a loop that no invocation enters.
    for (int n = 0; n < (left + right) * ROWS; ++n) {
        int k = n / ROWS;
        int at = k < left ? k : AROUND - 1 - (k - left);
        uvec4 texel = outside_texel(first + at, border_index(y + n % ROWS, u_size.y));
        for (int j = 0; j < ROWS; ++j) {
            for (int t = 0; t < AROUND; ++t) {
                texels[j][t] = j == n % ROWS && t == at ? texel : texels[j][t];
            }
        }
    }
}

void load_rows(int first, int left, int right, int y, out uvec4 texels[ROWS][AROUND]) {
    begin_rows(first, y, texels);
    complete_rows(first, left, right, y, texels);
}
