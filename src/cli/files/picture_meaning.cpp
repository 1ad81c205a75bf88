// What is known of a picture beside its pixels: what its values mean, its profile, and what EXIF says of its
// size.
#include "cli/files/picture_output.hpp"

#include "glproc/image/descriptions.hpp"
#include "glproc/image/exif.hpp"
#include "glproc/image/made_profile.hpp"
#include "glproc/image/profile.hpp"
#include "glproc/math/srgb.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace glproc::cli {

void PictureOutput::keep(const Metadata& metadata, const PixelShape& shape) {
    if (strip_.value_or(Strip::none) != Strip::none) {
        metadata_.jpeg = metadata.jpeg; // which is no metadata of the file
        metadata_.icc = *strip_ == Strip::all ? std::vector<std::byte>{} : metadata.icc;
    } else {
        metadata_ = metadata;
        metadata_.fraction.reset();
        if (metadata_.density) {
            metadata_.density = is_calibrated(metadata_) ? shape.measured(*metadata_.density) : shape.of(*metadata_.density);
        }
    }
}

/// What the file will mean by its values. A TIFF says it by a profile.
Light PictureOutput::written_light(const Form& in_file) const {
    const std::optional<Format> format = format_of(format_);
    if (keeps_values_ || !format || result_.light == Light::unknown) {
        return result_.light;
    }
    return format == Format::tiff ? Light::encoded : light_in(*format, in_file, !metadata_.icc.empty());
}

/// Whether numbers become codes, for which their range has to be known.
bool PictureOutput::loses_range(const Form& form, Depth to) const {
    return form.depth == Depth::f32 && to != Depth::f32 && form.light == Light::unknown && !keeps_values_;
}

void PictureOutput::say_range(const Interval& range, Depth to) {
    notes_.push_back(fmt::format("{}: values from {:.6g} to {:.6g} become 0 to {}", name(), range.low, range.high,
                                 max_code(to)));
}

/// The colour of --flatten among the values that are worked on.
std::optional<Colour> PictureOutput::background() const {
    if (!background_ || result_.light != Light::linear || keeps_values_) {
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

/// What only some formats have a place for.
void PictureOutput::fit_to_format(Format format) {
    const auto lose = [&](auto& block, bool is_held, std::string_view what) {
        if (!block.empty() && !is_held) {
            notes_.push_back(fmt::format("{}: {} cannot store {}, left out", name(), extension_of(format), what));
            block.clear();
        }
    };
    lose(metadata_.iptc, format == Format::jpeg || format == Format::tiff, "IPTC captions");
    lose(metadata_.place, format == Format::tiff, "the place on Earth");
    const bool is_measure = metadata_.density && metadata_.density->unit == Density::Unit::none && metadata_.density->x == metadata_.density->y;
    if (is_measure && format != Format::tiff) { // elsewhere only the proportion counts
        metadata_.density.reset();
    }
}

/// What was said about the input becomes true of the picture in the file.
void PictureOutput::fit_metadata(const Form& form) {
    fit_exif(metadata_.exif, form.width, form.height);
    for (const std::string& what : fit_descriptions(metadata_, {source_, form, moves_, is_series_})) {
        notes_.push_back(fmt::format("{}: left out is {}", name(), what));
    }
    const std::optional<Format> format = format_of(format_);
    if (format) {
        fit_to_format(*format);
    }
    if (metadata_.icc.empty() && format == Format::tiff && form.depth == Depth::f32 && !keeps_values_ &&
        result_.light != Light::unknown && strip_ != Strip::all) {
        metadata_.icc = srgb_profile(form.channels < 3); // or nobody could tell what its floats are
    }
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
