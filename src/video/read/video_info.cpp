#include "video/read/video_info.hpp"

#include "glproc/base/error.hpp"
#include "video/av.hpp"
#include "video/read/pixels.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace glproc::video {

namespace {

/// Nothing where the video does not say.
std::optional<YcbcrMatrix> matrix_of(AVColorSpace tag, const std::string& name) {
    switch (tag) {
    case AVCOL_SPC_UNSPECIFIED:
    case AVCOL_SPC_RESERVED:
    case AVCOL_SPC_RGB: // on frames that are not: a tag without meaning
        return std::nullopt;
    case AVCOL_SPC_BT709:
        return YcbcrMatrix::bt709;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
        return YcbcrMatrix::bt601;
    case AVCOL_SPC_BT2020_NCL:
        return YcbcrMatrix::bt2020;
    default:
        throw Error(
            ErrorCode::input,
            fmt::format("{}: colours by the matrix {} are not supported", name, av_color_space_name(tag)),
            "--matrix bt709 reads them as if they used that one");
    }
}

YcbcrCode code_of(const AVCodecContext& codec, const CodeOverride& given, const std::string& name,
                  bool& tagged) {
    YcbcrCode code;
    if (is_rgb(codec.pix_fmt)) {
        return {YcbcrMatrix::rgb, YcbcrRange::full};
    }
    const std::optional<YcbcrMatrix> matrix = given.matrix ? given.matrix : matrix_of(codec.colorspace, name);
    tagged = matrix.has_value();
    code.matrix = matrix.value_or(usual_matrix(codec.width, codec.height));
    const std::string_view format = av_get_pix_fmt_name(codec.pix_fmt);
    const bool is_unsaid_grey =
        codec.color_range == AVCOL_RANGE_UNSPECIFIED && is_grey(codec.pix_fmt); // full in other programs, too
    const bool full = codec.color_range == AVCOL_RANGE_JPEG || format.starts_with("yuvj") || is_unsaid_grey;
    code.range = given.range.value_or(full ? YcbcrRange::full : YcbcrRange::limited);
    return code;
}

std::optional<double> duration_of(const AVFormatContext& container, const AVStream& stream) {
    if (stream.duration > 0) {
        return static_cast<double>(stream.duration) * av_q2d(stream.time_base);
    }
    if (container.duration > 0) {
        return static_cast<double>(container.duration) / AV_TIME_BASE;
    }
    return std::nullopt;
}

} // namespace

bool VideoInfo::has_usual_colours() const {
    const bool is_wide =
        primaries == AVCOL_PRI_BT2020 || primaries == AVCOL_PRI_SMPTE431 || primaries == AVCOL_PRI_SMPTE432;
    return !is_wide && !is_hdr();
}

std::optional<std::int64_t> frames_shown(const AVFormatContext& container, const AVStream& stream) {
    auto* indexed = const_cast<AVStream*>(&stream); // which the function does not change
    const int entries = avformat_index_get_entries_count(indexed);
    if (stream.nb_frames <= 0 || entries == 0 ||
        !std::string_view(container.iformat->name).starts_with("mov")) {
        return stream.nb_frames > 0 ? std::optional(stream.nb_frames) : std::nullopt;
    }
    std::int64_t shown = 0;
    for (int i = 0; i < entries; ++i) {
        shown += (avformat_index_get_entry(indexed, i)->flags & AVINDEX_DISCARD_FRAME) == 0 ? 1 : 0;
    }
    return shown;
}

VideoInfo describe_video(const AVFormatContext& container, const AVStream& stream,
                         const AVCodecContext& codec, const CodeOverride& code, const std::string& name) {
    VideoInfo info;
    // As MPEG-2 and H.264 have it, where nothing says otherwise; JPEG has it in the middle.
    info.location = codec.chroma_sample_location;
    if (info.location == AVCHROMA_LOC_UNSPECIFIED && codec.codec_id == AV_CODEC_ID_MJPEG) {
        info.location = AVCHROMA_LOC_CENTER;
    }
    const auto form = form_of(codec.pix_fmt, codec.width, codec.height, info.location);
    if (!form) {
        const char* format = av_get_pix_fmt_name(codec.pix_fmt);
        throw Error(ErrorCode::input,
                    fmt::format("{}: frames of {} are not supported", name,
                                format == nullptr ? "an unknown format" : format),
                    "8 to 16 bits of RGB, grey, 4:2:0, 4:2:2, 4:4:0 and 4:4:4 are");
    }
    info.form = *form;
    info.code = code_of(codec, code, name, info.tagged);
    info.turn = turn_of(stream);
    info.alpha = has_alpha(codec.pix_fmt) || value_of(stream.metadata, "alpha_mode") == "1"; // of VP8 and VP9
    info.container = container.iformat->name;
    info.codec = avcodec_get_name(codec.codec_id);
    info.pixels = codec.pix_fmt;
    info.primaries = codec.color_primaries;
    info.transfer = codec.color_trc;
    info.time_base = stream.time_base;
    info.rate = av_guess_frame_rate(const_cast<AVFormatContext*>(&container), const_cast<AVStream*>(&stream),
                                    nullptr);
    info.pixel_aspect =
        stream.sample_aspect_ratio.num != 0 ? stream.sample_aspect_ratio : codec.sample_aspect_ratio;
    info.duration = duration_of(container, stream);
    info.frames = frames_shown(container, stream);
    if (!info.frames && info.duration && info.rate.num > 0) {
        info.frames = std::llround(*info.duration * av_q2d(info.rate));
    }
    return info;
}

AVColorSpace tag_of(YcbcrMatrix matrix) {
    switch (matrix) {
    case YcbcrMatrix::bt601:
        return AVCOL_SPC_SMPTE170M;
    case YcbcrMatrix::bt709:
        return AVCOL_SPC_BT709;
    case YcbcrMatrix::bt2020:
        return AVCOL_SPC_BT2020_NCL;
    case YcbcrMatrix::rgb:
        break;
    }
    return AVCOL_SPC_RGB;
}

AVColorRange tag_of(YcbcrRange range) {
    return range == YcbcrRange::full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
}

Form Turn::of(Form stored) const {
    if (exchanges_axes()) {
        std::swap(stored.width, stored.height);
    }
    return stored;
}

AVRational Turn::of(AVRational pixel_aspect) const {
    return exchanges_axes() && pixel_aspect.num > 0 ? av_inv_q(pixel_aspect) : pixel_aspect;
}

Turn turn_of(const AVStream& stream) {
    std::array<std::int32_t, 9> matrix{};
    const std::span<const std::uint8_t> said = side_data_of(stream, AV_PKT_DATA_DISPLAYMATRIX);
    if (said.size() < sizeof(matrix)) {
        return {};
    }
    std::memcpy(matrix.data(), said.data(), sizeof(matrix));
    // A pixel at (x, y) is shown at (a x + c y, b x + d y), y downwards.
    double a = matrix[0];
    const double b = matrix[1];
    double c = matrix[3];
    const double d = matrix[4];
    Turn turn;
    turn.mirrored = a * d - b * c < 0;
    if (turn.mirrored) {
        a = -a;
        c = -c;
    }
    if (std::abs(b) + std::abs(c) > std::abs(a) + std::abs(d)) {
        turn.degrees = b > c ? 90 : 270;
    } else {
        turn.degrees = a + d < 0 ? 180 : 0;
    }
    return turn;
}

Placement placement_of(const Turn& turn, const Form& stored) {
    const int w = stored.width;
    const int h = stored.height;
    const bool back_along_x = turn.degrees == 180 || turn.degrees == 270;
    const bool back_along_y = turn.degrees == 90 || turn.degrees == 180;
    Move move;
    move.exchanged = turn.exchanges_axes();
    move.step = {back_along_x ? -1 : 1, back_along_y ? -1 : 1};
    if (turn.mirrored) { // the source's axis that runs with the result's columns
        move.step.at(move.exchanged ? 1 : 0) *= -1;
    }
    move.first = {move.step[0] < 0 ? w - 1 : 0, move.step[1] < 0 ? h - 1 : 0};
    const Form result = turn.of(stored);
    return {result.width, result.height, move};
}

} // namespace glproc::video
