// Further images of a call come in the ICC profile of the first one, and in its light.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/files/rows.hpp"
#include "glproc/files/transfer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace glproc::cli {

class FirstProfile {
  public:
    /// Of the image in a file. What comes from a pipe, or may only be read by a process of its own, is not looked at before:
    /// then nothing is converted.
    FirstProfile(std::string first, const Arguments& arguments);

    /// The image or its rows with the colours of that profile, which is said. Where that cannot be, it is said, too, and
    /// values stay as they are.
    Image take(Image image, const std::string& name, Notes& notes) const;
    RowSource take(RowSource rows, const std::string& name, Notes& notes) const;
    /// In its light, where both are known: codes become floats where the first image holds light.
    Image in_light(Image image, std::optional<Format> format) const;
    RowSource in_light(RowSource rows, std::optional<Format> format) const;

  private:
    bool differs(const Form& form, const Metadata& metadata) const;
    void say_unknown(const Metadata& metadata, const std::string& name, Notes& notes) const;

    std::string first_;
    bool is_known_ = false;
    std::vector<std::byte> icc_;
    ColourCurve curve_ = ColourCurve::unknown;
};

} // namespace glproc::cli
