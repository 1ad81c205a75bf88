#include "glproc/files/codecs/png/data.hpp"

#include <algorithm>
#include <array>
#include <new>

#include <fmt/format.h>
#include <libdeflate.h>

namespace glproc::codecs {

PngData::PngData(const Source& source, std::uint64_t position)
    : source_(source), position_(position), buffer_(std::size_t{1} << 16U) {
    if (inflateInit(&stream_) != Z_OK)
        throw std::bad_alloc();
}

void PngData::read(std::span<std::uint8_t> out) {
    if (inflate_some(out) < out.size())
        fail_short();
}

void PngData::fail_short() const {
    fail(source_, truncated_ ? "truncated PNG" : "corrupt PNG: not enough image data");
}

void PngData::finish() {
    std::array<std::uint8_t, 1> more{};
    bool too_much = inflate_some(more) > 0;
    if (!too_much && !ended_)
        fail_short();
    too_much = too_much || stream_.avail_in > 0;
    while (refill()) // to the last checksum
        too_much = true;
    if (too_much)
        note(source_, "has data after its last row, which are left out");
}

std::size_t PngData::inflate_some(std::span<std::uint8_t> out) {
    std::size_t used = 0;
    while (used < out.size() && !ended_) {
        if (stream_.avail_in == 0 && !refill())
            break;
        constexpr std::size_t most = std::size_t{1} << 30U; // zlib counts in 32 bits
        const std::size_t room = std::min(out.size() - used, most);
        stream_.next_out = &out[used];
        stream_.avail_out = static_cast<uInt>(room);
        const int result = inflate(&stream_, Z_NO_FLUSH);
        used += room - stream_.avail_out;
        ended_ = result == Z_STREAM_END;
        if (result == Z_MEM_ERROR)
            throw std::bad_alloc();
        if (!ended_ && result != Z_OK && result != Z_BUF_ERROR) {
            fail(source_, fmt::format("corrupt PNG: {}",
                                      stream_.msg != nullptr ? stream_.msg : "damaged compressed data"));
        }
    }
    return used;
}

bool PngData::refill() {
    while (left_ == 0) {
        if (!next_chunk())
            return false;
    }
    const std::size_t count =
        source_.read_at(position_, std::span(buffer_).first(std::min(left_, buffer_.size())));
    if (count == 0) {
        truncated_ = true;
        return false;
    }
    position_ += count;
    left_ -= count;
    sum_ = libdeflate_crc32(sum_, buffer_.data(), count);
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    stream_.avail_in = static_cast<uInt>(count);
    return true;
}

/// Ends one chunk, and goes to the data of the next.
bool PngData::next_chunk() {
    std::array<std::byte, 12> between{};
    const std::size_t sum_size = in_chunk_ ? 4 : 0;
    const auto wanted = std::span(between).first(sum_size + 8);
    const std::size_t got = source_.read_at(position_, wanted);
    if (in_chunk_ && got >= sum_size && big_number(between, 4) != sum_)
        fail(source_, "corrupt PNG: IDAT has a wrong checksum");
    in_chunk_ = false;
    truncated_ = got < wanted.size();
    const auto start = wanted.subspan(sum_size);
    position_ += sum_size;
    if (truncated_ || !begins_with(start.subspan(4), "IDAT"))
        return false;
    position_ += start.size();
    left_ = big_number(start, 4);
    sum_ = libdeflate_crc32(0, &start[4], 4);
    in_chunk_ = true;
    return true;
}

} // namespace glproc::codecs
