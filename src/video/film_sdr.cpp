#include "video/film_sdr.hpp"

#include "cli/files/film_command.hpp"
#include "glproc/base/error.hpp"

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
    return std::clamp(peak, cli::hdr_peak_limit.low, cli::hdr_peak_limit.high);
}

} // namespace

std::optional<ToSdr> sdr_conversion(const cli::Arguments& arguments, const FilmInfo& info, const HdrMetadata& hdr) {
    const bool is_pq = info.transfer == AVCOL_TRC_SMPTE2084;
    const bool is_hlg = info.transfer == AVCOL_TRC_ARIB_STD_B67;
    if (arguments.has("hdr-peak") && !(arguments.has("to-sdr") && is_pq)) {
        throw Error(ErrorCode::usage, "--hdr-peak has no effect without --to-sdr on a PQ video",
                    "HLG videos have a peak of 1000 cd/m2");
    }
    if (!arguments.has("to-sdr")) {
        return std::nullopt;
    }
    const std::optional<Primaries> wide = wide_primaries(info.primaries);
    if (!is_pq && !is_hlg && !wide) {
        return std::nullopt;
    }
    ToSdr made{.curve = is_pq ? HdrCurve::pq : is_hlg ? HdrCurve::hlg : HdrCurve::power, .peak = peak_of(hdr)};
    // HDR without a word of its primaries has those of BT.2100, unless it says that they are not.
    made.primaries = wide ? *wide : info.primaries == AVCOL_PRI_UNSPECIFIED ? bt2020_primaries : bt709_primaries;
    if (arguments.has("hdr-peak")) {
        made.peak = parse_number({"hdr-peak", "cd/m2", cli::hdr_peak_limit}, arguments.value("hdr-peak"));
    }
    return made;
}

FilmFormat as_sdr(FilmFormat format) {
    constexpr int byte = 8;
    format.form.bits = byte;
    format.primaries = AVCOL_PRI_BT709;
    format.transfer = AVCOL_TRC_BT709;
    if (format.code.matrix != YcbcrMatrix::rgb) {
        format.code.matrix = YcbcrMatrix::bt709;
    }
    format.hdr = {};
    return format;
}

} // namespace glproc::video
