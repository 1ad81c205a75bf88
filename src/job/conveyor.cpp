#include "job/conveyor.hpp"

#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <utility>

namespace glproc::job {

namespace {

/// Does `work` without the lock.
template <class Lock, class Work>
auto outside(Lock& lock, Work work) {
    struct Relock {
        Lock& lock;
        explicit Relock(Lock& l) : lock(l) { lock.unlock(); }
        ~Relock() { lock.lock(); }
    } relock(lock);
    return work();
}

} // namespace

Conveyor::Conveyor(Steps steps, Bounds bounds) : steps_(std::move(steps)), bounds_(bounds) {}

void Conveyor::run(const std::vector<Lane>& lanes) {
    lanes_ = 1;
    {
        Threads threads;
        for (std::size_t i = 0; i < bounds_.workers; ++i) {
            const Lock lock(mutex_);
            threads_ += threads.start([this] { work_until_done(); }) ? 1 : 0;
        }
        for (std::size_t i = 1; i < lanes.size(); ++i) {
            const Lock lock(mutex_);
            lanes_ += threads.start([this, &lane = lanes[i]] { run_lane(lane); }) ? 1 : 0;
        }
        run_lane(lanes.front());
    }
    if (failure_) {
        std::rethrow_exception(failure_);
    }
}

void Conveyor::run_lane(const Lane& lane) {
    try {
        lane(*this);
    } catch (...) {
        const Lock lock(mutex_);
        if (--lanes_ == 0) {
            give_up(std::current_exception());
        }
    }
}

std::vector<std::size_t> Conveyor::take(std::size_t most, bool waits) {
    Lock lock(mutex_);
    for (;;) {
        look_for_stop();
        if (!prepared_.empty()) {
            const std::size_t share = (prepared_.size() - 1) / lanes_ + 1; // the other lanes want some, too
            const auto end = prepared_.begin() + static_cast<std::ptrdiff_t>(std::min(most, share));
            std::vector<std::size_t> taken(prepared_.begin(), end);
            prepared_.erase(prepared_.begin(), end);
            return taken;
        }
        if (!waits || is_over()) {
            return {};
        }
        const bool others_do_it = threads_ > 0 && threads_ == bounds_.workers;
        if (others_do_it || !work_once(lock)) {
            changed_.wait(lock);
        }
    }
}

void Conveyor::pass_on(std::size_t item, bool goes_on) {
    const Lock lock(mutex_);
    if (goes_on) {
        computed_.push_back(item);
    } else {
        end(item);
    }
    changed_.notify_all();
}

void Conveyor::take_back(std::size_t item) {
    const Lock lock(mutex_);
    const auto found = bytes_.find(item);
    measured_.emplace(item, found->second);
    total_bytes_ -= found->second;
    bytes_.erase(found);
    changed_.notify_all();
}

void Conveyor::work_until_done() {
    Lock lock(mutex_);
    try {
        for (look_for_stop(); !is_over(); look_for_stop()) {
            if (!work_once(lock)) {
                changed_.wait(lock);
            }
        }
    } catch (...) {
        give_up(std::current_exception());
    }
}

/// One step of one item, or false where there is none.
bool Conveyor::work_once(Lock& lock) {
    if (may_finish()) {
        finish(lock);
    } else if (may_prepare()) {
        prepare(lock);
    } else if (may_measure()) {
        measure(lock);
    } else {
        return false;
    }
    changed_.notify_all();
    return true;
}

bool Conveyor::may_measure() const {
    return !stopped_ && next_ < bounds_.count && under_way_ < bounds_.under_way &&
           measured_.size() + being_measured_ < (bounds_.in_order ? 1 : 2);
}

bool Conveyor::may_finish() const {
    return !computed_.empty() && !(bounds_.in_order && being_finished_ > 0);
}

bool Conveyor::may_prepare() const {
    return !measured_.empty() &&
           (bytes_.empty() || total_bytes_ + measured_.begin()->second <= bounds_.bytes);
}

bool Conveyor::is_over() const {
    return failure_ || (under_way_ == 0 && (stopped_ || next_ == bounds_.count));
}

void Conveyor::measure(Lock& lock) {
    const std::size_t item = next_++;
    ++under_way_;
    ++being_measured_;
    const auto bytes = outside(lock, [&] { return steps_.measure(item); });
    --being_measured_;
    if (bytes && !steps_.prepare) {
        put_in_line(item, *bytes);
        prepared_.push_back(item);
    } else if (bytes) {
        measured_.emplace(item, *bytes);
    } else {
        end(item);
    }
}

void Conveyor::put_in_line(std::size_t item, std::uint64_t bytes) {
    bytes_.emplace(item, bytes);
    total_bytes_ += bytes;
}

void Conveyor::prepare(Lock& lock) {
    const auto [item, bytes] = *measured_.begin();
    measured_.erase(measured_.begin());
    put_in_line(item, bytes);
    const bool goes_on = outside(lock, [&, item = item] { return steps_.prepare(item); });
    if (goes_on) {
        prepared_.push_back(item);
    } else {
        end(item);
    }
}

void Conveyor::finish(Lock& lock) {
    const std::size_t item = computed_.front();
    computed_.pop_front();
    ++being_finished_;
    outside(lock, [&] { steps_.finish(item); });
    --being_finished_;
    end(item);
}

void Conveyor::end(std::size_t item) {
    --under_way_;
    if (const auto found = bytes_.find(item); found != bytes_.end()) {
        total_bytes_ -= found->second;
        bytes_.erase(found);
    }
    changed_.notify_all();
}

void Conveyor::stop() {
    const Lock lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
}

void Conveyor::end_with_those() {
    const Lock lock(mutex_);
    bounds_.count = next_;
    changed_.notify_all();
}

void Conveyor::look_for_stop() {
    stopped_ = stopped_ || (steps_.should_stop && steps_.should_stop());
    if (!stopped_) {
        return;
    }
    while (!measured_.empty()) {
        const std::size_t item = measured_.begin()->first;
        measured_.erase(measured_.begin());
        end(item);
    }
    for (; !prepared_.empty(); prepared_.pop_front()) {
        end(prepared_.front());
    }
}

void Conveyor::give_up(std::exception_ptr why) {
    if (!failure_) {
        failure_ = std::move(why);
    }
    changed_.notify_all();
}

} // namespace glproc::job
