#include "glproc/files/codecs/png/chunks.hpp"

#include <algorithm>
#include <cstring>

#include <libdeflate.h>

namespace glproc::codecs {

std::optional<PngChunk> PngChunks::next() {
    constexpr std::size_t max_size = 0x7fffffff;
    std::array<std::byte, 8> start{};
    if (cursor_.read(start) < start.size())
        return std::nullopt;
    PngChunk chunk{.data = cursor_.position(), .size = big_number(start, 4)};
    std::memcpy(chunk.name.data(), &start[4], chunk.name.size());
    const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    if (chunk.size > max_size || !std::ranges::all_of(chunk.name, letter))
        fail(source_, "corrupt PNG: a chunk of impossible length or type");
    chunk.cut = chunk.end() > source_.size();
    cursor_.seek(chunk.end());
    return chunk;
}

bool PngChunks::sound(const PngChunk& chunk) const {
    std::array<std::byte, 4096> bytes{};
    std::uint32_t sum = libdeflate_crc32(0, chunk.name.data(), chunk.name.size());
    for (std::uint64_t at = chunk.data; at < chunk.data + chunk.size;) {
        const auto part =
            std::span(bytes).first(std::min<std::uint64_t>(bytes.size(), chunk.data + chunk.size - at));
        at += part.size();
        source_.read_at(at - part.size(), part);
        sum = libdeflate_crc32(sum, part.data(), part.size());
    }
    const auto stored = std::span(bytes).first(4);
    source_.read_at(chunk.data + chunk.size, stored);
    return sum == big_number(stored, 4);
}

std::vector<std::byte> PngChunks::read(const PngChunk& chunk) const {
    std::vector<std::byte> bytes(chunk.size);
    bytes.resize(source_.read_at(chunk.data, bytes));
    return bytes;
}

std::byte* seal_chunk(std::byte* chunk, std::string_view type, std::size_t data_size) {
    put_big(chunk, data_size, 4);
    std::memcpy(chunk + 4, type.data(), 4);
    std::byte* sum = chunk + 8 + data_size;
    put_big(sum, libdeflate_crc32(0, chunk + 4, data_size + 4), 4);
    return sum + 4;
}

void put_chunk(std::vector<std::byte>& out, std::string_view type, ByteView data) {
    const std::size_t start = out.size();
    out.resize(start + png_chunk_overhead + data.size());
    std::ranges::copy(data, out.begin() + static_cast<std::ptrdiff_t>(start) + 8);
    seal_chunk(&out[start], type, data.size());
}

} // namespace glproc::codecs
