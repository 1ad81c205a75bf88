#include "glproc/files/series.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/admission.hpp"
#include "glproc/files/formats.hpp"
#include "glproc/files/output.hpp"
#include "glproc/files/series/allowance.hpp"
#include "glproc/files/series/canvas.hpp"
#include "glproc/files/series/writers.hpp"
#include "glproc/image/metadata.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

std::optional<Format> admitted_format(std::span<const std::byte> file, Parsing parsing,
                                      std::string_view name) {
    const std::optional<Format> format = sniff(file);
    if (format)
        check_admitted(*format, parsing, name);
    return format;
}

} // namespace

namespace codecs {

std::unique_ptr<Parts> parts_of(Format format, const Source& source) {
    switch (format) {
    case Format::gif:
        return gif_parts(source);
    case Format::webp:
        return webp_parts(source);
    case Format::png:
        return apng_parts(source);
    default:
        return nullptr;
    }
}

namespace {

/// The facts of all frames together, without any pixel.
struct Survey {
    SeriesInfo info;
    bool is_cut = false;      ///< the file is broken after those
    bool leaves_gaps = false; ///< the canvas may be seen through them
};

/// Nothing where there are fewer than `least`.
std::optional<Survey> survey(Format format, const Source& source, int least = 2) {
    Source quiet = source;
    quiet.notes = nullptr;
    Survey survey{.info = {.format = format}};
    std::unique_ptr<Parts> parts;
    bool is_broken = false; // rather than cut off
    try {
        parts = parts_of(format, quiet);
        if (parts == nullptr)
            return std::nullopt;
        while (const std::optional<FramePart> part = parts->next()) {
            const bool covers =
                part->place == FramePlace{0, 0, parts->canvas().width, parts->canvas().height};
            survey.leaves_gaps = survey.leaves_gaps || part->disposal == Disposal::clear ||
                                 (survey.info.count == 0 && (!covers || part->disposal == Disposal::restore));
            survey.info.seconds += part->delay.seconds();
            ++survey.info.count;
        }
    } catch (const Error& error) {
        if (parts == nullptr && format != Format::png)
            throw;
        survey.is_cut = true;
        survey.info.damage = std::string_view(error.what()).substr(source.name.size() + 2);
        is_broken = std::string_view(error.what()).find("truncated") == std::string_view::npos;
    }
    if (parts == nullptr || (is_broken && format == Format::png && survey.info.count < 2))
        return std::nullopt; // then it is a still picture, as for programs that know no animations
    survey.info.plays = parts->plays();
    // Of a broken one nobody knows how many there were.
    return survey.info.count >= least || survey.is_cut ? std::optional(std::move(survey)) : std::nullopt;
}

class Animation final : public PictureSeries {
  public:
    Animation(const Source& source, std::string name, Survey survey)
        : name_(std::move(name)), source_(source), survey_(std::move(survey)) {
        source_.name = name_;
        parts_ = parts_of(survey_.info.format, source_);
        const auto width = static_cast<std::uint64_t>(parts_->canvas().width);
        const auto height = static_cast<std::uint64_t>(parts_->canvas().height);
        check_size(source_, width, height, PixelAllowance::paid_pixels);
        PixelAllowance(source_).take(width, height, survey_.info.count);
        Metadata metadata = sound(source_, parts_->metadata());
        orientation_ = orientation_of(metadata.exif);
        reset_orientation(metadata, orientation_);
        metadata.format = survey_.info.format;
        survey_.info.metadata = std::move(metadata);
    }

    const SeriesInfo& info() const override { return survey_.info; }

    std::optional<SeriesPicture> next() override {
        const std::optional<FramePart> part = put_next();
        if (!part)
            return std::nullopt;
        SeriesPicture picture{seen(), part->delay};
        canvas_->dispose();
        return picture;
    }

    Image at(int number, std::string_view name, Notes* notes) override {
        name_ = name;
        source_.name = name_;
        source_.notes = notes;
        while (read_ < number) {
            if (!put_next())
                fail(source_, fmt::format("there is no image {}", number));
        }
        return seen();
    }

  private:
    /// Onto the canvas. Nothing at the end.
    std::optional<FramePart> put_next() {
        std::optional<FramePart> part = parts_->next();
        if (!part)
            return std::nullopt;
        const Image frame = decode(parts_->file(), name_, {.max_pixels = source_.max_pixels});
        if (frame.width() != part->place.width || frame.height() != part->place.height)
            fail(source_, "corrupt: a frame is not as large as the file says");
        if (!canvas_)
            canvas_.emplace(parts_->canvas(), frame.channels() < 3 ? 2 : 4, frame.depth());
        canvas_->put(*part, frame);
        if (!with_alpha_)
            with_alpha_ = survey_.leaves_gaps || parts_->has_alpha().value_or(!canvas_->is_opaque());
        ++read_;
        return part;
    }

    Image seen() const {
        Image image = canvas_->seen(*with_alpha_);
        image = orientation_ == 1 ? std::move(image) : upright(std::move(image), orientation_);
        image.set_metadata(survey_.info.metadata);
        return image;
    }

    std::string name_;
    Source source_;
    Survey survey_;
    std::unique_ptr<Parts> parts_;
    std::optional<Canvas> canvas_;
    std::optional<bool> with_alpha_;
    int read_ = 0;
    int orientation_ = 1;
};

} // namespace

std::unique_ptr<PictureSeries> open_frames(std::span<const std::byte> file, std::string_view name,
                                           const DecodeOptions& options) {
    const Source source{file, name, options.max_pixels};
    const std::optional<Format> format = admitted_format(file, Parsing::pixels, name);
    std::optional<Survey> found = format ? survey(*format, source, 1) : std::nullopt;
    return found ? std::make_unique<Animation>(source, std::string(name), std::move(*found)) : nullptr;
}

bool has_broken_frames(const Source& source) {
    return !survey(sniff(source.bytes).value_or(Format::png), source, 1);
}

} // namespace codecs

std::optional<SeriesInfo> inspect_series(std::span<const std::byte> file, std::string_view name) {
    const codecs::Source source{file, name, DecodeOptions{}.max_pixels};
    const std::optional<Format> format = admitted_format(file, Parsing::header, name);
#ifdef GLPROC_WITH_TIFF
    if (format == Format::tiff)
        return codecs::inspect_tiff_pages(source);
#endif
    std::optional<codecs::Survey> survey = format ? codecs::survey(*format, source) : std::nullopt;
    return survey ? std::optional(std::move(survey->info)) : std::nullopt;
}

std::unique_ptr<PictureSeries> open_series(std::span<const std::byte> file, std::string_view name,
                                           const DecodeOptions& options) {
    codecs::Source source{file, name, options.max_pixels, options.notes};
    source.keep_partial = options.keep_partial;
    const std::optional<Format> format = admitted_format(file, Parsing::pixels, name);
#ifdef GLPROC_WITH_TIFF
    if (format == Format::tiff)
        return codecs::tiff_pages(source);
#endif
    std::optional<codecs::Survey> survey = format ? codecs::survey(*format, source) : std::nullopt;
    return survey ? std::make_unique<codecs::Animation>(source, std::string(name), std::move(*survey))
                  : nullptr;
}

namespace {

/// Nothing where the file does not say it, and of what is no regular file.
std::optional<Format> format_of(const OpenFile& file, std::string_view name) {
    if (!file.regular())
        return std::nullopt;
    const codecs::Source source{{}, name, DecodeOptions{}.max_pixels, nullptr, &file};
    std::array<std::byte, 16> start{};
    return sniff(std::span(start).first(source.read_at(0, start)));
}

} // namespace

#ifdef GLPROC_WITH_TIFF
bool has_pages_in_file(const OpenFile& file, std::string_view name) {
    return format_of(file, name) == Format::tiff;
}

std::optional<SeriesInfo> inspect_series(const OpenFile& file, std::string_view name) {
    check_admitted(Format::tiff, Parsing::header, name);
    return codecs::inspect_tiff_pages({{}, name, DecodeOptions{}.max_pixels, nullptr, &file});
}

std::unique_ptr<PictureSeries> open_series(std::shared_ptr<const OpenFile> file, std::string_view name,
                                           const DecodeOptions& options) {
    check_admitted(Format::tiff, Parsing::pixels, name);
    codecs::Source source{{}, name, options.max_pixels, options.notes, file.get()};
    return codecs::tiff_pages(source, std::move(file));
}
#else
bool has_pages_in_file(const OpenFile&, std::string_view) { return false; }

std::optional<SeriesInfo> inspect_series(const OpenFile&, std::string_view) { return std::nullopt; }

std::unique_ptr<PictureSeries> open_series(std::shared_ptr<const OpenFile>, std::string_view,
                                           const DecodeOptions&) {
    return nullptr;
}
#endif

bool may_hold_series(const std::filesystem::path& path) {
    return may_hold_series(OpenFile(path), path.native());
}

bool may_hold_series(const OpenFile& file, std::string_view name) {
    if (!file.regular())
        return false;
    const codecs::Source source{{}, name, DecodeOptions{}.max_pixels, nullptr, &file};
    const Format format = format_of(file, name).value_or(Format::jpeg);
    check_admitted(format, Parsing::header, source.name);
    switch (format) {
    case Format::gif:
    case Format::webp:
        return true;
    case Format::png:
        return codecs::begins_as_apng(source);
#ifdef GLPROC_WITH_TIFF
    case Format::tiff:
        return codecs::begins_as_tiff_pages(source);
#endif
    default:
        return false;
    }
}

namespace {

struct SeriesFormat {
    std::string_view extension;
    SeriesKind kind;
    std::unique_ptr<SeriesWriter> (*open)(codecs::SeriesJob);
};

constexpr std::array series_formats{
    SeriesFormat{"gif", SeriesKind::frames, codecs::gif_series},
    SeriesFormat{"apng", SeriesKind::frames, codecs::apng_series},
    SeriesFormat{"png", SeriesKind::frames, codecs::apng_series},
    SeriesFormat{"webp", SeriesKind::frames, codecs::webp_series},
#ifdef GLPROC_WITH_TIFF
    SeriesFormat{"tif", SeriesKind::pages, codecs::tiff_series},
    SeriesFormat{"tiff", SeriesKind::pages, codecs::tiff_series},
#endif
};

const SeriesFormat* series_format(std::string_view name) {
    const std::string extension = codecs::extension_in(name);
    const auto* found = std::ranges::find_if(
        series_formats, [&](const SeriesFormat& one) { return one.extension == extension; });
    return found == series_formats.end() ? nullptr : found;
}

std::unique_ptr<SeriesWriter> open_writer(std::string_view format, codecs::SeriesJob job) {
    const SeriesFormat* found = series_format(format);
    if (found == nullptr)
        throw Error(ErrorCode::usage, fmt::format("{}: holds a single image", job.name));
    return found->open(std::move(job));
}

} // namespace

bool holds_series(std::string_view name, SeriesKind kind, std::optional<Format> from) {
    const SeriesFormat* found = series_format(name);
    return found != nullptr && found->kind == kind && (found->extension != "png" || from == Format::png);
}

std::unique_ptr<SeriesWriter> write_series(const std::filesystem::path& path, std::string_view format,
                                           const SeriesInfo& like, const EncodeOptions& options) {
    return open_writer(format, {path.native(), like.plays, like.count, options, codecs::file_output(path)});
}

std::unique_ptr<SeriesWriter> write_series(int descriptor, std::string_view format, const SeriesInfo& like,
                                           const EncodeOptions& options) {
    return open_writer(
        format, {"stdout", like.plays, like.count, options, codecs::descriptor_output(descriptor, "stdout")});
}

} // namespace glproc
