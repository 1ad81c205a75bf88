// Work on several threads, and on one where the system gives no more.
#include "support/catch.hpp"
#include "support/thread_limit.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <pthread.h>

using namespace glproc;
using glproc::test::ThreadLimit;

namespace {

/// From now on threads want more stack than there are addresses, so that none can be started.
class NoThreads {
  public:
    NoThreads() {
        pthread_getattr_default_np(&before_);
        refuse();
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;
    ~NoThreads() { pthread_setattr_default_np(&before_); }

    static void refuse() {
        pthread_attr_t attributes{};
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, std::size_t{1} << 50U);
        pthread_setattr_default_np(&attributes);
        pthread_attr_destroy(&attributes);
    }

  private:
    pthread_attr_t before_{};
};

std::vector<int> counted(std::size_t count) {
    std::vector<int> calls(count);
    parallel_for(count, [&](std::size_t i) { ++calls[i]; });
    return calls;
}

} // namespace

TEST_CASE("each index is worked on once") {
    for (const std::size_t threads : {1U, 2U, 16U}) {
        const ThreadLimit limit(threads);
        for (const std::size_t count : {0U, 1U, 2U, 1000U})
            CHECK(counted(count) == std::vector<int>(count, 1));
    }
}

TEST_CASE("each thread makes its own, and no more threads than asked for") {
    const ThreadLimit limit(4);
    std::mutex mutex;
    std::set<std::thread::id> makers;
    std::vector<int> owner(200, -1);
    parallel_for(
        owner.size(),
        [&] {
            const std::lock_guard lock(mutex);
            makers.insert(std::this_thread::get_id());
            return static_cast<int>(makers.size());
        },
        [&](int own, std::size_t i) { owner[i] = own; });
    CHECK(makers.size() <= 4);
    CHECK(std::find(owner.begin(), owner.end(), -1) == owner.end());
}

TEST_CASE("what fails is passed on, and ends the work") {
    for (const std::size_t threads : {1U, 8U}) {
        const ThreadLimit limit(threads);
        constexpr int most = 100'000'000; // throwing takes a while
        std::atomic<int> calls{0};
        const auto fail = [&] {
            parallel_for(most, [&](std::size_t i) {
                ++calls;
                if (i == 7)
                    throw std::runtime_error("seven");
            });
        };
        CHECK_THROWS_WITH(fail(), "seven");
        CHECK(calls < most);
    }
}

TEST_CASE("of several failures that of the lowest number is passed on") {
    for (int turn = 0; turn < 20; ++turn) {
        std::atomic<bool> has_failed = false;
        std::string what;
        try {
            parallel_for(4, [&](std::size_t i) {
                for (int wait = 0; i == 0 && !has_failed && wait < 100; ++wait) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
                has_failed = true;
                throw std::runtime_error(std::to_string(i));
            });
        } catch (const std::runtime_error& error) {
            what = error.what();
        }
        CHECK(what == "0");
    }
}

TEST_CASE("work within work, and by several callers at once, comes to its end") {
    const ThreadLimit limit(4);
    for (int round = 0; round < 50; ++round) {
        std::atomic<int> calls{0};
        parallel_for(8, [&](std::size_t) { parallel_for(20, [&](std::size_t) { ++calls; }); });
        CHECK(calls == 160);
        std::vector<std::thread> callers;
        for (int i = 0; i < 3; ++i) {
            callers.emplace_back([&] { parallel_for(100, [&](std::size_t) { ++calls; }); });
        }
        for (std::thread& caller : callers) {
            caller.join();
        }
        CHECK(calls == 460);
    }
}

TEST_CASE("without threads the caller does the work") {
    const ThreadLimit limit(8);
    const NoThreads none;
    CHECK_THROWS_AS(std::thread([] {}), std::system_error);
    CHECK(counted(100) == std::vector<int>(100, 1));
    auto text = in_background([text = std::string("whole")] { return text; });
    CHECK(text.get() == "whole");
}

TEST_CASE("threads that can no longer be started after others are no error") {
    const ThreadLimit limit(2000);
    const NoThreads guard; // puts back what the first thread changes
    pthread_attr_t attributes{};
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{1} << 18U);
    pthread_setattr_default_np(&attributes);
    std::atomic<int> workers{0};
    std::atomic<bool> refused{false};
    on_threads(2000, [&] {
        if (workers++ == 0) {
            NoThreads::refuse();
            refused = true;
        }
        while (!refused)
            std::this_thread::yield();
    });
    CHECK(workers >= 2);
    CHECK(workers < 2000);
}

TEST_CASE("background work gives its result or what it threw") {
    for (const std::size_t threads : {1U, 2U}) {
        const ThreadLimit limit(threads);
        CHECK(in_background([] { return 7; }).get() == 7);
        auto failing = in_background([]() -> int { throw std::runtime_error("late"); });
        CHECK_THROWS_WITH(failing.get(), "late");
    }
}
