#include "glproc/gl/timer.hpp"

#include "glproc/base/clock.hpp"
#include "glproc/gl/context.hpp"

#include <algorithm>
#include <array>

#include <glad/gl.h>

namespace glproc {

namespace {

Handle<QueryTraits> new_query() {
    unsigned id = 0;
    glGenQueries(1, &id);
    return Handle<QueryTraits>(id);
}

GLuint64 query_nanoseconds(unsigned id) {
    GLuint64 nanoseconds = 0;
    glGetQueryObjectui64v(id, GL_QUERY_RESULT, &nanoseconds); // waits
    return nanoseconds;
}

double query_milliseconds(unsigned id) {
    return static_cast<double>(query_nanoseconds(id)) * 1e-6;
}

RunTimes time_by_wall_clock(int runs, const std::function<void()>& work) {
    RunTimes times{{}, 0, "wall clock around glFinish"};
    for (int i = 0; i < runs; ++i) {
        const Clock::time_point start = Clock::now();
        work();
        glFinish();
        times.milliseconds.push_back(milliseconds_since(start));
        times.wall_milliseconds += times.milliseconds.back() / runs;
    }
    return times;
}

struct Span {
    Handle<QueryTraits> begin = new_query();
    Handle<QueryTraits> end = new_query();

    double milliseconds() const {
        // Signed: clocks of some devices are set back now and then.
        const auto nanoseconds =
            static_cast<GLint64>(query_nanoseconds(end.get()) - query_nanoseconds(begin.get()));
        return static_cast<double>(nanoseconds) * 1e-6;
    }
};

RunTimes time_by_timestamps(int runs, const std::function<void()>& work) {
    RunTimes times{{}, 0, "GL_TIMESTAMP"};
    std::vector<Span> spans(static_cast<std::size_t>(runs));
    const Clock::time_point start = Clock::now();
    work(); // keeps the device busy while the first of the others is queued
    for (const Span& span : spans) {
        glQueryCounter(span.begin.get(), GL_TIMESTAMP);
        work();
        glQueryCounter(span.end.get(), GL_TIMESTAMP);
    }
    glFinish();
    times.wall_milliseconds = milliseconds_since(start) / (runs + 1);
    for (const Span& span : spans) {
        times.milliseconds.push_back(span.milliseconds());
    }
    return times;
}

} // namespace

void ArgumentsTraits::destroy(unsigned id) {
    glDeleteBuffers(1, &id);
}

void QueryTraits::destroy(unsigned id) {
    glDeleteQueries(1, &id);
}

void Timer::warm_up(unsigned program) {
    if (!warm_.insert(program).second) {
        return;
    }
    glFinish();
    const Clock::time_point start = Clock::now();
    if (!no_groups_) {
        unsigned id = 0;
        glGenBuffers(1, &id);
        no_groups_ = Handle<ArgumentsTraits>(id);
        constexpr std::array<GLuint, 3> none{0, 0, 0};
        glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, id);
        glBufferData(GL_DISPATCH_INDIRECT_BUFFER, sizeof none, none.data(), GL_STATIC_DRAW);
    }
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, no_groups_.get());
    glDispatchComputeIndirect(0);
    glFinish();
    warm_up_milliseconds_ += milliseconds_since(start);
}

void Timer::measure(const std::string& label, const std::function<void()>& dispatch) {
    const bool wall = method_ != Method::query;
    Pending pending{label, 0, {}};
    if (method_ != Method::wall) {
        pending.query = new_query();
    }
    if (wall) {
        glFinish();
    }
    const Clock::time_point start = Clock::now();
    if (pending.query) {
        glBeginQuery(GL_TIME_ELAPSED, pending.query.get());
    }
    dispatch();
    if (pending.query) {
        glEndQuery(GL_TIME_ELAPSED);
    }
    if (wall) {
        glFinish();
        pending.milliseconds = milliseconds_since(start);
    }
    if (method_ == Method::unknown) {
        detect(pending);
    }
    pending_.push_back(std::move(pending));
    resolve_old();
}

/// Queries must not pile up in a program that runs for days.
void Timer::resolve_old() {
    while (pending_.size() > most_listed) {
        const Pending& oldest = pending_.front();
        older_[oldest.label] += oldest.query ? query_milliseconds(oldest.query.get()) : oldest.milliseconds;
        pending_.pop_front();
    }
}

void Timer::detect(Pending& pending) {
    method_ = query_milliseconds(pending.query.get()) > 0 ? Method::query : Method::wall;
    if (method_ == Method::wall) {
        pending.query = {};
    }
}

std::vector<PassTime> Timer::times() {
    std::vector<PassTime> result;
    result.reserve(older_.size() + pending_.size());
    for (const auto& [label, milliseconds] : older_) {
        result.push_back({label, milliseconds});
    }
    for (Pending& pending : pending_) {
        if (pending.query) {
            pending.milliseconds = query_milliseconds(pending.query.get());
            pending.query = {};
        }
        result.push_back({pending.label, pending.milliseconds});
    }
    return result;
}

std::string Timer::method() const {
    switch (method_) {
    case Method::wall:
        return "wall clock around glFinish";
    case Method::query:
    case Method::unknown: // it is tried first
        break;
    }
    return "GL_TIME_ELAPSED";
}

RunTimes time_runs(bool software_renderer, int runs, const std::function<void()>& work) {
    glFinish();
    if (!software_renderer) {
        RunTimes times = time_by_timestamps(runs, work);
        if (std::all_of(times.milliseconds.begin(), times.milliseconds.end(),
                        [](double ms) { return ms > 0; })) {
            return times;
        }
    }
    return time_by_wall_clock(runs, work);
}

} // namespace glproc
