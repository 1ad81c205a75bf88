// The measures of glsl/local/walk.comp, by the processor.
#pragma once

#include "glproc/ops/local.hpp"

#include <cstdint>
#include <vector>

namespace glproc {

/// n log2 n for each n up to that many values, in so small units that sums of them just fit 31 bits.
struct EntropyTerms {
    double unit = 1; ///< how many of them are 1
    std::vector<std::uint32_t> values = {0};
};

EntropyTerms entropy_terms(int most);

/// The deviation, variance or entropy around each pixel: of codes, or an entropy of floats. The caller calls finish().
void spread_rows(const Local& op, RowReader& source, RowWriter& to);

} // namespace glproc
