// Where an array goes, and in which format: decided and checked before any work is done for it.
#pragma once

#include "cli/input.hpp"
#include "cli/output_place.hpp"

#include <memory>
#include <optional>
#include <string>

namespace glproc::cli {

class ArrayOutput {
  public:
    /// Throws Error(usage) for an unknown format and a terminal, Error(output) for what cannot be or must not
    /// be written.
    ArrayOutput(const Arguments& arguments, std::string path);

    /// Decides what is still open once the input is here: stdout gets the format of the input.
    void follow_input(ArrayFormat format) { format_ = format_.value_or(format); }

    void write(const Array& array) const;

    /// Takes the elements of such an array as they come. Nothing is written without finish().
    std::unique_ptr<RowWriter> open(const ArrayForm& form) const;

    /// For people.
    std::string name() const { return place_.name(); }

  private:
    OutputPlace place_;
    std::optional<ArrayFormat> format_; ///< none until the input decides
};

} // namespace glproc::cli
