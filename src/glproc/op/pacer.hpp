// Cuts long work into short dispatches: a driver's watchdog mistakes a dispatch of several seconds for a
// hang, and ends it.
#pragma once

#include "glproc/gl/context.hpp"

#include <functional>

namespace glproc {

/// Cuts `rows` rows of work into dispatches of about 50 ms.
struct Pacer {
    double row_work = 1;        ///< multiplications a row
    double first_work = 0;      ///< of the first dispatch; 0: as much as even a slow GPU does in that time
    double whole_work = 0x1p32; ///< smaller amounts are not cut
    int grain = 16;             ///< rows of a dispatch are a multiple of it

    /// Calls `dispatch(first, end)` for rows one after the other. Each dispatch after the first is as long as
    /// the time of the earlier ones allows, so this waits for them. A software renderer has no watchdog:
    /// there all rows come at once, unless first_work is given.
    void run(Context& gpu, int rows, const std::function<void(int first, int end)>& dispatch) const;

    /// How many rows come after `last` rows that took so long.
    int next_rows(int last, double milliseconds) const;
};

} // namespace glproc
