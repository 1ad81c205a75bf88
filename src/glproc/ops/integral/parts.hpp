// Inside the integral image: the parts that its variants share, and `cpu`.
#pragma once

#include "glproc/ops/integral.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// Sums on the CPU.
class SumsOnCpu final : public SweepState {
  public:
    SumsOnCpu(const Form& form, bool padded);

    RowsMade next(Context& gpu, Band& band) override;
    /// The rows of the result that belong to the next ones of the picture; `first` if these are its first.
    std::vector<std::byte> sums_of(const Image& pixels, bool first);

  private:
    template <class T, class Out, class Sum>
    std::vector<std::byte> sum_up(const Image& band, bool first, std::vector<Sum>& above) const;

    bool padded_;
    std::vector<std::uint32_t> words_; ///< of integers: the sums of all above, for each column
    std::vector<double> doubles_;      ///< the same of floats
};

/// Sums that a band leaves for the one below.
struct IntegralCarry {
    std::optional<Buffer> words = std::nullopt; ///< none above the first band
    int row = 0;                                ///< of `words`, directly above the next band
    std::optional<Buffer> corners =
        std::nullopt; ///< of the method `bands`, of floats: b_corners of glsl/integral/walk.comp
};

/// Sums by kernels.
class SumsOnGpu final : public SweepState {
  public:
    /// Integral::variant is neither `automatic` nor `cpu`.
    SumsOnGpu(const Integral& integral, const IntegralPlan& plan) : integral_(integral), plan_(plan) {}

    RowsMade next(Context& gpu, Band& band) override { return next(gpu, band.image()); }

    /// The rows of the result that belong to `src`, the next rows of a picture, of whole bands but for the last. Of the first a
    /// padded result has one row more.
    RowsMade next(Context& gpu, const GpuImage& src);

  private:
    Integral integral_;
    IntegralPlan plan_;
    IntegralCarry carry_;
};

} // namespace glproc
