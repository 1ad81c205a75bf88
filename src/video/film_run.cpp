#include "video/film_run.hpp"

#include "cli/confined/budget.hpp"
#include "cli/files/file_flags.hpp"
#include "cli/files/film_command.hpp"
#include "cli/files/input.hpp"
#include "cli/files/output_place.hpp"
#include "cli/files/run_input.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/pipe/timing_sheet.hpp"
#include "cli/stream/frame_line.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/series.hpp"
#include "glproc/op/plan.hpp"
#include "video/film_chain.hpp"
#include "video/film_settings.hpp"
#include "video/joined_source.hpp"
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

CodeOverride code_override(const Arguments& arguments) {
    return {given<YcbcrMatrix>(arguments, "matrix"), given<YcbcrRange>(arguments, "range")};
}

FilmOptions film_options(const Arguments& arguments) {
    refuse_untrusted(arguments);
    FilmOptions options{.code = code_override(arguments), .keep_packets = true};
    options.max_pixels = cli::decode_options(arguments, nullptr).max_pixels;
    options.max_frames = cli::max_frames(arguments);
    options.allow_playlists = arguments.has("allow-playlists");
    options.keep_going = arguments.has("keep-going");
    if (arguments.has("video-track")) {
        options.track = parse_integer({"video-track", "", cli::track_limit}, arguments.value("video-track"));
    }
    return options;
}

/// The aspect of pixels after operations; exact where they only turn.
AVRational reshaped(AVRational aspect, const PixelShape& shape) {
    constexpr int most = 65535; // as H.264 has it
    if (aspect.num <= 0 || aspect.den <= 0) {
        return {0, 1};
    }
    return shape.widened != 1 ? av_d2q(shape.of(av_q2d(aspect)), most)
           : shape.turned     ? av_inv_q(aspect)
                              : aspect;
}

class FilmRun {
  public:
    FilmRun(const Arguments& arguments, const Settings& settings)
        : arguments_(arguments), settings_(settings), chain_(arguments),
          stages_(false), line_(settings, stages_), selection_(read_selection(arguments)),
          in_(arguments.places.at(0)), out_(arguments.places.at(1)) {
        refuse_one_frame();
        const std::optional<NumberedName> numbered_out = check_output();
        const std::optional<NumberedName> numbered_in = NumberedName::parse(in_);
        refuse_fps_of_film(numbered_in.has_value());
        FilmOptions options = film_options(arguments);
        encoding_ = encode_settings(arguments);
        options.alpha = keeps_alpha(numbered_out.has_value());
        source_ = numbered_in ? open_pictures(*numbered_in, options, selection_)
                              : open_films(options);
        if (source_->film() != nullptr) {
            selection_ = by_numbers(selection_, *source_->film());
        }
        if (chain_.needs_length()) {
            chain_.set_length(seconds_to_last());
        }
        const Form result = chain_.result_form(source_->form());
        makes_pictures_ = selection_.one || numbered_out || is_animation();
        if (makes_pictures_) {
            refuse_flags({"encoder-option", "even", "to-matrix", "to-range", "sound", "sound-track", "volume", "fade-in",
                          "fade-out"}, out_);
        }
        if (numbered_in) {
            refuse_flags({"append", "sound", "sound-track", "volume", "fade-in", "fade-out", "video-track", "keep-going"}, in_);
        }
        if (selection_.one) {
            check_encodable(out_, result.channels, result.depth);
            sink_ = write_picture(out_);
        } else if (numbered_out) {
            check_encodable(out_, result.channels, result.depth);
            sink_ = write_pictures(*numbered_out);
        } else if (is_animation()) {
            check_encodable(out_, result.channels, Depth::u8);
            sink_ = make_animation();
        } else {
            const FilmReader* film = source_->film();
            encoding_.container = container_of(out_, arguments, film == nullptr ? nullptr : &film->info());
            sink_ = write_film(make_writer(chain_.form_for_all(source_->form())), pool_);
        }
    }

    void go() {
        warn(source_->notes());
        warn(sink_->notes());
        warn_of_film();
        FrameWork work{.stages = stages_,
                       .chain = chain_,
                       .source = *source_,
                       .sink = *sink_,
                       .density = density_of(result_aspect()),
                       .untouched = is_untouched(),
                       .timing = settings_.timing.has_value(),
                       .tick = tick()};
        LookAhead ahead([&] { return stages_.run(Stage::decode, [&] { return source_->next(); }); }, chain_.reach());
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
    /// Those that have no effect on images.
    void refuse_flags(std::initializer_list<const char*> flags, const std::string& images) const {
        for (const char* flag : flags) {
            if (arguments_.has(flag)) {
                throw Error(ErrorCode::usage, fmt::format("--{} is for videos, which {} is not", flag, images));
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
        return join_films(std::move(films), !silent);
    }

    void warn(const std::vector<std::string>& notes) const {
        for (const std::string& note : settings_.silent ? std::vector<std::string>{} : notes) {
            cli::print_warning(note);
        }
    }

    bool is_animation() const {
        return !selection_.one && !arguments_.has("format") && holds_series(out_, SeriesKind::frames);
    }

    /// Whether OUT has a place for alpha.
    bool keeps_alpha(bool numbered_out) const {
        if (selection_.one || numbered_out || is_animation()) {
            try {
                constexpr int with_alpha = 4;
                check_encodable(out_, with_alpha, Depth::u8);
                return true;
            } catch (const Error&) {
                return false;
            }
        }
        if (out_ == "-" && !arguments_.has("format")) {
            return false;
        }
        const cli::FilmContainer* container = cli::find_film_container(container_of(out_, arguments_, nullptr));
        return holds_alpha(encoding_.codec.value_or(container->codec), std::string(container->end));
    }

    /// Whether frames go into the encoder as they came from the decoder.
    bool is_untouched() const {
        const FilmFormat* to = sink_->planes();
        if (!arguments_.steps.empty() || arguments_.has(cli::recipe_flag) || to == nullptr || source_->film() == nullptr) {
            return false;
        }
        const FilmInfo& from = source_->film()->info();
        return from.turn.is_upright() && from.form == to->form && source_->form().has_alpha() == to->alpha && from.code.matrix == to->code.matrix &&
               from.code.range == to->code.range;
    }

    std::unique_ptr<FrameSink> make_animation() {
        refuse_flags({"codec", "crf", "preset"}, out_);
        const FilmReader* film = source_->film();
        const double rate = film != nullptr ? film->info().frames_per_second() : pictures_per_second();
        constexpr double usual = 25;
        constexpr int finest = 1001000;
        const AVRational each = av_inv_q(av_d2q(rate > 0 ? rate : usual, finest));
        return write_animation(out_, film != nullptr ? film->info().time_base : each,
                               {static_cast<std::uint32_t>(each.num), static_cast<std::uint32_t>(each.den)});
    }

    double pictures_per_second() const {
        return arguments_.has("fps") ? parse_number({"fps", "", cli::fps_limit}, arguments_.value("fps")) : 25;
    }

    /// What OUT will not have of it.
    void warn_of_film() const {
        if (source_->film() == nullptr) {
            return;
        }
        const FilmInfo& info = source_->film()->info();
        if (info.alpha && !source_->film()->has_alpha()) {
            warn({fmt::format("{}: its alpha channel is left out", in_)});
        }
        if (makes_pictures_ && !info.has_usual_colours()) {
            warn({fmt::format(
                "{}: its colours are not sRGB, as images are assumed to be; they will look different",
                in_)});
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
                            "--frame N writes one; frame-%04d.png writes all, each to a file of its own, and clip.gif an animation");
            }
            if (out_ != "-" || arguments_.has("format")) {
                FilmWriter::check_container(container_of(out_, arguments_, nullptr), out_);
            }
        } else {
            check_encodable(out_);
        }
        cli::OutputPlace(numbered ? numbered->of(1) : out_).check(arguments_, "video");
        return numbered;
    }

    void refuse_one_frame() const {
        if (selection_.one && (chain_.reach() > 0 || chain_.changes())) {
            throw Error(ErrorCode::usage,
                        chain_.changes() ? "--frame reads one frame, but a value changes from frame to frame"
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
        return static_cast<double>(times.at(last) - times.at(static_cast<std::size_t>(selection_.first))) * tick();
    }

    /// Seconds of FrameData::time.
    double tick() const {
        return source_->film() == nullptr ? 1 / pictures_per_second() : av_q2d(source_->film()->info().time_base);
    }

    void refuse_fps_of_film(bool pictures) const {
        if (arguments_.has("fps") && !pictures) {
            throw Error(ErrorCode::usage, "--fps is for numbered images; a video has times of its own");
        }
    }

    std::unique_ptr<FilmWriter> make_writer(const Form& result) {
        const cli::FilmCodec codec = encoding_.codec.value_or(cli::find_film_container(encoding_.container)->codec);
        if (result.has_alpha() && !holds_alpha(codec, encoding_.container)) {
            throw Error(ErrorCode::usage,
                        fmt::format("{}: {} in {} has no alpha channel, but the result has one", out_, name_of(codec),
                                    encoding_.container),
                        "--codec ffv1 in mkv, prores or qtrle in mov and vp9 in webm have one; convert --flatten white "
                        "leaves it out");
        }
        FilmReader* film = source_->film();
        FilmFormat format = film == nullptr ? format_of_pictures(result) : format_of_film(*film);
        if (film != nullptr && film->info().transfer == AVCOL_TRC_SMPTE2084) {
            format.hdr = hdr_metadata_of(*film->container().streams[film->stream()], film->peek());
        }
        const int pair = arguments_.has("even") ? 2 : 1;
        format.form.width = std::max(result.width / pair * pair, 1);
        format.form.height = std::max(result.height / pair * pair, 1);
        format.alpha = result.has_alpha();
        format.code.matrix = given<YcbcrMatrix>(arguments_, "to-matrix").value_or(format.code.matrix);
        format.code.range = given<YcbcrRange>(arguments_, "to-range").value_or(format.code.range);
        format.pixel_aspect = result_aspect();
        return std::make_unique<FilmWriter>(out_, format, encoding_, film, span_of(film));
    }

    AVRational result_aspect() const {
        return reshaped(source_->pixel_aspect(), chain_.pixel_shape(source_->form()));
    }

    FilmFormat format_of_film(const FilmReader& film) const {
        const FilmInfo& info = film.info();
        FilmFormat format{.form = info.form,
                          .code = info.code,
                          .location = info.location,
                          .primaries = info.primaries,
                          .transfer = info.transfer,
                          .time_base = info.time_base,
                          .rate = info.rate};
        if (info.turn.is_upright()) { // fields that were turned are none any more
            format.fields = film.container().streams[film.stream()]->codecpar->field_order;
        }
        format.rate.den *= static_cast<int>(selection_.every);
        return format;
    }

    /// RGB of their depth. An encoder that has none of that takes what comes nearest; --matrix and --range
    /// ask for luma and chroma from every one.
    FilmFormat format_of_pictures(const Form& result) const {
        FilmFormat format;
        constexpr int deep = 16;
        format.form = {result.width, result.height, result.depth == Depth::u8 ? 8 : deep};
        format.code = {YcbcrMatrix::rgb, YcbcrRange::full};
        if (const CodeOverride code = code_override(arguments_); code.matrix || code.range) {
            format = halved_chroma(format);
            format.code = {code.matrix.value_or(format.code.matrix), code.range.value_or(format.code.range)};
        }
        constexpr int finest = 1001000;
        format.rate = av_d2q(pictures_per_second(), finest);
        format.time_base = av_inv_q(format.rate);
        return format;
    }

    Span span_of(FilmReader* film) const {
        Span span;
        if (film == nullptr || selection_.is_all()) {
            return span;
        }
        const auto& times = film->frame_times();
        const auto first = static_cast<std::size_t>(selection_.first);
        span.begin = selection_.first > 0 ? film->seconds_of(times.at(first)) : 0;
        if (selection_.last && static_cast<std::size_t>(*selection_.last) + 1 < times.size()) {
            span.end = film->seconds_of(times[static_cast<std::size_t>(*selection_.last) + 1]);
        }
        return span;
    }

    const Arguments& arguments_;
    const Settings& settings_;
    FilmChain chain_;
    Stages stages_;
    cli::FrameLine line_;
    Selection selection_;
    std::string in_;
    std::string out_;
    EncodeSettings encoding_;
    PlanesPool pool_;
    std::unique_ptr<FrameSource> source_;
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
