#include "video/commands.hpp"

#include "cli/files/video_command.hpp"
#include "cli/files/replacing.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/pipe/timing_sheet.hpp"
#include "cli/stream/frame_line.hpp"
#include "cli/terminal/process_clock.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/series.hpp"
#include "glproc/op/plan.hpp"
#include "job/format_fit.hpp"
#include "video/chain/plane_chain.hpp"
#include "video/chain/video_chain.hpp"
#include "video/chain/video_frame.hpp"
#include "video/read/selection.hpp"
#include "video/read/source.hpp"
#include "video/settings.hpp"
#include "video/write/sink.hpp"
#include "video/write/video_format.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace glproc::video {

namespace {

using cli::Arguments;
using cli::Settings;
using cli::Stage;
using cli::Stages;

class VideoRun {
  public:
    VideoRun(const Arguments& arguments, const Settings& settings)
        : arguments_(arguments), settings_(settings), stages_(cli::process_start()),
          line_(arguments, settings, stages_), selection_(read_selection(arguments)),
          in_(arguments.places.at(0)), out_(arguments.places.at(1)),
          frames_(frame_colours(in_, selection_.one || NumberedName::parse(out_))),
          work_{.stages = stages_,
                .chain = VideoChain(arguments, frames_),
                .timing = settings.timing.has_value()} {
        refuse_one_frame();
        const std::optional<NumberedName> numbered_out = check_output();
        const std::optional<NumberedName> numbered_in = NumberedName::parse(in_);
        VideoOptions options = video_options(arguments);
        encoding_ = encode_settings(arguments);
        makes_pictures_ = selection_.one || numbered_out || is_animation();
        options.alpha = makes_pictures_ ? cli::is_encodable(out_, {0, 0, 4, Depth::u8})
                                        : is_null() || video_holds_alpha(out_, arguments, encoding_);
        work_.source =
            numbered_in ? open_pictures(*numbered_in, options, selection_, frames_) : open_videos(options);
        if (VideoReader* video = work_.source->reader()) {
            selection_ = by_numbers(selection_, *video);
            hdr_ = hdr_metadata_of(*video->container().streams[video->stream()], video->peek());
            work_.to_sdr = sdr_conversion(arguments, video->info(), hdr_);
        }
        work_.grey =
            work_.source->reader() != nullptr && work_.source->form().channels == 1 && !needs_colour();
        if (work_.chain.needs_length()) {
            work_.chain.set_length(seconds_to_last());
        }
        if (!numbered_in) {
            work_.source = with_other_times(arguments, selection_, std::move(work_.source));
        }
        const Form result = work_.chain.result_form(frame_form());
        if (makes_pictures_) {
            refuse_flags({"encoder", "encoder-option", "in", "even", "depth", "to-matrix", "to-range",
                          "sound", "sound-track", "volume", "fade-in", "fade-out"},
                         out_);
        }
        if (numbered_in) {
            refuse_flags({"append", "blend", "deinterlace", "in", "to-sdr", "hdr-peak", "sound",
                          "sound-track", "volume", "fade-in", "fade-out", "video-track", "keep-going"},
                         in_);
        }
        if (const VideoReader* video = work_.source->reader(); video != nullptr && !makes_pictures_) {
            choose_values(*video);
        }
        if (is_null()) {
            work_.sink = write_nothing(pool_);
        } else if (selection_.one || numbered_out) {
            const FileForm form =
                file_form(out_, result, work_.chain.curve(), work_.chain.makes_mask(frame_form()));
            work_.sink = write_pictures(out_, selection_.one ? std::nullopt : numbered_out, form);
        } else if (is_animation()) {
            work_.sink = make_animation(animation_form(out_, result.channels));
        } else {
            const VideoReader* video = work_.source->reader();
            encoding_.container = container_of(out_, arguments, video == nullptr ? nullptr : &video->info());
            work_.sink = make_writer(work_.chain.form_for_all(frame_form()));
        }
        if (work_.planes.chain) {
            settle(work_.planes, arguments, work_.source->reader()->info(), *work_.sink);
        }
    }

    void go() {
        warn(work_.source->notes());
        warn(work_.chain.notes());
        warn(work_.sink->notes());
        warn_of_video();
        warn(work_.planes.note.empty() ? std::vector<std::string>{} : std::vector{work_.planes.note});
        work_.density = density_of(result_aspect());
        work_.untouched = is_untouched();
        work_.tick = tick();
        work_.plan_for(frame_form());
        LookAhead ahead([&] { return stages_.run(Stage::decode, [&] { return work_.source->next(); }); },
                        work_.chain.reach());
        const cli::NextFrame next = [&]() -> std::unique_ptr<cli::StreamFrame> {
            std::optional<FrameAmong> frame = ahead.next();
            return frame ? std::make_unique<VideoFrame>(work_, std::move(*frame)) : nullptr;
        };
        line_.run({.next = next,
                   .stop = {},
                   .frames = work_.source->count(),
                   .name_of = [this](std::size_t number) {
                       return fmt::format("{}: frame {}", in_,
                                          selection_.first + static_cast<std::int64_t>(number));
                   }});
        warn(work_.source->late_notes());
        const bool only_broken =
            line_.failed_to_read() && !line_.failed_to_process() && !line_.failed_to_write();
        if (!line_.failed() || (only_broken && arguments_.has("keep-partial") && line_.frames() > 0)) {
            work_.sink->finish(work_.source->rest());
            warn(work_.sink->late_notes());
        }
        line_.rethrow();
        line_.say_done(out_, arguments_.command->name);
    }

  private:
    /// Whether frames without colour have to be RGB all the same.
    bool needs_colour() {
        const bool is_asked_for =
            has_work() && given<cli::VideoValues>(arguments_, "in") == cli::VideoValues::rgb;
        return work_.to_sdr || is_asked_for || work_.chain.has_colours() ||
               (makes_pictures_ && !cli::is_encodable(out_, {0, 0, 1, Depth::u8}));
    }

    /// Those that have no effect on images.
    void refuse_flags(std::initializer_list<const char*> flags, const std::string& images) const {
        for (const char* flag : flags) {
            if (arguments_.has(flag)) {
                throw Error(ErrorCode::usage,
                            fmt::format("--{} is for videos, which {} is not", flag, images));
            }
        }
    }

    /// IN, and what follows it.
    std::unique_ptr<FrameSource> open_videos(const VideoOptions& options) {
        std::vector<std::string> paths = appended_videos(arguments_, selection_);
        paths.insert(paths.begin(), in_);
        std::vector<std::unique_ptr<FrameSource>> videos;
        for (const std::string& path : paths) {
            videos.push_back(open_video(path, options, selection_, pool_));
        }
        if (videos.size() == 1) {
            return std::move(videos.front());
        }
        const bool silent = arguments_.has("only-video") || encoding_.sound.codec == cli::VideoSound::none;
        return join_videos(std::move(videos), !silent, !makes_pictures_ && !arguments_.has("only-video"));
    }

    void warn(const std::vector<std::string>& notes) const {
        for (const std::string& note : settings_.silent ? std::vector<std::string>{} : notes) {
            cli::print_warning(note);
        }
    }

    bool is_null() const {
        return arguments_.has("format") && arguments_.value("format") == cli::null_container;
    }

    bool is_animation() const {
        return !selection_.one && !arguments_.has("format") && holds_series(out_, SeriesKind::frames);
    }

    bool has_work() const {
        return !arguments_.steps.empty() || arguments_.has(cli::recipe_flag) || work_.to_sdr;
    }

    /// Whether frames go into the encoder as they came from the decoder, perhaps with other bits.
    bool is_untouched() const {
        const VideoFormat* to = work_.sink->planes();
        if (work_.sink->takes_nothing()) {
            return !has_work();
        }
        if (has_work() || to == nullptr || work_.source->reader() == nullptr) {
            return false;
        }
        const VideoInfo& from = work_.source->reader()->info();
        YcbcrForm same = from.form;
        same.bits = to->form.bits;
        return from.turn.is_upright() && same == to->form && work_.source->form().has_alpha() == to->alpha &&
               from.has_codes_of(*to);
    }

    std::unique_ptr<FrameSink> make_animation(const FileForm& form) {
        refuse_flags({"codec", "crf", "preset"}, out_);
        const FrameClock clock = work_.source->clock();
        const bool is_video = work_.source->reader() != nullptr;
        const double rate = is_video && clock.rate.num > 0 ? av_q2d(clock.rate) : pictures_per_second();
        const AVRational each = av_inv_q(rate_of(rate));
        return write_animation(out_, form, is_video ? clock.time_base : each,
                               {static_cast<std::uint32_t>(each.num), static_cast<std::uint32_t>(each.den)});
    }

    double pictures_per_second() const { return frames_per_second(arguments_).value_or(usual_fps); }

    /// What OUT will not have of it.
    void warn_of_video() const {
        if (work_.source->reader() == nullptr) {
            return;
        }
        const VideoInfo& info = work_.source->reader()->info();
        if (moves_rows() && is_interlaced(*work_.source->reader()) && !arguments_.has("deinterlace")) {
            warn({fmt::format("{}: its frames are interlaced, and two moments are mixed where rows move; "
                              "--deinterlace frame takes "
                              "them apart first",
                              in_)});
        }
        if (makes_pictures_ && !info.has_usual_colours() && !work_.to_sdr) {
            warn({fmt::format("{}: its colours are not sRGB, as images are assumed to be; they will look "
                              "different without --to-sdr",
                              in_)});
        }
        if (arguments_.has("to-sdr") && !work_.to_sdr) {
            warn({fmt::format("{}: it is SDR of usual colours already: --to-sdr changes nothing", in_)});
        }
    }

    /// Where the result goes, before anything is read.
    std::optional<NumberedName> check_output() const {
        const std::optional<NumberedName> numbered = NumberedName::parse(out_);
        if (is_animation() && !numbered) {
            check_encodable(out_);
        } else if (!numbered && !selection_.one) {
            if (!arguments_.has("format") && format_of(std::filesystem::path(out_).extension().string())) {
                throw Error(ErrorCode::usage, fmt::format("{}: an image holds one frame", out_),
                            "--frame N writes one; frame-%04d.png writes all, each to a file of its own, and "
                            "clip.gif an animation");
            }
            if (is_null()) {
                return numbered;
            }
            if (out_ != "-" || arguments_.has("format")) {
                check_container(container_of(out_, arguments_, nullptr), out_);
            }
        } else {
            check_encodable(out_);
        }
        cli::check_place(cli::OutputPlace(numbered ? numbered->of(1) : out_), arguments_, "video");
        return numbered;
    }

    void choose_values(const VideoReader& video) {
        const std::string container = is_null() ? "mkv" : container_of(out_, arguments_, &video.info());
        const cli::VideoCodec codec = encoding_.codec.value_or(cli::find_video_container(container)->codec);
        const bool turns_siting = encoding_.encoder.empty() && holds_siting(codec, container);
        work_.planes = choose_planes(arguments_, video.info(), why_rgb(video.info()), turns_siting);
        if (work_.planes.chain && work_.planes.chain->needs_length()) {
            work_.planes.chain->set_length(seconds_to_last());
        }
    }

    /// Empty where planes may do.
    std::string why_rgb(const VideoInfo& video) const {
        return work_.to_sdr     ? "--to-sdr needs RGB"
               : video.is_rgb() ? fmt::format("{}: it has no luma and chroma, but RGB", in_)
               : work_.source->form().has_alpha()
                   ? fmt::format("{}: it has alpha, by which RGB is weighted", in_)
                   : "";
    }

    void refuse_one_frame() const {
        if (selection_.one && (work_.chain.reach() > 0 || work_.chain.changes())) {
            throw Error(ErrorCode::usage,
                        work_.chain.changes()
                            ? "--frame reads one frame, but a value changes from frame to frame"
                            : "--frame reads one frame, but an operation looks at those around it",
                        "write several: glproc video in.mp4 'still-%04d.png' --frames 9..11 …");
        }
    }

    /// From the first frame to the last of those that are read. The file is gone through for it, once.
    double seconds_to_last() const {
        if (work_.source->reader() == nullptr) {
            return static_cast<double>(work_.source->count().value_or(1) - 1) * tick();
        }
        const std::vector<std::int64_t>& times = work_.source->reader()->frame_times();
        const auto end = static_cast<std::int64_t>(times.size());
        const std::int64_t count = std::max<std::int64_t>(selection_.count_of(end), 1);
        const auto last = static_cast<std::size_t>(selection_.first + (count - 1) * selection_.every);
        return static_cast<double>(times.at(last) - times.at(static_cast<std::size_t>(selection_.first))) *
               tick();
    }

    /// Seconds of FrameData::time.
    double tick() const {
        return work_.source->reader() == nullptr ? 1 / pictures_per_second()
                                                 : av_q2d(work_.source->clock().time_base);
    }

    /// So that fields are none any more.
    bool moves_rows() const {
        const Form from = frame_form();
        return work_.chain.result_form(from).height != from.height || work_.chain.pixel_shape(from).turned;
    }

    std::unique_ptr<FrameSink> make_writer(const Form& result) {
        const cli::VideoCodec codec =
            encoding_.codec.value_or(cli::find_video_container(encoding_.container)->codec);
        if (result.has_alpha() && !holds_alpha(codec, encoding_.container)) {
            throw Error(ErrorCode::usage,
                        fmt::format("{}: {} in {} has no alpha channel, but the result has one", out_,
                                    name_of(codec), encoding_.container),
                        "--codec ffv1 in mkv, prores or qtrle in mov and vp9 in webm have one; convert "
                        "--alpha flatten:white lays it on white");
        }
        VideoReader* video = work_.source->reader();
        VideoFormat format =
            video == nullptr ? format_of_pictures(result, code_override(arguments_), pictures_per_second())
                             : format_of_video(*video, work_.source->clock(),
                                               !arguments_.has("deinterlace") && !moves_rows());
        if (format.transfer == AVCOL_TRC_SMPTE2084) {
            format.hdr = hdr_;
        }
        if (work_.to_sdr) {
            format = as_sdr(format);
        }
        const int pair = arguments_.has("even") ? 2 : 1;
        format.form.width = std::max(result.width / pair * pair, 1);
        format.form.height = std::max(result.height / pair * pair, 1);
        format.alpha = result.has_alpha();
        if (video != nullptr) {
            format.grey =
                result.channels == 1 && (work_.source->form().channels == 1 || !arguments_.has("to-matrix"));
        }
        if (result.depth == Depth::u8) { // as --to-sdr has it
            constexpr int byte = 8;
            format.form.bits = byte;
        }
        format.code.matrix = given<YcbcrMatrix>(arguments_, "to-matrix").value_or(format.code.matrix);
        format.tagged |= arguments_.has("to-matrix");
        format.code.range = given<YcbcrRange>(arguments_, "to-range").value_or(format.code.range);
        format.pixel_aspect = result_aspect();
        format.location =
            work_.planes.chain ? work_.planes.chain->location(format.location) : format.location;
        return write_video(out_, format, encoding_, video,
                           video == nullptr ? Span{} : span_of(*video, selection_), pool_);
    }

    /// What operations get.
    Form frame_form() const {
        Form form = work_.source->form();
        form.depth = work_.to_sdr ? Depth::u8 : form.depth;
        form.channels =
            work_.source->reader() != nullptr && form.channels == 1 && !work_.grey ? 3 : form.channels;
        return form;
    }

    AVRational result_aspect() const {
        return reshaped(work_.source->pixel_aspect(), work_.chain.pixel_shape(frame_form()));
    }

    const Arguments& arguments_;
    const Settings& settings_;
    Stages stages_;
    cli::FrameLine line_;
    Selection selection_;
    std::string in_;
    std::string out_;
    FrameColours frames_;
    PlanesPool pool_;
    FrameWork work_;
    EncodeSettings encoding_;
    HdrMetadata hdr_; ///< of IN
    bool makes_pictures_ = false;
};

} // namespace

int run_video(const Arguments& arguments, const Settings& settings) {
    if (settings.timing) {
        cli::watch_end();
    }
    VideoRun(arguments, settings).go();
    return 0;
}

} // namespace glproc::video
