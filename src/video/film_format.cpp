#include "video/film_format.hpp"

#include <cstddef>

namespace glproc::video {

AVRational reshaped(AVRational aspect, const PixelShape& shape) {
    constexpr int most = 65535; // as H.264 has it
    if (aspect.num <= 0 || aspect.den <= 0) {
        return {0, 1};
    }
    return shape.widened != 1 ? av_d2q(shape.of(av_q2d(aspect)), most)
           : shape.turned     ? av_inv_q(aspect)
                              : aspect;
}

bool is_interlaced(FilmReader& film) {
    const AVFieldOrder order = film.container().streams[film.stream()]->codecpar->field_order;
    const AVFrame* first = film.peek();
    return (order != AV_FIELD_UNKNOWN && order != AV_FIELD_PROGRESSIVE) ||
           (first != nullptr && has_fields(*first));
}

FilmFormat format_of_film(FilmReader& film, const FrameClock& clock, bool fields) {
    const FilmInfo& info = film.info();
    FilmFormat format{.form = info.form,
                      .code = info.code,
                      .names_matrix = info.tagged,
                      .location = info.location,
                      .primaries = info.primaries,
                      .transfer = info.transfer,
                      .time_base = clock.time_base,
                      .rate = clock.rate};
    if (info.turn.is_upright() && fields) { // fields that were turned are none any more
        format.fields = film.container().streams[film.stream()]->codecpar->field_order;
    } else if (is_interlaced(film)) {
        format.fields = AV_FIELD_PROGRESSIVE;
    }
    return format;
}

FilmFormat format_of_pictures(const Form& result, const CodeOverride& code, double rate) {
    FilmFormat format;
    constexpr int deep = 16;
    format.form = {result.width, result.height, result.depth == Depth::u8 ? 8 : deep};
    format.code = {YcbcrMatrix::rgb, YcbcrRange::full};
    format.grey = result.channels == 1 && !code.matrix && !code.range;
    if (code.matrix || code.range) {
        format = halved_chroma(format);
        format.code = {code.matrix.value_or(format.code.matrix), code.range.value_or(format.code.range)};
    }
    format.rate = rate_of(rate);
    format.time_base = av_inv_q(format.rate);
    return format;
}

Span span_of(FilmReader& film, const Selection& selection) {
    Span span;
    if (selection.is_all()) {
        return span;
    }
    const auto& times = film.frame_times();
    const auto first = static_cast<std::size_t>(selection.first);
    span.begin = selection.first > 0 ? film.seconds_of(times.at(first)) : 0;
    if (selection.last && static_cast<std::size_t>(*selection.last) + 1 < times.size()) {
        span.end = film.seconds_of(times[static_cast<std::size_t>(*selection.last) + 1]);
    }
    return span;
}

AVRational rate_of(double frames_per_second) {
    constexpr int finest = 1001000;
    return av_d2q(frames_per_second, finest);
}

} // namespace glproc::video
