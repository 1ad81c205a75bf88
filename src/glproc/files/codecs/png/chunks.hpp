// The chunks that a PNG file is made of. https://www.w3.org/TR/png-3/#5Chunk-layout
#pragma once

#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/cursor.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace glproc::codecs {

inline constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t png_chunk_overhead = 12; ///< length and type before the data, checksum after them

struct PngChunk {
    std::array<char, 4> name{};
    std::uint64_t data = 0; ///< where they stand in the file
    std::size_t size = 0;   ///< of them

    std::string_view type() const { return {name.data(), name.size()}; }
    /// Not to be passed over.
    bool critical() const { return name[0] < 'a'; }
    bool cut = false; ///< the file ends before the chunk does

    std::uint64_t end() const { return data + size + 4; }
};

/// The chunks of a file from front to back.
class PngChunks {
  public:
    explicit PngChunks(const Source& source) : source_(source), cursor_(source, png_signature.size()) {}

    /// The next chunk, or nothing where the file ends before its data begin. Throws Error(input) for what can
    /// be no chunk.
    std::optional<PngChunk> next();

    /// Whether the chunk's checksum is right.
    bool sound(const PngChunk& chunk) const;

    std::vector<std::byte> read(const PngChunk& chunk) const;

  private:
    const Source& source_;
    Cursor cursor_;
};

/// A chunk that says how many rows each IDAT chunk holds, of which the last may hold fewer: filtered without
/// the rows before them, and packed as if nothing stood before them. Private, and not to be copied where IDAT
/// chunks change.
inline constexpr std::string_view png_bands_type = "bnDS";

/// Fills in length, type and checksum around a chunk's data that stand at `chunk` + 8. Returns the chunk's
/// end.
std::byte* seal_chunk(std::byte* chunk, std::string_view type, std::size_t data_size);

void put_chunk(std::vector<std::byte>& out, std::string_view type, ByteView data);

} // namespace glproc::codecs
