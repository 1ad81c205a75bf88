// What is known of a picture beside its pixels: what its values mean, its profile, and what EXIF says of its
// size.
#include "job/output/picture_output.hpp"

#include "glproc/image/descriptions.hpp"
#include "glproc/image/exif.hpp"
#include "glproc/image/made_profile.hpp"
#include "glproc/image/profile.hpp"
#include "glproc/op/picture_facts.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace glproc::job {

/// Of the values of IN.
ColourCurve PictureOutput::curve_of(const Form& form, const Metadata& metadata) const {
    const ColourCurve own = metadata.format ? glproc::curve_of(form, metadata) : ColourCurve::srgb;
    const ColourCurve told = told_.transfer == TransferRule::linear ? ColourCurve::linear
                             : told_.transfer == TransferRule::srgb ? ColourCurve::srgb
                                                                    : own;
    return form.depth == Depth::f32 ? told : own;
}

void PictureOutput::keep(const Metadata& metadata, const PixelShape& shape) {
    shape_ = shape;
    if (told_.strip.value_or(Strip::none) != Strip::none) {
        metadata_.jpeg = metadata.jpeg; // which is no metadata of the file
        metadata_.icc = *told_.strip == Strip::all ? std::vector<std::byte>{} : metadata.icc;
    } else {
        metadata_ = metadata;
        metadata_.fraction.reset();
        if (metadata_.density) {
            metadata_.density =
                is_measured(metadata_) ? shape.of_measured(*metadata_.density) : shape.of(*metadata_.density);
        }
    }
    range_ = metadata.range;
    metadata_.range.reset();
}

/// Values that the operation makes may mean something else than those that came in.
void PictureOutput::forget_input() {
    transfer_ = curve_after(meaning_, transfer_);
    if (meaning_ != Meaning::kept || !keeps_range_) {
        range_.reset();
    }
}

void PictureOutput::take_meaning(Meaning meaning) {
    meaning_ = meaning;
    is_unit_ = meaning != Meaning::numbers;
    forget_input();
}

/// What the file will mean by its values. A TIFF says it by a profile.
ColourCurve PictureOutput::written_transfer(const Form& in_file) const {
    const std::optional<Format> format = format_of(format_);
    if (keeps_values() || !format || transfer_ == ColourCurve::unknown) {
        return transfer_;
    }
    return format == Format::tiff ? ColourCurve::srgb
                                  : transfer_of(*format, in_file.depth, !metadata_.icc.empty());
}

/// Whether numbers become codes, for which one has to know where they lie.
bool PictureOutput::needs_range(const Form& form, Depth to) const {
    return form.depth == Depth::f32 && to != Depth::f32 && transfer_ == ColourCurve::unknown && !is_mask_;
}

void PictureOutput::say_range(const Interval& range, Depth to) {
    if (keeps_values()) {
        notes_.push_back(fmt::format(
            "{}: values from {:.6g} to {:.6g}{} are kept as they are, and clipped below 0 and above 1",
            name(), range.low, range.high, range_ ? ", which is all that their type holds," : ""));
        return;
    }
    notes_.push_back(fmt::format("{}: values from {:.6g} to {:.6g}{} become 0 to {}", name(), range.low,
                                 range.high, range_ ? ", which is all that their type holds," : "",
                                 max_code(to)));
}

/// Whether values below 0 and above 1 end there, of which say_range() has said nothing.
bool PictureOutput::is_cut(Depth from, Depth to) const {
    return from == Depth::f32 && to != Depth::f32 && !is_mask_ &&
           !(keeps_values() && transfer_ == ColourCurve::unknown);
}

/// A picture may be looked at twice before it is written.
void PictureOutput::note_once(const std::string& what) {
    if (std::find(notes_.begin(), notes_.end(), what) == notes_.end()) {
        notes_.push_back(what);
    }
}

void PictureOutput::say_cut() {
    note_once(fmt::format("{}: values below 0 or above 1 are cut", name()));
}

/// The colour of --background among the values that are worked on.
std::optional<Colour> PictureOutput::background() const {
    if (!told_.background || transfer_ != ColourCurve::linear || keeps_values()) {
        return told_.background;
    }
    return light_of(*told_.background);
}

namespace {

bool holds_profile(Format format) {
    constexpr std::array without{Format::pnm, Format::pfm, Format::bmp,
                                 Format::tga, Format::hdr, Format::exr};
    return std::find(without.begin(), without.end(), format) == without.end();
}

bool holds_iptc(Format format) {
    return format == Format::jpeg || format == Format::png || format == Format::tiff;
}

} // namespace

/// What was said about the input becomes true of the picture in the file.
void PictureOutput::fit_metadata(const Form& form) {
    fit_exif(metadata_.exif, form.width, form.height);
    const PixelChange change{source_, form, moves_, images_, stack_, 1 / shape_.across, 1 / shape_.down, shape_.turned};
    for (const std::string& what : fit_descriptions(metadata_, change)) {
        notes_.push_back(fmt::format("{}: leaves out {}", name(), what));
    }
    const std::optional<Format> format = format_of(format_);
    const auto& density = metadata_.density;
    if (format && format != Format::tiff && density && density->unit == Density::Unit::none &&
        density->x == density->y) {
        metadata_.density.reset(); // elsewhere only the proportion counts
    }
    if (!format) {
        return;
    }
    if (meaning_ == Meaning::numbers && form.depth == Depth::f32) {
        leave_profile_out();
    }
    if (transfer_ == ColourCurve::unknown && form.depth == Depth::f32 &&
        (format == Format::jxl || format == Format::hdr)) {
        note_once(fmt::format(
            "{}: its values are numbers, which {} keeps inexactly; TIFF, PFM and OpenEXR keep them", name(),
            *format == Format::jxl ? "JPEG XL" : "Radiance HDR"));
    }
    fit_profile(*format, form);
    if (!metadata_.iptc.empty() && !holds_iptc(*format)) {
        notes_.push_back(fmt::format("{}: {} cannot store captions of IPTC; they are left out", name(),
                                     extension_of(*format)));
        metadata_.iptc.clear();
    }
    if (metadata_.icc.empty() && format == Format::tiff && form.depth == Depth::f32 && !keeps_values() &&
        transfer_ != ColourCurve::unknown && told_.strip != Strip::all) {
        metadata_.icc = srgb_profile(form.channels < 3); // or nobody could tell what its floats are
    }
}

/// It would say of numbers that they are colours.
void PictureOutput::leave_profile_out() {
    if (!metadata_.icc.empty() && !names_srgb(metadata_.icc)) {
        notes_.push_back(fmt::format("{}: its values are numbers, so the ICC profile is left out", name()));
    }
    metadata_.icc.clear();
}

void PictureOutput::fit_profile(Format format, const Form& form) {
    if (metadata_.icc.empty()) {
        return;
    }
    const bool fits = fits_channels(metadata_.icc, form.channels);
    const bool is_lost = !fits || !holds_profile(format);
    if (is_lost && !names_srgb(metadata_.icc)) {
        notes_.push_back(fits ? fmt::format("{}: {} cannot store the ICC profile, so colours change", name(),
                                            extension_of(format))
                              : fmt::format("{}: the ICC profile does not suit {}; it is left out", name(),
                                            form.channels < 3 ? "grey" : "colours"));
    }
    if (is_lost) {
        metadata_.icc.clear();
    }
}

} // namespace glproc::job
