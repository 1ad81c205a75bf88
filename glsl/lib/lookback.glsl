// The sum of everything before a tile, in a single pass: decoupled look-back with a fallback.
//
// Every tile publishes two sums, each once: its aggregate (its own values) and later its prefix (all values
// up to its end). A tile looks at the WINDOW tiles before it at once, further back as long as it finds
// aggregates alone, and adds up from the nearest prefix to itself.
//
// Source   D. Merrill, M. Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVIDIA
//          NVR-2016-002,
//          https://research.nvidia.com/publication/single-pass-parallel-prefix-scan-decoupled-look-back
//          Fallback after T. Smith, R. L. Levien, J. D. Owens, Decoupled Fallback: A Portable Single-Pass
//          GPU Scan, SPAA 2025, https://doi.org/10.1145/3694906.3743326
//
// Hazard: a tile reads what groups that run at the same time write. Why no order of events gives a wrong sum:
//
// - A sum of 32 bits is published as two words, each half of it and a flag. Every word goes from zero to its
//   one final value and no further: tile by tile and kind by kind there is one sum, and who writes a word a
//   second time (see fallback) writes the same bits. So a word with its flag set is true by itself, and both
//   words of a sum with their flags set are the sum, whatever was seen in between, in whatever order the
//   words became visible. Nothing else passes between groups, so nothing depends on the order of two writes
//   to different places.
// - Words are written by atomics and read through a coherent volatile block, whose reads give completed
//   writes and may not be answered from a register or a stale cache. A read that comes too early finds zero,
//   and is repeated.
// - A tile is numbered by a ticket when its group starts, so that those it waits for have started before it.
//   Should they stand still all the same (OpenGL promises no progress to a group beside others), it reads
//   SPINS times, then computes the aggregate that it misses from the input, publishes it in the owner's name
//   and goes on. It waits for nobody longer than that and finishes even where all others stand still.
//
// Sums of floats depend on the order of their additions, and how far back a tile must look differs from run
// to run. So the order is fixed: aggregates are added from left to right onto the prefix, which itself is
// what the same additions have given before: ((carry + a0) + a1) + a2 ... Where the prefix was found then
// makes no difference, and the aggregate of the fallback, sum_tile(), is what scan_tile() gives for the same
// tile, bit for bit.
//
// Needs lib/scan_tile.glsl, WINDOW and SPINS; WINDOW is at most GROUP. Shared bytes: 4 * WINDOW + 16.
//
// LATE 1, for tests: tiles u_late_first to u_late_last publish no more than some of their words, as if their
// groups stood still; bits 0 to 3 of u_late_words[tile % 2] say which. With u_late_shared 0 other groups keep
// to themselves what they compute instead. b_fallbacks counts how often they do.
#define AGGREGATE 0u
#define PREFIX 2u
#define NOTHING 4u
#define FLAG 0x10000u

layout(std430) readonly buffer b_carry { VALUE carry; };
layout(std430) coherent volatile buffer b_lookback { // all zero at the start
    uint next_ticket;
    uint status[]; // four words a tile, at AGGREGATE and at PREFIX the low and the high half of a sum
};

uniform uint u_tiles;

#if LATE == 1
layout(std430) coherent buffer b_fallbacks { uint fallbacks; };
uniform uint u_late_first;
uniform uint u_late_last;
uniform ivec2 u_late_words;
uniform int u_late_shared;
#endif

shared uint s_ticket;
shared VALUE s_window[WINDOW]; // what the tiles of the window have published, the nearest first
shared uint s_prefix;          // the nearest place in it that holds a prefix; WINDOW: none does
shared uint s_gap;             // the nearest that holds nothing
shared VALUE s_before;

// The tile that this group works on; groups beyond the last tile get an empty one that nobody looks at.
uint take_tile() {
    if (gl_LocalInvocationIndex == 0u) {
        s_ticket = min(atomicAdd(next_ticket, 1u), u_tiles);
    }
    wg_sync();
    return s_ticket;
}

// Bit 0 of `words` stands for the low half, bit 1 for the high one.
void publish(uint tile, uint kind, VALUE sum, uint words) {
    uint bits = BITS_OF_VALUE(sum);
    if (tile < u_tiles && (words & 1u) != 0u) {
        atomicExchange(status[4u * tile + kind], FLAG | (bits & 0xffffu));
    }
    if (tile < u_tiles && (words & 2u) != 0u) {
        atomicExchange(status[4u * tile + kind + 1u], FLAG | (bits >> 16));
    }
}

// What a group publishes of its own tile: both words, unless a test delays it.
void publish_own(uint tile, uint kind, VALUE sum) {
    uint words = 3u;
#if LATE == 1
    if (tile >= u_late_first && tile <= u_late_last) {
        words = (uint(u_late_words[tile & 1u]) >> kind) & 3u;
    }
#endif
    publish(tile, kind, sum, words);
}

bool is_whole(uvec2 words) {
    return (words.x & words.y & FLAG) != 0u;
}

// What a tile has published, the prefix if it can be had, after at most SPINS looks. Before the first tile
// lies the carry.
uint poll(int tile, out VALUE sum) {
    uint found = tile < 0 ? PREFIX : NOTHING;
    sum = carry;
    for (int spin = 0; spin < SPINS && found == NOTHING; ++spin) {
        uint at = 4u * uint(tile);
        uvec2 prefix = uvec2(status[at + PREFIX], status[at + PREFIX + 1u]);
        uvec2 aggregate = uvec2(status[at + AGGREGATE], status[at + AGGREGATE + 1u]);
        uvec2 words = is_whole(prefix) ? prefix : aggregate;
        if (is_whole(words)) {
            found = is_whole(prefix) ? PREFIX : AGGREGATE;
            sum = VALUE_OF_BITS((words.x & 0xffffu) | (words.y << 16));
        }
        memoryBarrierBuffer(); // the next look is a new one, also for compilers that know volatile badly
    }
    return found;
}

// Finds s_prefix and s_gap from what each of the first WINDOW invocations found.
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

// Fills s_window from tile `nearest` backwards, as far as the nearest prefix at least, computing what is not
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
#if LATE == 1
            atomicAdd(fallbacks, 1u);
            publish(tile, AGGREGATE, aggregate, u_late_shared == 1 ? 3u : 0u);
#else
            publish(tile, AGGREGATE, aggregate, 3u);
#endif
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
    // Back by windows until one holds a prefix, then forward again, adding. A window read twice may hold
    // prefixes where it held aggregates: they are the same sums.
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
