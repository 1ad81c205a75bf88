#include "glproc/gl/side_by_side.hpp"

#include "glproc/gl/context_state.hpp"

#include <glad/gl.h>

namespace glproc {

/// Of everything before the series nothing is left to wait for.
SideBySide::SideBySide(Context& gpu) : gpu_(gpu) {
    glMemoryBarrier(BarrierTracker::bit(Use::storage));
    next();
}

/// The barrier at the beginning serves the next pass as well, as it needs nothing of what was written since.
/// What the last of the series writes is newer, and what waits for that waits for them all.
void SideBySide::next() {
    BarrierTracker& tracker = gpu_.state().tracker;
    tracker.next_command();
    tracker.issued(Use::storage);
}

} // namespace glproc
