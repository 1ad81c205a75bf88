// Device time of passes.
#pragma once

#include "glproc/gl/buffer.hpp"
#include "glproc/gl/handle.hpp"

#include <deque>
#include <functional>
#include <map>
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

/// Measures with GL_TIME_ELAPSED, or with the wall clock around glFinish if that query does not cover compute
/// work. On software renderers the query ends when the work is queued (0 or nearly 0). Elsewhere the first
/// pass is measured both ways, and the wall clock is used if the query reads 0.
class Timer {
  public:
    explicit Timer(bool software_renderer) : method_(software_renderer ? Method::wall : Method::unknown) {}

    /// Call before the first dispatch of a program, with all its resources bound. Drivers postpone work to
    /// that dispatch (llvmpipe generates machine code only then), and a dispatch of no groups gets that work
    /// done.
    void warm_up(unsigned program);

    /// The time that this took, by the wall clock.
    double warm_up_milliseconds() const { return warm_up_milliseconds_; }

    void measure(const std::string& label, const std::function<void()>& dispatch);

    /// Everything measured so far; waits for outstanding queries. Beyond most_listed passes, the oldest are
    /// added up by their labels, and come first.
    static constexpr std::size_t most_listed = 4096;
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
    void resolve_old();

    Method method_;
    std::deque<Pending> pending_;
    std::map<std::string, double> older_; ///< milliseconds by label, for passes that pending_ no longer lists
    Handle<ArgumentsTraits> no_groups_; ///< the arguments of a dispatch of no groups
    std::set<unsigned> warm_;
    double warm_up_milliseconds_ = 0;
};

/// The result of Context::time().
struct RunTimes {
    std::vector<double> milliseconds; ///< of each run, in order
    double wall_milliseconds = 0;     ///< per run, from the first call until all work is done
    std::string method;               ///< "GL_TIMESTAMP" or "wall clock around glFinish"
};

/// Runs `work` the given number of times, each between two GL_TIMESTAMP queries. The runs are queued one
/// after another, after one that is not timed, with a single wait at the end, so that the device does not
/// idle between them. If the CPU takes longer to queue a run than the device to execute it, the time shows
/// that. The queries of software renderers do not cover compute work. There, and wherever a run reads 0, each
/// run is waited for and timed by the wall clock instead. Work that was queued before is waited for first.
RunTimes time_runs(bool software_renderer, int runs, const std::function<void()>& work);

} // namespace glproc
