// Prefix sums of values in GPU buffers.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/field.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace glproc {

/// The type of the words in a buffer. u32 and i32 wrap modulo 2^32.
using ScanType = ArrayType;

/// How a prefix sum is computed. All give the same answer, floats within their rounding.
enum class ScanVariant { automatic, cpu, hillis_steele, blelloch, blocked, subgroup, lookback };

template <>
inline constexpr std::array<EnumRow<ScanVariant>, 7> enum_rows<ScanVariant>{
    EnumRow{ScanVariant::automatic, "auto", "the fastest measured for this renderer"},
    EnumRow{ScanVariant::cpu, "cpu",
            "a plain loop on the CPU, f32 summed in double precision: the reference; copies the values to "
            "the CPU"},
    EnumRow{ScanVariant::hillis_steele, "hillis_steele",
            "log2(n) passes over all values, n log n additions (Hillis and Steele 1986): for comparison"},
    EnumRow{ScanVariant::blelloch, "blelloch",
            "up and down a tree in global memory, one dispatch per level, 2n additions (Blelloch 1990): for "
            "comparison"},
    EnumRow{ScanVariant::blocked, "blocked",
            "tiles in shared memory, their sums recursively: any GPU, as no group waits for another"},
    EnumRow{ScanVariant::subgroup, "subgroup",
            "as blocked, with sums by subgroup shuffles: GPUs with GL_KHR_shader_subgroup"},
    EnumRow{ScanVariant::lookback, "lookback",
            "a single pass with look-back (Merrill and Garland 2016): reads and writes each value once"},
};

/// For each value the sum of all values before it, and (inclusive) of the value itself. The first exclusive
/// sum is 0. f32 is within n · ε · Σ|x| of the exact sum, ε = 2^-23.
struct Scan {
    bool exclusive = false;
    ScanType type = ScanType::u32;
    ScanVariant variant = ScanVariant::automatic;

    /// Sums the first `count` words of `in` into the first `count` of `out` and leaves the rest of `out` as
    /// it is. Any count from 0 to what fits in memory; buffers may be larger than one storage block. Only
    /// `cpu` reads anything back. Scratch memory: as much as the values, up to one storage block, for
    /// `hillis_steele`; a few percent or none for the others.
    ///
    /// `out` must be another buffer than `in`: `lookback` may read a value again after its sum has been
    /// written.
    /// @throws Error (operation) if it is the same buffer, if a buffer holds fewer words, or if the device
    /// lacks what the variant needs (see why_unavailable); Error (gpu) if scratch memory does not fit.
    void operator()(Context& gpu, const Buffer& in, Buffer& out, std::size_t count) const;

    /// The sums of an array, by the type of its elements. From an array in blocks `lookback` makes another
    /// one in blocks. `cpu` makes one that lies wherever its length asks for. Any other variant copies it to
    /// a buffer first and leaves the sums in one.
    GpuArray operator()(Context& gpu, const GpuArray& values) const;
};

/// The feature that `variant` needs and the device lacks, as a sentence; nothing if it can run.
std::optional<std::string> why_unavailable(Context& gpu, ScanVariant variant);

} // namespace glproc
