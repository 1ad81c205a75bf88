#include "video/sink.hpp"

#include "glproc/files/codec.hpp"

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
        writer_->write(planes, frame.time, frame.duration, frame.properties.get());
        pool_.give(std::move(planes));
    }

    void finish(std::vector<AvPacket> rest) override {
        for (AvPacket& packet : rest) {
            writer_->copy(std::move(packet));
        }
        writer_->finish();
    }

    std::vector<std::string> notes() const override { return writer_->notes(); }

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

class PictureSink final : public FrameSink {
  public:
    explicit PictureSink(std::string path) : path_(std::move(path)) {}
    void write(FrameData frame) override { save(std::get<Image>(frame.pixels), path_); }
    void finish(std::vector<AvPacket>) override {}

  private:
    std::string path_;
};

} // namespace

std::unique_ptr<FrameSink> write_film(std::unique_ptr<FilmWriter> writer, PlanesPool& pool) {
    return std::make_unique<FilmSink>(std::move(writer), pool);
}

std::unique_ptr<FrameSink> write_pictures(const NumberedName& name) {
    return std::make_unique<PicturesSink>(name);
}

std::unique_ptr<FrameSink> write_picture(const std::string& path) {
    return std::make_unique<PictureSink>(path);
}

} // namespace glproc::video
