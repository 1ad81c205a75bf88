// Colours that are scaled until their luma is another, in CPU memory.
#pragma once

#include "glproc/kinds/samples.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace glproc {

/// a / b, rounded with ties to even. Whole numbers up to 2^64 occur; a is at most 2^16 times b.
inline std::uint64_t rounded_quotient(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t quotient = a / b;
    const std::uint64_t twice = 2 * (a % b);
    return quotient + (twice > b || (twice == b && quotient % 2 == 1) ? 1 : 0);
}

/// Finds the luma of pixels and replaces it.
template <class T>
class LumaOfCodes {
  public:
    LumaOfCodes(const LumaRule& rule, std::uint64_t largest) : rule_(rule), largest_(largest) {}

    /// In units of 1 / rule.sum.
    std::uint64_t of(const T* pixel) const {
        return std::uint64_t{rule_.red} * pixel[0] + std::uint64_t{rule_.green} * pixel[1] +
               std::uint64_t{rule_.blue} * pixel[2];
    }

    /// Its bin, of as many as there are codes.
    std::size_t bin_of(std::uint64_t luma) const {
        return static_cast<std::size_t>(std::min(largest_, luma * (largest_ + 1) / (rule_.sum * largest_)));
    }

    /// Scales r, g and b by wanted / luma, and clips them. Black stays.
    void replace(T* pixel, std::uint64_t luma, std::uint64_t wanted) const {
        for (std::size_t c = 0; c < 3 && luma > 0; ++c) {
            pixel[c] =
                static_cast<T>(std::min(largest_, rounded_quotient(pixel[c] * wanted * rule_.sum, luma)));
        }
    }

  private:
    LumaRule rule_;
    std::uint64_t largest_;
};

} // namespace glproc
