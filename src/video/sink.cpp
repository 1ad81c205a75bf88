#include "video/sink.hpp"

#include "glproc/files/codec.hpp"
#include "glproc/files/transfer.hpp"
#include "glproc/image/made_profile.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <variant>

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

/// A TIFF says by a profile what its floats are.
void save_frame(Image image, const std::string& path, ColourCurve curve) {
    const std::string extension = std::filesystem::path(path).extension();
    const std::optional<Format> format = format_of(extension.substr(std::min<std::size_t>(extension.size(), 1)));
    if (format && image.depth() == Depth::f32 && curve != ColourCurve::unknown) {
        const bool is_tiff = *format == Format::tiff;
        image = with_transfer(std::move(image), curve, is_tiff ? ColourCurve::srgb : transfer_of(*format, Depth::f32, false));
        if (is_tiff) {
            Metadata metadata = image.metadata();
            metadata.icc = srgb_profile(image.channels() < 3);
            image.set_metadata(std::move(metadata));
        }
    }
    save(image, path);
}

class PicturesSink final : public FrameSink {
  public:
    PicturesSink(NumberedName name, ColourCurve curve) : name_(std::move(name)), curve_(curve) {}
    void write(FrameData frame) override { save_frame(std::get<Image>(std::move(frame.pixels)), name_.of(++written_), curve_); }
    void finish(std::vector<AvPacket>) override {}

  private:
    NumberedName name_;
    ColourCurve curve_;
    std::int64_t written_ = 0;
};

/// A frame is shown until the next one begins: files say of frames what their packets last, in the order of
/// decoding.
class AnimationSink final : public FrameSink {
  public:
    AnimationSink(const std::string& path, AVRational time_base, FrameDelay usual)
        : writer_(write_series(std::filesystem::path(path), path, {.plays = 0})), time_base_(time_base), usual_(usual) {}

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
        writer_->write(with_depth(std::get<Image>(std::move(shown_->pixels)), Depth::u8), delay);
    }

    std::unique_ptr<SeriesWriter> writer_;
    AVRational time_base_;
    FrameDelay usual_;
    std::optional<FrameData> shown_; ///< whose end is not yet known
};

class PictureSink final : public FrameSink {
  public:
    PictureSink(std::string path, ColourCurve curve) : path_(std::move(path)), curve_(curve) {}
    void write(FrameData frame) override { save_frame(std::get<Image>(std::move(frame.pixels)), path_, curve_); }
    void finish(std::vector<AvPacket>) override {}

  private:
    std::string path_;
    ColourCurve curve_;
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

} // namespace

std::unique_ptr<FrameSink> write_film(std::unique_ptr<FilmWriter> writer, PlanesPool& pool) {
    return std::make_unique<FilmSink>(std::move(writer), pool);
}

std::unique_ptr<FrameSink> write_pictures(const NumberedName& name, ColourCurve curve) {
    return std::make_unique<PicturesSink>(name, curve);
}

std::unique_ptr<FrameSink> write_animation(const std::string& path, AVRational time_base, FrameDelay usual) {
    return std::make_unique<AnimationSink>(path, time_base, usual);
}

std::unique_ptr<FrameSink> write_picture(const std::string& path, ColourCurve curve) {
    return std::make_unique<PictureSink>(path, curve);
}

std::unique_ptr<FrameSink> write_nothing(PlanesPool& pool) {
    return std::make_unique<NullSink>(pool);
}

} // namespace glproc::video
