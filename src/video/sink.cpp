#include "video/sink.hpp"

#include "glproc/files/codec.hpp"

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

class PicturesSink final : public FrameSink {
  public:
    explicit PicturesSink(NumberedName name) : name_(std::move(name)) {}
    void write(FrameData frame) override { save(std::get<Image>(frame.pixels), name_.of(++written_)); }
    void finish(std::vector<AvPacket>) override {}

  private:
    NumberedName name_;
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
    explicit PictureSink(std::string path) : path_(std::move(path)) {}
    void write(FrameData frame) override { save(std::get<Image>(frame.pixels), path_); }
    void finish(std::vector<AvPacket>) override {}

  private:
    std::string path_;
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

std::unique_ptr<FrameSink> write_pictures(const NumberedName& name) {
    return std::make_unique<PicturesSink>(name);
}

std::unique_ptr<FrameSink> write_animation(const std::string& path, AVRational time_base, FrameDelay usual) {
    return std::make_unique<AnimationSink>(path, time_base, usual);
}

std::unique_ptr<FrameSink> write_picture(const std::string& path) {
    return std::make_unique<PictureSink>(path);
}

std::unique_ptr<FrameSink> write_nothing(PlanesPool& pool) {
    return std::make_unique<NullSink>(pool);
}

} // namespace glproc::video
