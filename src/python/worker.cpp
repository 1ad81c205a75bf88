#include "worker.hpp"

#include "glproc/base/error.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <pybind11/pybind11.h>
#include <unistd.h>

namespace glproc::python {

struct Worker::Job {
    explicit Job(Call what) : call(std::move(what)) {}

    Call call;
    std::atomic<bool> cancelled{false};
    std::promise<void> done;

    void perform(std::optional<Context>& gpu, const ContextOptions& options, std::atomic<bool>& lacks_gpu) {
        try {
            if (!gpu) {
                lacks_gpu = true; // unless it can be made
                gpu.emplace(options);
                lacks_gpu = gpu->device().software;
            }
            if (!cancelled) {
                call(*gpu, cancelled);
            }
            done.set_value();
        } catch (const Cancelled&) {
            done.set_value();
        } catch (...) {
            done.set_exception(std::current_exception());
        }
    }
};

struct Worker::State {
    ContextOptions options;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::shared_ptr<Job>> jobs;
    bool ends = false;
    std::atomic<bool> lacks_gpu{false};
    std::thread thread;

    void add(const std::shared_ptr<Job>& job) {
        {
            const std::lock_guard lock(mutex);
            jobs.push_back(job);
        }
        changed.notify_one();
    }

    /// Whether it was still waiting for its turn, which it then never gets.
    bool take_back(const std::shared_ptr<Job>& job) {
        const std::lock_guard lock(mutex);
        return std::erase(jobs, job) > 0;
    }
};

Worker::Worker(ContextOptions options) : process_(::getpid()), state_(std::make_unique<State>()) {
    state_->options = std::move(options);
    state_->thread = std::thread([state = state_.get()] { work(*state); });
}

Worker::~Worker() { // NOLINT(bugprone-exception-escape): join() fails only for threads that are not there
    if (process_ != ::getpid()) {
        static_cast<void>(
            state_.release()); // in a copy of the process the thread never was: nobody would wake up
        return;
    }
    {
        const std::lock_guard lock(state_->mutex);
        state_->ends = true;
    }
    state_->changed.notify_one();
    const pybind11::gil_scoped_release free;
    state_->thread.join();
}

void Worker::run(const Call& call) {
    if (process_ != ::getpid()) {
        throw Error(ErrorCode::no_context, "glproc was used before this process was forked from another",
                    "start processes by 'spawn'");
    }
    const auto job = std::make_shared<Job>(call);
    std::future<void> done = job->done.get_future();
    bool interrupted = false;
    {
        const pybind11::gil_scoped_release free;
        state_->add(job);
        while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
            const pybind11::gil_scoped_acquire held;
            if (!interrupted && PyErr_CheckSignals() != 0) {
                interrupted = true;
                job->cancelled = true;
                if (state_->take_back(job)) {
                    break;
                } // else wait, as the call works on memory of the caller's
            }
        }
    }
    if (interrupted) {
        throw pybind11::error_already_set();
    }
    done.get();
}

bool Worker::lacks_gpu() const {
    return state_->lacks_gpu;
}

void Worker::work(State& state) {
    std::optional<Context> gpu;
    for (std::unique_lock lock(state.mutex);;) {
        state.changed.wait(lock, [&state] { return state.ends || !state.jobs.empty(); });
        if (state.jobs.empty()) {
            return;
        }
        const std::shared_ptr<Job> job = std::move(state.jobs.front());
        state.jobs.pop_front();
        lock.unlock();
        job->perform(gpu, state.options, state.lacks_gpu);
        lock.lock();
    }
}

} // namespace glproc::python
