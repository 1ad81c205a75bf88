// The buffers in which the kernels of a resampling find its windows.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/kinds/gather/windows.hpp"

#include <string_view>
#include <vector>

namespace glproc {

/// Whether weights of 16 bits are good enough for bytes.
bool takes_short_weights(const Stretch& stretch);

/// CAREFUL of the kernel: whether sums are so long that their rounding errors are carried along.
bool carries_errors(const Stretch& stretch, Depth depth);

template <class T>
Buffer filled(Context& gpu, const std::vector<T>& values, std::string_view label) {
    Buffer buffer = gpu.make_buffer(values.size() * sizeof(T), label);
    buffer.write(values);
    return buffer;
}

/// The tables of resample.comp for one axis.
struct AxisTables {
    TableKey key;
    Buffer windows;
    Buffer weights;
};

/// Keeps the last ones, because making them takes longer than using them. Good until the next call.
const AxisTables& axis_tables(Context& gpu, const TableKey& key);

/// The tables of resample_strip.comp and resample_across.comp along x.
struct PairTables {
    TableKey key;
    int grain = 1; ///< of make_pairs()
    int taps = 0;
    int texels = 0; ///< of a row, that a group of `pair_group` sees at most
    Buffer first;
    Buffer weights;
};
inline constexpr int pair_group = 64; // GROUP of these kernels

/// Keeps them in the same way.
const PairTables& pair_tables(Context& gpu, const TableKey& key, int grain);

} // namespace glproc
