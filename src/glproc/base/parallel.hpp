// Work on all cores. Where no thread can be started the calling one does it all.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace glproc {

/// Joined whatever happens: a thread that is forgotten ends the program.
class Threads {
  public:
    Threads() = default;
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;
    ~Threads() {
        for (std::thread& thread : threads_)
            thread.join();
    }

    /// False where the system has no thread to give.
    template <class Work>
    bool start(const Work& work) {
        try {
            threads_.emplace_back(work);
            return true;
        } catch (const std::system_error&) {
            return false;
        }
    }

  private:
    std::vector<std::thread> threads_;
};

/// How many threads work on one thing at once: as many as there are cores, or what limit_threads() says.
std::size_t thread_limit();

/// 0 takes the limit away. No result depends on it.
void limit_threads(std::size_t most);

/// Calls `work` on up to `most` threads, the caller's included, and waits for all of them. After the first return no further
/// call begins, because nothing is left to do. If calls throw, the exception of the first is thrown.
void on_threads(std::size_t most, const std::function<void()>& work);

/// Keeps the exception of the call with the lowest number.
class FirstFailure {
  public:
    /// Within a catch.
    void note(std::size_t number) {
        const std::lock_guard lock(mutex_);
        if (number < number_) {
            number_ = number;
            what_ = std::current_exception();
        }
    }
    void rethrow() const {
        if (what_) {
            std::rethrow_exception(what_);
        }
    }

  private:
    std::mutex mutex_;
    std::size_t number_ = SIZE_MAX;
    std::exception_ptr what_;
};

/// Calls work(own, i) for each i below `count`, in any order and several at once; each thread makes an `own`
/// for itself. After an exception no further call begins. That of the lowest i is passed on, the same each time: all below
/// have begun by then.
template <class Make, class Work>
void parallel_for(std::size_t count, const Make& make, const Work& work) {
    std::atomic<std::size_t> next{0};
    FirstFailure failure;
    on_threads(count, [&] {
        std::size_t i = count; // no call's, while `own` is made
        try {
            auto own = make();
            for (i = next++; i < count; i = next++)
                work(own, i);
        } catch (...) {
            failure.note(i);
            next = count;
        }
    });
    failure.rethrow();
}

/// The same of work(i).
template <class Work>
void parallel_for(std::size_t count, const Work& work) {
    parallel_for(
        count, [] { return 0; }, [&](int, std::size_t i) { work(i); });
}

/// Begins `work` on a thread of its own. Where there can be none, get() does it. The future waits for the
/// work when it goes.
template <class Work>
auto in_background(Work work) {
    // Named, and so copied: std::async would move from it even when it then starts no thread, and what the
    // work holds may be movable only.
    const auto task = [shared = std::make_shared<Work>(std::move(work))] { return (*shared)(); };
    const auto policy =
        thread_limit() == 1 ? std::launch::deferred : std::launch::async | std::launch::deferred;
    return std::async(policy, task);
}

} // namespace glproc
