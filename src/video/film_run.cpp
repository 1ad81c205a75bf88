#include "video/film_run.hpp"

#include "cli/files/file_flags.hpp"
#include "cli/files/film_command.hpp"
#include "cli/files/input.hpp"
#include "cli/files/replacing.hpp"
#include "cli/files/second_pictures.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/pipe/timing_sheet.hpp"
#include "cli/stream/frame_line.hpp"
#include "cli/terminal/process_clock.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/series.hpp"
#include "glproc/op/plan.hpp"
#include "video/film_chain.hpp"
#include "video/film_format.hpp"
#include "video/film_sdr.hpp"
#include "video/film_settings.hpp"
#include "video/film_times.hpp"
#include "video/joined_source.hpp"
#include "video/plane_choice.hpp"
#include "video/selection.hpp"
#include "video/sink.hpp"
#include "video/source.hpp"
#include "video/video_frame.hpp"

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

class FilmRun {
  public:
    FilmRun(const Arguments& arguments, const Settings& settings)
        : arguments_(arguments), settings_(settings), stages_(cli::process_start()),
          line_(arguments, settings, stages_), selection_(read_selection(arguments)),
          in_(arguments.places.at(0)), out_(arguments.places.at(1)),
          frames_(frame_colours(in_, selection_.one || NumberedName::parse(out_))),
          chain_(arguments, frames_) {
        refuse_one_frame();
        const std::optional<NumberedName> numbered_out = check_output();
        const std::optional<NumberedName> numbered_in = NumberedName::parse(in_);
        FilmOptions options = film_options(arguments);
        encoding_ = encode_settings(arguments);
        makes_pictures_ = selection_.one || numbered_out || is_animation();
        options.alpha = makes_pictures_ ? holds_pictures(out_, 4)
                                        : is_null() || holds_alpha_film(out_, arguments, encoding_);
        source_ =
            numbered_in ? open_pictures(*numbered_in, options, selection_, frames_) : open_films(options);
        if (FilmReader* film = source_->film()) {
            selection_ = by_numbers(selection_, *film);
            hdr_ = hdr_metadata_of(*film->container().streams[film->stream()], film->peek());
            to_sdr_ = sdr_conversion(arguments, film->info(), hdr_);
        }
        is_grey_ = source_->film() != nullptr && source_->form().channels == 1 && !needs_colour();
        if (chain_.needs_length()) {
            chain_.set_length(seconds_to_last());
        }
        if (!numbered_in) {
            source_ = with_other_times(arguments, selection_, std::move(source_));
        }
        const Form result = chain_.result_form(frame_form());
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
        if (const FilmReader* film = source_->film(); film != nullptr && !makes_pictures_) {
            choose_values(*film);
        }
        if (is_null()) {
            sink_ = write_nothing(pool_);
        } else if (selection_.one) {
            sink_ = write_picture(out_, picture_form(result));
        } else if (numbered_out) {
            sink_ = write_pictures(*numbered_out, picture_form(result));
        } else if (is_animation()) {
            sink_ = make_animation(animation_form(out_, result.channels));
        } else {
            const FilmReader* film = source_->film();
            encoding_.container = container_of(out_, arguments, film == nullptr ? nullptr : &film->info());
            sink_ = write_film(make_writer(chain_.form_for_all(frame_form())), pool_);
        }
        if (facts_) {
            settle(planes_, *facts_, *sink_);
        }
    }

    void go() {
        warn(source_->notes());
        warn(chain_.notes());
        warn(sink_->notes());
        warn_of_film();
        warn(planes_.note.empty() ? std::vector<std::string>{} : std::vector{planes_.note});
        FrameWork work{.stages = stages_,
                       .chain = chain_,
                       .source = *source_,
                       .sink = *sink_,
                       .density = density_of(result_aspect()),
                       .untouched = is_untouched(),
                       .grey = is_grey_,
                       .bits = sink_->planes() != nullptr ? sink_->planes()->form.bits : 0,
                       .planes = planes_.chain ? &*planes_.chain : nullptr,
                       .to_sdr = to_sdr_,
                       .timing = settings_.timing.has_value(),
                       .tick = tick()};
        work.plan_for(frame_form());
        LookAhead ahead([&] { return stages_.run(Stage::decode, [&] { return source_->next(); }); },
                        chain_.reach());
        const cli::NextFrame next = [&]() -> std::unique_ptr<cli::StreamFrame> {
            std::optional<FrameAmong> frame = ahead.next();
            return frame ? std::make_unique<VideoFrame>(work, std::move(*frame)) : nullptr;
        };
        line_.run({next, {}, source_->count()});
        warn(source_->late_notes());
        const bool only_broken =
            line_.failed_to_read() && !line_.failed_to_process() && !line_.failed_to_write();
        if (!line_.failed() || (only_broken && arguments_.has("keep-partial") && line_.frames() > 0)) {
            sink_->finish(source_->rest());
            warn(sink_->late_notes());
        }
        line_.rethrow();
        line_.say_done(out_, arguments_.command->name);
    }

  private:
    /// Whether frames without colour have to be RGB all the same.
    bool needs_colour() {
        const bool is_asked_for =
            has_work() && given<cli::FilmValues>(arguments_, "in") == cli::FilmValues::rgb;
        return to_sdr_ || is_asked_for || chain_.has_colours() ||
               (makes_pictures_ && !holds_pictures(out_, 1));
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
    std::unique_ptr<FrameSource> open_films(const FilmOptions& options) {
        const std::vector<std::string> more = appended_films(arguments_, selection_);
        if (more.empty()) {
            return open_film(in_, options, selection_, pool_);
        }
        std::vector<std::unique_ptr<FrameSource>> films;
        films.push_back(open_film(in_, options, selection_, pool_));
        for (const std::string& path : more) {
            films.push_back(open_film(path, options, selection_, pool_));
        }
        const bool silent = arguments_.has("only-video") || encoding_.sound.codec == cli::FilmSound::none;
        return join_films(std::move(films), !silent, !makes_pictures_ && !arguments_.has("only-video"));
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

    bool has_work() const { return !arguments_.steps.empty() || arguments_.has(cli::recipe_flag) || to_sdr_; }

    /// Whether frames go into the encoder as they came from the decoder, perhaps with other bits.
    bool is_untouched() const {
        const FilmFormat* to = sink_->planes();
        if (sink_->takes_nothing()) {
            return !has_work();
        }
        if (has_work() || to == nullptr || source_->film() == nullptr) {
            return false;
        }
        const FilmInfo& from = source_->film()->info();
        YcbcrForm same = from.form;
        same.bits = to->form.bits;
        return from.turn.is_upright() && same == to->form && source_->form().has_alpha() == to->alpha &&
               from.code.matrix == to->code.matrix && from.code.range == to->code.range;
    }

    FileForm picture_form(const Form& result) const {
        return file_form(out_, result, chain_.curve(), chain_.makes_mask(frame_form()));
    }

    std::unique_ptr<FrameSink> make_animation(const FileForm& form) {
        refuse_flags({"codec", "crf", "preset"}, out_);
        const FrameClock clock = source_->clock();
        const bool is_film = source_->film() != nullptr;
        const double rate = is_film && clock.rate.num > 0 ? av_q2d(clock.rate) : pictures_per_second();
        const AVRational each = av_inv_q(rate_of(rate));
        return write_animation(out_, form, is_film ? clock.time_base : each,
                               {static_cast<std::uint32_t>(each.num), static_cast<std::uint32_t>(each.den)});
    }

    double pictures_per_second() const { return frames_per_second(arguments_).value_or(usual_fps); }

    /// What OUT will not have of it.
    void warn_of_film() const {
        if (source_->film() == nullptr) {
            return;
        }
        const FilmInfo& info = source_->film()->info();
        if (moves_rows() && is_interlaced(*source_->film()) && !arguments_.has("deinterlace")) {
            warn({fmt::format("{}: its frames are interlaced, and two moments are mixed where rows move; "
                              "--deinterlace frame takes "
                              "them apart first",
                              in_)});
        }
        if (makes_pictures_ && !info.has_usual_colours() && !to_sdr_) {
            warn({fmt::format("{}: its colours are not sRGB, as images are assumed to be; they will look "
                              "different without --to-sdr",
                              in_)});
        }
        if (arguments_.has("to-sdr") && !to_sdr_) {
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
                FilmWriter::check_container(container_of(out_, arguments_, nullptr), out_);
            }
        } else {
            check_encodable(out_);
        }
        cli::check_place(cli::OutputPlace(numbered ? numbered->of(1) : out_), arguments_, "video");
        return numbered;
    }

    void choose_values(const FilmReader& film) {
        const std::string container = is_null() ? "mkv" : container_of(out_, arguments_, &film.info());
        const cli::FilmCodec codec = encoding_.codec.value_or(cli::find_film_container(container)->codec);
        facts_.emplace(
            PlaneFacts{.film = film.info(),
                       .in = in_,
                       .out = out_,
                       .alpha = source_->form().has_alpha(),
                       .to_sdr = to_sdr_.has_value(),
                       .turns_siting = encoding_.encoder.empty() && holds_siting(codec, container)});
        planes_ = choose_planes(arguments_, *facts_);
        if (planes_.chain && planes_.chain->needs_length()) {
            planes_.chain->set_length(seconds_to_last());
        }
    }

    void refuse_one_frame() const {
        if (selection_.one && (chain_.reach() > 0 || chain_.changes())) {
            throw Error(ErrorCode::usage,
                        chain_.changes()
                            ? "--frame reads one frame, but a value changes from frame to frame"
                            : "--frame reads one frame, but an operation looks at those around it",
                        "write several: glproc video in.mp4 'still-%04d.png' --frames 9..11 …");
        }
    }

    /// From the first frame to the last of those that are read. The file is gone through for it, once.
    double seconds_to_last() const {
        if (source_->film() == nullptr) {
            return static_cast<double>(source_->count().value_or(1) - 1) * tick();
        }
        const std::vector<std::int64_t>& times = source_->film()->frame_times();
        const auto end = static_cast<std::int64_t>(times.size());
        const std::int64_t count = std::max<std::int64_t>(selection_.count_of(end), 1);
        const auto last = static_cast<std::size_t>(selection_.first + (count - 1) * selection_.every);
        return static_cast<double>(times.at(last) - times.at(static_cast<std::size_t>(selection_.first))) *
               tick();
    }

    /// Seconds of FrameData::time.
    double tick() const {
        return source_->film() == nullptr ? 1 / pictures_per_second() : av_q2d(source_->clock().time_base);
    }

    /// So that fields are none any more.
    bool moves_rows() const {
        const Form from = frame_form();
        return chain_.result_form(from).height != from.height || chain_.pixel_shape(from).turned;
    }

    std::unique_ptr<FilmWriter> make_writer(const Form& result) {
        const cli::FilmCodec codec =
            encoding_.codec.value_or(cli::find_film_container(encoding_.container)->codec);
        if (result.has_alpha() && !holds_alpha(codec, encoding_.container)) {
            throw Error(ErrorCode::usage,
                        fmt::format("{}: {} in {} has no alpha channel, but the result has one", out_,
                                    name_of(codec), encoding_.container),
                        "--codec ffv1 in mkv, prores or qtrle in mov and vp9 in webm have one; convert "
                        "--alpha flatten:white lays it on white");
        }
        FilmReader* film = source_->film();
        FilmFormat format =
            film == nullptr
                ? format_of_pictures(result, code_override(arguments_), pictures_per_second())
                : format_of_film(*film, source_->clock(), !arguments_.has("deinterlace") && !moves_rows());
        if (format.transfer == AVCOL_TRC_SMPTE2084) {
            format.hdr = hdr_;
        }
        if (to_sdr_) {
            format = as_sdr(format);
        }
        const int pair = arguments_.has("even") ? 2 : 1;
        format.form.width = std::max(result.width / pair * pair, 1);
        format.form.height = std::max(result.height / pair * pair, 1);
        format.alpha = result.has_alpha();
        if (film != nullptr) {
            format.grey =
                result.channels == 1 && (source_->form().channels == 1 || !arguments_.has("to-matrix"));
        }
        if (result.depth == Depth::u8) { // as --to-sdr has it
            constexpr int byte = 8;
            format.form.bits = byte;
        }
        format.code.matrix = given<YcbcrMatrix>(arguments_, "to-matrix").value_or(format.code.matrix);
        format.names_matrix |= arguments_.has("to-matrix");
        format.code.range = given<YcbcrRange>(arguments_, "to-range").value_or(format.code.range);
        format.pixel_aspect = result_aspect();
        format.location = planes_.chain ? planes_.chain->location(format.location) : format.location;
        return std::make_unique<FilmWriter>(out_, format, encoding_, film,
                                            film == nullptr ? Span{} : span_of(*film, selection_));
    }

    /// What operations get.
    Form frame_form() const {
        Form form = source_->form();
        form.depth = to_sdr_ ? Depth::u8 : form.depth;
        form.channels = source_->film() != nullptr && form.channels == 1 && !is_grey_ ? 3 : form.channels;
        return form;
    }

    AVRational result_aspect() const {
        return reshaped(source_->pixel_aspect(), chain_.pixel_shape(frame_form()));
    }

    const Arguments& arguments_;
    const Settings& settings_;
    Stages stages_;
    cli::FrameLine line_;
    Selection selection_;
    std::string in_;
    std::string out_;
    FrameColours frames_;
    FilmChain chain_;
    EncodeSettings encoding_;
    PlanesPool pool_;
    std::unique_ptr<FrameSource> source_;
    std::optional<PlaneFacts> facts_; ///< where there may be planes
    PlaneChoice planes_;
    HdrMetadata hdr_; ///< of IN
    std::optional<ToSdr> to_sdr_;
    bool is_grey_ = false; ///< operations get frames of a video as luma alone
    bool makes_pictures_ = false;
    std::unique_ptr<FrameSink> sink_;
};

} // namespace

int run_film(const Arguments& arguments, const Settings& settings) {
    if (settings.timing) {
        cli::watch_end();
    }
    FilmRun(arguments, settings).go();
    return 0;
}

} // namespace glproc::video
