// Device time of passes.
#pragma once

#include "glproc/gl/buffer.hpp"
#include "glproc/gl/handle.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace glproc {

struct PassTime;

struct ArgumentsTraits {
    using Type = unsigned;
    static void destroy(unsigned id);
};

struct QueryTraits {
    using Type = unsigned;
    static void destroy(unsigned id);
};

/// Measures with GL_TIME_ELAPSED, or with the wall clock around glFinish where that query does not cover
/// compute work: on software renderers, whose query ends when the work is queued (0 or nearly 0), and
/// wherever the first pass, which is measured both ways, reads 0.
class Timer {
  public:
    explicit Timer(bool software_renderer) : method_(software_renderer ? Method::wall : Method::unknown) {}

    /// Before the first dispatch of a program, with all its resources bound: drivers leave work to it
    /// (llvmpipe turns its code into the processor's only then), which a dispatch of no groups has done.
    void warm_up(unsigned program);

    /// What that took, by the wall clock.
    double warm_up_milliseconds() const { return warm_up_milliseconds_; }

    void measure(const std::string& label, const std::function<void()>& dispatch);

    /// Everything measured so far; waits for outstanding queries.
    std::vector<PassTime> times();
    std::string method() const;

  private:
    enum class Method { unknown, query, wall };
    struct Pending {
        std::string label;
        double milliseconds; ///< by the wall clock; replaced by the query's result
        Handle<QueryTraits> query;
    };

    void detect(Pending& pending);

    Method method_;
    std::vector<Pending> pending_;
    Handle<ArgumentsTraits> no_groups_; ///< the arguments of a dispatch of no groups
    std::set<unsigned> warm_;
    double warm_up_milliseconds_ = 0;
};

/// What Context::time() measured.
struct RunTimes {
    std::vector<double> milliseconds; ///< of each run, in order
    double wall_milliseconds = 0;     ///< a run, from the first call until all work is done
    std::string method;               ///< "GL_TIMESTAMP" or "wall clock around glFinish"
};

/// Runs `work` the given number of times, each between two GL_TIMESTAMP queries. The runs are queued one
/// after another, after one that is not timed, with a single wait at the end, so that the device does not
/// idle between them. If the CPU takes longer to queue a run than the device to execute it, the time shows
/// that. On software renderers, whose queries know nothing of compute work, and wherever a run reads 0, each
/// run is waited for and timed by the wall clock instead. What is queued before is waited for first.
RunTimes time_runs(bool software_renderer, int runs, const std::function<void()>& work);

/// Batches of runs that agree, or do not.
struct SteadyTimes {
    std::vector<double> milliseconds; ///< of each run of the last batches
    double wall_milliseconds = 0;     ///< a run of theirs, with all that the CPU has to do for it
    /// How far the medians of these batches lie apart: the largest less the smallest, of the one in the middle.
    double spread = 0;
    bool steady = false; ///< whether that is little
    std::string method;
};

/// Calls `batch`, which runs the same work each time, until the medians of the last few batches agree within
/// 3 %, and at least that many times. Clocks rise under load: a GPU that rested begins at a fraction of its own.
/// Gives up after `patience` milliseconds of work by the wall clock, and then says that they did not agree.
SteadyTimes time_until_steady(const std::function<RunTimes()>& batch, double patience);

/// The value in the middle of some.
double median_of(std::vector<double> values);

} // namespace glproc
