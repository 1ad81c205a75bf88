// The pixels of a PNG file as one stream: its IDAT chunks, unpacked.
#pragma once

#include "glproc/files/codecs/png/chunks.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <zlib.h>

namespace glproc::codecs {

class PngData {
  public:
    /// `position`: where the first IDAT chunk begins.
    PngData(const Source& source, std::uint64_t position);
    PngData(const PngData&) = delete;
    PngData& operator=(const PngData&) = delete;
    ~PngData() { inflateEnd(&stream_); }

    /// Fills `out`. Throws Error(input) where there is not enough, or it is damaged.
    void read(std::span<std::uint8_t> out);

    /// After the last row: finds the stream's end and its checksums right. What there is too much is noted.
    void finish();

  private:
    /// As much of `out` as there is.
    std::size_t inflate_some(std::span<std::uint8_t> out);
    /// Gives zlib what comes next. False after the last IDAT chunk.
    bool refill();
    bool next_chunk();
    [[noreturn]] void fail_short() const;

    const Source& source_;
    std::uint64_t position_; ///< in the file, of what is read next
    std::size_t left_ = 0;   ///< of the chunk's data
    std::uint32_t sum_ = 0;  ///< of the chunk
    bool in_chunk_ = false;  ///< its checksum is still to be checked
    bool truncated_ = false; ///< the file ended
    bool ended_ = false;     ///< the stream did
    std::vector<std::byte> buffer_;
    z_stream stream_{};
};

} // namespace glproc::codecs
