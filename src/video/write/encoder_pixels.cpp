// Which of an encoder's pixel formats the frames of a video get.
#include "video/write/encoder.hpp"

#include "glproc/base/error.hpp"

#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace glproc::video {

namespace {

/// Those of an encoder whose frames we can make. Chips have chroma in one plane, which takes longer to write.
std::vector<AVPixelFormat> formats_of(const AVCodec& encoder, bool alpha, bool named) {
    std::vector<AVPixelFormat> formats;
    for (const AVPixelFormat one : pixel_formats_of(encoder)) {
        const std::string_view name = av_get_pix_fmt_name(one);
        const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(one);
        const bool ours = form_of(one, 2, 2, AVCHROMA_LOC_UNSPECIFIED) &&
                          format.nb_components == (alpha ? 4 : 3) &&
                          (format.flags & AV_PIX_FMT_FLAG_PLANAR) != 0 && !name.starts_with("yuvj");
        if (ours && (is_rgb(one) || named ||
                     planar_format(*form_of(one, 2, 2, AVCHROMA_LOC_UNSPECIFIED), false, alpha) == one)) {
            formats.push_back(one);
        }
    }
    return formats;
}

/// RGB of 8 bits as encoders have it that take no planes of it; none of others.
AVPixelFormat packed_rgb(AVCodecID codec, bool alpha) {
    return codec == AV_CODEC_ID_FFV1    ? (alpha ? AV_PIX_FMT_BGRA : AV_PIX_FMT_BGR0)
           : codec == AV_CODEC_ID_QTRLE ? (alpha ? AV_PIX_FMT_ARGB : AV_PIX_FMT_RGB24)
                                        : AV_PIX_FMT_NONE;
}

VideoFormat as_rgb(VideoFormat format) {
    constexpr int byte = 8;
    format.form = {format.form.width, format.form.height, byte};
    format.code = {YcbcrMatrix::rgb, YcbcrRange::full};
    format.location = AVCHROMA_LOC_UNSPECIFIED;
    return format;
}

/// Of FFV1, which archives what is measured; players expect chroma.
AVPixelFormat grey_format(const AVCodec& encoder, int bits) {
    AVPixelFormat best = AV_PIX_FMT_NONE;
    int least = std::numeric_limits<int>::max();
    for (const AVPixelFormat one :
         encoder.id == AV_CODEC_ID_FFV1 ? pixel_formats_of(encoder) : std::vector<AVPixelFormat>{}) {
        const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(one);
        const int depth = format.comp[0].depth;
        if (format.nb_components == 1 && !is_rgb(one) && depth >= bits && depth < least &&
            form_of(one, 2, 2, AVCHROMA_LOC_UNSPECIFIED)) {
            best = one;
            least = depth;
        }
    }
    return best;
}

} // namespace

/// RGB goes into codecs for playing as the size would have it guessed: players take hardly anything else.
void Encoder::choose_pixels(const AVCodec& encoder, bool named) {
    const bool rgb = format_.is_rgb();
    if (const AVPixelFormat grey =
            format_.grey && !format_.alpha ? grey_format(encoder, format_.form.bits) : AV_PIX_FMT_NONE;
        grey != AV_PIX_FMT_NONE) {
        pixels_ = grey;
        if (rgb) {
            format_ = halved_chroma(format_);
            format_.code.range = YcbcrRange::full;
        }
        format_.form = *form_of(grey, format_.form.width, format_.form.height, format_.location);
        return;
    }
    format_.grey = false;
    const AVPixelFormat packed = packed_rgb(encoder.id, format_.alpha);
    const int bits = format_.form.bits;
    if (encoder.id == AV_CODEC_ID_QTRLE) {
        format_ = as_rgb(format_);
    } else if (rgb && packed == AV_PIX_FMT_NONE) {
        const YcbcrForm full = format_.form;
        format_ = halved_chroma(format_);
        if (encoder.id == AV_CODEC_ID_PRORES) { // which has all of it
            format_.form = full;
        }
    }
    constexpr int byte = 8;
    if (packed != AV_PIX_FMT_NONE && format_.is_rgb() && format_.form.bits == byte) {
        pixels_ = packed;
        if (bits > byte) {
            note_ = fmt::format("{}: {} has no {} bits, it is written with 8", name_, encoder.name, bits);
        }
        return;
    }
    const AVPixelFormat wanted = planar_format(format_.form, format_.is_rgb(), format_.alpha);
    std::vector<AVPixelFormat> formats = formats_of(encoder, format_.alpha, named);
    std::erase_if(formats, [&](AVPixelFormat one) { return is_rgb(one) != is_rgb(wanted); });
    formats.push_back(AV_PIX_FMT_NONE);
    int loss = 0;
    pixels_ = avcodec_find_best_pix_fmt_of_list(formats.data(), wanted, format_.alpha ? 1 : 0, &loss);
    if (pixels_ == AV_PIX_FMT_NONE) {
        throw Error(ErrorCode::usage, fmt::format("{}: {} takes no such frames", name_, encoder.name));
    }
    const YcbcrForm before = format_.form;
    format_.form = *form_of(pixels_, before.width, before.height, format_.location);
    if ((loss & (FF_LOSS_DEPTH | FF_LOSS_RESOLUTION)) != 0) {
        note_ = fmt::format("{}: {} has no {}, it is written as {}", name_, encoder.name,
                            av_get_pix_fmt_name(wanted), av_get_pix_fmt_name(pixels_));
    }
}

} // namespace glproc::video
