#include "view/film.hpp"

#ifdef GLPROC_WITH_VIDEO
#include "video/film_reader.hpp"
#include "video/grey.hpp"
#endif

#ifdef GLPROC_WITH_CAMERAS
extern "C" {
#include <libavdevice/avdevice.h>
}
#endif

#include <utility>

namespace glproc::view {

bool is_camera(const std::string& path) {
    return path.starts_with("/dev/video");
}

#ifdef GLPROC_WITH_VIDEO

namespace {

video::FilmOptions options_for(bool camera) {
#ifdef GLPROC_WITH_CAMERAS
    if (camera) {
        avdevice_register_all();
    }
#endif
    return {.code = {}, .device = camera ? "v4l2" : ""};
}

class FilmOfReader final : public Film {
  public:
    explicit FilmOfReader(const std::string& path)
        : camera_(is_camera(path)), reader_(path, options_for(camera_)) {}

    std::optional<FilmImage> next(Context& gpu) override {
        std::optional<video::FilmFrame> frame = reader_.next(std::exchange(memory_, {}));
        if (!frame) {
            return std::nullopt;
        }
        const video::FilmInfo& info = reader_.info();
        memory_ = std::move(frame->planes);
        return FilmImage{video::frame_image(gpu, memory_, info, video::is_grey(info.pixels)), frame->seconds};
    }

    bool skip() override {
        std::optional<video::FilmFrame> frame = reader_.next(std::exchange(memory_, {}));
        if (frame) {
            memory_ = std::move(frame->planes);
        }
        return frame.has_value();
    }

    void seek(double seconds) override {
        if (!camera_) {
            reader_.seek(seconds);
        }
    }
    double duration() const override { return camera_ ? 0 : reader_.info().duration.value_or(0); }
    double rate() const override { return reader_.info().frames_per_second(); }
    double pixel_aspect() const override {
        const AVRational aspect = reader_.info().upright_pixel_aspect();
        return aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 0;
    }

  private:
    bool camera_;
    video::FilmReader reader_;
    video::Planes memory_;
};

} // namespace

std::unique_ptr<Film> open_film(const std::string& path) {
    return std::make_unique<FilmOfReader>(path);
}

#else

std::unique_ptr<Film> open_film(const std::string& /*path*/) {
    return nullptr;
}

#endif

} // namespace glproc::view
