#include "glproc/kinds/gather/resample_pairs.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/kinds/gather/resample_tables.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace glproc {

namespace {

constexpr int group_columns = 2 * pair_group;

std::string flag(bool is_set) {
    return text(is_set ? 1 : 0);
}

/// The smallest size that a kernel is compiled for and that is enough.
template <std::size_t Count>
std::optional<int> enough(const std::array<int, Count>& sizes, int wanted) {
    const auto* found = std::lower_bound(sizes.begin(), sizes.end(), wanted);
    return found == sizes.end() ? std::nullopt : std::optional(*found);
}

const PairTables& tables_along_x(Context& gpu, const Stretch& stretch, const GpuImage& from, int begin,
                                 const GpuImage& to, int first, int grain) {
    return pair_tables(gpu, {stretch, first, to.width(), begin, from.width(), takes_short_weights(stretch)},
                       grain);
}

} // namespace

bool run_strips(Context& gpu, const Resample& resample, const GpuImage& from, const Rect& rect, GpuImage& to,
                const Rect& result) {
    constexpr std::array all_taps{4, 8, 14};
    constexpr std::array all_strips{128, 288, 576};
    const PairTables& x = tables_along_x(gpu, resample.x, from, rect.x, to, result.x, 1);
    const std::optional<int> taps = enough(all_taps, x.taps);
    if (!taps) {
        return false;
    }
    // Weights of 0 are multiplied, too, so their pixels must be there.
    const std::optional<int> seen = enough(all_strips, 4 * x.texels + *taps - x.taps);
    if (!seen) {
        return false;
    }
    const TableKey key{resample.y, result.y, to.height(), rect.y, from.height(), false};
    const AxisTables& y = axis_tables(gpu, key);
    // Longer strips begin fewer rows twice, but leave a GPU with too few groups.
    constexpr int shortest = 16;
    constexpr int longest = 128;
    constexpr int enough_groups = 2048;
    const int side_by_side = covering(to.width(), group_columns);
    const std::int64_t rows = std::int64_t{to.height()} * side_by_side / enough_groups;
    const int strip = static_cast<int>(std::clamp<std::int64_t>(rows, shortest, longest));
    gpu.pass("resample.strips", "kinds/gather/resample_strip.comp",
             {{"DOWN", flag(resample.y.shrinks())},
              {"SLOTS", text(slots_of(resample.y.filter))},
              {"SHORT", flag(x.key.is_short)},
              {"TAPS", text(*taps)},
              {"STRIP", text(*seen)},
              {"FETCHED", fetched(gpu.device())}})
        .reads("i_src", from)
        .reads("b_first", x.first)
        .reads("b_taps", x.weights)
        .reads("b_windows", y.windows)
        .reads("b_weights", y.weights)
        .writes("i_dst", to)
        .set("u_count", Int2{to.width(), to.height()})
        .set("u_taps", x.taps)
        .set("u_texels", x.texels)
        .set("u_strip", strip)
        .groups(side_by_side, covering(to.height(), strip));
    return true;
}

void run_across(Context& gpu, const Stretch& stretch, const GpuImage& from, int begin, GpuImage& to,
                int first) {
    constexpr int rows = 4; // ROWS of the kernel
    constexpr int in_texel = 4;
    const PairTables& x = tables_along_x(gpu, stretch, from, begin, to, first, in_texel);
    gpu.pass("resample.across", "kinds/gather/resample_across.comp",
             {{"SHORT", flag(x.key.is_short)}, {"FETCHED", fetched(gpu.device())}})
        .reads("i_src", from)
        .reads("b_first", x.first)
        .reads("b_taps", x.weights)
        .writes("i_dst", to)
        .set("u_count", Int2{to.width(), to.height()})
        .set("u_taps", x.taps)
        .groups(covering(to.height(), rows), covering(to.width(), group_columns));
}

} // namespace glproc
