#include "cli/picture_output.hpp"

#include "glproc/error.hpp"
#include "glproc/image/memory_rows.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

/// The extension that --to names, with or without a dot, in any case.
std::string read_extension(std::string text) {
    text.erase(0, text.starts_with('.') ? 1 : 0);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
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
    return format == Format::jpeg || format == Format::heic || format == Format::avif || keeps_all(format);
}

} // namespace

PictureOutput::PictureOutput(const Arguments& arguments, std::string path) : place_(std::move(path)) {
    read_encoding(arguments);
    if (arguments.has("to")) {
        format_ = read_extension(arguments.value("to"));
    } else if (!place_.is_stdout()) {
        check_encodable(place_.path());
        format_ = place_.path();
    }
    check_encoding();
    place_.check(arguments, "picture");
}

void PictureOutput::read_encoding(const Arguments& arguments) {
    if (arguments.has("depth")) {
        depth_ = FieldText<Depth>::parse({"depth", "", {}}, arguments.value("depth"));
    }
    quality_ = read_integer(arguments, "quality", quality_limit);
    png_level_ = read_integer(arguments, "png-level", png_level_limit);
    lossless_ = arguments.has("lossless");
    strip_ = arguments.has("strip");
}

/// A flag that cannot have any effect is a mistake.
void PictureOutput::check_encoding() const {
    const std::optional<Format> format = format_of(format_);
    const auto refuse = [&](std::string_view flag, std::string_view title) {
        throw Error(ErrorCode::usage, fmt::format("--{} is for {}, and {} is none", flag, title, name()));
    };
    if (format && lossless_ && !keeps_all(*format)) {
        refuse("lossless", "WebP and JPEG XL");
    }
    if (format && quality_ && !has_quality(*format)) {
        refuse("quality", "JPEG");
    }
    if (format && png_level_ && *format != Format::png) {
        refuse("png-level", "PNG");
    }
}

void PictureOutput::follow_input(const std::string& path, std::span<const std::byte> bytes) {
    if (!format_.empty()) {
        return;
    }
    const std::optional<Format> told = sniff(bytes);
    format_ = extension_of(told ? *told : format_of(path).value()); // decode() has found one or the other
    const std::vector<std::string> known = writable_extensions();
    if (std::find(known.begin(), known.end(), format_) == known.end()) {
        throw Error(ErrorCode::usage,
                    fmt::format("stdout gets the format of the input, and no {} can be written", format_),
                    fmt::format("name another format: --to {}", known.front()));
    }
    check_encoding();
}

void PictureOutput::check(int channels, Depth depth) const {
    check_encodable(format_, channels, depth_.value_or(depth));
}

Depth PictureOutput::working_depth(Depth depth, bool takes_floats) const {
    if (!depth_) {
        return depth;
    }
    const Depth larger = std::max(*depth_, depth);
    return takes_floats ? larger : std::min(larger, Depth::u16);
}

Image PictureOutput::take_input(Image image, bool takes_floats) {
    check(image.channels(), image.depth());
    if (!strip_) {
        metadata_ = image.metadata();
    }
    const Depth depth = working_depth(image.depth(), takes_floats);
    return with_depth(std::move(image), depth);
}

RowSource PictureOutput::take_input(RowSource source, bool takes_floats) {
    check(source.form.channels, source.form.depth);
    if (!strip_) {
        metadata_ = source.metadata;
    }
    const Depth depth = working_depth(source.form.depth, takes_floats);
    return with_depth(std::move(source), depth);
}

EncodeOptions PictureOutput::encode_options() {
    EncodeOptions options{.notes = &notes_};
    options.quality = quality_.value_or(options.quality);
    options.png_level = png_level_.value_or(options.png_level);
    options.lossless = lossless_;
    return options;
}

void PictureOutput::write(Image image) {
    image = with_depth(std::move(image), depth_.value_or(image.depth()));
    image.set_metadata(std::move(metadata_));
    place_.write(encode(image, format_, encode_options()));
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
    Form written = form;
    written.depth = depth_.value_or(form.depth);
    std::unique_ptr<RowWriter> writer;
    if (place_.is_stdout()) {
        writer = write_rows(STDOUT_FILENO, format_, written, metadata_, encode_options());
    } else if (format_ == place_.path()) {
        writer = write_rows(std::filesystem::path(place_.path()), written, metadata_, encode_options());
    }
    return writer ? with_depth(std::move(writer), written, form.depth) : gather(form);
}

} // namespace glproc::cli
