#include "video/read/hdr.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace glproc::video {

namespace {

template <class T>
std::optional<T> read(const void* data, std::size_t size) {
    if (data == nullptr || size < sizeof(T)) {
        return std::nullopt;
    }
    T value;
    std::memcpy(&value, data, sizeof value);
    return value;
}

/// Of the frame, else of the stream.
template <class T>
std::optional<T> find(const AVStream& stream, AVPacketSideDataType in_stream, const AVFrame* frame,
                      AVFrameSideDataType in_frame) {
    if (const AVFrameSideData* data = frame == nullptr ? nullptr : av_frame_get_side_data(frame, in_frame)) {
        return read<T>(data->data, data->size);
    }
    const std::span<const std::uint8_t> data = side_data_of(stream, in_stream);
    return read<T>(data.data(), data.size());
}

template <class T>
void put(const std::optional<T>& value, AVPacketSideDataType type, AVStream& stream) {
    if (value) {
        T copy = *value;
        set_side_data(stream, {reinterpret_cast<std::uint8_t*>(&copy), sizeof(T), type});
    }
}

/// Each number times `unit`, in this format: "{:.0f}".
std::string display_in(const AVMasteringDisplayMetadata& display, double chroma, double luminance,
                       const char* format) {
    const auto number = [&](AVRational value, double unit) {
        return fmt::format(fmt::runtime(format), av_q2d(value) * unit);
    };
    const auto point = [&](const AVRational(&at)[2]) {
        return fmt::format("({},{})", number(at[0], chroma), number(at[1], chroma));
    };
    const auto& [red, green, blue] = display.display_primaries;
    return fmt::format("G{}B{}R{}WP{}L({},{})", point(green), point(blue), point(red),
                       point(display.white_point), number(display.max_luminance, luminance),
                       number(display.min_luminance, luminance));
}

} // namespace

HdrMetadata hdr_metadata_of(const AVStream& stream, const AVFrame* frame) {
    HdrMetadata hdr{find<AVMasteringDisplayMetadata>(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, frame,
                                                     AV_FRAME_DATA_MASTERING_DISPLAY_METADATA),
                    find<AVContentLightMetadata>(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, frame,
                                                 AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)};
    if (hdr.display && (hdr.display->has_primaries == 0 || hdr.display->has_luminance == 0)) {
        hdr.display.reset(); // no codec takes half of it
    }
    return hdr;
}

void put_hdr_metadata(const HdrMetadata& hdr, AVStream& stream) {
    put(hdr.display, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, stream);
    put(hdr.light, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, stream);
}

std::string display_of_x26x(const AVMasteringDisplayMetadata& display) {
    return display_in(display, 50000, 10000, "{:.0f}"); // 0.00002 and 0.0001 candelas a square metre
}

std::string display_of_av1(const AVMasteringDisplayMetadata& display) {
    return display_in(display, 1, 1, "{:.5f}");
}

std::string light_of(const AVContentLightMetadata& light) {
    return fmt::format("{},{}", light.MaxCLL, light.MaxFALL);
}

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
    const double screen =
        hdr.display && hdr.display->has_luminance != 0 ? av_q2d(hdr.display->max_luminance) : 0;
    const double peak = brightest > 0 ? brightest : screen > 0 ? screen : usual;
    return std::clamp(peak, hdr_peak_limit.low, hdr_peak_limit.high);
}

} // namespace

std::optional<ToSdr> sdr_look_of(const VideoInfo& info, const HdrMetadata& hdr) {
    const bool is_pq = info.transfer == AVCOL_TRC_SMPTE2084;
    const std::optional<Primaries> wide = wide_primaries(info.primaries);
    if (info.has_usual_colours()) {
        return std::nullopt;
    }
    ToSdr made{.curve = is_pq           ? HdrCurve::pq
                        : info.is_hdr() ? HdrCurve::hlg
                                        : HdrCurve::power,
               .peak = peak_of(hdr)};
    // HDR without a word of its primaries has those of BT.2100, unless it says that they are not.
    made.primaries = wide                                      ? *wide
                     : info.primaries == AVCOL_PRI_UNSPECIFIED ? bt2020_primaries
                                                               : bt709_primaries;
    return made;
}

} // namespace glproc::video
