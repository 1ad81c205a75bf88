// Folder with folder: where an operation's second picture is a folder, each input meets the picture of its
// own name there.
#pragma once

#include "cli/configure.hpp"
#include "cli/many/output_names.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/op/op.hpp"
#include "job/picture/call.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glproc::cli {

/// Pictures in such folders that no input meets, and the folder that they were looked for in. Only where the
/// inputs come from a folder as well.
std::vector<std::string> without_partners(Operation& operation, const Arguments& arguments,
                                          const std::vector<Errand>& errands);

/// The operation for one input, its partner read.
struct Partnered {
    std::unique_ptr<Operation> operation;
    Notes notes; ///< of the partner
};

class Partners {
  public:
    /// Reads the second pictures that all inputs share. Throws what reading throws.
    Partners(const Arguments& arguments, Operation& operation);

    /// Nothing where the operation of the call serves. Another one where a second picture is a folder, or has
    /// to be converted for this input. Throws what reading throws.
    std::optional<Partnered> of(const Errand& errand) const;
    /// For further images of its file.
    FitSecondImages fit_for(const Errand& errand) const;

  private:
    std::unique_ptr<Operation> configured_for(const Errand& errand) const;

    const Arguments& arguments_;
    bool has_own_ = false;  ///< each input
    bool has_some_ = false; ///< second pictures
    bool are_plain_ = true; ///< codes of sRGB
};

/// A table of one picture in a table of many: its header with a column "file" before, and its lines with the
/// name.
struct FileTable {
    std::string header;
    std::string lines;
};
FileTable with_file_column(const std::string& csv, const std::string& file);

} // namespace glproc::cli
