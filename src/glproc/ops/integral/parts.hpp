// Inside the integral image: the parts that its variants share, and `cpu`.
#pragma once

#include "glproc/ops/integral.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glproc {

inline constexpr std::size_t word_bytes = sizeof(std::uint32_t);

/// The size of a result.
struct ResultShape {
    std::size_t rows;
    std::size_t columns;
    std::size_t channels;

    std::size_t row_words() const { return columns * channels; }
    std::vector<std::size_t> dimensions() const {
        return channels == 1 ? std::vector{rows, columns} : std::vector{rows, columns, channels};
    }
};

inline ResultShape shape_of(int width, int height, int channels, bool padded) {
    const std::size_t pad = padded ? 1 : 0;
    return {static_cast<std::size_t>(height) + pad, static_cast<std::size_t>(width) + pad,
            static_cast<std::size_t>(channels)};
}

inline ArrayType type_of(Depth depth) {
    return depth == Depth::f32 ? ArrayType::f32 : ArrayType::u32;
}

/// Sums of a picture that comes in bands, on the CPU.
class SumsOfBands {
  public:
    SumsOfBands(const Form& form, bool padded);

    /// The rows of the result that belong to a band; with the first comes the row of zeros.
    std::vector<std::byte> add(const Image& band);

  private:
    template <class T, class Out, class Sum>
    std::vector<std::byte> sum_up(const Image& band, bool first, std::vector<Sum>& above) const;

    Form form_;
    bool padded_;
    bool is_first_ = true;
    std::vector<std::uint32_t> words_; ///< of integers: the sums of all above, for each column
    std::vector<double> doubles_;      ///< the same of floats
};

/// An array for the result of `src`.
GpuArray make_integral(Context& gpu, const GpuImage& src, bool padded);

} // namespace glproc
