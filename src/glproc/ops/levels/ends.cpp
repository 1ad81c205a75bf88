#include "glproc/ops/levels/ends.hpp"

#include <vector>

namespace glproc {

namespace {

/// The first bin up to which more than `clipped` pixels were counted.
template <class Iterator>
std::ptrdiff_t first_beyond(Iterator begin, Iterator end, std::uint64_t clipped) {
    std::uint64_t passed = 0;
    for (Iterator at = begin; at != end; ++at) {
        passed += *at;
        if (passed > clipped) {
            return at - begin;
        }
    }
    return 0;
}

} // namespace

Ends ends_of(const Counted& counted, std::size_t channel, std::uint64_t clipped, const Form& form) {
    const std::vector<std::uint64_t>& counts = counted.channels[channel].counts;
    const auto last = static_cast<std::ptrdiff_t>(counts.size()) - 1;
    const std::ptrdiff_t black = first_beyond(counts.begin(), counts.end(), clipped);
    const std::ptrdiff_t white = last - first_beyond(counts.rbegin(), counts.rend(), clipped);
    const bool has_floats = form.depth == Depth::f32;
    if (black >= white) {
        return has_floats ? Ends{counted.range.low, counted.range.high} : Ends{0, max_code(form.depth)};
    }
    // A bin of an integer picture is a code; one of floats has a width.
    return has_floats ? Ends{counted.edge(static_cast<std::size_t>(black)), counted.edge(static_cast<std::size_t>(white) + 1)}
                      : Ends{static_cast<double>(black), static_cast<double>(white)};
}

Buffer ends_on_gpu(Context& gpu, const Form& form, const Buffer& counts, int channels, std::uint64_t clipped,
                   std::span<const float> params) {
    Buffer result = gpu.make_buffer(params.size_bytes(), "parameters");
    result.write(std::vector<float>(params.begin(), params.end()));
    gpu.pass("levels.ends", "levels/ends.comp")
        .reads("b_counts", counts)
        .updates("b_params", result)
        .set("u_bins", static_cast<std::uint32_t>(bins_of(form)))
        .set("u_channels", static_cast<std::uint32_t>(channels))
        .set("u_clipped", static_cast<std::uint32_t>(clipped))
        .set("u_full", code_unit(form))
        .groups(channels);
    return result;
}

} // namespace glproc
