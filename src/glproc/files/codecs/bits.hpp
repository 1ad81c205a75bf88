// Reading fields of single bits, as the headers of AV1, HEVC and HEIF have them.
#pragma once

#include "glproc/files/codecs/big_endian.hpp"

#include <algorithm>

namespace glproc::codecs {

/// Bytes, and bits, from front to back; zeros beyond the end.
class Bits {
  public:
    explicit Bits(ByteView bytes) : bytes_(bytes) {}

    std::uint64_t take(unsigned count) {
        std::uint64_t value = 0;
        for (; count > 0; --count, ++at_)
            value = value << 1U | (at_ / 8 < bytes_.size()
                                       ? std::to_integer<std::uint64_t>(bytes_[at_ / 8]) >> (7 - at_ % 8) & 1U
                                       : 0);
        return value;
    }
    bool flag() { return take(1) != 0; }
    /// Exp-Golomb, as uvlc() and ue(v) have it.
    std::uint64_t golomb() {
        unsigned zeros = 0;
        while (zeros < 32 && at_ / 8 < bytes_.size() && !flag())
            ++zeros;
        return (std::uint64_t{1} << zeros) - 1 + take(zeros);
    }
    /// By whole bytes.
    std::uint64_t number(std::uint64_t count) { return take(static_cast<unsigned>(8 * count)); }
    void skip(std::uint64_t bytes) { at_ += 8 * bytes; }
    bool ended() const { return at_ / 8 >= bytes_.size(); }
    ByteView rest() const { return bytes_.subspan(std::min<std::size_t>(at_ / 8, bytes_.size())); }

  private:
    ByteView bytes_;
    std::size_t at_ = 0;
};

} // namespace glproc::codecs
