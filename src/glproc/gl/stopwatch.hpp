// Time that adds up.
#pragma once

#include <chrono>

namespace glproc {

/// Adds the milliseconds for which it lives.
class Stopwatch {
  public:
    explicit Stopwatch(double& milliseconds) : milliseconds_(milliseconds) {}
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() { milliseconds_ += std::chrono::duration<double, std::milli>(Clock::now() - begin_).count(); }

  private:
    using Clock = std::chrono::steady_clock;

    double& milliseconds_;
    Clock::time_point begin_ = Clock::now();
};

} // namespace glproc
