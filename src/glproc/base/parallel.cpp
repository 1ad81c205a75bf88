#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>

namespace glproc {
namespace {

std::atomic<std::size_t> limit{0}; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

} // namespace

std::size_t thread_limit() {
    static const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1U);
    const std::size_t most = limit;
    return most == 0 ? cores : most;
}

void limit_threads(std::size_t most) {
    limit = most;
}

namespace {

/// Threads that wait for work, since starting one takes longer than many a piece of work. They are never
/// joined: what they wait on stays, so that a program can end at any time, and a process that forked and lost
/// them does its work alone.
class Crew : public std::enable_shared_from_this<Crew> {
  public:
    /// Work that threads may take part in until one of them is through with it.
    struct Call {
        const std::function<void()>& work;
        std::size_t helpers; ///< how many may still join
        std::size_t busy = 0;
        std::condition_variable done = {};
    };

    /// Calls `work` here, and on up to `helpers` other threads at the same time.
    void run(const std::function<void()>& work, std::size_t helpers) {
        Call call{work, helpers};
        call_for_help(call);
        work();
        std::unique_lock lock(mutex_);
        std::erase(calls_, &call);
        call.done.wait(lock, [&] { return call.busy == 0; });
    }

  private:
    void call_for_help(Call& call) {
        std::size_t missing = 0;
        {
            const std::lock_guard lock(mutex_);
            missing = call.helpers - std::min(call.helpers, idle_);
            idle_ += missing;
            calls_.push_back(&call);
        }
        waiting_.notify_all();
        for (; missing > 0; --missing) {
            try {
                std::thread([self = shared_from_this()] { self->serve(); }).detach();
            } catch (const std::system_error&) { // the system has no thread to give
                const std::lock_guard lock(mutex_);
                idle_ -= missing;
                return;
            }
        }
    }

    void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            waiting_.wait(lock, [&] { return !calls_.empty(); });
            Call& call = *calls_.front();
            --idle_;
            ++call.busy;
            if (--call.helpers == 0) {
                calls_.pop_front();
            }
            lock.unlock();
            call.work();
            lock.lock();
            ++idle_;
            std::erase(calls_, &call); // nothing is left to join for
            if (--call.busy == 0) {
                call.done.notify_one();
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable waiting_;
    std::deque<Call*> calls_; ///< those that may still be joined
    std::size_t idle_ = 0;
};

Crew& crew() {
    static const std::shared_ptr<Crew> all = std::make_shared<Crew>();
    return *all;
}

} // namespace

void on_threads(std::size_t most, const std::function<void()>& work) {
    std::exception_ptr failure;
    std::mutex mutex;
    const std::function<void()> part = [&] {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = failure ? failure : std::current_exception();
        }
    };
    const std::size_t wanted = std::min(most, thread_limit());
    if (wanted > 1) {
        crew().run(part, wanted - 1);
    } else if (wanted == 1) {
        part();
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

} // namespace glproc
