// Reads videos frame by frame: any file that libavformat knows, and what libavcodec makes of it.
//
//   VideoReader video("in.mp4");
//   while (std::optional<FrameData> frame = video.next()) { show(frame->planes, video.info().form); }
#pragma once

#include "video/read/damage.hpp"
#include "video/read/pixels.hpp"
#include "video/read/video_file.hpp"
#include "video/read/video_info.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glproc::video {

/// A frame on its way: as planes of luma and colour, or as an image, which the planes then are empty beside.
struct FrameData {
    Planes planes = {}; ///< as VideoInfo::form has them
    Image alpha = {};   ///< beside planes, as large; only where they have it
    Image image = {};
    double seconds = 0;        ///< since the beginning of its file
    std::int64_t time = 0;     ///< in VideoInfo::time_base; grows from frame to frame
    std::int64_t duration = 0; ///< the same; 0 where it is not known
    AvFrame properties =
        {}; ///< all else that the decoder said of it, without pixels; null where there is nothing
    std::vector<AvPacket> packets = {}; ///< of other streams, from before it
};

class VideoReader {
  public:
    /// Throws Error(input), "video.mp4: no such file"; for what is no video, and for videos that we cannot
    /// read.
    explicit VideoReader(const std::string& path, const VideoOptions& options = {});

    const VideoInfo& info() const { return info_; }
    const std::string& name() const { return name_; }

    /// Whether frames come with their alpha.
    bool has_alpha() const { return options_.alpha && video::has_alpha(info_.pixels); }
    /// Whether the next frame has alpha that is not read; `lost_alpha` whether one so far had.
    bool begins_with_alpha();
    bool lost_alpha() const { return lost_alpha_; }

    /// What was broken but passed over, in one line, or empty.
    std::string damage() const;

    /// The next frame, nothing at the end. Throws Error(input) for what is broken or ends too early; the call
    /// after that tries what follows. Planes of `memory` are used again.
    std::optional<FrameData> next(Planes memory = {});

    /// All that the decoder says of the next frame, which stays the next; null at the end. Throws as next().
    const AVFrame* peek();

    /// Passes over the next frame. Returns when it begins, or nothing at the end.
    std::optional<double> skip();

    /// The next frame is then the one that a player shows at this time: the last that begins no later, or the
    /// first. Throws Error(input) where the video cannot be wound.
    /// Packets of other streams may lie up to `early` seconds before it.
    void seek(double seconds, double early = 0);

    /// The next frame is then this one, counted from 0. Throws Error(input), also where there are fewer.
    /// Subtitles of text that began before it and are on screen still are among the packets.
    void seek_frame(std::int64_t number, double early = 0);

    /// What was on screen there but cannot be cut: a line for each such stream.
    const std::map<int, std::string>& lost_subtitles() const { return lost_subtitles_; }

    /// When each frame begins, in VideoInfo::time_base: exact, but the whole file is gone through, once.
    /// Throws Error(input).
    const std::vector<std::int64_t>& frame_times();

    /// Seconds since the video's beginning.
    double seconds_of(std::int64_t time) const;
    /// When the file begins in the times of its packets, seconds.
    double start() const {
        return static_cast<double>(std::max<std::int64_t>(input_->start_time, 0)) / AV_TIME_BASE;
    }

    /// Packets of other streams that lay before the last frame.
    std::vector<AvPacket> take_packets();

    /// For writers, which copy from it.
    const AVFormatContext& container() const { return *input_; }
    int stream() const { return stream_; }

  private:
    void choose_stream(const AVCodec*& decoder);
    AvFrame next_decoded();
    AvFrame decode_one();
    void count_damage();
    [[noreturn]] void fail_at_damage() const;
    void count_frame();
    void feed();
    void note_end(const AVPacket& packet);
    void time_frame(AVFrame& frame);
    void check_whole();
    std::string ends_after(double seconds) const;
    bool is_like_others(const AVFrame& frame) const;
    AvFrame find_other_size();
    [[noreturn]] void fail_at_change(const AVFrame& frame) const;
    bool lacks_frames() const;
    bool is_stdin() const { return path_ == "-" && options_.device.empty(); }
    void rewind_to(std::int64_t time);
    void keep_subtitle(AvPacket packet);
    bool is_subtitle_before_part(const AVPacket& packet) const;
    void take_subtitles_on_screen();
    std::int64_t begin() const;
    [[noreturn]] void fail(const std::string& why, const std::string& hint = {}) const;

    std::string path_;
    std::string name_;
    VideoOptions options_;
    AvInput input_;
    std::unique_ptr<Damage> damage_ = std::make_unique<Damage>(); ///< outlives the decoder, which tells it
    AvCodec codec_;
    AvPacket packet_;
    AvFrame frame_;
    VideoInfo info_;
    int stream_ = -1;
    std::deque<AvFrame> decoded_; ///< by seek(), not yet given
    std::vector<AvPacket> others_;
    std::vector<std::int64_t> times_;
    std::vector<AvPacket> subtitles_;        ///< of the whole video; images without their pixels
    std::optional<std::int64_t> part_begin_; ///< the frame that seek_frame() found, in VideoInfo::time_base
    std::map<int, std::string> lost_subtitles_;
    std::optional<std::int64_t> last_; ///< time
    double end_ = 0;                   ///< of all packets, seconds
    std::int64_t packets_ = 0;         ///< of frames
    std::int64_t frames_ = 0;          ///< decoded
    std::int64_t damaged_ = 0;         ///< frames or packets of them
    std::optional<double> damaged_at_; ///< the first, seconds
    double ends_early_ = -1;           ///< of those that it should last: seconds
    int failures_ = 0;                 ///< to read or decode, since something was
    bool at_end_ = false;
    bool lost_alpha_ = false;
    bool wound_ = false; ///< not read from beginning to end
};

} // namespace glproc::video
