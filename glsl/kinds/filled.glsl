// Pixels of alpha 0 get the mean colour of the pixels nearest to them that can be seen: of those in the smallest square around them
// that has any. Alpha is kept.
// Kind: window
#include "lib/elementary.glsl"

vec4 window() {
    vec4 own = pixel(0, 0);
    if (own[CHANNELS - 1] != 0.0) {
        return own;
    }
    precise vec4 sum = vec4(0.0);
    float count = 0.0;
    for (int d = 1; d <= u_reach.x && count == 0.0; ++d) {
        for (int dy = -d; dy <= d; ++dy) {
            int step = abs(dy) == d ? 1 : 2 * d;
            for (int dx = -d; dx <= d; dx += step) {
                vec4 near = pixel(dx, dy);
                bool is_seen = near[CHANNELS - 1] != 0.0;
                sum += is_seen ? near : vec4(0.0);
                count += is_seen ? 1.0 : 0.0;
            }
        }
    }
    float share = count > 0.0 ? reciprocal(count) : 0.0;
    for (int c = 0; c < CHANNELS; ++c) {
        own[c] = c == CHANNELS - 1 ? 0.0 : quotient_of(sum[c], count, share);
    }
    return own;
}
