#include "video/write/sink.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/shell_word.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/transfer_curve.hpp"
#include "glproc/image/made_profile.hpp"
#include "job/format_fit.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc::video {

namespace {

/// A TIFF says by a profile what its floats are.
Image as_meant(Image image, Format format, ColourCurve curve) {
    const bool is_tiff = format == Format::tiff;
    image = with_transfer(std::move(image), curve,
                          is_tiff ? ColourCurve::srgb : transfer_of(format, Depth::f32, false));
    if (is_tiff) {
        Metadata metadata = image.metadata();
        metadata.icc = srgb_profile(image.channels() < 3);
        image.set_metadata(std::move(metadata));
    }
    return image;
}

Image in_file(Image image, const FileForm& form) {
    image = cli::with_channels(std::move(image), form.channels);
    return with_depth(std::move(image), form.depth.value_or(image.depth()));
}

/// Says what is lost of the first file where something is.
void save_frame(Image image, const std::string& path, const FileForm& form, Notes& notes) {
    image = in_file(std::move(image), form);
    const std::optional<Format> format = format_of(std::filesystem::path(path).extension().string());
    const bool is_meant = format && image.depth() == Depth::f32 && form.curve != ColourCurve::unknown;
    Notes own;
    save(is_meant ? as_meant(std::move(image), *format, form.curve) : std::move(image), path,
         {.notes = &own});
    if (notes.empty()) {
        notes = std::move(own);
    }
}

class PicturesSink final : public FrameSink {
  public:
    PicturesSink(std::string path, std::optional<NumberedName> each, const FileForm& form)
        : path_(std::move(path)), each_(std::move(each)), form_(form) {}
    void write(FrameData frame) override {
        save_frame(std::move(frame.image), each_ ? each_->of(++written_) : path_, form_, notes_);
    }
    void finish(std::vector<AvPacket>) override {}
    std::vector<std::string> late_notes() const override { return notes_; }

  private:
    std::string path_;
    std::optional<NumberedName> each_;
    FileForm form_;
    Notes notes_;
    std::int64_t written_ = 0;
};

/// A frame is shown until the next one begins: files say of frames what their packets last, in the order of
/// decoding.
class AnimationSink final : public FrameSink {
  public:
    AnimationSink(const std::string& path, const FileForm& form, AVRational time_base, FrameDelay usual)
        : writer_(write_series(std::filesystem::path(path), path, {.plays = 0})), form_(form),
          time_base_(time_base), usual_(usual) {}

    void write(FrameData frame) override {
        if (shown_) {
            put(frame.time - shown_->time);
        }
        shown_ = std::move(frame);
    }

    void finish(std::vector<AvPacket>) override {
        if (shown_) {
            put(shown_->duration);
        }
        writer_->finish();
    }

  private:
    void put(std::int64_t ticks) {
        const std::int64_t parts = ticks * time_base_.num;
        const FrameDelay delay =
            parts > 0 && parts <= UINT32_MAX
                ? FrameDelay{static_cast<std::uint32_t>(parts), static_cast<std::uint32_t>(time_base_.den)}
                : usual_;
        writer_->write(in_file(std::move(shown_->image), form_), delay);
    }

    std::unique_ptr<SeriesWriter> writer_;
    FileForm form_;
    AVRational time_base_;
    FrameDelay usual_;
    std::optional<FrameData> shown_; ///< whose end is not yet known
};

class NullSink final : public FrameSink {
  public:
    explicit NullSink(PlanesPool& pool) : pool_(pool) {}
    bool takes_nothing() const override { return true; }
    void write(FrameData frame) override { pool_.give(std::move(frame.planes)); }
    void finish(std::vector<AvPacket>) override {}

  private:
    PlanesPool& pool_;
};

/// The road by files that hold floats, for those who want codes.
Error refusal_of_floats(const Error& error, const std::string& path, const Form& result) {
    const std::filesystem::path name(path);
    const std::string end = name.extension().string().substr(1);
    const std::string floats = (name.parent_path() / ("floats-" + name.stem().string() + ".tif")).string();
    const std::optional<NumberedName> numbered = NumberedName::parse(floats);
    Form codes = result;
    codes.depth = Depth::u16;
    const char* depth =
        cli::is_encodable(path, codes) || cli::takes_as_colour(path, result.channels, Depth::u16) ? "16"
                                                                                                  : "8";
    const std::string to =
        numbered ? fmt::format("{} {}/ --to {}", numbered->glob(), end, end) : shell_word(path);
    return {error.code(), error.what(),
            fmt::format("write {} in its place, then: glproc convert {} --depth {}", shell_word(floats),
                        numbered ? to : shell_word(floats) + " " + to, depth)};
}

} // namespace

FileForm file_form(const std::string& path, const Form& result, ColourCurve curve, bool is_mask) {
    FileForm form{.curve = curve};
    if (cli::takes_as_floats(path, result)) {
        form = {.depth = Depth::f32, .curve = ColourCurve::srgb};
    } else if (is_mask) {
        form.depth = cli::codes_of_mask(path, result);
    }
    Form written = result;
    written.depth = form.depth.value_or(result.depth);
    form.channels.to_colour = cli::takes_as_colour(path, result.channels, form.depth);
    written.channels = form.channels.of(result.channels);
    try {
        check_encodable(path, written.channels, written.depth);
    } catch (const Error& error) {
        throw written.depth == Depth::f32 ? refusal_of_floats(error, path, written) : error;
    }
    return form;
}

FileForm animation_form(const std::string& path, int channels) {
    FileForm form{.depth = Depth::u8};
    form.channels.to_colour = cli::takes_as_colour(path, channels, Depth::u8);
    check_encodable(path, form.channels.of(channels), Depth::u8);
    return form;
}

std::unique_ptr<FrameSink> write_pictures(const std::string& path, const std::optional<NumberedName>& each,
                                          const FileForm& form) {
    return std::make_unique<PicturesSink>(path, each, form);
}

std::unique_ptr<FrameSink> write_animation(const std::string& path, const FileForm& form,
                                           AVRational time_base, FrameDelay usual) {
    return std::make_unique<AnimationSink>(path, form, time_base, usual);
}

std::unique_ptr<FrameSink> write_nothing(PlanesPool& pool) {
    return std::make_unique<NullSink>(pool);
}

} // namespace glproc::video
