#include "worker.hpp"

#include "glproc/error.hpp"

#include <chrono>
#include <exception>
#include <future>
#include <utility>

#include <pybind11/pybind11.h>
#include <unistd.h>

namespace glproc::python {

struct Worker::Job {
    explicit Job(Call what) : call(std::move(what)) {}

    Call call;
    std::atomic<bool> cancelled{false};
    std::promise<void> done;
};

Worker::Worker(ContextOptions options)
    : options_(std::move(options)), process_(::getpid()), thread_([this] { work(); }) {}

Worker::~Worker() {
    if (process_ != ::getpid()) { // a copy of the process, in which the thread never was
        thread_.detach();
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_one();
    const pybind11::gil_scoped_release free;
    thread_.join();
}

void Worker::run(const Call& call) {
    if (process_ != ::getpid()) {
        throw Error(ErrorCode::no_context, "glproc was used before this process was forked from another",
                    "start processes by 'spawn', or make a new glproc.Context here");
    }
    const auto job = std::make_shared<Job>(call);
    std::future<void> done = job->done.get_future();
    bool interrupted = false;
    {
        const pybind11::gil_scoped_release free;
        {
            const std::lock_guard lock(mutex_);
            jobs_.push_back(job);
        }
        changed_.notify_one();
        while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
            const pybind11::gil_scoped_acquire held;
            if (!interrupted && PyErr_CheckSignals() != 0) {
                interrupted = true;
                job->cancelled = true; // and wait, as the call works on memory of the caller's
            }
        }
    }
    if (interrupted) {
        throw pybind11::error_already_set();
    }
    done.get();
}

void Worker::work() {
    std::optional<Context> gpu;
    for (std::unique_lock lock(mutex_);;) {
        changed_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
        if (jobs_.empty()) {
            return;
        }
        const std::shared_ptr<Job> job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        perform(*job, gpu);
        lock.lock();
    }
}

void Worker::perform(Job& job, std::optional<Context>& gpu) {
    try {
        if (!gpu) {
            gpu.emplace(options_);
        }
        if (!job.cancelled) {
            job.call(*gpu, job.cancelled);
        }
        job.done.set_value();
    } catch (const Cancelled&) {
        job.done.set_value();
    } catch (...) {
        job.done.set_exception(std::current_exception());
    }
}

} // namespace glproc::python
