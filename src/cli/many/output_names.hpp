// Where the pictures of a call on many go: a name below one folder for each.
#pragma once

#include "cli/many/input_list.hpp"

#include <string>
#include <vector>

namespace glproc::cli {

/// One picture to work on; `out` is empty for reports.
struct Errand {
    std::string in;
    std::string out;
    bool found = false; ///< in a folder: nobody has named `in` itself
    std::string below = {}; ///< its path below the folder that was named, or its name alone
};

/// The outputs in the order of `inputs`, below the folder that the call names. Throws Error before anything
/// is written or made: usage where two would meet, where one would replace the input of another, would lie
/// outside the folder, or has a format that cannot be written; output where the folder is no folder or may
/// not be written to.
std::vector<Errand> plan_errands(const Arguments& arguments, const std::vector<ListedInput>& inputs);

/// Throws Error(usage) where the call names one image of a report, or one array: several inputs cannot make it.
void refuse_what_is_for_one(const Arguments& arguments);

/// Those of the shard.
std::vector<Errand> part_of(std::vector<Errand> errands, const Shard& shard);

/// Whether an output takes the place of its own input.
bool replaces_inputs(const std::vector<Errand>& errands);

/// Makes the folder of an output. Throws Error(output).
void make_folder_of(const std::string& out);

} // namespace glproc::cli
