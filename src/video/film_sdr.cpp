#include "video/film_sdr.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/field.hpp"
#include "video/sdr_look.hpp"

namespace glproc::video {

std::optional<ToSdr> sdr_conversion(const cli::Arguments& arguments, const FilmInfo& info, const HdrMetadata& hdr) {
    const bool is_pq = info.transfer == AVCOL_TRC_SMPTE2084;
    if (arguments.has("hdr-peak") && !(arguments.has("to-sdr") && is_pq)) {
        throw Error(ErrorCode::usage, "--hdr-peak has no effect without --to-sdr on a PQ video",
                    "HLG videos have a peak of 1000 cd/m2");
    }
    if (!arguments.has("to-sdr")) {
        return std::nullopt;
    }
    std::optional<ToSdr> made = sdr_look_of(info, hdr);
    if (made && arguments.has("hdr-peak")) {
        made->peak = parse_number({"hdr-peak", "cd/m2", hdr_peak_limit}, arguments.value("hdr-peak"));
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
