#include "video/read/source.hpp"

#include "cli/files/input.hpp"
#include "cli/files/video_command.hpp"
#include "cli/pipe/pipe.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "video/settings.hpp"
#include "video/write/video_format.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace glproc::video {

namespace {

std::unique_ptr<FrameSource> deinterlaced(cli::VideoFields fields, const Selection& selection,
                                          std::unique_ptr<FrameSource> source) {
    if (selection.one || selection.every > 1) {
        throw Error(ErrorCode::usage,
                    fmt::format("--deinterlace looks at the frames before and after, which --{} leaves out",
                                selection.one ? cli::one_frame_flag : "every"),
                    "write several: glproc video in.mp4 'still-%04d.png' --frames 9..11 --deinterlace frame");
    }
    return without_fields(std::move(source), fields == cli::VideoFields::field);
}

constexpr std::uint32_t one = 65536;

template <class T>
void mix(std::span<const T> a, std::span<const T> b, std::uint32_t weight, std::span<T> to) {
    constexpr std::size_t part = std::size_t{1} << 18U;
    parallel_for(covering(to.size(), part), [&](std::size_t i) {
        const std::size_t end = std::min(to.size(), (i + 1) * part);
        for (std::size_t at = i * part; at < end; ++at) { // at most 65535 x 65536 + 32768, which 32 bits hold
            to[at] = static_cast<T>((a[at] * (one - weight) + b[at] * weight + one / 2) / one);
        }
    });
}

Image mixed(const Image& a, const Image& b, std::uint32_t weight) {
    if (weight == 0 || a.form() != b.form() || a.width() == 0) {
        return a;
    }
    Image made(a.form());
    with_codes_of(a.depth(),
                  [&]<class T>(T) { mix<T>(a.values<T>(), b.values<T>(), weight, made.values<T>()); });
    return made;
}

struct RateLimits {
    std::int64_t max_frames = 0;
    bool given = false; ///< by a person, who then knows of long pauses; otherwise they end a run before they
                        ///< are filled
};

/// The frames of `source` as many times a second. Frame k is what a screen shows k / rate after the first
/// frame; with `blend` the two frames about that time, weighted by how near they are. Codes are weighted in
/// parts of 65536 and rounded half up. Throws Error(input) where they become too many.
class RatedSource final : public WrappedSource {
  public:
    RatedSource(std::unique_ptr<FrameSource> source, AVRational rate, bool blend, const RateLimits& limits)
        : WrappedSource(std::move(source)), rate_(rate), blend_(blend), limits_(limits),
          from_(WrappedSource::clock()) {}

    FrameClock clock() override { return {av_inv_q(av_mul_q(rate_, {ticks, 1})), rate_}; }

    std::optional<std::size_t> count() const override {
        const std::optional<std::size_t> frames = WrappedSource::count();
        const double ratio = from_.rate.num > 0 ? av_q2d(rate_) / av_q2d(from_.rate) : 1;
        return frames ? std::optional(
                            static_cast<std::size_t>(std::llround(static_cast<double>(*frames) * ratio)))
                      : std::nullopt;
    }

    std::optional<FrameData> next() override {
        if (number_ == 0) {
            shown_ = read();
            following_ = shown_ ? read() : std::nullopt;
            start_ = shown_ ? seconds_of(*shown_) : 0;
            check_pause();
        }
        const double at = start_ + static_cast<double>(number_) / av_q2d(rate_);
        constexpr double rounding = 1e-6; // of times, which are whole ticks
        while (following_ && seconds_of(*following_) <= at + rounding) {
            shown_ = std::exchange(following_, read());
            check_pause();
        }
        check_pauses(at);
        if (!shown_ || (!following_ && at >= end_of_shown() - rounding)) {
            return std::nullopt;
        }
        if (number_ == limits_.max_frames) {
            throw Error(ErrorCode::input,
                        fmt::format("--fps makes more than {}", counted(limits_.max_frames, "frame")),
                        "--max-frames allows more");
        }
        FrameData frame = frame_at(at);
        frame.time = std::llround(start_ / av_q2d(clock().time_base)) + number_ * ticks;
        frame.duration = ticks;
        frame.packets = take_packets();
        ++number_;
        return frame;
    }

  private:
    static constexpr int ticks = 256; ///< of a frame: the first may begin between two

    /// A few bytes can ask for millions of frames, which would be found out hours later.
    void check_pause() {
        constexpr double most = 100'000;
        if (limits_.given || !shown_) {
            return;
        }
        const double begin = seconds_of(*shown_);
        const double repeated =
            ((following_ ? seconds_of(*following_) : end_of_shown()) - begin) * av_q2d(rate_);
        if (repeated <= most) {
            return;
        }
        const double all =
            std::max(repeated + static_cast<double>(number_), static_cast<double>(count().value_or(0)));
        const double enough = std::pow(10, std::ceil(std::log10(1.1 * all))); // also of what follows
        throw Error(
            ErrorCode::input,
            fmt::format(
                "the frame at {:.2f} s is shown for {:.0f} s: --fps would fill that with {:.0f} frames",
                begin, repeated / av_q2d(rate_), repeated),
            fmt::format("--max-frames {:.0f} allows it, --from and --to take a part, and without --fps the "
                        "pause stays",
                        enough));
    }

    /// The same of many pauses.
    void check_pauses(double at) {
        constexpr double usual = 60; // seconds that a frame may be shown
        constexpr double most = 6 * 3600;
        if (limits_.given || !shown_ || at - seconds_of(*shown_) < usual) {
            return;
        }
        paused_ += 1 / av_q2d(rate_);
        if (paused_ > most) {
            throw Error(
                ErrorCode::input,
                fmt::format("frames pause for more than {:.0f} hours in all, which --fps would fill",
                            most / 3600),
                "--max-frames allows it, --from and --to take a part, and without --fps the pauses stay");
        }
    }

    double seconds_of(const FrameData& frame) const {
        return static_cast<double>(frame.time) * av_q2d(from_.time_base);
    }

    double end_of_shown() {
        constexpr double usual = 25;
        const AVRational rate = clock().rate;
        const double lasts = static_cast<double>(shown_->duration) * av_q2d(from_.time_base);
        return seconds_of(*shown_) + (lasts > 0                      ? lasts
                                      : rate.num > 0 && rate.den > 0 ? 1 / av_q2d(rate)
                                                                     : 1 / usual);
    }

    FrameData frame_at(double at) const {
        const double share = blend_ && following_ ? (at - seconds_of(*shown_)) /
                                                        (seconds_of(*following_) - seconds_of(*shown_))
                                                  : 0;
        const auto weight = static_cast<std::uint32_t>(std::lround(std::clamp(share, 0.0, 1.0) * one));
        const FrameData& other = weight == 0 ? *shown_ : *following_;
        FrameData frame{.alpha = mixed(shown_->alpha, other.alpha, weight),
                        .properties = same_properties(shown_->properties.get())};
        for (std::size_t i = 0; i < frame.planes.size(); ++i) {
            frame.planes.at(i) = mixed(shown_->planes.at(i), other.planes.at(i), weight);
        }
        return frame;
    }

    AVRational rate_;
    bool blend_;
    RateLimits limits_;
    FrameClock from_;
    std::optional<FrameData> shown_;
    std::optional<FrameData> following_;
    std::int64_t number_ = 0;
    double start_ = 0;  ///< seconds
    double paused_ = 0; ///< seconds that were filled
};

} // namespace

std::unique_ptr<FrameSource> with_other_times(const cli::Arguments& arguments, const Selection& selection,
                                              std::unique_ptr<FrameSource> source) {
    if (const auto fields = given<cli::VideoFields>(arguments, "deinterlace")) {
        source = deinterlaced(*fields, selection, std::move(source));
    }
    const std::optional<double> fps = frames_per_second(arguments);
    const bool blend = arguments.has("blend");
    if (!fps && blend) {
        throw Error(ErrorCode::usage, "--blend has no effect without --fps",
                    "glproc video in.mp4 out.mp4 --fps 50 --blend");
    }
    if (fps && selection.one) {
        throw Error(ErrorCode::usage, "--frame writes one frame, which has no rate: --fps has no effect");
    }
    if (!fps) {
        return source;
    }
    const RateLimits limits{cli::max_frames(arguments), arguments.has("max-frames")};
    return std::make_unique<RatedSource>(std::move(source), rate_of(*fps), blend, limits);
}

} // namespace glproc::video
