// The filters of PNG, both ways: bytes less their neighbours. https://www.w3.org/TR/png-3/#9Filters
#pragma once

#include "glproc/image/image.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glproc::codecs {

/// Those that are worth their time when writing: each row as it is, less its left neighbour, or less the row
/// above. Photographs take `up` (neighbouring rows are alike, and it costs least), drawings with few colours
/// `none`.
enum class PngFilter : std::uint8_t { none = 0, sub = 1, up = 2 };

/// Rows as PNG wants them: 16-bit values with the high byte first.
class PngFilterer {
  public:
    explicit PngFilterer(const Form& form) : form_(form), above_(form.row_bytes()), here_(form.row_bytes()) {}

    /// Of a filtered row.
    std::size_t bytes() const { return form_.row_bytes() + 1; }

    /// `row` after `filter`, with the filter's number before it: bytes() at `out`. `above` is null for the
    /// first row, which `up` leaves as it is.
    void write(PngFilter filter, const std::byte* row, const std::byte* above, std::uint8_t* out);

  private:
    const std::uint8_t* big_endian(const std::byte* row, std::vector<std::uint8_t>& buffer) const;

    Form form_;
    std::vector<std::uint8_t> above_;
    std::vector<std::uint8_t> here_;
};

/// The filter that compresses best on some of `rows`, of which `form` is the form.
PngFilter choose_png_filter(const Form& form, std::span<const std::byte> rows, int level);

/// Undoes the filter with this number in place. `above` is what became of the row above, zeros for the first
/// row; `step` is how many bytes before a byte its left neighbour is. False where there is no such filter.
bool undo_png_filter(unsigned filter, std::span<std::uint8_t> row, const std::uint8_t* above,
                     std::size_t step);

} // namespace glproc::codecs
