// Many pictures in one stream of bytes: PNM and PAM one after another, and YUV4MPEG2.
#pragma once

#include "glproc/files/read_waiting.hpp"
#include "glproc/files/y4m.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glproc::job {

/// Bytes of a descriptor as they come. What was looked at stays.
class ByteReader {
  public:
    ByteReader(int descriptor, std::string name);

    const std::string& name() const { return name_; }

    /// From now on frames may come when they like. Until then the time of a file holds.
    void follow_stream() { patience_ = Patience::endless(); }

    /// The next bytes, fewer than `count` only at the end. Throws Error(input).
    std::span<const std::byte> peek(std::size_t count);

    /// What peek() showed.
    void skip(std::size_t count);

    /// Everything that was looked at and not skipped.
    std::vector<std::byte> take_rest();

    /// Lets reads that wait fail, from any thread.
    void stop() { stopped_ = true; }

  private:
    bool wait_for_bytes(const Patience& patience) const;

    int descriptor_;
    std::string name_;
    Patience patience_;
    std::vector<std::byte> bytes_; ///< room, of which a part is filled
    std::size_t used_ = 0;
    std::size_t filled_ = 0;
    bool ended_ = false;
    std::atomic<bool> stopped_ = false;
};

/// How many bytes the PNM or PAM at the beginning of `bytes` has; nothing where its header does not end
/// there, and 0 where no header says it: other formats, numbers as text, and what is corrupt.
std::optional<std::uint64_t> pnm_size(std::span<const std::byte> bytes);

/// The next picture of a stream of PNM and PAM, as the bytes of a file; none at the end. White space may
/// follow a picture. Throws Error(input) for what is no such picture, or not whole.
std::optional<std::vector<std::byte>> next_pnm(ByteReader& reader, std::uint64_t most);

/// The header of a stream of YUV4MPEG2.
Y4mHeader read_y4m(ByteReader& reader);

/// The next frame: `bytes` after a line "FRAME". None at the end. Throws Error(input).
std::optional<std::vector<std::byte>> next_y4m(ByteReader& reader, std::size_t bytes);

} // namespace glproc::job
