// Time that adds up.
#pragma once

#include "glproc/base/clock.hpp"

namespace glproc {

/// Adds the milliseconds for which it lives.
class Stopwatch {
  public:
    explicit Stopwatch(double& milliseconds) : milliseconds_(milliseconds) {}
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() { milliseconds_ += milliseconds_since(begin_); }

  private:
    double& milliseconds_;
    Clock::time_point begin_ = Clock::now();
};

} // namespace glproc
