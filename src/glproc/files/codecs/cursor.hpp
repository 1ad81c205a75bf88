// Reads a file from front to back, whether it is in memory or open.
#pragma once

#include "glproc/files/codecs/codecs.hpp"

#include <algorithm>
#include <cstring>

namespace glproc::codecs {

class Cursor {
  public:
    explicit Cursor(const Source& source, std::uint64_t position = 0) : source_(source) { seek(position); }

    /// The position of the next byte.
    std::uint64_t position() const { return end_ - static_cast<std::uint64_t>(left_.size()); }

    void seek(std::uint64_t position) {
        // Short skips, as from chunk to chunk, stay within what has been read.
        if (position >= this->position() && position <= end_) {
            left_ = left_.subspan(position - this->position());
        } else {
            left_ = {};
            end_ = position;
        }
    }

    /// The next byte, or −1 at the end. Throws Error(input), as every function that reads.
    int peek() { return left_.empty() && !refill() ? -1 : std::to_integer<int>(left_.front()); }
    int take() {
        const int byte = peek();
        if (byte >= 0)
            left_ = left_.subspan(1);
        return byte;
    }

    /// Fills `out` from here on. Returns how many bytes there were.
    std::size_t read(std::span<std::byte> out) {
        std::size_t used = 0;
        while (used < out.size()) {
            if (left_.empty() && out.size() - used >= buffer_size) { // no need to go through the buffer
                const std::size_t got = source_.read_at(end_, out.subspan(used));
                end_ += got;
                return used + got;
            }
            if (left_.empty() && !refill())
                break;
            const std::size_t count = std::min(left_.size(), out.size() - used);
            std::memcpy(out.data() + used, left_.data(), count);
            left_ = left_.subspan(count);
            used += count;
        }
        return used;
    }

  private:
    static constexpr std::size_t buffer_size = std::size_t{1} << 16U;

    bool refill() {
        if (source_.file == nullptr) {
            left_ = source_.bytes.subspan(std::min<std::uint64_t>(end_, source_.bytes.size()));
            end_ += left_.size();
        } else {
            buffer_.resize(buffer_size);
            left_ = std::span(buffer_).first(source_.read_at(end_, buffer_));
            end_ += left_.size();
        }
        return !left_.empty();
    }

    const Source& source_;
    std::vector<std::byte> buffer_;
    std::span<const std::byte> left_; ///< of what has been read
    std::uint64_t end_ = 0;           ///< of what has been read
};

} // namespace glproc::codecs
