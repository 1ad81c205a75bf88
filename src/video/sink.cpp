#include "video/sink.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/shell_word.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/transfer.hpp"
#include "glproc/image/made_profile.hpp"
#include "job/format_fit.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace glproc::video {

namespace {

class FilmSink final : public FrameSink {
  public:
    FilmSink(std::unique_ptr<FilmWriter> writer, PlanesPool& pool)
        : writer_(std::move(writer)), pool_(pool) {}

    const FilmFormat* planes() const override { return &writer_->format(); }

    void write(FrameData frame) override {
        for (AvPacket& packet : frame.packets) {
            writer_->copy(std::move(packet));
        }
        auto& planes = std::get<Planes>(frame.pixels);
        const Image* alpha = frame.alpha.width() > 0 ? &frame.alpha : nullptr;
        writer_->write(planes, alpha, frame.time, frame.duration, frame.properties.get());
        pool_.give(std::move(planes));
    }

    void finish(std::vector<AvPacket> rest) override {
        for (AvPacket& packet : rest) {
            writer_->copy(std::move(packet));
        }
        writer_->finish();
    }

    std::vector<std::string> notes() const override { return writer_->notes(); }
    std::vector<std::string> late_notes() const override { return writer_->late_notes(); }

  private:
    std::unique_ptr<FilmWriter> writer_;
    PlanesPool& pool_;
};

std::optional<Format> format_of_file(const std::string& path) {
    return format_of(std::filesystem::path(path).extension().string());
}

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
    const std::optional<Format> format = format_of_file(path);
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
    PicturesSink(NumberedName name, const FileForm& form) : name_(std::move(name)), form_(form) {}
    void write(FrameData frame) override {
        save_frame(std::get<Image>(std::move(frame.pixels)), name_.of(++written_), form_, notes_);
    }
    void finish(std::vector<AvPacket>) override {}
    std::vector<std::string> late_notes() const override { return notes_; }

  private:
    NumberedName name_;
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
        writer_->write(in_file(std::get<Image>(std::move(shown_->pixels)), form_), delay);
    }

    std::unique_ptr<SeriesWriter> writer_;
    FileForm form_;
    AVRational time_base_;
    FrameDelay usual_;
    std::optional<FrameData> shown_; ///< whose end is not yet known
};

class PictureSink final : public FrameSink {
  public:
    PictureSink(std::string path, const FileForm& form) : path_(std::move(path)), form_(form) {}
    void write(FrameData frame) override {
        save_frame(std::get<Image>(std::move(frame.pixels)), path_, form_, notes_);
    }
    void finish(std::vector<AvPacket>) override {}
    std::vector<std::string> late_notes() const override { return notes_; }

  private:
    std::string path_;
    FileForm form_;
    Notes notes_;
};

class NullSink final : public FrameSink {
  public:
    explicit NullSink(PlanesPool& pool) : pool_(pool) {}
    bool takes_nothing() const override { return true; }
    void write(FrameData frame) override {
        if (auto* planes = std::get_if<Planes>(&frame.pixels)) {
            pool_.give(std::move(*planes));
        }
    }
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

std::unique_ptr<FrameSink> write_film(std::unique_ptr<FilmWriter> writer, PlanesPool& pool) {
    return std::make_unique<FilmSink>(std::move(writer), pool);
}

std::unique_ptr<FrameSink> write_pictures(const NumberedName& name, const FileForm& form) {
    return std::make_unique<PicturesSink>(name, form);
}

std::unique_ptr<FrameSink> write_animation(const std::string& path, const FileForm& form,
                                           AVRational time_base, FrameDelay usual) {
    return std::make_unique<AnimationSink>(path, form, time_base, usual);
}

std::unique_ptr<FrameSink> write_picture(const std::string& path, const FileForm& form) {
    return std::make_unique<PictureSink>(path, form);
}

std::unique_ptr<FrameSink> write_nothing(PlanesPool& pool) {
    return std::make_unique<NullSink>(pool);
}

} // namespace glproc::video
