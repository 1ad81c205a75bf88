// The sum of everything before a tile, in a single pass: decoupled look-back with a fallback.
//
// Every tile publishes two sums, each once: its aggregate (its own values) and later its prefix (all values up to its
// end). A tile reads the WINDOW tiles before it at once. It goes further back as long as it finds only aggregates, and
// adds up everything between the nearest prefix and itself.
//
// Source   D. Merrill, M. Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVIDIA
//          NVR-2016-002,
//          https://research.nvidia.com/publication/single-pass-parallel-prefix-scan-decoupled-look-back
//          Fallback after T. Smith, R. L. Levien, J. D. Owens, Decoupled Fallback: A Portable Single-Pass
//          GPU Scan, SPAA 2025, https://doi.org/10.1145/3694906.3743326
//
// Hazard: a tile reads words that groups write at the same time. This is why no order of events gives a wrong sum:
//
// - A sum of 32 bits is published as two words, each with half of it and the mark of this dispatch. At first every word
//   holds the value of an earlier dispatch, under another mark. It changes to its one final value and no further. For
//   each tile and kind there is one sum, and a group that writes a word a second time (see fallback) writes the same
//   bits. So a word with the mark is true by itself. If both words have the mark they are the sum, whatever was seen in
//   between, in whatever order the words became visible. Nothing else passes between groups, so nothing depends on the
//   order of two writes to different places.
// - Words are written by atomics and read through a coherent volatile block, whose reads give completed
//   writes and may not be answered from a register or a stale cache. A read that comes too early finds no mark,
//   and is repeated.
// - With TICKETS 1 a tile is numbered by a ticket when its group starts, so that the tiles it waits for have started
//   before it. With TICKETS 0, where groups start in order, it is numbered by its group: taking a ticket costs 1 us.
//   The other tiles may not have started even so, or stand still, as OpenGL promises no progress to a group beside
//   others. Then the group reads SPINS times, computes the missing aggregate from the input, publishes it in the
//   owner's name and goes on. It waits for nobody longer than that, and finishes even if all others stand still.
//
// Sums of floats depend on the order of their additions, and how far back a tile must read differs from run to run. So
// the order is fixed: aggregates are added from left to right onto the prefix, which the same additions produced
// before: ((carry + a0) + a1) + a2 ... It then makes no difference where the prefix was found. The aggregate of the
// fallback, sum_tile(), equals the one that scan_tile() gives for the same tile, bit for bit.
//
// Whole numbers need no order. With subgroups of the device, one subgroup looks back alone, without a barrier, and its
// size stands for WINDOW. If no tile has far to go, several subgroups read as many windows at once (WINDOWS).
//
// Needs lib/scan_tile.glsl, lib/group.glsl, TICKETS, WINDOW, WINDOWS and SPINS; WINDOW is at most GROUP. Shared bytes: 4 * WINDOW + 16.
//
// LATE 1, for tests: tiles u_late_first to u_late_last publish only some of their words, as if their groups stood
// still. Bits 0 to 3 of u_late_words[tile % 2] say which. With u_late_shared 0, other groups do not publish the sums
// that they compute instead. b_fallbacks counts how often they compute one.
#define AGGREGATE 0u
#define PREFIX 2u // bits of u_late_words that come before the bits of a prefix
#define NOTHING 4u

layout(std430) readonly buffer b_carry { VALUE carry; };
layout(std430) coherent volatile buffer b_lookback {
    uint next_ticket; // 0 at the start, and at the end
    uvec4 status[]; // of each tile the low and the high half of its aggregate, then of its prefix
};

uniform uint u_tiles;
uniform uint u_mark; // in the upper half of a word, not 0: no word of b_lookback has it at the start

#if LATE == 1
layout(std430) coherent buffer b_fallbacks { uint fallbacks; };
uniform uint u_late_first;
uniform uint u_late_last;
uniform ivec2 u_late_words;
uniform int u_late_shared;
#endif

shared uint s_ticket;
shared VALUE s_before;
#if FLOAT == 1 || SUBGROUP != 1
shared VALUE s_window[WINDOW]; // the sums that the tiles of the window have published, the nearest first
shared uint s_prefix;          // the nearest place in it that holds a prefix; WINDOW: none does
shared uint s_gap;             // the nearest that holds nothing
#endif

// The tile that this group works on. Groups beyond the last tile get an empty one that nobody reads.
uint take_tile() {
#if TICKETS == 0
    return min(linear_group(), u_tiles);
#else
    if (gl_LocalInvocationIndex == 0u) {
        uint ticket = atomicAdd(next_ticket, 1u);
        if (ticket + 1u == gl_NumWorkGroups.x * gl_NumWorkGroups.y) { // the last one: for the next dispatch
            atomicExchange(next_ticket, 0u);
        }
        s_ticket = min(ticket, u_tiles);
    }
    wg_sync();
    return s_ticket;
#endif
}

// Bit 0 of `words` stands for the low half, bit 1 for the high one.
void publish(uint tile, uint kind, VALUE sum, uint words) {
    uint bits = BITS_OF_VALUE(sum);
    uint low = u_mark | (bits & 0xffffu);
    uint high = u_mark | (bits >> 16);
    bool with_low = tile < u_tiles && (words & 1u) != 0u;
    bool with_high = tile < u_tiles && (words & 2u) != 0u;
    if (kind == PREFIX) {
        if (with_low) {
            atomicExchange(status[tile].z, low);
        }
        if (with_high) {
            atomicExchange(status[tile].w, high);
        }
    } else {
        if (with_low) {
            atomicExchange(status[tile].x, low);
        }
        if (with_high) {
            atomicExchange(status[tile].y, high);
        }
    }
}

// Publishes the sum of a group's own tile: both words, unless a test delays it.
void publish_own(uint tile, uint kind, VALUE sum) {
    uint words = 3u;
#if LATE == 1
    if (tile >= u_late_first && tile <= u_late_last) {
        words = (uint(u_late_words[tile & 1u]) >> kind) & 3u;
    }
#endif
    publish(tile, kind, sum, words);
}

// Publishes the aggregate of a tile in its owner's name.
void publish_for(uint tile, VALUE aggregate) {
#if LATE == 1
    atomicAdd(fallbacks, 1u);
    publish(tile, AGGREGATE, aggregate, u_late_shared == 1 ? 3u : 0u);
#else
    publish(tile, AGGREGATE, aggregate, 3u);
#endif
}

bool is_whole(uvec2 words) {
    return ((words.x ^ u_mark) | (words.y ^ u_mark)) < 0x10000u;
}

// The sum that a tile has published so far, the prefix if it is there. Before the first tile lies the carry.
uint look(int tile, out VALUE sum) {
    sum = carry;
    if (tile < 0) {
        return PREFIX;
    }
    uvec4 words = status[tile];
    bool has_prefix = is_whole(words.zw);
    uvec2 halves = has_prefix ? words.zw : words.xy;
    sum = VALUE_OF_BITS((halves.x & 0xffffu) | (halves.y << 16));
    return has_prefix ? PREFIX : is_whole(halves) ? AGGREGATE : NOTHING;
}

#if FLOAT == 0 && SUBGROUP == 1
// Whole numbers may be added in any order, so that one subgroup looks back without a barrier, at as many tiles
// as it has invocations.

// Returns the same as sum_tile(), by one subgroup.
VALUE sum_tile_here(uint tile) {
    VALUE sum = VALUE(0);
    for (uint quad = SUBGROUP_LANE; quad < TILE_QUADS; quad += SUBGROUP_SIZE) {
        sum += sums_in_quad(load_quad(tile * TILE_QUADS + quad)).w;
    }
    return sum_of_subgroup(sum);
}

// The first lane for which `is` holds; SUBGROUP_SIZE if there is none.
uint first_lane(bool is) {
    uvec4 lanes = subgroupBallot(is);
    return lanes == uvec4(0u) ? SUBGROUP_SIZE : subgroupBallotFindLSB(lanes);
}

// The sum of the tiles before a tile, back to the nearest prefix in the window that ends with tile `nearest`; `is_back`
// is true if it holds one. There is no barrier between two looks: it took 0.3 us of 11, and volatile guarantees the
// same.
VALUE sum_window(int nearest, out bool is_back) {
    uint lane = SUBGROUP_LANE;
    VALUE sum = VALUE(0);
    uint found = NOTHING;
    uint prefix;
    uint gap;
    int looks = 0;
    do {
        if (found == NOTHING && looks < SPINS) {
            found = look(nearest - int(lane), sum);
        }
        ++looks;
        prefix = first_lane(found == PREFIX);
        gap = first_lane(found == NOTHING);
        if (gap < prefix && looks >= SPINS) {
            uint tile = uint(nearest) - gap;
            VALUE aggregate = sum_tile_here(tile);
            if (lane == gap) {
                found = AGGREGATE;
                sum = aggregate;
                publish_for(tile, aggregate);
            }
        }
    } while (gap < prefix);
    is_back = prefix < SUBGROUP_SIZE;
    return sum_of_subgroup(lane <= prefix ? sum : VALUE(0));
}

#if WINDOWS > 1
shared VALUE s_sums_of_windows[WINDOWS];
shared bool s_is_back[WINDOWS];

// The sum of everything before `tile`, whose own sum is `aggregate`. For all invocations at once, once.
VALUE look_back(uint tile, VALUE aggregate) {
    if (gl_LocalInvocationIndex == 0u) {
        publish_own(tile, AGGREGATE, aggregate);
    }
    VALUE before = VALUE(0);
    int nearest = int(tile) - 1;
    bool is_back = false;
    while (!is_back) { // the same for all
        for (uint w = SUBGROUP_INDEX; w < uint(WINDOWS); w += SUBGROUP_COUNT) {
            bool found;
            VALUE sum = sum_window(nearest - int(w * SUBGROUP_SIZE), found);
            if (SUBGROUP_LANE == 0u) {
                s_sums_of_windows[w] = sum;
                s_is_back[w] = found;
            }
        }
        wg_sync();
        for (int w = 0; w < WINDOWS; ++w) {
            before += is_back ? VALUE(0) : s_sums_of_windows[w];
            is_back = is_back || s_is_back[w];
        }
        nearest -= WINDOWS * int(SUBGROUP_SIZE);
        if (!is_back) {
            wg_sync(); // before the next turn writes
        }
    }
    return before; // No prefix: the others have read the aggregates by now.
}
#else
// The sum of everything before `tile`, whose own sum is `aggregate`. For all invocations at once, once.
VALUE look_back(uint tile, VALUE aggregate) {
    if (SUBGROUP_INDEX == 0u) {
        if (SUBGROUP_LANE == 0u) {
            publish_own(tile, AGGREGATE, aggregate);
        }
        VALUE before = VALUE(0);
        int nearest = int(tile) - 1;
        bool is_back = false;
        while (!is_back) {
            before += sum_window(nearest, is_back);
            nearest -= int(SUBGROUP_SIZE);
        }
        if (SUBGROUP_LANE == 0u) {
            publish_own(tile, PREFIX, before + aggregate);
            s_before = before;
        }
    }
    wg_sync();
    return s_before;
}
#endif
#else
// The sum that a tile has published after at most SPINS looks.
uint poll(int tile, out VALUE sum) {
    uint found = look(tile, sum);
    for (int spin = 1; spin < SPINS && found == NOTHING; ++spin) {
        memoryBarrierBuffer(); // the next look is a new one, also for compilers that handle volatile badly
        found = look(tile, sum);
    }
    return found;
}

// Sets s_prefix and s_gap from the kinds that the first WINDOW invocations found.
void judge_window(uint found) {
    if (gl_LocalInvocationIndex == 0u) {
        s_prefix = uint(WINDOW);
        s_gap = uint(WINDOW);
    }
    wg_sync();
    if (gl_LocalInvocationIndex < uint(WINDOW)) {
        if (found == PREFIX) {
            atomicMin(s_prefix, gl_LocalInvocationIndex);
        } else if (found == NOTHING) {
            atomicMin(s_gap, gl_LocalInvocationIndex);
        }
    }
    wg_sync();
}

// Fills s_window from tile `nearest` backwards, as far as the nearest prefix at least. It computes sums that are not
// there in time. Returns the place of that prefix, or WINDOW.
uint read_window(int nearest) {
    uint place = gl_LocalInvocationIndex;
    VALUE sum = VALUE(0);
    uint found = NOTHING;
    if (place < uint(WINDOW)) {
        found = poll(nearest - int(place), sum);
    }
    judge_window(found);
    while (s_gap < s_prefix) { // the same for all: nobody writes them between two barriers of the loop
        uint gap = s_gap;
        uint tile = uint(nearest) - gap;
        VALUE aggregate = sum_tile(tile);
        if (place == gap) {
            found = AGGREGATE;
            sum = aggregate;
            publish_for(tile, aggregate);
        }
        judge_window(found);
    }
    uint prefix = s_prefix;
    if (place < uint(WINDOW)) {
        s_window[place] = sum;
    }
    wg_sync();
    return prefix;
}

// Adds the window to the sum of all before it, from left to right; the first invocation alone.
VALUE add_window(uint prefix, VALUE before) {
    precise VALUE sum = before;
    if (prefix < uint(WINDOW)) {
        sum = s_window[prefix];
    }
    for (uint place = gl_LocalInvocationIndex == 0u ? prefix : 0u; place > 0u; --place) {
        sum += s_window[place - 1u];
    }
    return sum;
}

// The sum of everything before `tile`, whose own sum is `aggregate`. For all invocations at once, once.
VALUE look_back(uint tile, VALUE aggregate) {
    bool is_first = gl_LocalInvocationIndex == 0u;
    if (is_first) {
        publish_own(tile, AGGREGATE, aggregate);
    }
    // Goes back by windows until one holds a prefix, then forward again, adding. A window read twice may hold prefixes
    // where it held aggregates: they are the same sums.
    int last = int(tile) - 1;
    int nearest = last;
    bool is_back = true;
    VALUE before = VALUE(0);
    while (nearest <= last) {
        uint prefix = read_window(nearest);
        is_back = is_back && prefix == uint(WINDOW);
        if (is_back) {
            nearest -= WINDOW;
        } else {
            before = add_window(prefix, before);
            nearest += WINDOW;
        }
    }
    if (is_first) {
        precise VALUE up_to_end = before + aggregate;
        publish_own(tile, PREFIX, up_to_end);
        s_before = before;
    }
    wg_sync();
    return s_before;
}
#endif
