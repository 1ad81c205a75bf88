#include "job/output/picture_output.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/shell_word.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/files/usable.hpp"
#include "glproc/op/picture_facts.hpp"
#include "glproc/op/plan.hpp"
#include "job/output/size_limit.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::job {

namespace {

/// Formats that can be written with or without loss.
bool keeps_all(Format format) {
    return format == Format::webp || format == Format::jxl;
}

bool has_quality(Format format) {
    return usual_quality(format).has_value();
}

} // namespace

PictureOutput::PictureOutput(Encoding told, OutputPlace place, FormatFlags flags)
    : told_(std::move(told)), place_(std::move(place)), format_(told_.format), flags_(flags) {
    if (format_.empty() && !place_.is_stdout()) {
        check_encodable(place_.path());
        format_ = place_.path();
    }
    check_encoding();
}

/// A flag that cannot have any effect is a mistake, except for the other pictures of a call.
void PictureOutput::check_encoding() {
    const std::optional<Format> format = format_of(format_);
    const auto check = [&](auto& value, bool fits, std::string_view flag, std::string_view title) {
        if (!format || !value || fits) {
            return;
        }
        if (flags_ == FormatFlags::must_apply) {
            throw Error(ErrorCode::usage,
                        fmt::format("--{} is for {}, which {} is not", flag, title, name()));
        }
        value = {};
    };
    const bool is_jpeg = format == Format::jpeg;
    check(told_.lossless, format && keeps_all(*format), "lossless", "WebP and JPEG XL");
    check(told_.quality, format && has_quality(*format), "quality", "JPEG, WebP, JPEG XL, HEIC and AVIF");
    check(told_.max_size, format && has_quality(*format), "max-size", "JPEG, WebP, JPEG XL, HEIC and AVIF");
    check(told_.subsampling, is_jpeg, "subsampling", "JPEG");
    check(told_.progressive, is_jpeg, "progressive", "JPEG");
    check(told_.keeps_tables, is_jpeg, "no-optimize", "JPEG");
    check(told_.png_level, format == Format::png, "png-level", "PNG");
    check(told_.colours, format == Format::png || format == Format::gif, "colors", "PNG and GIF");
    check(told_.compression, format == Format::tiff, "compression", "TIFF");
}

void PictureOutput::follow_format(Format format) {
    if (!format_.empty()) {
        return;
    }
    const std::vector<std::string> known = writable_extensions();
    if (std::find(known.begin(), known.end(), extension_of(format)) == known.end()) {
        throw Error(ErrorCode::usage,
                    fmt::format("stdout gets the format of the input, but {} cannot be written",
                                extension_of(format)),
                    fmt::format("name another format: --to {}", known.front()));
    }
    format_ = extension_of(format);
    try {
        check_encoding();
    } catch (const Error&) { // which is said to whoever asks again
        format_.clear();
        throw;
    }
}

/// What becomes of the form of the result in the file.
Form PictureOutput::written(Form form) const {
    form.channels = channels_written().of(form.channels);
    form.depth = told_.depth.value_or(form.depth);
    return form;
}

EncodeOptions PictureOutput::encode_options() {
    EncodeOptions options{.notes = &notes_};
    options.quality = told_.quality;
    options.subsampling = told_.subsampling.value_or(options.subsampling);
    options.progressive = told_.progressive;
    options.optimize = !told_.keeps_tables;
    options.png_level = told_.png_level.value_or(options.png_level);
    options.colours = told_.colours;
    options.compression = told_.compression.value_or(options.compression);
    options.lossless = told_.lossless;
    return options;
}

Image PictureOutput::finished(Image image) {
    const Form form = written(image.form());
    image = with_channels(std::move(image), channels_written());
    fit_metadata(form);
    const ColourCurve meant = written_transfer(form);
    if (needs_range(image.form(), form.depth) && !is_unit_) {
        if (const Interval range = range_in(image); range != Interval{}) {
            say_range(range, form.depth);
            image = keeps_values() ? std::move(image) : from_range(std::move(image), range);
        }
    }
    if (image.depth() == Depth::f32) { // before its values are codes
        image = with_transfer(std::move(image), transfer_, meant);
    }
    if (is_cut(image.depth(), form.depth)) {
        image = watched(std::move(image), [this] { say_cut(); });
    }
    const bool was_codes = image.depth() != Depth::f32 && form.depth == Depth::f32;
    image = with_depth(std::move(image), form.depth);
    image = was_codes ? with_transfer(std::move(image), transfer_, meant) : std::move(image);
    image.set_metadata(std::move(metadata_));
    return image;
}

void PictureOutput::write(Image image) {
    image = finished(std::move(image));
    if (pages_) {
        return pages_(image);
    }
    place_.write(told_.max_size ? encode_within(*told_.max_size, image, format_, encode_options(), name())
                                : encode(image, format_, encode_options()));
}

bool PictureOutput::takes_series(const SeriesInfo& series, const std::string& in) const {
    const bool fits = holds_series(format_, series.kind, series.format);
    if (!fits && series.kind == SeriesKind::pages) {
        throw Error(
            ErrorCode::usage,
            fmt::format("{}: {} pages do not fit into {}, which holds one image", in, series.count, name()),
            fmt::format("{} is the first of them, and a TIFF holds all", shell_word(first_page(in))));
    }
    if (fits && told_.max_size) {
        throw Error(ErrorCode::usage, "--max-size is for files of one image");
    }
    if (fits && told_.colours && format_of(format_) == Format::png) {
        throw Error(ErrorCode::usage, "--colors is for a PNG of one image, and for GIF");
    }
    return fits;
}

std::unique_ptr<SeriesWriter> PictureOutput::open_series(const SeriesInfo& like) {
    return place_.is_stdout()
               ? write_series(STDOUT_FILENO, format_, like, encode_options())
               : write_series(std::filesystem::path(place_.path()), format_, like, encode_options());
}

std::optional<PictureOutput::JpegJob> PictureOutput::jpeg_job(const Form& form) {
    if (format_of(format_) != Format::jpeg || told_.max_size || form.depth != Depth::u8 ||
        written(form) != form) {
        return std::nullopt;
    }
    fit_metadata(form);
    return JpegJob{metadata_, encode_options(), format_};
}

namespace {

/// Gathers the whole picture, as encoders want it.
class WholePicture final : public RowWriter {
  public:
    WholePicture(PictureOutput& output, const Form& form) : output_(output), rows_(form) {}

    void write(std::span<const std::byte> rows) override { rows_.write(rows); }

    void finish() override {
        rows_.finish();
        output_.write(std::move(rows_.image()));
    }

  private:
    PictureOutput& output_;
    ImageRows rows_;
};

} // namespace

std::unique_ptr<RowWriter> PictureOutput::gather(const Form& form) {
    return std::make_unique<WholePicture>(*this, form);
}

std::unique_ptr<RowWriter> PictureOutput::open(const Form& form) {
    const Form in_file = written(form);
    fit_metadata(in_file);
    std::unique_ptr<RowWriter> writer;
    if (pages_ || told_.max_size || (needs_range(form, in_file.depth) &&
                           !is_unit_)) { // several files are made of it, or all values are looked at
        return gather(form);
    }
    if (place_.is_stdout()) {
        writer = write_rows(STDOUT_FILENO, format_, in_file, metadata_, encode_options());
    } else if (format_ == place_.path()) {
        writer = write_rows(std::filesystem::path(place_.path()), in_file, metadata_, encode_options());
    }
    if (!writer) {
        return gather(form);
    }
    const ColourCurve meant = written_transfer(in_file);
    Form as_floats = in_file;
    as_floats.depth = Depth::f32;
    if (in_file.depth == Depth::f32 && form.depth != Depth::f32) {
        writer = with_transfer(std::move(writer), as_floats, transfer_, meant);
    }
    writer = with_depth(std::move(writer), in_file, form.depth);
    if (is_cut(form.depth, in_file.depth)) {
        writer = watched(std::move(writer), as_floats, [this] { say_cut(); });
    }
    if (form.depth == Depth::f32) {
        writer = with_transfer(std::move(writer), as_floats, transfer_, meant);
    }
    return with_channels(std::move(writer), form, channels_written());
}

} // namespace glproc::job
