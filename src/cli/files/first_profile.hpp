// Further images of a call come in the ICC profile of the first one, and in its light.
#pragma once

#include "cli/arguments.hpp"
#include "cli/confined/budget.hpp"
#include "glproc/files/rows.hpp"
#include "glproc/files/transfer.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glproc::cli {

class FirstProfile {
  public:
    /// Of the image in a file, or from stdin, which can be read again afterwards.
    FirstProfile(std::string first, const Arguments& arguments);
    /// Of one that is there.
    FirstProfile(std::string first, const Image& image, Format format);
    /// Of frames that say nothing of their colours.
    static FirstProfile srgb();

    /// Codes of sRGB: what says nothing else is like it.
    bool is_plain() const;
    /// Whether others become the same for both.
    bool is_like(const FirstProfile& other) const;

    /// The image or its rows with the colours of that profile, which is said. Where that cannot be, it is said, too, and
    /// values stay as they are.
    Image take(Image image, const std::string& name, Notes& notes) const;
    RowSource take(RowSource rows, const std::string& name, Notes& notes) const;
    /// In its light, where both are known: codes become floats where the first image holds light.
    Image in_light(Image image, std::optional<Format> format) const;
    RowSource in_light(RowSource rows, std::optional<Format> format) const;

  private:
    FirstProfile() = default;
    void look(const Arguments& arguments);
    void look_at_stdin(const Arguments& arguments);
    void look_at(std::span<const std::byte> file, const Arguments& arguments);
    void know(std::vector<std::byte> icc, Format format, Depth depth);
    bool differs(const Form& form, const Metadata& metadata) const;
    void say_unknown(const Metadata& metadata, const std::string& name, Notes& notes) const;

    std::string first_; ///< empty: what says nothing
    bool is_known_ = false;
    std::vector<std::byte> icc_;
    ColourCurve curve_ = ColourCurve::unknown;
};

} // namespace glproc::cli
