#include "glproc/files/codecs/png/filter.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/files/codecs/png/deflate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace glproc::codecs {
namespace {

/// Four bands of eight rows, spread over the picture.
bool looked_at(const Form& form, int y) {
    return y % std::max(8, form.height / 4) < 8;
}

/// How many bytes the rows that are looked at take after `filter`.
std::size_t packed_size(const Form& form, std::span<const std::byte> rows, int level, PngFilter filter) {
    PngFilterer filterer(form);
    std::vector<std::uint8_t> filtered;
    for (int y = 0; y < form.height; ++y) {
        if (!looked_at(form, y))
            continue;
        const std::byte* row = &rows[static_cast<std::size_t>(y) * form.row_bytes()];
        filtered.resize(filtered.size() + filterer.bytes());
        filterer.write(filter, row, y == 0 ? nullptr : row - form.row_bytes(),
                       &filtered[filtered.size() - filterer.bytes()]);
    }
    const Compressor compressor = make_compressor(level);
    std::vector<std::byte> packed(libdeflate_deflate_compress_bound(compressor.get(), filtered.size()));
    return libdeflate_deflate_compress(compressor.get(), filtered.data(), filtered.size(), packed.data(),
                                       packed.size());
}

using Row = std::span<std::uint8_t>;

void undo_up(Row row, const std::uint8_t* above) {
    for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = static_cast<std::uint8_t>(row[i] + above[i]);
}

/// The neighbour that is nearest to left + above − above left.
int paeth(int left, int above, int above_left) {
    const int to_left = above - above_left;
    const int to_above = left - above_left;
    const int to_left_distance = std::abs(to_left);
    const int to_above_distance = std::abs(to_above);
    const int to_both_distance = std::abs(to_left + to_above);
    const int upper = to_above_distance <= to_both_distance ? above : above_left;
    return to_left_distance <= to_above_distance && to_left_distance <= to_both_distance ? left : upper;
}

/// The filters that look to the left. `Step` is a constant, so that the pixel on the left stays in registers.
template <std::size_t Step>
struct Undo {
    using Pixel = std::array<int, Step>;

    static void sub(Row row) {
        run(
            row, [](int left, int, int) { return left; }, row.data()); // nothing above is looked at
    }
    static void average(Row row, const std::uint8_t* above) {
        run(
            row, [](int left, int up, int) { return (left + up) / 2; }, above);
    }
    static void paeth_of(Row row, const std::uint8_t* above) { run(row, paeth, above); }

  private:
    template <class Predict>
    static void run(Row row, Predict predict, const std::uint8_t* above) {
        Pixel left{};
        Pixel above_left{};
        for (std::size_t i = 0; i + Step <= row.size(); i += Step) {
            for (std::size_t c = 0; c < Step; ++c) {
                const int up = above[i + c];
                left[c] = (row[i + c] + predict(left[c], up, above_left[c])) & 0xff;
                above_left[c] = up;
                row[i + c] = static_cast<std::uint8_t>(left[c]);
            }
        }
    }
};

template <std::size_t Step>
bool undo(unsigned filter, Row row, const std::uint8_t* above) {
    switch (filter) {
    case 0:
        return true;
    case 1:
        Undo<Step>::sub(row);
        return true;
    case 2:
        undo_up(row, above);
        return true;
    case 3:
        Undo<Step>::average(row, above);
        return true;
    case 4:
        Undo<Step>::paeth_of(row, above);
        return true;
    default:
        return false;
    }
}

} // namespace

bool undo_png_filter(unsigned filter, Row row, const std::uint8_t* above, std::size_t step) {
    switch (step) {
    case 1:
        return undo<1>(filter, row, above);
    case 2:
        return undo<2>(filter, row, above);
    case 3:
        return undo<3>(filter, row, above);
    case 4:
        return undo<4>(filter, row, above);
    case 6:
        return undo<6>(filter, row, above);
    default:
        return undo<8>(filter, row, above);
    }
}

void PngFilterer::write(PngFilter filter, const std::byte* row, const std::byte* above, std::uint8_t* out) {
    const std::size_t n = form_.row_bytes();
    const std::uint8_t* here = big_endian(row, here_);
    *out++ = static_cast<std::uint8_t>(filter);
    if (filter == PngFilter::none || (filter == PngFilter::up && above == nullptr)) {
        std::memcpy(out, here, n);
    } else if (filter == PngFilter::sub) {
        const std::size_t pixel = form_.pixel_bytes();
        std::copy_n(here, pixel, out);
        for (std::size_t i = pixel; i < n; ++i)
            out[i] = static_cast<std::uint8_t>(here[i] - here[i - pixel]);
    } else {
        const std::uint8_t* other = big_endian(above, above_);
        for (std::size_t i = 0; i < n; ++i)
            out[i] = static_cast<std::uint8_t>(here[i] - other[i]);
    }
}

const std::uint8_t* PngFilterer::big_endian(const std::byte* row, std::vector<std::uint8_t>& buffer) const {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(row);
    if (form_.depth == Depth::u8 || std::endian::native == std::endian::big)
        return bytes;
    for (std::size_t i = 0; i < buffer.size(); i += 2) {
        buffer[i] = bytes[i + 1];
        buffer[i + 1] = bytes[i];
    }
    return buffer.data();
}

PngFilter choose_png_filter(const Form& form, std::span<const std::byte> rows, int level) {
    constexpr std::array filters{PngFilter::up, PngFilter::sub, PngFilter::none};
    std::array<std::size_t, filters.size()> sizes{};
    parallel_for(filters.size(),
                 [&](std::size_t i) { sizes.at(i) = packed_size(form, rows, level, filters.at(i)); });
    return filters.at(static_cast<std::size_t>(std::ranges::min_element(sizes) - sizes.begin()));
}

} // namespace glproc::codecs
