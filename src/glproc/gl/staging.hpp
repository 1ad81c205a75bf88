// Buffers through which images travel between CPU memory and the device, part by part.
#pragma once

#include "glproc/gl/buffer.hpp"
#include "glproc/gl/fence.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <optional>

namespace glproc {

/// Makes a staging buffer of this many bytes.
using MakeStagingBuffer = std::function<Buffer(std::size_t bytes)>;

/// A few buffers in turn, so that the CPU fills or empties one while the device works on the others. They are
/// kept apart by a fence for each, not by glFinish.
class Staging {
  public:
    class Slot {
      public:
        Buffer& buffer() { return *buffer_; }

        /// Notes that the commands given so far are the last to use the buffer. After wait() the CPU sees
        /// everything that they wrote into it.
        void fence() { fence_ = Fence(buffer_->place()); }

        /// Waits until the device has reached the fence.
        void wait() { fence_.wait("a transfer"); }

      private:
        friend class Staging;
        std::optional<Buffer> buffer_;
        Fence fence_;
    };

    static constexpr std::size_t slot_count = 4;
    /// The most bytes that a part should have: larger ones gained nothing, and memory that the device reaches
    /// is slow to allocate.
    static constexpr std::size_t most_bytes = std::size_t{8} << 20U;

    explicit Staging(MakeStagingBuffer make) : make_(std::move(make)) {}

    /// No transfers follow the next one or two: 2 MiB take 1.2 ms to allocate and to touch (NVIDIA H100, driver
    /// 580.159.04, 2026-11-25).
    void expect_few() { most_ = std::size_t{512} << 10U; }

    /// The slot that was used longest ago, made at least this large, once the device has finished with it.
    Slot& next(std::size_t bytes);

    /// How large the parts of a transfer of this many bytes should be.
    std::size_t part_bytes(std::size_t all) const;

  private:
    MakeStagingBuffer make_;
    std::size_t most_ = most_bytes;
    std::array<Slot, slot_count> slots_;
    std::size_t next_ = 0;
};

} // namespace glproc
