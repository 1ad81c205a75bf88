// Arrays that an operation writes beside its result, such as --indices of distance: each in a file of its
// own.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/files/rows.hpp"
#include "glproc/op/op.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace glproc::cli {

class ArrayFiles {
  public:
    ArrayFiles() = default;

    /// Opens those that the operation names. Throws Error(usage) where one would replace an input or the result, and
    /// Error(output).
    ArrayFiles(const Arguments& arguments, Operation& operation);

    /// After the result was written: the files appear.
    void finish();

  private:
    std::vector<std::unique_ptr<RowWriter>> writers_;
};

/// Throws Error(usage) where the call asks for such arrays: `who` has no place for them. `hint` is what helps.
void refuse_array_files(const Arguments& arguments, std::string_view who, const std::string& hint = {});

} // namespace glproc::cli
