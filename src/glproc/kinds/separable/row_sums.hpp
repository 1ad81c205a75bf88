// Sums of weighted rows by the processor, in the order and with the roundings of glsl/lib/separable.glsl.
#pragma once

#include "glproc/image/image.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glproc {

/// Compiled for wider registers, too; the version is chosen when the program starts, and the bits are the
/// same.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GLPROC_FOR_WIDE_REGISTERS __attribute__((target_clones("avx2", "default")))
#else
#define GLPROC_FOR_WIDE_REGISTERS
#endif

/// to[i] = the sum of taps[k] × from[k][i], from the first tap to the last.
void sum_taps(const float* taps, const float* const* from, std::size_t count, float* to, std::size_t width);

/// The values of a row in code units, colours times alpha if it `weights` them.
void values_of_row(const std::byte* codes, const Form& form, bool weights, float* to);

/// float_of() of lib/reproducible.glsl.
float float_of(std::uint64_t whole);

/// A picture as values_of_row().
struct Plane {
    Plane(const Image& image, bool weights);

    float* row(int y) { return &values[static_cast<std::size_t>(y) * row_values]; }
    const float* row(int y) const { return &values[static_cast<std::size_t>(y) * row_values]; }

    std::size_t row_values;
    std::vector<float> values;
};

/// The taps −radius … radius of an axis.
class AxisTaps {
  public:
    /// `in_parts`: as sums of floats and of 16 bits are made.
    AxisTaps(const std::vector<float>& half, bool in_parts);

    int radius() const { return radius_; }

    /// Sums over `row(d)`, the values that tap d takes. `room` is for two rows as long as `to`.
    template <class Row>
    void sum(const Row& row, std::span<float> room, std::span<float> to) const {
        std::vector<const float*> from;
        from.reserve(distances_.size());
        for (const int d : distances_) {
            from.push_back(row(d));
        }
        add_up(from, room, to);
    }

  private:
    void add_up(std::span<const float* const> from, std::span<float> room, std::span<float> to) const;

    int radius_;
    std::vector<float> weights_; ///< weights of 0 are left out: they let no NaN through
    std::vector<int> distances_;
    std::vector<std::size_t> ends_; ///< of parts
};

} // namespace glproc
