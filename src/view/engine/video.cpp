#include "view/engine/video.hpp"

#ifdef GLPROC_WITH_VIDEO
#include "glproc/kinds/ycbcr.hpp"
#include "video/chain/machine.hpp"
#include "video/read/hdr.hpp"
#include "video/read/video_reader.hpp"
#endif

#ifdef GLPROC_WITH_CAMERAS
extern "C" {
#include <libavdevice/avdevice.h>
}
#endif

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace glproc::view {

bool is_camera(const std::string& path) {
    return path.starts_with("/dev/video");
}

#ifdef GLPROC_WITH_VIDEO

namespace {

video::VideoOptions options_for(bool camera) {
#ifdef GLPROC_WITH_CAMERAS
    if (camera) {
        avdevice_register_all();
    }
#endif
    return {.code = {}, .device = camera ? "v4l2" : ""};
}

class VideoOfReader final : public Video {
  public:
    explicit VideoOfReader(const std::string& path)
        : camera_(is_camera(path)), reader_(path, options_for(camera_)) {
        if (!camera_) {
            const AVStream& stream = *reader_.container().streams[reader_.stream()];
            sdr_look_ = video::sdr_look_of(reader_.info(), video::hdr_metadata_of(stream, reader_.peek()));
        }
        const video::VideoInfo& info = reader_.info();
        const AVRational aspect = info.upright_pixel_aspect();
        facts_ = {.duration = camera_ ? 0 : info.duration.value_or(0),
                  .rate = info.frames_per_second(),
                  .pixel_aspect = aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 0,
                  .beyond_sdr = !sdr_look_                            ? ""
                                : sdr_look_->curve == HdrCurve::power ? "wide colours"
                                                                      : "HDR"};
        constexpr std::uintmax_t most_bytes = 256U << 20U; // which are read in a moment
        std::error_code unknown;
        if (!camera_ && std::filesystem::file_size(path, unknown) <= most_bytes && !unknown) {
            facts_.frames = static_cast<std::int64_t>(reader_.frame_times().size());
        }
    }

    std::optional<VideoImage> next(Context& gpu) override {
        std::optional<video::FrameData> frame = reader_.next(std::exchange(memory_, {}));
        if (!frame) {
            return std::nullopt;
        }
        const video::VideoInfo& info = reader_.info();
        memory_ = std::move(frame->planes);
        const std::optional<std::int64_t> number = number_of(frame->time);
        const FrameTime time{frame->seconds, lasting(number, frame->seconds), number};
        if (converts_ && sdr_look_) {
            video::Picture shown = video::Machine(gpu).upright(
                (*sdr_look_)(gpu, rgb_of(gpu, memory_, info.form, info.code)), info.turn);
            return VideoImage{std::move(shown.on_device()), time};
        }
        video::Picture shown = video::frame_image(gpu, memory_, info, video::is_grey(info.pixels));
        return VideoImage{std::move(shown.on_device()), time};
    }

    bool skip() override {
        std::optional<video::FrameData> frame = reader_.next(std::exchange(memory_, {}));
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
    void seek_frame(std::int64_t number) override { reader_.seek_frame(number); }
    void show_as_sdr(bool on) override { converts_ = on; }

  private:
    std::optional<std::int64_t> number_of(std::int64_t time) {
        if (!facts_.frames) {
            return std::nullopt;
        }
        const std::vector<std::int64_t>& times = reader_.frame_times();
        const auto after = std::upper_bound(times.begin(), times.end(), time);
        return std::max<std::int64_t>(after - times.begin() - 1, 0);
    }

    double lasting(std::optional<std::int64_t> number, double begin) {
        if (number && *number + 1 < *facts_.frames) {
            return reader_.seconds_of(reader_.frame_times()[static_cast<std::size_t>(*number + 1)]) - begin;
        }
        return facts_.rate > 0 ? 1 / facts_.rate : 0;
    }

    bool camera_;
    video::VideoReader reader_;
    std::optional<ToSdr> sdr_look_;
    bool converts_ = true;
    video::Planes memory_;
};

} // namespace

std::unique_ptr<Video> open_video(const std::string& path) {
    return std::make_unique<VideoOfReader>(path);
}

#else

std::unique_ptr<Video> open_video(const std::string& /*path*/) {
    return nullptr;
}

#endif

} // namespace glproc::view
