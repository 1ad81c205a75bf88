#include "glproc/ops/integral/parts.hpp"

#include <array>
#include <span>

namespace glproc {

SumsOnCpu::SumsOnCpu(const Form& form, bool padded) : padded_(padded) {
    const std::size_t values = form.row_bytes() / bytes_of(form.depth);
    if (form.depth == Depth::f32) {
        doubles_.resize(values);
    } else {
        words_.resize(values);
    }
}

/// T is the type of a channel value, Out the stored type, and Sum the type in which sums are kept: for each
/// column the sum of everything above.
template <class T, class Out, class Sum>
std::vector<std::byte> SumsOnCpu::sum_up(const Image& band, bool first, std::vector<Sum>& above) const {
    const ResultShape shape = shape_of(band.width(), band.height(), band.channels(), padded_);
    const std::size_t pad = padded_ ? 1 : 0;
    const std::size_t top = first ? pad : 0;
    const std::size_t rows = static_cast<std::size_t>(band.height()) + top;
    std::vector<std::byte> result(rows * shape.row_words() * sizeof(Out));
    const std::span<Out> words(reinterpret_cast<Out*>(result.data()), result.size() / sizeof(Out));
    const T* value = band.values<T>().data();
    for (std::size_t y = top; y < rows; ++y) {
        Out* out = &words[y * shape.row_words() + pad * shape.channels];
        std::array<Sum, 4> row{};
        for (std::size_t i = 0; i < above.size(); ++i) {
            Sum& sum = row[i % shape.channels];
            sum += static_cast<Sum>(*value++);
            above[i] += sum;
            out[i] = static_cast<Out>(above[i]);
        }
    }
    return result;
}

RowsMade SumsOnCpu::next(Context&, Band& band) {
    return sums_of(band.pixels(), band.first_row() == 0);
}

std::vector<std::byte> SumsOnCpu::sums_of(const Image& pixels, bool first) {
    switch (pixels.depth()) {
    case Depth::u8:
        return sum_up<std::uint8_t, std::uint32_t>(pixels, first, words_);
    case Depth::u16:
        return sum_up<std::uint16_t, std::uint32_t>(pixels, first, words_);
    case Depth::f32:
        break;
    }
    return sum_up<float, float>(pixels, first, doubles_);
}

} // namespace glproc
