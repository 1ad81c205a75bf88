#include "glproc/kinds/gather/resample_tables.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/kept.hpp"

#include <algorithm>
#include <deque>

namespace glproc {

bool takes_short_weights(const Stretch& stretch) {
    // Above this scale at most 0.09 % of the values of noise miss the rounded answer, as many as with floats.
    // At 0.67 it would be 0.14 %.
    constexpr double from = 1.75;
    return stretch.scale() >= from;
}

const AxisTables& axis_tables(Context& gpu, const TableKey& key) {
    const auto is_wanted = [&](const AxisTables& tables) { return tables.key == key; };
    return kept_or_made(gpu.kept<std::deque<AxisTables>>(), is_wanted, [&] {
        const WindowTables tables = make_tables(key);
        return AxisTables{key, filled(gpu, tables.windows, "resample.windows"),
                          filled(gpu, tables.weights, "resample.weights")};
    });
}

const PairTables& pair_tables(Context& gpu, const TableKey& key, int grain) {
    const auto is_wanted = [&](const PairTables& tables) {
        return tables.key == key && tables.grain == grain;
    };
    return kept_or_made(gpu.kept<std::deque<PairTables>>(), is_wanted, [&] {
        constexpr int in_texel = 4; // pixels
        const PairTaps pairs = make_pairs(key, grain);
        int texels = 0;
        for (std::size_t p = 0; p < pairs.first.size(); p += pair_group) {
            const std::size_t last = std::min(p + pair_group, pairs.first.size()) - 1;
            const int end = covering(pairs.first[last] + pairs.taps, in_texel);
            texels = std::max(texels, end - pairs.first[p] / in_texel);
        }
        return PairTables{key,
                          grain,
                          pairs.taps,
                          texels,
                          filled(gpu, pairs.first, "resample.first"),
                          filled(gpu, pairs.weights, "resample.taps")};
    });
}

} // namespace glproc
