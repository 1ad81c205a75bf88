#include "job/stages.hpp"

#include <bit>

namespace glproc::job {

Stages::Lap::Lap(Stages& stages, Stage stage) : stages_(stages), stage_(stage) {
    const unsigned begun = stages_.begun_ |= 1U << index(stage);
    if (Watcher* watcher = stages_.watcher_) {
        watcher->show(stage_names[index(stage)], std::popcount(begun) - 1,
                      static_cast<int>(stage_names.size()));
    }
}

} // namespace glproc::job
