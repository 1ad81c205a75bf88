#include "video/sdr_look.hpp"

#include <algorithm>

namespace glproc::video {

namespace {

std::optional<Primaries> wide_primaries(AVColorPrimaries primaries) {
    switch (primaries) {
    case AVCOL_PRI_BT2020:
        return bt2020_primaries;
    case AVCOL_PRI_SMPTE431:
        return dci_p3_primaries;
    case AVCOL_PRI_SMPTE432:
        return display_p3_primaries;
    default:
        return std::nullopt;
    }
}

/// cd/m2, of metadata that may be zeros.
double peak_of(const HdrMetadata& hdr) {
    constexpr double usual = 1000;
    const double brightest = hdr.light ? hdr.light->MaxCLL : 0;
    const double screen = hdr.display && hdr.display->has_luminance != 0 ? av_q2d(hdr.display->max_luminance) : 0;
    const double peak = brightest > 0 ? brightest : screen > 0 ? screen : usual;
    return std::clamp(peak, hdr_peak_limit.low, hdr_peak_limit.high);
}

} // namespace

std::optional<ToSdr> sdr_look_of(const FilmInfo& info, const HdrMetadata& hdr) {
    const bool is_pq = info.transfer == AVCOL_TRC_SMPTE2084;
    const bool is_hlg = info.transfer == AVCOL_TRC_ARIB_STD_B67;
    const std::optional<Primaries> wide = wide_primaries(info.primaries);
    if (!is_pq && !is_hlg && !wide) {
        return std::nullopt;
    }
    ToSdr made{.curve = is_pq ? HdrCurve::pq : is_hlg ? HdrCurve::hlg : HdrCurve::power, .peak = peak_of(hdr)};
    // HDR without a word of its primaries has those of BT.2100, unless it says that they are not.
    made.primaries = wide ? *wide : info.primaries == AVCOL_PRI_UNSPECIFIED ? bt2020_primaries : bt709_primaries;
    return made;
}

} // namespace glproc::video
