// Histograms that thresholds are found for: photos, peaks, gaps, and what no camera makes.
#pragma once

#include "support/inputs.hpp"
#include "support/threshold_truth.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace glproc::test {

/// Numbers from 0 to 1, one after another.
class Chance {
  public:
    explicit Chance(std::uint32_t seed) : seed_(seed) {}
    double operator()(double low = 0, double high = 1) {
        return low + (high - low) * hash_01(seed_, ++drawn_);
    }

  private:
    std::uint32_t seed_;
    std::uint32_t drawn_ = 0;
};

double bell(double at, double middle, double width);

/// So many pixels by the given density, each bin with noise.
Counts counts_by(std::size_t bins, double pixels, Chance& chance,
                 const std::function<double(double)>& density);

/// Several bells, and pixels that are cut off at black and white.
Counts photo(std::uint32_t seed);

struct NamedCounts {
    std::string name;
    Counts counts;
};

/// More than 200 histograms with three used bins or more, of 8 and 16 bits.
std::vector<NamedCounts> many_counts();

} // namespace glproc::test
