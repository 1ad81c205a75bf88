// A work group as fibers, one for each invocation, that change at barriers. A dispatch is run several times,
// each with another order of groups and invocations, and another content of shared memory and private
// variables to begin with.
#include "run_dispatch.hpp"

#include <ucontext.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>

#ifdef GLPROC_RACES
#include <sanitizer/tsan_interface.h>
#endif

namespace glproc::glsl {

namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10U;

enum class Turn { rising, falling, random };

struct Fiber {
    ucontext_t context;
    std::unique_ptr<std::byte[]> stack{new std::byte[stack_bytes]};
    bool is_done = true;
    void* thread = nullptr; ///< of ThreadSanitizer, where GLPROC_RACES is defined
};

struct Group {
    Turn turn = Turn::rising;
    std::mt19937 random;
    std::array<unsigned, 3> size{};
    std::array<unsigned, 3> groups{};
    std::array<unsigned, 3> number{};
    std::size_t bytes = 0; ///< of an invocation
    void (*invoke)(void*) = nullptr;
    std::vector<Fiber> fibers; ///< they outlive the group: the next has the same
    std::size_t now = 0;       ///< the one that runs
    ucontext_t scheduler{};
    void* scheduler_thread = nullptr;
    char before_phase = 0; ///< see know()
    char after_phase = 0;
    std::vector<Bytes> shared;
};

Group& group() {
    static Group all;
    return all;
}

// What ThreadSanitizer is told: an invocation knows what the scheduler knew before the phase, and the
// scheduler at its end what all invocations did.
void know([[maybe_unused]] char& what) {
#ifdef GLPROC_RACES
    __tsan_acquire(&what);
#endif
}
void tell([[maybe_unused]] char& what) {
#ifdef GLPROC_RACES
    __tsan_release(&what);
#endif
}
void change([[maybe_unused]] void* thread, ucontext_t& from, ucontext_t& to) {
#ifdef GLPROC_RACES
    __tsan_switch_to_fiber(thread, __tsan_switch_to_fiber_no_sync);
#endif
    swapcontext(&from, &to);
}

void enter(std::size_t i) {
    Group& g = group();
    g.now = i;
    change(g.fibers[i].thread, g.scheduler, g.fibers[i].context);
}

void leave() {
    Group& g = group();
    tell(g.after_phase);
    change(g.scheduler_thread, g.fibers[g.now].context, g.scheduler);
    know(g.before_phase);
}

/// 0 to count - 1.
std::vector<std::size_t> order(std::size_t count) {
    std::vector<std::size_t> result(count);
    std::iota(result.begin(), result.end(), std::size_t{0});
    if (group().turn == Turn::falling) {
        std::reverse(result.begin(), result.end());
    } else if (group().turn == Turn::random) {
        std::shuffle(result.begin(), result.end(), group().random);
    }
    return result;
}

/// The life of a fiber: every group that comes is a turn of the loop.
void live() {
    Group& g = group();
    Fiber& me = g.fibers[g.now];
    auto* const place = static_cast<std::byte*>(std::malloc(g.bytes));
    while (true) {
        know(g.before_phase);
        fill(place, g.bytes);
        g.invoke(place);
        me.is_done = true;
        leave();
    }
}

void start_fibers() {
    Group& g = group();
    g.fibers = std::vector<Fiber>(std::size_t{g.size[0]} * g.size[1] * g.size[2]);
#ifdef GLPROC_RACES
    g.scheduler_thread = __tsan_get_current_fiber();
#endif
    for (Fiber& fiber : g.fibers) {
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.get();
        fiber.context.uc_stack.ss_size = stack_bytes;
        makecontext(&fiber.context, live, 0);
#ifdef GLPROC_RACES
        fiber.thread = __tsan_create_fiber(0);
#endif
    }
}

/// Lets every invocation come to its next barrier; returns how many are left.
std::size_t run_phase() {
    Group& g = group();
    tell(g.before_phase);
    for (const std::size_t i : order(g.fibers.size())) {
        if (!g.fibers[i].is_done) {
            enter(i);
        }
    }
    know(g.after_phase);
    return static_cast<std::size_t>(
        std::count_if(g.fibers.begin(), g.fibers.end(), [](const Fiber& f) { return !f.is_done; }));
}

void run_group() {
    Group& g = group();
    for (const Bytes& variable : g.shared) {
        fill(variable.data, variable.size);
    }
    for (Fiber& fiber : g.fibers) {
        fiber.is_done = false;
    }
    for (std::size_t before = g.fibers.size(); before > 0;) {
        const std::size_t left = run_phase();
        if (left != 0 && left != before) {
            say("barrier", std::to_string(before - left) + " of " + std::to_string(before) +
                               " invocations do not come to it");
        }
        before = left;
    }
}

void run_turn(Turn turn) {
    Group& g = group();
    g.turn = turn;
    reset_memory();
    for (const std::size_t i : order(std::size_t{g.groups[0]} * g.groups[1] * g.groups[2])) {
        const auto n = static_cast<unsigned>(i);
        g.number = {n % g.groups[0], n / g.groups[0] % g.groups[1], n / g.groups[0] / g.groups[1]};
        run_group();
    }
    compare_memory(turn == Turn::rising ? "rising" : turn == Turn::falling ? "falling" : "random");
}

} // namespace

void fill(std::byte* memory, std::size_t bytes) {
    if (group().turn != Turn::random) {
        std::memset(memory, group().turn == Turn::rising ? 0xA5 : 0xFF, bytes);
        return;
    }
    for (std::size_t i = 0; i < bytes; i += 4) {
        const auto word = static_cast<std::uint32_t>(group().random());
        std::memcpy(memory + i, &word, std::min<std::size_t>(4, bytes - i));
    }
}

void add_shared(Bytes variable) {
    group().shared.push_back(variable);
}

std::array<unsigned, 13> place_now() {
    const Group& g = group();
    const auto index = static_cast<unsigned>(g.now);
    const std::array<unsigned, 3> local{index % g.size[0], index / g.size[0] % g.size[1],
                                        index / g.size[0] / g.size[1]};
    std::array<unsigned, 13> result{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        result[axis] = g.groups[axis];
        result[3 + axis] = g.number[axis];
        result[6 + axis] = local[axis];
        result[9 + axis] = g.number[axis] * g.size[axis] + local[axis];
    }
    result[12] = index;
    return result;
}

void barrier() {
    leave();
}

int run_dispatch(const std::array<unsigned, 3>& group_size, std::size_t bytes, void (*invoke)(void*)) {
    Group& g = group();
    g.size = group_size;
    g.groups = group_count();
    g.bytes = bytes;
    g.invoke = invoke;
    start_fibers();
    for (const Turn turn : {Turn::rising, Turn::falling, Turn::random}) {
        run_turn(turn);
    }
    std::_Exit(is_faultless() ? 0 : 1); // no fiber ends
}

} // namespace glproc::glsl
