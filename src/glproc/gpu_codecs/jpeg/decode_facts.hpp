// The facts about a picture that kernels need, as in glsl/jpeg/decode.glsl: one word each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glproc::gpu_codecs {

/// Bits of a subsequence, which one invocation decodes.
inline constexpr std::uint32_t subsequence_bits = 1024;

/// Places count words of the buffer that has all tables, unless they name another one.
enum Fact : std::size_t {
    fact_bits = 0,         ///< where the picture's data begins, in words
    fact_subsequences = 1, ///< how many
    fact_ends = 2,         ///< where their end states and sums begin
    fact_segments = 3,     ///< where the segments lie
    fact_segment_of = 4,   ///< where the segments of the subsequences are named
    fact_lookup = 5,       ///< where the Huffman tables lie
    fact_unit_blocks = 6,  ///< blocks of an MCU
    fact_components = 7,
    fact_units_across = 8,
    fact_width = 10, ///< as stored, at the fraction that is made
    fact_height = 11,
    fact_repeats = 12, ///< 8 bits a component: how many columns (4) and rows (4) of pixels share a sample
    fact_blocks = 14,
    fact_colour = 15,       ///< 0 as it is, 1 YCbCr
    fact_group_starts = 16, ///< where the start states of its groups lie, among the end states
    fact_quantisation = 17,
    fact_upsampling = 18,  ///< 4 bits a component
    fact_unit = 20,        ///< the blocks of an MCU, at most ten
    fact_component = 32,   ///< eight words each, as follows
};

enum ComponentFact : std::size_t {
    component_block = 0, ///< its first
    component_across = 1, ///< blocks of a row
    component_size = 2,   ///< samples across a block, 1 to 8, as a power of 2
    component_factor_across = 3, ///< blocks of an MCU
    component_factor_down = 4,
    component_samples = 5, ///< where they lie, in words
    component_width = 6,   ///< in samples, without those that only fill the last block
    component_height = 7,
};
inline constexpr std::size_t component_facts = 8;

/// How a component becomes as large as the picture.
enum class Upsampling : std::uint32_t { none, smooth_across, smooth_down, smooth_both, repeat };

} // namespace glproc::gpu_codecs
