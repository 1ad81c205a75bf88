// Where an array goes, and in which format: decided and checked before any work is done for it.
#pragma once

#include "cli/files/input.hpp"
#include "cli/files/output_place.hpp"

#include <memory>
#include <string>

namespace glproc::cli {

class ArrayOutput {
  public:
    /// npy, and raw only where --to asks for it: nothing in such a file says what it holds. Throws
    /// Error(usage) for an unknown format or extension and a terminal, Error(output) for what cannot be or
    /// must not be written.
    ArrayOutput(const Arguments& arguments, std::string path);

    /// What --to says; npy without it. Throws Error(usage).
    static ArrayFormat read_format(const Arguments& arguments);

    void write(const Array& array) const;

    /// Takes the elements of such an array as they come. Nothing is written without finish().
    std::unique_ptr<RowWriter> open(const ArrayForm& form) const;

    /// For people.
    std::string name() const { return place_.name(); }

  private:
    OutputPlace place_;
    ArrayFormat format_ = ArrayFormat::npy;
};

} // namespace glproc::cli
