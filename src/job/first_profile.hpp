// Further images of a call come in the ICC profile of the first one, and in its light.
#pragma once

#include "glproc/files/rows.hpp"
#include "glproc/files/transfer_curve.hpp"
#include "job/budget.hpp"

#include <span>
#include <string>
#include <vector>

namespace glproc::job {

class FirstProfile {
  public:
    /// Of the image in a file, or from stdin, which can be read again afterwards.
    FirstProfile(std::string first, const Reading& reading);
    /// Of one that is there.
    FirstProfile(std::string first, const Image& image);
    FirstProfile(std::string first, std::vector<std::byte> icc, ColourCurve curve);
    /// Of frames that say nothing of their colours.
    static FirstProfile srgb();

    /// Codes of sRGB: what says nothing else is like it.
    bool is_plain() const;
    ColourCurve curve() const { return curve_; }
    /// Whether others become the same for both.
    bool is_like(const FirstProfile& other) const;

    /// Another image, or its rows, in the first one's light where both are known: codes become floats
    /// where the first image holds light. And with the colours of its profile, which is said. Where that cannot be, it is said,
    /// too, and values stay as they are.
    Image fitted(Image image, const std::string& name, Notes& notes) const;
    RowSource fitted(RowSource rows, const std::string& name, Notes& notes) const;
    /// Whether that changes nothing.
    bool suits(const Form& form, const Metadata& metadata) const;

  private:
    FirstProfile() = default;
    void look(const Reading& reading);
    void look_at_stdin(const Reading& reading);
    void look_at(std::span<const std::byte> file, const Reading& reading);
    void know(const Form& form, const Metadata& metadata);
    bool differs(const Form& form, const Metadata& metadata) const;
    template <class Picture>
    Picture fit(Picture picture, const Form& form, const Metadata& metadata, const std::string& name, Notes& notes) const;
    void say_unknown(const Metadata& metadata, const std::string& name, Notes& notes) const;

    std::string first_; ///< empty: what says nothing
    bool is_known_ = false;
    std::vector<std::byte> icc_;
    ColourCurve curve_ = ColourCurve::unknown;
};

} // namespace glproc::job
