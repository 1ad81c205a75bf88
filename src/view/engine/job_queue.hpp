// Work that glproc does beside the window, one call after another: videos and folders. No window, no OpenGL.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include <sys/types.h>

namespace glproc::view {

enum class JobState { waits, runs, done, failed, stopped };

struct Job {
    std::string name;               ///< what a person calls it
    std::vector<std::string> words; ///< the call, "glproc" first
    JobState state = JobState::waits;
    double share = 0;         ///< of the work, as far as it says so
    std::string message = {}; ///< the last line that it said

    bool is_over() const { return state != JobState::waits && state != JobState::runs; }
};

/// The share in the last line of a progress bar, "[###   ] blur  45 %, 3 s left"; `otherwise` if it has none.
double share_in(const std::string& text, double otherwise);

/// Calls run one after another: each of them uses the whole device.
class JobQueue {
  public:
    JobQueue() = default;
    JobQueue(const JobQueue&) = delete;
    JobQueue& operator=(const JobQueue&) = delete;
    /// Stops what runs.
    ~JobQueue();

    void add(std::string name, std::vector<std::string> words);
    /// Stops it, or takes it from the list if it has ended.
    void remove(std::size_t at);
    /// Reads what the running call says, and begins the next.
    void look();

    const std::deque<Job>& jobs() const { return jobs_; }
    bool is_busy() const;

  private:
    void begin(Job& job);
    void read(Job& job);
    void end(Job& job, int status);
    /// Null where none is in this state.
    Job* first(JobState state);

    std::deque<Job> jobs_;
    std::string text_;  ///< what the running call has said
    pid_t process_ = 0; ///< of the running call
    int terminal_ = -1; ///< that its progress bar is drawn on
};

} // namespace glproc::view
