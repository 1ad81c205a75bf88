// Which frames of a video were damaged, though the threads of its decoder answer in any order.
#pragma once

#include "video/av.hpp"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <set>

namespace glproc::video {

/// A decoder copies the flags of a frame before the thread that decodes it may have set them. It says what it
/// hides while it decodes, though, and that thread has ended by the time the frame is given.
class Damage {
  public:
    /// `packet` is sent to `decoder` next.
    void begin(AVCodecContext& decoder, const AVPacket& packet);
    /// Whether the frame of this time was damaged, or one since the frame asked about before, which never
    /// came.
    bool reaches(std::int64_t time);
    /// Another part of the video follows. No thread may be at work.
    void clear();

  private:
    friend void note_damage(const void* about);
    struct Sent {
        Damage* of;
        std::int64_t time;
    };

    std::mutex mutex_;
    std::deque<Sent> sent_; ///< the decoder's threads know where theirs lies
    std::set<std::int64_t> times_;
    std::optional<std::int64_t> asked_;
};

/// A library says that it hides damage in what `about` decodes. Called on any thread.
void note_damage(const void* about);

} // namespace glproc::video
