// This many threads, whatever the machine has.
#pragma once

#include "glproc/base/parallel.hpp"

namespace glproc::test {

class ThreadLimit {
  public:
    explicit ThreadLimit(std::size_t most) { limit_threads(most); }
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;
    ~ThreadLimit() { limit_threads(0); }
};

} // namespace glproc::test
