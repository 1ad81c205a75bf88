#include "video/read/video_reader.hpp"

#include "glproc/base/counted.hpp"
#include "video/fail.hpp"
#include "video/read/video_file.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace glproc::video {

namespace {

/// FFmpeg's own decoders of VP8 and VP9 pass over alpha, that of libvpx reads it.
const AVCodec* decoder_of_alpha(const AVStream& stream) {
    const AVCodecID codec = stream.codecpar->codec_id;
    return value_of(stream.metadata, "alpha_mode") != "1" ? nullptr
           : codec == AV_CODEC_ID_VP9                     ? avcodec_find_decoder_by_name("libvpx-vp9")
           : codec == AV_CODEC_ID_VP8                     ? avcodec_find_decoder_by_name("libvpx")
                                                          : nullptr;
}

AvCodec open_decoder(const AVStream& stream, const AVCodec* decoder, const std::string& name,
                     std::uint64_t max_pixels) {
    AvCodec codec(check_memory(avcodec_alloc_context3(decoder)));
    codec->thread_count = 0; // as many as there are cores
    codec->pkt_timebase = stream.time_base;
    codec->max_pixels = av_limit(max_pixels);
    int status = avcodec_parameters_to_context(codec.get(), stream.codecpar);
    status = status < 0 ? status : avcodec_open2(codec.get(), decoder, nullptr);
    if (status < 0) {
        fail_input(name, fmt::format("no decoder for its frames ({}): {}",
                                     avcodec_get_name(stream.codecpar->codec_id), av_error_text(status)));
    }
    return codec;
}

} // namespace

VideoReader::VideoReader(const std::string& path, const VideoOptions& options)
    : path_(path), name_(path == "-" ? "stdin" : path), options_(options),
      input_(open_video_file(path, options)), packet_(make_packet()), frame_(make_frame()) {
    find_streams(*input_, options.max_pixels, name_);
    const AVCodec* decoder = nullptr;
    choose_stream(decoder);
    const AVStream& stream = *input_->streams[stream_];
    check_video_size(stream.codecpar->width, stream.codecpar->height, options.max_pixels, name_);
    const AVCodec* of_alpha = options.alpha ? decoder_of_alpha(stream) : nullptr;
    codec_ = open_decoder(stream, of_alpha != nullptr ? of_alpha : decoder, name_, options.max_pixels);
    if (of_alpha != nullptr && codec_->pix_fmt == AV_PIX_FMT_YUV420P) {
        codec_->pix_fmt = AV_PIX_FMT_YUVA420P; // which it says with the first frame
    }
    check_video_size(codec_->width, codec_->height, options.max_pixels, name_);
    if (codec_->pix_fmt == AV_PIX_FMT_NONE || codec_->width <= 0) {
        fail("broken: not even its first frame can be read");
    }
    info_ = describe_video(*input_, stream, *codec_, options.code, name_);
    static_cast<void>(take_av_message(input_.get()));
}

void VideoReader::choose_stream(const AVCodec*& decoder) {
    int wanted = -1;
    if (options_.track) {
        int count = 0;
        for (unsigned i = 0; i < input_->nb_streams; ++i) {
            const AVStream& stream = *input_->streams[i];
            const bool is_video = stream.codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
                                  (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) == 0;
            count += is_video ? 1 : 0;
            wanted = is_video && count == *options_.track ? static_cast<int>(i) : wanted;
        }
        if (wanted < 0) {
            fail(fmt::format("there is no video track {}: it has {}", *options_.track, count));
        }
    }
    stream_ = av_find_best_stream(input_.get(), AVMEDIA_TYPE_VIDEO, wanted, -1, &decoder, 0);
    if (stream_ == AVERROR_DECODER_NOT_FOUND) {
        fail("there is no decoder for its frames");
    }
    if (stream_ < 0 || (input_->streams[stream_]->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) {
        fail("not a video: it has no video stream");
    }
}

void VideoReader::fail(const std::string& why, const std::string& hint) const {
    const bool is_index_last =
        hint.empty() && is_stdin() && std::string_view(input_->iformat->name).starts_with("mov");
    fail_input(name_, why,
               is_index_last
                   ? "where the index of an MP4 lies at its end, it is no stream: save it to a file first"
                   : hint);
}

std::int64_t VideoReader::begin() const {
    const std::int64_t start = input_->streams[stream_]->start_time;
    return start == AV_NOPTS_VALUE ? 0 : start;
}

double VideoReader::seconds_of(std::int64_t time) const {
    return static_cast<double>(time - begin()) * av_q2d(info_.time_base);
}

void VideoReader::note_end(const AVPacket& packet) {
    const std::int64_t time = packet.pts != AV_NOPTS_VALUE ? packet.pts : packet.dts;
    if (time != AV_NOPTS_VALUE) {
        const double end = static_cast<double>(time + packet.duration) *
                           av_q2d(input_->streams[packet.stream_index]->time_base);
        const bool begins_late = input_->start_time != AV_NOPTS_VALUE;
        end_ =
            std::max(end_, end - (begins_late ? static_cast<double>(input_->start_time) / AV_TIME_BASE : 0));
    }
}

/// Reads a packet, and gives it to the decoder if it is its own.
void VideoReader::feed() {
    const int status = av_read_frame(input_.get(), packet_.get());
    if (status == AVERROR_EOF) {
        check_whole();
        static_cast<void>(avcodec_send_packet(codec_.get(), nullptr)); // it may know already
        at_end_ = true;
        return;
    }
    if (status < 0) {
        if (options_.keep_going) {
            count_damage();
            return;
        }
        fail(fmt::format("broken after {:.2f} s: {}", end_, av_error_text(status)));
    }
    note_end(*packet_);
    if (packet_->stream_index != stream_) {
        if (options_.keep_packets && !is_subtitle_before_part(*packet_)) {
            others_.push_back(std::exchange(packet_, make_packet()));
        }
        av_packet_unref(packet_.get());
        return;
    }
    ++packets_;
    const bool corrupt = (packet_->flags & AV_PKT_FLAG_CORRUPT) != 0;
    damage_->begin(*codec_, *packet_);
    const int sent = avcodec_send_packet(codec_.get(), packet_.get());
    av_packet_unref(packet_.get());
    // What comes before the first whole frame of a recording that begins anywhere is nobody's fault.
    if ((corrupt || sent < 0) && last_) {
        if (options_.keep_going) {
            count_damage();
            return;
        }
        if (const AvFrame other = find_other_size()) { // where videos were joined: nothing is broken
            fail_at_change(*other);
        }
        fail(fmt::format("broken or truncated at {:.2f} s{}", seconds_of(*last_),
                         sent < 0 ? ": " + av_error_text(sent) : ""));
    }
}

bool VideoReader::is_like_others(const AVFrame& frame) const {
    return frame.width == info_.form.width && frame.height == info_.form.height &&
           frame.format == info_.pixels;
}

void VideoReader::fail_at_change(const AVFrame& frame) const {
    const std::string after = last_ ? fmt::format(" after {:.2f} s", seconds_of(*last_)) : "";
    fail(fmt::format("its frames change to {}x{} of {}{}, which is not supported", frame.width, frame.height,
                     av_get_pix_fmt_name(static_cast<AVPixelFormat>(frame.format)), after),
         "ffmpeg gives them one size: ffmpeg -i IN -vf scale=WIDTH:HEIGHT OUT");
}

/// Among the next frames, as far as they can be decoded; null where all are like those before.
AvFrame VideoReader::find_other_size() {
    constexpr int enough = 100;
    for (int packets = 0; packets < enough;) {
        const int status = avcodec_receive_frame(codec_.get(), frame_.get());
        if (status == 0 && !is_like_others(*frame_)) {
            return std::exchange(frame_, make_frame());
        }
        if (status == AVERROR_EOF) {
            return nullptr;
        }
        if (status != 0) {
            if (av_read_frame(input_.get(), packet_.get()) < 0) {
                static_cast<void>(avcodec_send_packet(codec_.get(), nullptr)); // it may know already
                packets = std::max(packets, enough / 2);                       // what is left in the decoder
            } else if (packet_->stream_index == stream_) {
                static_cast<void>(
                    avcodec_send_packet(codec_.get(), packet_.get())); // a broken one gives no frame
            }
            av_packet_unref(packet_.get());
            ++packets;
        }
    }
    return nullptr;
}

/// Whether fewer packets came than the index of the file has, or the video ends before the time it says.
bool VideoReader::lacks_frames() const {
    constexpr double slack = 1; // second: streams of a video end at times of their own
    const AVStream& stream = *input_->streams[stream_];
    const bool has_index = std::string_view(input_->iformat->name).starts_with("mov");
    const bool tells_duration = input_->duration_estimation_method != AVFMT_DURATION_FROM_BITRATE;
    return (has_index && avformat_index_get_entries_count(&stream) > packets_) ||
           (tells_duration && static_cast<double>(input_->duration) / AV_TIME_BASE > end_ + slack);
}

/// Files that end too early say so only in that something is missing.
void VideoReader::check_whole() {
    const std::string said = take_av_message(input_.get());
    if (said.find("ended prematurely") != std::string::npos || (!wound_ && lacks_frames())) {
        if (options_.keep_going) {
            ends_early_ = end_;
            return;
        }
        fail(ends_after(end_));
    }
}

std::string VideoReader::ends_after(double seconds) const {
    return fmt::format("truncated: it ends after {:.2f} s{}", seconds,
                       info_.duration ? fmt::format(" of {:.2f}", *info_.duration) : "");
}

/// A frame that repeats the one before it takes next to no bytes, so a small file may have any number.
void VideoReader::count_frame() {
    if (options_.device.empty() && ++frames_ > options_.max_frames) {
        fail(fmt::format("more than {}", counted(options_.max_frames, "frame")), "--max-frames allows more");
    }
}

/// Counts what is passed over. Throws Error(input) where nothing else comes any more.
void VideoReader::count_damage() {
    constexpr int enough = 10000;
    ++damaged_;
    if (!damaged_at_) {
        damaged_at_ = last_ ? seconds_of(*last_) : 0;
    }
    if (++failures_ > enough) {
        fail(fmt::format("broken after {:.2f} s, and nothing readable follows", end_));
    }
}

std::string VideoReader::damage() const {
    std::string text;
    if (damaged_ > 0) {
        text = fmt::format("{}: {} damaged, from {:.2f} s on, and kept as far as {} can be decoded", name_,
                           counted(damaged_, "frame is", "frames are"), damaged_at_.value_or(0),
                           damaged_ == 1 ? "it" : "they");
    }
    if (ends_early_ >= 0) {
        text += (text.empty() ? name_ + ": " : "; ") + ends_after(ends_early_);
    }
    return text;
}

void VideoReader::fail_at_damage() const {
    fail(fmt::format("broken after {:.2f} s: a frame cannot be decoded", seconds_of(*last_)));
}

/// Null at the end.
AvFrame VideoReader::decode_one() {
    for (;;) {
        const int status = avcodec_receive_frame(codec_.get(), frame_.get());
        if (status == 0) {
            const bool broken = damage_->reaches(frame_->pts) || frame_->decode_error_flags != 0 ||
                                (frame_->flags & AV_FRAME_FLAG_CORRUPT) != 0;
            if (broken && !last_) {
                continue;
            }
            if (broken && !options_.keep_going) {
                av_frame_unref(frame_.get());
                fail_at_damage();
            }
            if (broken) { // it has what its decoder put where it could read nothing
                count_damage();
            } else {
                failures_ = 0;
            }
            count_frame();
            return std::exchange(frame_, make_frame());
        } else if (status == AVERROR_EOF) {
            if (last_ &&
                damage_->reaches(std::numeric_limits<std::int64_t>::max())) { // of frames that never came
                if (!options_.keep_going) {
                    fail_at_damage();
                }
                count_damage();
            }
            return nullptr;
        } else if (status == AVERROR(EAGAIN)) {
            feed();
        } else if (last_ && options_.keep_going) {
            count_damage();
        } else if (last_) {
            fail(fmt::format("broken after {:.2f} s: {}", seconds_of(*last_), av_error_text(status)));
        }
    }
}

/// Streams without times get those of their rate; what does not grow is made to.
void VideoReader::time_frame(AVFrame& frame) {
    std::int64_t time = frame.best_effort_timestamp;
    if (time == AV_NOPTS_VALUE) {
        const std::int64_t step = duration_of(frame) > 0
                                      ? duration_of(frame)
                                      : av_rescale_q(1, info_.usual_duration(), info_.time_base);
        time = last_ ? *last_ + step : begin();
    }
    frame.pts = last_ ? std::max(time, *last_ + 1) : time;
    last_ = frame.pts;
}

AvFrame VideoReader::next_decoded() {
    if (!decoded_.empty()) {
        AvFrame frame = std::move(decoded_.front());
        decoded_.pop_front();
        return frame;
    }
    AvFrame frame = decode_one();
    if (frame) {
        time_frame(*frame);
    }
    return frame;
}

const AVFrame* VideoReader::peek() {
    if (decoded_.empty()) {
        if (AvFrame frame = next_decoded()) {
            decoded_.push_back(std::move(frame));
        }
    }
    return decoded_.empty() ? nullptr : decoded_.front().get();
}

bool VideoReader::begins_with_alpha() {
    const AVFrame* frame = info_.alpha && !has_alpha() ? peek() : nullptr;
    return frame != nullptr && (!video::has_alpha(info_.pixels) || !is_opaque(*frame, info_.form));
}

std::optional<FrameData> VideoReader::next(Planes memory) {
    AvFrame decoded = next_decoded();
    if (!decoded) {
        if (!last_) {
            fail("broken: not one of its frames can be decoded");
        }
        return std::nullopt;
    }
    if (!is_like_others(*decoded)) {
        fail_at_change(*decoded);
    }
    FrameData frame{.planes = planes_of(*decoded, info_.form, std::move(memory)),
                    .seconds = seconds_of(decoded->pts),
                    .time = decoded->pts,
                    .duration = duration_of(*decoded),
                    .properties = make_frame()};
    if (has_alpha()) {
        frame.alpha = alpha_of(*decoded, info_.form);
    } else if (video::has_alpha(info_.pixels) && !lost_alpha_) {
        lost_alpha_ = !is_opaque(*decoded, info_.form);
    }
    check_memory(av_frame_copy_props(frame.properties.get(), decoded.get()));
    return frame;
}

std::vector<AvPacket> VideoReader::take_packets() {
    return std::exchange(others_, {});
}

std::optional<double> VideoReader::skip() {
    const AvFrame frame = next_decoded();
    return frame ? std::optional(seconds_of(frame->pts)) : std::nullopt;
}

} // namespace glproc::video
