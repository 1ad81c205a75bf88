// A driver that cannot be trusted with a kernel.
#pragma once

#include "glproc/base/error.hpp"

namespace glproc {

/// A driver computes a kernel wrongly, or cannot link one whose text its compiler has taken.
class WrongKernel : public Error {
  public:
    using Error::Error;
};

} // namespace glproc
