#include "glproc/gl/side_by_side.hpp"

#include "glproc/gl/context_state.hpp"

#include <glad/gl.h>

namespace glproc {

/// After this, everything before the series has been waited for.
SideBySide::SideBySide(Context& gpu) : gpu_(gpu) {
    glMemoryBarrier(BarrierTracker::bit(Use::storage));
    next();
}

/// The barrier at the beginning serves the next pass as well, because that pass needs nothing that was
/// written since. The writes of the series' last pass are newer, and anything that waits for them waits for
/// all of the series.
void SideBySide::next() {
    BarrierTracker& tracker = gpu_.state().tracker;
    tracker.next_command();
    tracker.issued(Use::storage);
}

} // namespace glproc
