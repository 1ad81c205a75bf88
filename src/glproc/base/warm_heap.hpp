// What malloc() does with large blocks: touched by all cores before a software renderer asks, or given back.
#pragma once

#include <cstddef>
#include <vector>

namespace glproc {

/// llvmpipe takes its textures from malloc() and clears them at once. On pages that nobody has touched one
/// core does that in 7 ms for 14.7 MB, while the others wait. This takes as much from malloc() as these
/// blocks are going to need, touches it on all cores, and gives it back for them to be made of. On the thread
/// that will ask for the blocks, since others have memory of their own; where malloc() or the system is of
/// another kind nothing is gained.
void warm_heap(const std::vector<std::size_t>& blocks);

/// For a limit on memory: from now on large blocks go back to the system as soon as they are freed, where
/// malloc() would keep those of up to 32 MB for each thread. Costs the touching of new pages; warm_heap()
/// does nothing then. To be called before any thread runs.
void keep_no_large_blocks();

} // namespace glproc
