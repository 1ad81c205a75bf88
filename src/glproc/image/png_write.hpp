// What the two PNG writers share: the one of whole pictures, and the one of rows.
#pragma once

#include "glproc/image/codecs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glproc::codecs {

/// The filters worth their time: each row as it is, less its left neighbour, or less the row above.
enum class PngFilter : std::uint8_t { none = 0, sub = 1, up = 2 };

/// Rows as PNG wants them: 16-bit values with the high byte first.
class PngFilterer {
  public:
    explicit PngFilterer(const Form& form) : form_(form), above_(form.row_bytes()), here_(form.row_bytes()) {}

    /// Of a filtered row.
    std::size_t bytes() const { return form_.row_bytes() + 1; }

    /// `row` after `filter`, with the filter's number before it: bytes() at `out`. `above` is null for the
    /// first row.
    void write(PngFilter filter, const std::byte* row, const std::byte* above, std::uint8_t* out);

  private:
    const std::uint8_t* big_endian(const std::byte* row, std::vector<std::uint8_t>& buffer) const;

    Form form_;
    std::vector<std::uint8_t> above_;
    std::vector<std::uint8_t> here_;
};

/// The filter that compresses best on some of `rows`, of which `form` is the form. Photographs take `up`
/// (neighbouring rows are alike, and it costs least), drawings with few colours `none`.
PngFilter choose_png_filter(const Form& form, std::span<const std::byte> rows, int level);

constexpr std::size_t png_chunk_overhead = 12;
constexpr std::size_t png_start_size = 8 + png_chunk_overhead + 13; ///< signature and IHDR

/// Fills in length, type and checksum around a chunk's data, which begins at `chunk` + 8. Returns the chunk's
/// end.
std::byte* seal_png_chunk(std::byte* chunk, const char* type, std::size_t data_size);

/// Signature and IHDR. Returns where the next chunk goes.
std::byte* write_png_start(const Form& form, std::byte* out);

} // namespace glproc::codecs
