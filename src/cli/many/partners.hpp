// Folder with folder: where an operation's second picture is a folder, each input meets the picture of its
// own name there.
#pragma once

#include "cli/arguments.hpp"
#include "cli/many/output_names.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/op/op.hpp"

#include <memory>
#include <string>
#include <vector>

namespace glproc::cli {

/// Whether it is another operation for each input: one of the second pictures is a folder, or a text says which file it is.
bool has_partners(Operation& operation);

/// Pictures in such folders that no input meets, and the folder that they were looked for in. Only where the inputs come
/// from a folder as well.
std::vector<std::string> without_partners(Operation& operation, const Arguments& arguments,
                                          const std::vector<Errand>& errands);

/// The operation for one input, its partner read.
struct Partnered {
    std::unique_ptr<Operation> operation;
    std::unique_ptr<Operation> on_curve; ///< see configure_for_curve()
    Notes notes;                         ///< of the partner
};

/// Throws what reading throws.
Partnered with_partner(const Arguments& arguments, const Errand& errand);

/// A table of one picture in a table of many: its header with a column "file" before, and its lines with the
/// name.
struct FileTable {
    std::string header;
    std::string lines;
};
FileTable with_file_column(const std::string& csv, const std::string& file);

} // namespace glproc::cli
