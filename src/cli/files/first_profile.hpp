// Further images of a call come in the ICC profile of the first one.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/files/rows.hpp"

#include <string>
#include <vector>

namespace glproc::cli {

class FirstProfile {
  public:
    /// Of the image in a file. What is read by a process of its own, or from a pipe, is not looked at before: then
    /// nothing is converted.
    FirstProfile(std::string first, const Arguments& arguments);

    /// The image or its rows with the colours of that profile, which is said. Where that cannot be, it is said, too, and
    /// values stay as they are.
    Image take(Image image, const std::string& name, Notes& notes) const;
    RowSource take(RowSource rows, const std::string& name, Notes& notes) const;

  private:
    bool differs(const Form& form, const Metadata& metadata) const;

    std::string first_;
    bool is_known_ = false;
    std::vector<std::byte> icc_;
};

} // namespace glproc::cli
