// The inputs of a call on many pictures: named one by one, in folders, or in a list.
#pragma once

#include "cli/arguments.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace glproc::cli {

struct ListedInput {
    std::string path = {};
    std::string below = {}; ///< of one found in a folder: where below it, "sub/deep"; else empty
    bool found = false;     ///< in a folder, not named itself
};

/// All inputs in the order in which they were named; those of a folder by name. The folder that the call
/// writes to is not searched. Throws Error: usage for stdin among them, and input where there is none.
std::vector<ListedInput> list_inputs(const Arguments& arguments);

/// A FIFO that nobody writes to would hold up all others for ever, and a device might never end: throws Error(input) for
/// such a one in a folder. Who names one wants it read.
void refuse_special(const std::string& path, bool found);

/// The pictures in a folder by name, and in those below it. Throws Error(input) where there is none.
std::vector<ListedInput> pictures_in(const std::string& folder, bool recursive);

/// What --shard says: every `count`-th input, from number `first` on (from 0).
struct Shard {
    std::size_t first = 0;
    std::size_t count = 1;

    bool has(std::size_t input) const { return input % count == first; }
};

/// Throws Error(usage).
Shard read_shard(const Arguments& arguments);

} // namespace glproc::cli
