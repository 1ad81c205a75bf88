// Where an array goes, and in which format: decided and checked before any work is done for it.
#pragma once

#include "glproc/image/array.hpp"
#include "job/array_input.hpp"
#include "job/output/output_place.hpp"

#include <memory>
#include <optional>
#include <string>

namespace glproc::job {

class ArrayOutput {
  public:
    /// npy, and raw only where that is told: nothing in such a file says what it holds. The place is checked
    /// by whoever names it. Throws Error(usage) for an unknown extension.
    ArrayOutput(std::optional<ArrayFormat> told, OutputPlace place);

    void write(const Array& array) const;

    /// Takes the elements of such an array as they come. Nothing is written without finish().
    std::unique_ptr<RowWriter> open(const ArrayForm& form) const;

    /// For people.
    std::string name() const { return place_.name(); }

  private:
    OutputPlace place_;
    ArrayFormat format_;
};

} // namespace glproc::job
