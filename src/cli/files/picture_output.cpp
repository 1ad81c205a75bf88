#include "cli/files/picture_output.hpp"

#include "cli/files/film_command.hpp"
#include "cli/files/size_limit.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/files/usable.hpp"
#include "glproc/op/picture_facts.hpp"
#include "glproc/op/plan.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

/// The extension that --to names, with or without a dot, in any case.
std::string read_extension(std::string text) {
    text.erase(0, text.starts_with('.') ? 1 : 0);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (is_lacking(text)) {
        check_encodable(text); // says which module
    }
    const std::vector<std::string> known = writable_extensions();
    return known[parse_choice("to", text, known)];
}

std::optional<int> read_integer(const Arguments& arguments, const std::string& flag, const Limit& limit) {
    if (!arguments.has(flag)) {
        return std::nullopt;
    }
    return parse_integer({flag, "", limit}, arguments.value(flag));
}

/// Formats that can be written with or without loss.
bool keeps_all(Format format) {
    return format == Format::webp || format == Format::jxl;
}

bool has_quality(Format format) {
    return usual_quality(format).has_value();
}

} // namespace

PictureOutput::PictureOutput(const Arguments& arguments, std::string path, FormatFlags flags)
    : PictureOutput(arguments, std::move(path), flags, Unchecked{}) {
    place_.check(arguments, "image");
}

void PictureOutput::check_flags(const Arguments& arguments, const std::string& path) {
    static_cast<void>(PictureOutput(arguments, path, FormatFlags::must_apply, Unchecked{}));
}

PictureOutput::PictureOutput(const Arguments& arguments, std::string path, FormatFlags flags,
                             Unchecked /*place*/)
    : place_(std::move(path)), flags_(flags), fits_format_(arguments.has("fit-format")) {
    read_encoding(arguments);
    if (const std::optional<std::string> format = arguments.format()) {
        format_ = read_extension(*format);
    } else if (!place_.is_stdout()) {
        try {
            check_encodable(place_.path());
        } catch (const Error& error) {
            throw names_film(place_.path())
                ? Error(error.code(), fmt::format("{}: a video, not an image", place_.path()),
                        film_hint(arguments.command->name))
                : error;
        }
        format_ = place_.path();
    }
    check_encoding();
}

void PictureOutput::read_encoding(const Arguments& arguments) {
    if (arguments.has("depth")) {
        depth_ = FieldText<Depth>::parse({"depth", "", {}}, arguments.value("depth"));
    }
    quality_ = read_integer(arguments, "quality", quality_limit);
    png_level_ = read_integer(arguments, "png-level", png_level_limit);
    colours_ = read_integer(arguments, "colors", colours_limit);
    if (arguments.has("compression")) {
        compression_ =
            FieldText<TiffCompression>::parse({"compression", "", {}}, arguments.value("compression"));
    }
    if (arguments.has("subsampling")) {
        subsampling_ = FieldText<Subsampling>::parse({"subsampling", "", {}}, arguments.value("subsampling"));
    }
    progressive_ = arguments.has("progressive");
    keeps_tables_ = arguments.has("no-optimize");
    lossless_ = arguments.has("lossless");
    if (arguments.has("max-size")) {
        max_size_ = parse_size_limit(arguments.value("max-size"));
        if (quality_ || lossless_) {
            throw Error(ErrorCode::usage, fmt::format("--max-size and --{} cannot be given together",
                                                      quality_ ? "quality" : "lossless"));
        }
    }
    take_background(arguments);
    is_grey_ = arguments.has("gray");
    if (arguments.command->op != nullptr && arguments.command->op->strips) {
        strip_ = Strip::profile_stays;
    }
    if (arguments.has("strip")) {
        strip_ = FieldText<Strip>::parse({"strip", "", {}}, arguments.value("strip"));
    }
    if (arguments.has("transfer")) {
        const auto rule = FieldText<TransferRule>::parse({"transfer", "", {}}, arguments.value("transfer"));
        keeps_values_ = rule == TransferRule::keep;
        told_transfer_ = rule == TransferRule::linear ? std::optional(ColourCurve::linear)
                         : rule == TransferRule::srgb ? std::optional(ColourCurve::srgb)
                                                      : std::nullopt;
    }
}

/// Operations with a background of their own need it for the file only where that cannot hold alpha.
void PictureOutput::take_background(const Arguments& arguments) {
    const Flag* flag = find_flag(arguments.command->flags, "--background");
    const bool is_own = flag != nullptr && flag->group.empty();
    const std::string name = arguments.has("flatten") ? "flatten" : "background";
    if (!arguments.has(name)) {
        return;
    }
    const Colour colour = FieldText<Colour>::parse({name, "", {}}, arguments.value(name));
    if (is_own && name == "background") {
        background_at_need_ = colour.alpha == 1 ? std::optional(colour) : std::nullopt;
        return;
    }
    if (colour.alpha != 1) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} {} is transparent itself", name, arguments.value(name)),
                    fmt::format("choose an opaque colour, such as --{} white", name));
    }
    background_ = colour;
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
    check(lossless_, format && keeps_all(*format), "lossless", "WebP and JPEG XL");
    check(quality_, format && has_quality(*format), "quality", "JPEG, WebP, JPEG XL, HEIC and AVIF");
    check(max_size_, format && has_quality(*format), "max-size", "JPEG, WebP, JPEG XL, HEIC and AVIF");
    check(subsampling_, is_jpeg, "subsampling", "JPEG");
    check(progressive_, is_jpeg, "progressive", "JPEG");
    check(keeps_tables_, is_jpeg, "no-optimize", "JPEG");
    check(png_level_, format == Format::png, "png-level", "PNG");
    check(colours_, format == Format::png || format == Format::gif, "colors", "PNG and GIF");
    check(compression_, format == Format::tiff, "compression", "TIFF");
}

void PictureOutput::follow_format(Format format) {
    if (!format_.empty()) {
        return;
    }
    const std::vector<std::string> known = writable_extensions();
    if (std::find(known.begin(), known.end(), extension_of(format)) == known.end()) {
        throw Error(ErrorCode::usage,
                    fmt::format("stdout gets the format of the input, but {} cannot be written", extension_of(format)),
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
    form.depth = depth_.value_or(form.depth);
    return form;
}

EncodeOptions PictureOutput::encode_options() {
    EncodeOptions options{.notes = &notes_};
    options.quality = quality_;
    options.subsampling = subsampling_.value_or(options.subsampling);
    options.progressive = progressive_;
    options.optimize = !keeps_tables_;
    options.png_level = png_level_.value_or(options.png_level);
    options.colours = colours_;
    options.compression = compression_.value_or(options.compression);
    options.lossless = lossless_;
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
            image = keeps_values_ ? std::move(image) : from_range(std::move(image), range);
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
    place_.write(max_size_ ? encode_within(*max_size_, image, format_, encode_options(), name())
                           : encode(image, format_, encode_options()));
}

bool PictureOutput::takes_series(const SeriesInfo& series, const std::string& in) const {
    const bool fits = holds_series(format_, series.kind, series.format);
    if (!fits && series.kind == SeriesKind::pages) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: {} pages do not fit into {}, which holds one image", in, series.count, name()),
                    fmt::format("{} is the first of them, and a TIFF holds all", shell_word(first_page(in))));
    }
    if (fits && max_size_) {
        throw Error(ErrorCode::usage, "--max-size is for files of one image");
    }
    if (fits && colours_ && format_of(format_) == Format::png) {
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
    if (format_of(format_) != Format::jpeg || max_size_ || form.depth != Depth::u8 || written(form) != form) {
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
    if (max_size_ || (needs_range(form, in_file.depth) && !is_unit_)) { // several files are made of it, or all values are looked at
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

} // namespace glproc::cli
