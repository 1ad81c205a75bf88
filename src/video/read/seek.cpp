// Finds frames of a video by time or number.
#include "video/read/video_file.hpp"
#include "video/read/video_reader.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace glproc::video {

namespace {

bool is_subtitle(const AVStream& stream) {
    return stream.codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE;
}

} // namespace

/// To a key frame no later than this time.
void VideoReader::rewind_to(std::int64_t time) {
    const int status = av_seek_frame(input_.get(), stream_, time, AVSEEK_FLAG_BACKWARD);
    if (status < 0) {
        fail("cannot seek to another time: " + av_error_text(status));
    }
    avcodec_flush_buffers(codec_.get());
    damage_->clear();
    decoded_.clear();
    others_.clear();
    last_.reset();
    at_end_ = false;
    wound_ = true;
}

void VideoReader::seek(double seconds, double early) {
    // Times are given with a few digits; half a microsecond is no frame.
    const double wanted = (seconds + 5e-7) / av_q2d(info_.time_base);
    const std::int64_t time = begin() + static_cast<std::int64_t>(wanted);
    const auto before = static_cast<std::int64_t>(early / av_q2d(info_.time_base));
    if (!is_stdin()) { // a stream is read from its beginning
        rewind_to(std::max(time - before, begin()));
    }
    AvFrame last;
    AvFrame frame = next_decoded();
    if (frame && frame->pts > time && frame->pts > begin() && !is_stdin()) { // the index was wrong
        rewind_to(begin());
        frame = next_decoded();
    }
    for (; frame && frame->pts <= time; frame = next_decoded()) {
        last = std::move(frame);
    }
    for (AvFrame* found : {&last, &frame}) {
        if (*found) {
            decoded_.push_back(std::move(*found));
        }
    }
}

void VideoReader::seek_frame(std::int64_t number, double early) {
    const std::vector<std::int64_t>& times = frame_times();
    if (number < 0 || number >= static_cast<std::int64_t>(times.size())) {
        fail(fmt::format("there is no frame {}: they are numbered from 0 to {}", number, times.size() - 1));
    }
    const std::int64_t time = times[static_cast<std::size_t>(number)];
    part_begin_ = time;
    seek(static_cast<double>(time - begin()) * av_q2d(info_.time_base), early);
    take_subtitles_on_screen();
}

/// Images may be large, and are never taken from here.
void VideoReader::keep_subtitle(AvPacket packet) {
    const auto stream = static_cast<unsigned>(packet->stream_index);
    if (packet->pts == AV_NOPTS_VALUE || stream >= input_->nb_streams ||
        !is_subtitle(*input_->streams[stream])) {
        return;
    }
    if (!is_text(*input_->streams[stream])) {
        av_buffer_unref(&packet->buf);
        packet->data = nullptr;
        packet->size = 0;
    }
    subtitles_.push_back(std::move(packet));
}

/// Those are taken from subtitles_ if they are on screen still: they may lie anywhere before it in the file.
bool VideoReader::is_subtitle_before_part(const AVPacket& packet) const {
    const AVStream& stream = *input_->streams[packet.stream_index];
    return part_begin_ && is_subtitle(stream) && packet.pts != AV_NOPTS_VALUE &&
           av_compare_ts(packet.pts, stream.time_base, *part_begin_, info_.time_base) < 0;
}

void VideoReader::take_subtitles_on_screen() {
    std::vector<AvPacket> on_screen;
    for (AvPacket& packet : subtitles_) {
        const AVStream& stream = *input_->streams[packet->stream_index];
        const bool lasts = av_compare_ts(av_sat_add64(packet->pts, packet->duration), stream.time_base,
                                         *part_begin_, info_.time_base) > 0;
        if (!is_subtitle_before_part(*packet) || (packet->duration > 0 && !lasts)) {
            continue;
        }
        if (packet->duration > 0 && is_text(stream)) {
            on_screen.push_back(std::move(packet));
            continue;
        }
        const std::string_view what =
            packet->duration > 0 ? "an image of its subtitles ({}) that is on screen at {:.2f} s is left out"
                                 : "if one of its subtitles ({}) is on screen at {:.2f} s, it is left out";
        lost_subtitles_[packet->stream_index] =
            name_ + ": " +
            fmt::format(fmt::runtime(what), avcodec_get_name(stream.codecpar->codec_id),
                        seconds_of(*part_begin_));
    }
    subtitles_.clear();
    std::ranges::move(others_, std::back_inserter(on_screen));
    others_ = std::move(on_screen);
}

const std::vector<std::int64_t>& VideoReader::frame_times() {
    if (!times_.empty()) {
        return times_;
    }
    if (is_stdin()) {
        fail("frames are found by number or time in a file, not in a stream, which is read only once",
             "save it to a file first; --frame and --every work");
    }
    const AvInput input = open_video_file(path_, options_);
    find_streams(*input, options_.max_pixels, name_);
    for (AvPacket packet = make_packet(); av_read_frame(input.get(), packet.get()) >= 0;
         av_packet_unref(packet.get())) {
        if (options_.keep_packets && is_subtitle(*input->streams[packet->stream_index])) {
            keep_subtitle(std::exchange(packet, make_packet()));
            continue;
        }
        if (packet->stream_index != stream_ ||
            (packet->flags & AV_PKT_FLAG_DISCARD) != 0) { // which an edit list leaves out
            continue;
        }
        const auto count = static_cast<std::int64_t>(times_.size());
        times_.push_back(packet->pts != AV_NOPTS_VALUE
                             ? packet->pts
                             : begin() + av_rescale_q(count, info_.usual_duration(), info_.time_base));
    }
    if (times_.empty()) {
        fail("not a video: it has no frames");
    }
    std::sort(times_.begin(), times_.end());
    return times_;
}

} // namespace glproc::video
