// Passes that may run at the same time, although they write the same buffers.
#pragma once

#include "glproc/gl/context.hpp"

namespace glproc {

/// Lives while a series of passes is issued. Each writes its own parts of the same buffers, which none of the
/// others reads or writes, and no other buffer. There is no barrier between them; later passes wait for all.
class SideBySide {
  public:
    explicit SideBySide(Context& gpu);

    /// After each pass of the series but the last.
    void next();

  private:
    Context& gpu_;
};

} // namespace glproc
