// What is known of a picture beside its pixels: what its values mean, its profile, and what EXIF says of its
// size.
#include "cli/files/picture_output.hpp"

#include "glproc/image/exif.hpp"
#include "glproc/image/profile.hpp"
#include "glproc/math/srgb.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace glproc::cli {

void PictureOutput::keep(const Form& form, const Metadata& metadata, const PixelShape& shape) {
    if (strip_.value_or(Strip::none) != Strip::none) {
        metadata_.jpeg = metadata.jpeg; // which is no metadata of the file
        metadata_.icc = *strip_ == Strip::all ? std::vector<std::byte>{} : metadata.icc;
    } else {
        metadata_ = metadata;
        metadata_.fraction.reset();
        if (metadata_.density) {
            metadata_.density = shape.of(*metadata_.density);
        }
    }
    transfer_ =
        input_format_ ? transfer_of(*input_format_, form.depth, !metadata.icc.empty()) : ColourCurve::srgb;
    came_as_light_ = transfer_ == ColourCurve::linear;
}

/// What the file will mean by its values.
ColourCurve PictureOutput::written_transfer(const Form& in_file) const {
    const std::optional<Format> format = format_of(format_);
    return keeps_values_ || !format ? transfer_ : transfer_of(*format, in_file.depth, !metadata_.icc.empty());
}

/// The colour of --background among the values that are worked on.
std::optional<Colour> PictureOutput::background() const {
    if (!background_ || transfer_ == ColourCurve::srgb || keeps_values_) {
        return background_;
    }
    return Colour{linear_of_srgb(background_->red), linear_of_srgb(background_->green),
                  linear_of_srgb(background_->blue)};
}

namespace {

bool holds_profile(Format format) {
    constexpr std::array without{Format::pnm, Format::pfm, Format::bmp,
                                 Format::tga, Format::hdr, Format::exr};
    return std::find(without.begin(), without.end(), format) == without.end();
}

} // namespace

/// What was said about the input becomes true of the picture in the file.
void PictureOutput::fit_metadata(const Form& form) {
    fit_exif(metadata_.exif, form.width, form.height);
    const std::optional<Format> format = format_of(format_);
    if (metadata_.icc.empty() || !format) {
        return;
    }
    const bool fits = fits_channels(metadata_.icc, form.channels);
    const bool is_lost = !fits || !holds_profile(*format);
    if (is_lost && !names_srgb(metadata_.icc)) {
        notes_.push_back(
            fits ? fmt::format("{}: {} cannot store the ICC profile, so colours change",
                               name(), extension_of(*format))
                 : fmt::format("{}: the ICC profile does not suit {}; it is left out", name(),
                               form.channels < 3 ? "grey" : "colours"));
    }
    if (is_lost) {
        metadata_.icc.clear();
    }
}

} // namespace glproc::cli
