#version 430 core
#pragma optionNV(unroll all)
// Exact distances, last pass: the pixels that distance/near.comp left open.
//
// Reads   b_rows     lib/sites.glsl
//         b_least    distance/near.comp
//         b_open     likewise
// Writes  b_squares  lib/squares.glsl
//         b_sites    likewise
//         i_dst      likewise
// Group grid         x sections of 8192 columns, y rows, the first is u_first_row; any order. Sections with nothing open end at once.
// Shared bytes       2064 + 8 * GROUP, with WIDE 2064 + 12 * GROUP
// Source             the column of the nearest site never falls from a pixel to the next, so that a pixel between two others
//                    looks between their columns: A. Aggarwal, M. M. Klawe, S. Moran, P. Shor, R. Wilber, Geometric Applications
//                    of a Matrix-Searching Algorithm, 1987. Here every level finds seven pixels between two known ones.
//
// @define ROW_BITS 16|32
// @define WIDE     0|1
// @define SITES    0|1
// @define METRIC   0|1|2
// @define ROOTS    0|1
// @define GROUP    64|256
// @skip SITES=1 ROOTS=1
#define SECTION 8192u
#define POINTS 7
#define FINE 16u // pixels between two that the last level knows
layout(local_size_x = GROUP) in;
#include "lib/sync.glsl"
#include "lib/sites.glsl"
#include "lib/squares.glsl"

layout(std430) readonly buffer b_least { uint least[]; };
layout(std430) readonly buffer b_open { uint open[]; };

shared uint s_columns[SECTION / FINE + 1u]; // of every FINE-th pixel the column of its nearest site
shared SQUARE s_squares[GROUP];
shared uint s_found[GROUP];

// The row of this group.
uint row_here() {
    return gl_WorkGroupID.y + u_first_row;
}

// Whether the site of column a comes first where both are as near.
bool comes_first(uint a, uint b) {
    uint row_a = site_row(row_here(), a);
    uint row_b = site_row(row_here(), b);
    return row_a < row_b || (row_a == row_b && a < b);
}

bool is_better(SQUARE a, uint column_a, SQUARE b, uint column_b) {
    bool result = is_less(a, b);
#if SITES == 1
    if (a == b && column_a != column_b) {
        result = comes_first(column_a, column_b);
    }
#endif
    return result;
}

void consider(uint x, uint column, uint site, inout SQUARE best, inout uint best_column) {
    SQUARE square = site == NONE ? NO_SQUARE : square_of(difference(x, column), difference(site, u_origin + row_here()));
    if (is_better(square, column, best, best_column)) {
        best = square;
        best_column = column;
    }
}

// Whether one of 32 columns may have a site as near as `farthest` to a pixel from x to `end`.
bool may_win(uint block, uint x, uint end, SQUARE farthest) {
    uint down = least[row_here() * ((u_width + 31u) / 32u) + block];
    uint begin = block * 32u;
    uint across = begin > end ? begin - end : x > begin + 31u ? x - begin - 31u : 0u;
    return down != NONE && !is_less(farthest, square_of(across, down));
}

// The nearest sites of seven pixels, of those in columns `low` to `high`: `team` invocations share out the columns.
void search(uint x, uint step, uint low, uint high, uint lane, uint team, inout SQUARE best[POINTS],
            inout uint columns[POINTS]) {
    SQUARE farthest = SQUARE(0u);
    uint low_site = site_row(row_here(), low);
    uint high_site = site_row(row_here(), high);
    for (int i = 0; i < POINTS; ++i) {
        columns[i] = low;
        consider(x + uint(i) * step, low, low_site, best[i], columns[i]);
        consider(x + uint(i) * step, high, high_site, best[i], columns[i]);
        if (is_less(farthest, best[i]) && x + uint(i) * step < u_width + FINE) {
            farthest = best[i];
        }
    }
    uint across = min(team, 32u); // invocations in a block of columns
    for (uint block = low / 32u + lane / 32u; block <= high / 32u; block += max(team / 32u, 1u)) {
        if (may_win(block, x, x + uint(POINTS - 1) * step, farthest)) {
            uint end = min(high, block * 32u + 32u);
            for (uint column = block * 32u + lane % across; column < end; column += across) {
                uint site = column > low ? site_row(row_here(), column) : NONE;
                if (site != NONE) {
                    for (int i = 0; i < POINTS; ++i) {
                        consider(x + uint(i) * step, column, site, best[i], columns[i]);
                    }
                }
            }
        }
    }
}

// The best of a team's answers. For all invocations at once.
uint best_of_team(uint lane, uint team, SQUARE square, uint column) {
    s_squares[gl_LocalInvocationIndex] = square;
    s_found[gl_LocalInvocationIndex] = column;
    wg_sync();
    for (uint half_team = team / 2u; half_team > 0u; half_team /= 2u) {
        uint other = gl_LocalInvocationIndex + half_team;
        if (lane < half_team && is_better(s_squares[other], s_found[other], s_squares[gl_LocalInvocationIndex],
                                          s_found[gl_LocalInvocationIndex])) {
            s_squares[gl_LocalInvocationIndex] = s_squares[other];
            s_found[gl_LocalInvocationIndex] = s_found[other];
        }
        wg_sync();
    }
    uint found = s_found[gl_LocalInvocationIndex - lane];
    wg_sync(); // the next call writes
    return found;
}

// Seven pixels in each of the section's intervals of `length`, whose ends are known. For all invocations at once.
void find_between(uint first, uint length) {
    uint step = length / 8u;
    uint team = max(uint(GROUP) * length / SECTION, 1u);
    uint lane = gl_LocalInvocationIndex % team;
    uint teams = uint(GROUP) / team;
    for (uint turn = 0u; turn < SECTION / length; turn += teams) {
        uint interval = turn + gl_LocalInvocationIndex / team;
        uint place = interval * length; // in the section
        bool is_inside = first + place < u_width;
        SQUARE best[POINTS];
        uint columns[POINTS];
        for (int i = 0; i < POINTS; ++i) {
            best[i] = NO_SQUARE;
            columns[i] = 0u;
        }
        uint high = is_inside ? s_columns[(place + length) / FINE] : 0u;
        if (is_inside) {
            search(first + place + step, step, s_columns[place / FINE], high, lane, team, best, columns);
        }
        for (int i = 0; i < POINTS; ++i) {
            uint found = team > 1u ? best_of_team(lane, team, best[i], columns[i]) : columns[i];
            uint point = place + uint(i + 1) * step;
            if (is_inside && lane == 0u) {
                s_columns[point / FINE] = first + point < u_width + FINE ? found : high;
            }
        }
    }
    wg_sync();
}

#define QUAD 4 // pixels side by side that an invocation answers: a texel, and all between the same two columns

void store_quad(uint x, SQUARE best[QUAD], uint columns[QUAD]) {
#if ROOTS == 1
    uvec4 texel;
    for (int i = 0; i < QUAD; ++i) {
        texel[i] = root_bits(best[i]);
    }
    imageStore(i_dst, ivec2(x / 4u, row_here()), texel);
#else
    for (int i = 0; i < QUAD; ++i) {
        if (x + uint(i) < u_width) {
            store_square(row_here(), x + uint(i), best[i], uvec2(columns[i], site_row(row_here(), columns[i])));
        }
    }
#endif
}

void consider_for_quad(uint x, uint column, inout SQUARE best[QUAD], inout uint columns[QUAD]) {
    uint site = site_row(row_here(), column);
    for (int i = 0; i < QUAD; ++i) {
        consider(x + uint(i), column, site, best[i], columns[i]);
    }
}

void answer(uint first, uint x) {
    uint low = s_columns[(x - first) / FINE];
    uint high = s_columns[(x - first) / FINE + 1u];
    SQUARE best[QUAD];
    uint columns[QUAD];
    for (int i = 0; i < QUAD; ++i) {
        best[i] = NO_SQUARE;
        columns[i] = low;
    }
    consider_for_quad(x, low, best, columns);
    consider_for_quad(x, high, best, columns);
    for (uint block = low / 32u; block <= high / 32u; ++block) {
        SQUARE farthest = best[0];
        for (int i = 1; i < QUAD; ++i) {
            farthest = is_less(farthest, best[i]) ? best[i] : farthest;
        }
        if (may_win(block, x, x + uint(QUAD - 1), farthest)) {
            uint end = min(high, block * 32u + 32u);
            for (uint c = max(block * 32u, low + 1u); c < end; ++c) {
                consider_for_quad(x, c, best, columns);
            }
        }
    }
    store_quad(x, best, columns);
}

// Which blocks of 32 columns have open pixels, in a segment of 1024; none beyond the row.
uint open_blocks(uint segment) {
    uint segments = (u_width + 1023u) / 1024u;
    return segment < segments ? open[row_here() * segments + segment] : 0u;
}

void main() {
    uint first = gl_WorkGroupID.x * SECTION;
    uint any = 0u;
    for (uint i = 0u; i < SECTION / 1024u; ++i) {
        any |= open_blocks(first / 1024u + i);
    }
    if (any != 0u) { // the same for the whole group
        if (gl_LocalInvocationIndex == 0u) {
            s_columns[0] = 0u;
            s_columns[SECTION / FINE] = u_width - 1u;
        }
        wg_sync();
        for (uint length = SECTION; length > FINE; length /= 8u) {
            find_between(first, length);
        }
        for (uint x = first + gl_LocalInvocationIndex * uint(QUAD); x < min(first + SECTION, u_width); x += uint(GROUP * QUAD)) {
            if ((open_blocks(x / 1024u) >> (x / 32u & 31u) & 1u) != 0u) {
                answer(first, x);
            }
        }
    }
}
