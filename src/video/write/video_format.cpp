#include "video/write/video_format.hpp"

#include "video/read/hdr.hpp"

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

bool is_interlaced(VideoReader& video) {
    const AVFieldOrder order = video.container().streams[video.stream()]->codecpar->field_order;
    const AVFrame* first = video.peek();
    return (order != AV_FIELD_UNKNOWN && order != AV_FIELD_PROGRESSIVE) ||
           (first != nullptr && has_fields(*first));
}

VideoFormat format_of_video(VideoReader& video, const FrameClock& clock, bool fields) {
    const VideoInfo& info = video.info();
    VideoFormat format{info};
    format.time_base = clock.time_base;
    format.rate = clock.rate;
    if (info.turn.is_upright() && fields) { // fields that were turned are none any more
        format.fields = video.container().streams[video.stream()]->codecpar->field_order;
    } else if (is_interlaced(video)) {
        format.fields = AV_FIELD_PROGRESSIVE;
    }
    return format;
}

VideoFormat format_of_pictures(const Form& result, const CodeOverride& code, double rate) {
    VideoFormat format;
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

Span span_of(VideoReader& video, const Selection& selection) {
    Span span;
    if (selection.is_all()) {
        return span;
    }
    const auto& times = video.frame_times();
    const auto first = static_cast<std::size_t>(selection.first);
    span.begin = selection.first > 0 ? video.seconds_of(times.at(first)) : 0;
    if (selection.last && static_cast<std::size_t>(*selection.last) + 1 < times.size()) {
        span.end = video.seconds_of(times[static_cast<std::size_t>(*selection.last) + 1]);
    }
    return span;
}

AVRational rate_of(double frames_per_second) {
    constexpr int finest = 1001000;
    return av_d2q(frames_per_second, finest);
}

VideoFormat as_sdr(VideoFormat format) {
    constexpr int byte = 8;
    format.form.bits = byte;
    format.primaries = AVCOL_PRI_BT709;
    format.transfer = AVCOL_TRC_BT709;
    if (!format.is_rgb()) {
        format.code.matrix = YcbcrMatrix::bt709;
    }
    format.hdr = {};
    return format;
}

} // namespace glproc::video
