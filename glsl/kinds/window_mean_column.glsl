// The weighted means of kinds/window_mean.glsl for a column of ROWS results at once: each pixel is read and unpacked once for all of
// them. Where the bound leaves two codes, teams of invocations decide by doubles.
//
// Needs, for a pixel that differs from the middle by `difference`:
//   float place_of(int squared)                           what all pixels at that distance, squared, share
//   float column_weight(float place, float difference)    its weight; without TABLE by the driver's exponential function
// param(5)   added to the sums of magnitudes without TABLE: what is left of weights so small that their error is large
// param(6)   the same as param(0) without TABLE
#pragma optionNV(unroll all)

#if TABLE > 0
#define LOOSE param(0)
#define LEAST_SIZE 0.0
#else
#define LOOSE param(6)
#define LEAST_SIZE param(5)
#endif

vec4 c_seen[ROWS];
vec4 c_moves[ROWS];
#if ALPHA == 1
vec2 c_weight[ROWS]; // of colours, and of alpha
vec2 c_sizes[ROWS];
vec4 c_pivot; // colours are summed as differences from it, so that they are taken once for all results
vec4 c_near_move;
float c_near_size;
#else
float c_weight[ROWS];
float c_sizes[ROWS];
#endif
float c_place[ROWS];

vec4 c_near;
vec4 c_near_seen;

void begin() {
#if ALPHA == 1
    vec2 sizes = vec2(LEAST_SIZE) * vec2(float((1 << SRC_DEPTH) - 1), 1.0);
    vec2 none = vec2(0.0);
    c_pivot = pixel(0, 0);
#else
    float sizes = LEAST_SIZE;
    float none = 0.0;
#endif
    for (int i = 0; i < ROWS; ++i) {
        c_seen[i] = shown(pixel(0, i));
        c_moves[i] = vec4(0.0);
        c_weight[i] = none;
        c_sizes[i] = sizes;
        c_place[i] = 0.0;
    }
}

void see(int dx, int dy) {
    c_near = pixel(dx, dy);
    c_near_seen = shown(c_near);
#if ALPHA == 1
    c_near_move = c_near - c_pivot;
    c_near_size = (abs(c_near_move.x) + (CHANNELS == 4 ? abs(c_near_move.y) : 0.0)) + (CHANNELS == 4 ? abs(c_near_move.z) : 0.0);
#endif
}

float sum_of_sizes(vec4 v) {
    return (abs(v.x) + abs(v.y)) + (abs(v.z) + abs(v.w));
}

void add(int i) {
    vec4 apart = c_near_seen - c_seen[i];
    float difference = sum_of_sizes(apart);
    float weight = column_weight(c_place[i], difference);
#if ALPHA == 1
    float count = weight * c_near[CHANNELS - 1];
    vec4 counts = vec4(count);
    counts[CHANNELS - 1] = weight;
    c_moves[i] += counts * c_near_move;
    c_sizes[i] += vec2(count * c_near_size, weight * abs(c_near_move[CHANNELS - 1]));
    c_weight[i] += vec2(count, weight);
#else
    c_moves[i] += weight * apart;
    c_sizes[i] += weight * difference;
    c_weight[i] += weight;
#endif
}

void slide(int across, int dy) {
    for (int i = ROWS - 1; i > 0; --i) {
        c_place[i] = c_place[i - 1];
    }
    c_place[0] = place_of(dy * dy + across);
}

void add_column(int dx) {
    int across = dx * dx;
    int h = reach_at(dx);
    for (int k = 0; k < ROWS - 1; ++k) {
        see(dx, k - h);
        slide(across, k - h);
        for (int i = 0; i <= k; ++i) {
            if (k - i <= 2 * h) {
                add(i);
            }
        }
    }
    for (int dy = ROWS - 1 - h; dy <= h; ++dy) {
        see(dx, dy);
        slide(across, dy);
        for (int i = 0; i < ROWS; ++i) {
            add(i);
        }
    }
    for (int k = 1; k < ROWS; ++k) {
        if (2 * h + k >= ROWS - 1) {
            see(dx, h + k);
            slide(across, h + k);
            for (int i = k; i < ROWS; ++i) {
                add(i);
            }
        }
    }
}

// Result i of the column, or false where doubles must decide.
bool column_result(int i, out vec4 result) {
#if ALPHA == 1
    vec4 weight = vec4(c_weight[i].x);
    weight[CHANNELS - 1] = c_weight[i].y;
    vec4 sizes = vec4(c_sizes[i].x);
    sizes[CHANNELS - 1] = c_sizes[i].y;
    vec4 own = c_pivot;
#else
    vec4 weight = vec4(c_weight[i]);
    vec4 sizes = vec4(c_sizes[i]);
    vec4 own = pixel(0, i);
#endif
    vec4 means = c_moves[i] / weight;
    vec4 whole = floor(means);
    vec4 sides = 2.0 * (means - whole) - 1.0;
    bvec4 is_unsure = lessThanEqual(abs(sides) * weight, LOOSE * sizes);
#if CHANNELS < 4 || ALPHA == 2
    for (int c = (ALPHA == 2 ? CHANNELS - 1 : CHANNELS); c < 4; ++c) {
        is_unsure[c] = false;
    }
#endif
    result = vec4(0.0);
    for (int c = 0; c < CHANNELS; ++c) {
        result[c] = weight[c] > 0.0 ? own[c] + whole[c] + float(sides[c] > 0.0) : 0.0;
    }
    return !any(is_unsure);
}

void compute_column(ivec2 at) {
    begin();
    for (int dx = -u_reach.x; dx <= u_reach.x; ++dx) {
        add_column(dx);
    }
    for (int i = 0; i < ROWS; ++i) {
        vec4 result;
        bool is_sure = column_result(i, result);
        put_result(at + ivec2(0, i), i, result);
        if (!is_sure) {
            s_unsure[atomicAdd(s_unsure_count, 1)] = (at.y + i) * WIDE + at.x;
        }
    }
}

// Teams of 32 decide a result each from doubles alone. Sums nearer to a tie than doubles tell are one.
struct ExactSums {
    dvec4 moves;
    dvec4 weights;
    dvec4 sizes;
};

#define TEAM 32
#define HALVES (GROUP / 2)
shared uvec2 s_sums[7 * HALVES];

void put_part(int part, int at, double value) {
    s_sums[part * HALVES + at] = unpackDouble2x32(value);
}

double part_at(int part, int at) {
    return packDouble2x32(s_sums[part * HALVES + at]);
}

void put_sums(int at, ExactSums sums) {
    put_part(0, at, sums.moves.x);
    put_part(1, at, sums.moves.y);
    put_part(2, at, sums.moves.z);
    put_part(3, at, sums.moves.w);
    put_part(4, at, sums.weights.x);
    put_part(5, at, sums.weights[CHANNELS - 1]);
    put_part(6, at, (sums.sizes.x + sums.sizes.y) + (sums.sizes.z + sums.sizes.w));
}

void add_sums(int at, inout ExactSums sums) {
    sums.moves += dvec4(part_at(0, at), part_at(1, at), part_at(2, at), part_at(3, at));
    double last = part_at(5, at);
    double more = part_at(6, at);
    dvec4 weights = dvec4(part_at(4, at));
    weights[CHANNELS - 1] = last;
    sums.weights += weights;
    sums.sizes.x += more;
}

// Sums over every TEAMth pixel of the square.
ExactSums share_of_sums(int first, vec4 own) {
    ExactSums sums = ExactSums(dvec4(0.0LF), dvec4(0.0LF), dvec4(0.0LF));
    int side = 2 * u_reach.x + 1;
    for (int k = first; k < side * side; k += TEAM) {
        int row = k / side;
        int dx = k - row * side - u_reach.x;
        int dy = row - u_reach.y;
        int squared = dx * dx + dy * dy;
        if (squared <= int(param(1))) {
            vec4 near = pixel(dx, dy);
            dvec4 counts = exact_weight_of(squared, near, own) * dvec4(vec4(cover(near)));
            dvec4 move = dvec4(near - own);
            sums.moves += counts * move;
            sums.sizes += counts * abs(move);
            sums.weights += counts;
        }
    }
    return sums;
}

vec4 decided(vec4 own, ExactSums sums) {
    vec4 whole = floor(vec4(sums.moves) / vec4(sums.weights));
    dvec4 sides = 2.0LF * sums.moves - dvec4(2.0 * whole + 1.0) * sums.weights;
    double size = (sums.sizes.x + sums.sizes.y) + (sums.sizes.z + sums.sizes.w);
    vec4 found = vec4(greaterThan(abs(sides), dvec4(1.0e-12LF * size))) * vec4(sign(sides));
    vec4 has = vec4(greaterThan(sums.weights, dvec4(0.0LF)));
    whole += own;
    for (int c = 0; c < CHANNELS; ++c) {
        bool is_odd = fract(whole[c] * 0.5) != 0.0;
        whole[c] += float(found[c] > 0.0 || (found[c] == 0.0 && is_odd));
        whole[c] = has[c] > 0.0 ? whole[c] : 0.0;
    }
    return whole;
}

void decide() {
    int team = int(gl_LocalInvocationIndex) / TEAM;
    int lane = int(gl_LocalInvocationIndex) % TEAM;
    for (int i = 0; i < s_unsure_count; i += GROUP / TEAM) {
        int place = s_unsure[min(i + team, s_unsure_count - 1)];
        ivec2 at = ivec2(place % WIDE, place / WIDE);
        middle = at + u_reach;
        vec4 own = pixel(0, 0);
        ExactSums sums = share_of_sums(lane, own);
        for (int half_team = TEAM / 2; half_team > 0; half_team >>= 1) {
            int slot = team * (TEAM / 2) + lane % half_team;
            if (lane >= half_team && lane < 2 * half_team) {
                put_sums(slot, sums);
            }
            wg_sync();
            if (lane < half_team) {
                add_sums(slot, sums);
            }
            wg_sync();
        }
        if (lane == 0 && i + team < s_unsure_count) {
            put_result(at, 0, decided(own, sums));
        }
    }
}
