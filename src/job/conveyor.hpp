// Many images under way at once: workers read and write them, each GPU has a thread of its own in between.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace glproc::job {

/// Items are begun in order. Finishing goes before beginning, so that what is under way does not grow.
class Conveyor {
  public:
    struct Bounds {
        std::size_t count = 0;     ///< of items, at most
        std::size_t workers = 1;   ///< threads
        std::size_t under_way = 1; ///< items
        std::uint64_t bytes = 0;   ///< of items under way; a larger one goes alone
        bool in_order = false;     ///< each step takes one item after another; for one lane
    };

    /// What workers do with an item. What they throw ends everything.
    struct Steps {
        std::function<std::optional<std::uint64_t>(std::size_t)> measure; ///< bytes; nothing: it has ended
        std::function<bool(std::size_t)> prepare; ///< false: it has ended; empty: there is nothing to do
        std::function<void(std::size_t)> finish;
        std::function<bool()> should_stop =
            {}; ///< asked from time to time: items not yet at a GPU are given up
    };

    /// Serves a GPU on a thread of its own; calls take() until that gives none.
    using Lane = std::function<void(Conveyor&)>;

    Conveyor(Steps steps, Bounds bounds);

    /// Runs until all items have ended; the first lane has the calling thread. What a lane throws ends it,
    /// and everything if it was the last. Throws what ended everything.
    void run(const std::vector<Lane>& lanes);

    /// For a lane: prepared items, at most so many. None where there is none yet, unless
    /// `waits`, and where there will be no more.
    std::vector<std::size_t> take(std::size_t most, bool waits);
    /// An item that was taken goes on to be finished, or has ended.
    void pass_on(std::size_t item, bool goes_on);
    /// An item that was taken is prepared anew.
    void take_back(std::size_t item);

    /// Nothing new is begun, and items not yet at a GPU are given up.
    void stop();
    /// Nothing new is begun.
    void end_with_those();

  private:
    using Lock = std::unique_lock<std::mutex>;

    bool work_once(Lock& lock);
    void work_until_done();
    void run_lane(const Lane& lane);
    bool may_measure() const;
    bool may_prepare() const;
    bool may_finish() const;
    void put_in_line(std::size_t item, std::uint64_t bytes);
    bool is_over() const;
    void measure(Lock& lock);
    void prepare(Lock& lock);
    void finish(Lock& lock);
    void end(std::size_t item);
    void give_up(std::exception_ptr why);
    void look_for_stop();

    Steps steps_;
    Bounds bounds_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t next_ = 0;      ///< not yet begun
    std::size_t under_way_ = 0; ///< begun, not ended
    std::size_t being_measured_ = 0;
    std::size_t being_finished_ = 0;
    std::map<std::size_t, std::uint64_t> measured_; ///< the first is prepared first
    std::map<std::size_t, std::uint64_t> bytes_;    ///< of those after that
    std::uint64_t total_bytes_ = 0;
    std::deque<std::size_t> prepared_;
    std::deque<std::size_t> computed_;
    std::size_t lanes_ = 0;
    std::size_t threads_ = 0; ///< that could be started
    bool stopped_ = false;
    std::exception_ptr failure_;
};

} // namespace glproc::job
