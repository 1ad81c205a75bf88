// Items under way on several threads: bounded, in their order where that is wanted, and all ended whatever
// fails.
#include "job/conveyor.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

using glproc::job::Conveyor;

namespace {

void linger(std::size_t item) {
    std::this_thread::sleep_for(std::chrono::microseconds(item * 7 % 5 * 100));
}

/// What each step met, in the order in which it did.
struct Met {
    std::mutex mutex;
    std::vector<std::size_t> read;
    std::vector<std::size_t> computed;
    std::vector<std::size_t> written;
    std::atomic<std::size_t> under_way = 0;
    std::atomic<std::size_t> most_under_way = 0;

    void note(std::vector<std::size_t>& in, std::size_t item) {
        const std::lock_guard lock(mutex);
        in.push_back(item);
        const std::size_t now = under_way;
        most_under_way = std::max<std::size_t>(most_under_way, now);
    }
};

std::vector<std::size_t> first(std::size_t count) {
    std::vector<std::size_t> items(count);
    std::iota(items.begin(), items.end(), 0);
    return items;
}

Conveyor::Lane compute(Met& met) {
    return [&met](Conveyor& conveyor) {
        for (auto one = conveyor.take(1, true); !one.empty(); one = conveyor.take(1, true)) {
            linger(one.front() + 2);
            met.note(met.computed, one.front());
            conveyor.pass_on(one.front(), true);
        }
    };
}

Conveyor::Steps in_order(Met& met, Conveyor*& conveyor, std::size_t count) {
    return {.measure = [&met, &conveyor, count](std::size_t item) -> std::optional<std::uint64_t> {
                linger(item);
                if (item == count) {
                    conveyor->end_with_those();
                    return std::nullopt;
                }
                ++met.under_way;
                met.note(met.read, item);
                return 0;
            },
            .prepare = {},
            .finish =
                [&met](std::size_t item) {
                    linger(item + 1);
                    met.note(met.written, item);
                    --met.under_way;
                }};
}

} // namespace

TEST_CASE("Items of which nobody knows the number go in order, a few at a time", "[conveyor]") {
    const std::size_t workers = GENERATE(0, 1, 2, 5);
    Met met;
    Conveyor* at_work = nullptr;
    Conveyor conveyor(in_order(met, at_work, 60), {.count = std::numeric_limits<std::size_t>::max(),
                                                   .workers = workers,
                                                   .under_way = 4,
                                                   .in_order = true});
    at_work = &conveyor;
    conveyor.run({compute(met)});
    CHECK(met.read == first(60));
    CHECK(met.computed == first(60));
    CHECK(met.written == first(60));
    CHECK(met.most_under_way <= 4);
}

TEST_CASE("What is stopped gives up items that no lane has, and ends", "[conveyor]") {
    Met met;
    Conveyor* at_work = nullptr;
    Conveyor conveyor(
        in_order(met, at_work, 1000),
        {.count = std::numeric_limits<std::size_t>::max(), .workers = 2, .under_way = 4, .in_order = true});
    at_work = &conveyor;
    conveyor.run({[&](Conveyor& line) {
        for (auto one = line.take(1, true); !one.empty(); one = line.take(1, true)) {
            if (one.front() == 20) {
                line.stop();
            }
            line.pass_on(one.front(), one.front() != 20);
        }
    }});
    CHECK(met.written == first(20));
    CHECK(met.read.size() <= 25);
}

TEST_CASE("Without an order every item is done once by whoever is free", "[conveyor]") {
    const std::size_t lanes = GENERATE(1, 3);
    Met met;
    const Conveyor::Steps steps{
        .measure = [](std::size_t item) { return std::optional<std::uint64_t>(item); },
        .prepare = [](std::size_t item) { return item % 10 != 3; },
        .finish = [&](std::size_t item) { met.note(met.written, item); }};
    Conveyor conveyor(steps, {.count = 100, .workers = 3, .under_way = 8, .bytes = 200});
    conveyor.run(std::vector<Conveyor::Lane>(lanes, compute(met)));
    std::sort(met.written.begin(), met.written.end());
    CHECK(met.written.size() == 90);
    CHECK(std::adjacent_find(met.written.begin(), met.written.end()) == met.written.end());
}

TEST_CASE("What a step throws ends everything and comes out", "[conveyor]") {
    Met met;
    const Conveyor::Steps steps{.measure = [](std::size_t) { return std::optional<std::uint64_t>(0); },
                                .prepare = [](std::size_t) { return true; },
                                .finish = [](std::size_t) { throw std::runtime_error("no room"); }};
    Conveyor conveyor(steps, {.count = 100, .workers = 3, .under_way = 8});
    CHECK_THROWS_WITH(conveyor.run({compute(met)}), "no room");
}
