// The values that a stencil sees.
//
// Needs CHANNELS, HIDES, and value_near(), which sees hidden colours, too.

// The same channel of the pixel dx to the right and dy below; the pixel's own instead of a colour that cannot be seen.
float near(int lane, int dx, int dy) {
    float value = value_near(lane, dx, dy);
    int alpha = lane / CHANNELS * CHANNELS + CHANNELS - 1;
    bool is_hidden = HIDES == 1 && lane != alpha && value_near(alpha, dx, dy) == 0.0;
    return is_hidden ? value_near(lane, 0, 0) : value;
}
