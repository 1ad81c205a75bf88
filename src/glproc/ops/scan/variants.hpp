// Inside the prefix sum: how its work is cut, and each variant for values that fit in one storage block.
#pragma once

#include "glproc/ops/scan.hpp"

#include <cstdint>

namespace glproc {

/// Tiles that look-back treats as if their groups stopped before publishing their sums, so that tests see how
/// the others react; see LATE in glsl/lib/lookback.glsl.
struct LateTiles {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    Int2 words{};       ///< the words that even and odd ones of them publish all the same, one bit for each
    bool shared = true; ///< others publish the sums that they compute instead
    Buffer* fallbacks = nullptr; ///< one word; the number of times they do so is added to it
};

/// How the work is cut. Scan takes plan_scan(); tests take others.
struct ScanPlan {
    std::size_t chunk_words = 0; ///< values summed at a time; a multiple of the storage alignment
    int group = 256;             ///< invocations of a group
    int quads = 2;               ///< quads of values for each of them
    int subgroup = 0;            ///< SUBGROUP of lib/subgroup.glsl
    int lanes = 0;               ///< SUBGROUP_LANES of lib/subgroup.glsl, for look-back
    int window = 32;             ///< tiles that look-back reads at once
    int spins = 64;              ///< looks at a tile before look-back computes its sum itself
    int few_tiles = 256;         ///< up to so many tiles, look-back reads eight windows at once
    bool tickets = true;         ///< whether look-back numbers tiles as their groups start
    const LateTiles* late = nullptr;

    /// Values of one tile.
    std::int64_t tile_words() const { return std::int64_t{group} * quads * 4; }
};

/// Buffers that prefix sums keep between calls (see Context::kept), so that no call begins by clearing. With
/// clears 2^20 values took 0.0152 ms instead of 0.0118, and 2^24 took 0.0687 instead of 0.0637 (NVIDIA H200,
/// driver 580.159.04, 2026-11-20).
struct ScanMemory {
    std::optional<Buffer> zero;     ///< a word: the sum before the first value
    std::optional<Buffer> carry;    ///< a word: the sum before the first value of a later part
    std::optional<Buffer> lookback; ///< b_lookback of glsl/lib/lookback.glsl
    std::uint32_t mark = 0;         ///< of the last look-back; 16 bits

    /// Makes `zero` and `carry` if they are not there yet.
    void prepare(Context& gpu);

    /// b_lookback for so many bytes, with no word that has the new mark.
    Buffer& take_lookback(Context& gpu, std::size_t bytes);
};

/// The plan measured best for the renderer, for values in buffers. `variant` is not `automatic`.
ScanPlan plan_scan(Context& gpu, ScanVariant variant);

/// The same for `lookback` of arrays in blocks.
ScanPlan plan_scan_of_blocks(Context& gpu);

/// The variant that `automatic` chooses.
ScanVariant choose_scan_variant(Context& gpu);

/// Scan::operator() by a plan; `scan.variant` is neither `automatic` nor `cpu`. Checks nothing.
void run_scan(Context& gpu, const Scan& scan, const ScanPlan& plan, const Buffer& in, Buffer& out,
              std::size_t count);

/// `lookback` of an array in blocks into another array in blocks, by a plan.
void run_scan_of_blocks(Context& gpu, const Scan& scan, const ScanPlan& plan, const GpuArray& in,
                        GpuArray& out);

/// Values of a buffer, no more than fit in one storage block.
template <class B>
struct Words {
    B& buffer;
    std::size_t first = 0; ///< a multiple of the storage alignment
    std::size_t count = 0;

    BufferRange range() const { return {first * sizeof(std::uint32_t), count * sizeof(std::uint32_t)}; }
    operator Words<const B>() const { return {buffer, first, count}; } // a place to write to may also be read
};

/// One call of a variant: sums `in` into `out`, starting from the word in `carry`.
struct ScanJob {
    Context& gpu;
    Scan scan;
    const ScanPlan& plan;
    Words<const Buffer> in;
    Words<Buffer> out;
    const Buffer& carry;

    /// The same work from and to other places.
    ScanJob between(Words<const Buffer> from, Words<Buffer> to) const {
        return {gpu, scan, plan, from, to, carry};
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(in.count); }
    int exclusive() const { return scan.exclusive ? 1 : 0; } ///< as u_exclusive
    /// A pass of `kernel` that has b_in, b_out and u_count; FLOAT is added to the defines.
    Pass pass(std::string_view label, std::string_view kernel, Defines defines) const;
};

void run_hillis_steele(const ScanJob& job);
void run_blelloch(const ScanJob& job);
void run_blocked(const ScanJob& job); ///< `subgroup` too: the plan says how
void run_lookback(const ScanJob& job);

} // namespace glproc
