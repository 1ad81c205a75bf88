// Frames together with those after them, for operations that look ahead.
#pragma once

#include "video/source.hpp"

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace glproc::video {

/// A frame, its number of those that are read, from 0 on, and the frames that follow it.
struct FrameAmong {
    std::int64_t number = 0;
    std::vector<std::shared_ptr<FrameData>> frames; ///< its own first

    std::int64_t last() const { return number + static_cast<std::int64_t>(frames.size()) - 1; }
};

/// Reads so many frames ahead.
class LookAhead {
  public:
    using Next = std::function<std::optional<FrameData>()>;

    LookAhead(Next next, int frames) : next_(std::move(next)), ahead_(static_cast<std::size_t>(frames)) {}

    /// The next frame with as many after it as there are, up to the number asked for. Nothing at the end. Throws as `next`, once
    /// the frames before that were given.
    std::optional<FrameAmong> next();

  private:
    void fill();

    Next next_;
    std::size_t ahead_;
    std::deque<std::shared_ptr<FrameData>> frames_;
    std::int64_t number_ = 0;
    bool ended_ = false;
    std::exception_ptr failure_;
};

} // namespace glproc::video
