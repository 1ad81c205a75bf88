#include "video/read/source.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/transfer_curve.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace glproc::video {

Planes PlanesPool::take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
        return {};
    }
    Planes planes = std::move(free_.back());
    free_.pop_back();
    return planes;
}

void PlanesPool::give(Planes planes) {
    constexpr std::size_t most = 16;
    const std::lock_guard lock(mutex_);
    if (free_.size() < most) {
        free_.push_back(std::move(planes));
    }
}

namespace {

/// How far the sound of a video may lie from its frames in the file.
constexpr double early = 2; // seconds

class VideoSource final : public FrameSource {
  public:
    VideoSource(const std::string& path, const VideoOptions& options, const Selection& selection,
                PlanesPool& pool)
        : reader_(path, options), selection_(by_numbers(selection, reader_)), pool_(pool) {
        if (selection_.seconds) {
            reader_.seek(*selection_.seconds);
        } else if (path == "-" && selection_.one) {
            for (std::int64_t i = 0; i < selection_.first; ++i) {
                reader_.skip();
            }
        } else if (selection_.first > 0) {
            reader_.seek_frame(selection_.first, early);
        }
        began_with_alpha_ = reader_.begins_with_alpha();
    }

    Form form() const override {
        Form form = reader_.info().picture_form();
        form.channels = reader_.has_alpha() ? 4 : form.channels;
        return form;
    }

    std::optional<FrameData> next() override {
        if (done_ == limit()) {
            pass_sound();
            return std::nullopt;
        }
        for (std::int64_t i = 1; done_ > 0 && i < selection_.every; ++i) {
            reader_.skip();
        }
        std::optional<FrameData> frame = reader_.next(pool_.take());
        if (!frame) {
            ended_early_ = limit() > 0;
            return std::nullopt;
        }
        ++done_;
        last_ = frame->seconds;
        refuse_beyond_end(*frame);
        frame->duration *= selection_.every;
        frame->packets = reader_.take_packets();
        return frame;
    }

    std::optional<std::size_t> count() const override {
        const std::optional<std::int64_t> all = reader_.info().frames;
        return all ? std::optional(static_cast<std::size_t>(selection_.count_of(*all))) : std::nullopt;
    }

    VideoReader* reader() override { return &reader_; }
    FrameClock clock() override {
        FrameClock clock = FrameSource::clock();
        clock.rate.den *= static_cast<int>(selection_.every);
        return clock;
    }

    std::vector<std::string> notes() const override {
        return began_with_alpha_ ? std::vector{left_out_alpha(reader_.name())} : std::vector<std::string>{};
    }

    std::vector<std::string> late_notes() const override {
        std::vector<std::string> notes;
        if (ended_early_) {
            notes.push_back(fmt::format("{}: it ends before frame {}", reader_.name(), *selection_.last));
        }
        if (reader_.lost_alpha() && !began_with_alpha_) {
            notes.push_back(left_out_alpha(reader_.name()));
        }
        if (const std::string damage = reader_.damage(); !damage.empty()) {
            notes.push_back(damage);
        }
        return notes;
    }

  private:
    std::int64_t limit() const {
        return selection_.one || selection_.last
                   ? selection_.count_of(std::numeric_limits<std::int64_t>::max())
                   : -1;
    }

    /// A time after the last frame, which seek() takes for the end as players do.
    void refuse_beyond_end(const FrameData& frame) {
        const VideoInfo& info = reader_.info();
        const double lasts = frame.duration > 0 ? static_cast<double>(frame.duration) * av_q2d(info.time_base)
                             : info.frames_per_second() > 0 ? 1 / info.frames_per_second()
                                                            : 0;
        if (selection_.seconds && *selection_.seconds >= frame.seconds + lasts && !reader_.skip()) {
            throw Error(ErrorCode::input,
                        fmt::format("{}: there is no frame at {:.2f} s: it ends after {:.2f} s",
                                    reader_.name(), *selection_.seconds, frame.seconds + lasts));
        }
    }

    /// The sound that belongs to the last frames may come after them.
    void pass_sound() {
        for (auto at = reader_.skip(); !selection_.one && at && *at < last_ + early; at = reader_.skip()) {
        }
    }

    static std::string left_out_alpha(const std::string& name) {
        return name + ": its alpha channel is left out";
    }

    VideoReader reader_;
    Selection selection_;
    PlanesPool& pool_;
    std::int64_t done_ = 0;
    bool began_with_alpha_ = false; ///< which is not read
    bool ended_early_ = false;      ///< before the last frame that was asked for
    double last_ = 0;               ///< seconds
};

class PictureSource final : public FrameSource {
  public:
    PictureSource(const NumberedName& name, const Selection& wanted, const VideoOptions& options,
                  const FrameColours& frames)
        : decoding_{.max_pixels = options.max_pixels}, colours_(frames.colours) {
        if (wanted.seconds || wanted.from || wanted.to) {
            throw Error(ErrorCode::usage,
                        fmt::format("numbered images have no times: --{} takes none", wanted.seconds ? "frame"
                                                                                      : wanted.from  ? "from"
                                                                                                     : "to"),
                        "--frames A..B names them by number, and --frame one");
        }
        const std::map<std::int64_t, std::string> found = name.existing();
        std::vector<std::int64_t> numbers;
        for (const auto& [number, path] : found) {
            numbers.push_back(number);
        }
        const auto count = static_cast<std::int64_t>(numbers.size());
        const Selection selection = wanted.of_count(count);
        const std::int64_t end = selection.one    ? selection.first + 1
                                 : selection.last ? std::min(*selection.last + 1, count)
                                                  : count;
        for (std::int64_t i = selection.first; i < end && i < count; i += selection.every) {
            paths_.push_back(found.at(numbers[static_cast<std::size_t>(i)]));
        }
        if (static_cast<std::int64_t>(paths_.size()) > options.max_frames) {
            throw Error(ErrorCode::input, fmt::format("more than {}", counted(options.max_frames, "image")),
                        "--max-frames allows more");
        }
        if (paths_.empty()) {
            throw Error(ErrorCode::input, fmt::format("there is no image {}: {}", selection.first,
                                                      counted(count, "was found", "were found")));
        }
        if (const std::string gaps = name.gaps_in(
                std::span(numbers).subspan(static_cast<std::size_t>(selection.first),
                                           static_cast<std::size_t>(std::min(end, count) - selection.first)));
            !gaps.empty()) {
            notes_.push_back(gaps);
        }
        if (selection.last && *selection.last >= count) {
            notes_.push_back(fmt::format("there is no picture {}: {}", *selection.last,
                                         counted(count, "was found", "were found")));
        }
        first_ = read(paths_.front(), notes_);
        form_ = first_->form();
        pixel_aspect_ = pixel_aspect_of(first_->metadata());
    }

    Form form() const override { return form_; }
    AVRational pixel_aspect() override { return pixel_aspect_; }

    std::optional<FrameData> next() override {
        if (at_ == paths_.size()) {
            return std::nullopt;
        }
        const std::string& path = paths_[at_];
        Notes alike; // as of the first one
        Image image = first_ ? std::move(*first_) : read(path, alike);
        first_.reset();
        if (image.form() != form_) {
            throw Error(ErrorCode::input,
                        fmt::format("{}: {}x{} with {}, but the first image is {}x{} with {}", path,
                                    image.width(), image.height(), counted(image.channels(), "channel"),
                                    form_.width, form_.height, form_.channels),
                        "all frames of a video have the same form");
        }
        return FrameData{.image = std::move(image), .time = static_cast<std::int64_t>(at_++), .duration = 1};
    }

    std::optional<std::size_t> count() const override { return paths_.size(); }
    std::vector<std::string> notes() const override { return notes_; }

  private:
    Image read(const std::string& path, Notes& notes) const {
        return colours_.fitted(load(path, decoding_), path, notes);
    }

    DecodeOptions decoding_;
    cli::FirstProfile colours_;
    Notes notes_; ///< of names, and of the first image
    std::vector<std::string> paths_;
    std::optional<Image> first_;
    Form form_;
    AVRational pixel_aspect_{0, 1};
    std::size_t at_ = 0;
};

} // namespace

std::optional<Density> density_of(AVRational pixel_aspect) {
    const bool is_square =
        pixel_aspect.num <= 0 || pixel_aspect.den <= 0 || pixel_aspect.num == pixel_aspect.den;
    return is_square ? std::nullopt
                     : std::optional(Density{static_cast<double>(pixel_aspect.den),
                                             static_cast<double>(pixel_aspect.num), Density::Unit::none});
}

AVRational pixel_aspect_of(const Metadata& metadata) {
    constexpr int most = 65535; // as H.264 has it
    const double aspect = metadata.density.value_or(Density{}).pixel_aspect();
    return aspect > 0 ? av_d2q(aspect, most) : AVRational{0, 1};
}

std::unique_ptr<FrameSource> open_video(const std::string& path, const VideoOptions& options,
                                        const Selection& selection, PlanesPool& pool) {
    return std::make_unique<VideoSource>(path, options, selection, pool);
}

std::unique_ptr<FrameSource> open_pictures(const NumberedName& name, const VideoOptions& options,
                                           const Selection& selection, const FrameColours& frames) {
    return std::make_unique<PictureSource>(name, selection, options, frames);
}

AvFrame same_properties(const AVFrame* properties) {
    if (properties == nullptr) {
        return nullptr;
    }
    AvFrame copy = make_frame();
    check_memory(av_frame_copy_props(copy.get(), properties));
    return copy;
}

FrameColours frame_colours(const std::string& path, bool to_pictures) {
    const std::optional<NumberedName> numbered = NumberedName::parse(path);
    if (!numbered || !to_pictures) {
        return {};
    }
    try {
        const PictureInfo info = inspect(std::filesystem::path(numbered->existing().begin()->second));
        return {{"", {}, curve_of(info.form, info.metadata)}, info.form};
    } catch (const Error&) { // reading them will say it
        return {};
    }
}

} // namespace glproc::video
