#include "video/read/joined_check.hpp"

#include "glproc/base/shell_word.hpp"
#include "video/fail.hpp"
#include "video/read/pixels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace glproc::video {

namespace {

/// A name that begins with a dash would be a flag.
std::string file_word(const std::string& name) {
    return shell_word(name.starts_with('-') ? "./" + name : name);
}

std::string frames_text(const VideoInfo& info) {
    return fmt::format("{}x{} of {}", info.form.width, info.form.height, av_get_pix_fmt_name(info.pixels));
}

/// The shape of a pixel that is shown; a video that does not say has squares.
double shape_of(const VideoInfo& info) {
    const AVRational aspect = info.upright_pixel_aspect();
    return aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1;
}

bool is_rgb(const VideoInfo& info) {
    const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(info.pixels);
    return format != nullptr && (format->flags & AV_PIX_FMT_FLAG_RGB) != 0;
}

/// The same curve for all that ITU-R defines as one, and for videos that name none.
AVColorTransferCharacteristic curve_of(const VideoInfo& info) {
    switch (info.transfer) {
    case AVCOL_TRC_UNSPECIFIED:
    case AVCOL_TRC_SMPTE170M:
    case AVCOL_TRC_BT2020_10:
    case AVCOL_TRC_BT2020_12:
        return AVCOL_TRC_BT709;
    default:
        return info.transfer;
    }
}

/// Beside it, for what is made of it.
std::string name_beside(const VideoReader& video) {
    return std::filesystem::path(video.name()).replace_extension().string() + "-same.mkv";
}

std::string way_by_glproc(const VideoReader& video, const std::string& flags) {
    return fmt::format("bring it into the same form first: glproc video {} {}{}{}", file_word(video.name()),
                       file_word(name_beside(video)), flags.empty() ? "" : " ", flags);
}

/// What glproc does not change: how much chroma there is, and how sound is sampled.
std::string way_by_ffmpeg(const VideoReader& video, const std::string& flags) {
    return fmt::format("bring it into the same form first: ffmpeg -i {} {} {}", file_word(video.name()),
                       flags, file_word(name_beside(video)));
}

/// Without a loss.
std::string way_to_layout(const VideoReader& video, const YcbcrForm& form) {
    return way_by_ffmpeg(video,
                         fmt::format("-pix_fmt {} -c:v ffv1 -c:a copy",
                                     av_get_pix_fmt_name(planar_format(form, false, video.has_alpha()))));
}

std::string way_to_depth(const VideoReader& video, int bits) {
    constexpr std::array usual{8, 10, 12}; // of encoders for playing
    const bool is_usual = std::find(usual.begin(), usual.end(), bits) != usual.end() && !is_rgb(video.info());
    return way_by_glproc(video, fmt::format("--depth {}{}", bits, is_usual ? "" : " --codec ffv1"));
}

/// What brings a video into the form of the first, by what differs.
std::string way_to(const VideoReader& first, const VideoReader& video) {
    const VideoInfo& a = first.info();
    const VideoInfo& b = video.info();
    if (is_rgb(a) != is_rgb(b)) { // what glproc writes is in planes
        return way_by_glproc(is_rgb(a) ? first : video, "");
    }
    if (a.turn != b.turn) { // what it writes is upright
        return way_by_glproc(a.turn.is_upright() ? video : first, "");
    }
    if (a.form.bits != b.form.bits) {
        return way_to_depth(video, a.form.bits);
    }
    if (a.form.across != b.form.across || a.form.down != b.form.down) {
        return way_to_layout(video, a.form);
    }
    if (a.form.width != b.form.width || a.form.height != b.form.height) {
        return way_by_glproc(video, fmt::format("resize {}x{} --fit then pad --size {}x{}", a.form.width,
                                                a.form.height, a.form.width, a.form.height));
    }
    if (!a.has_codes_of(b)) {
        return way_by_glproc(video, fmt::format("--to-matrix {} --to-range {}", name_of(a.code.matrix),
                                                name_of(a.code.range)));
    }
    if (!a.has_usual_colours() || !b.has_usual_colours()) {
        return way_by_glproc(a.has_usual_colours() ? video : first, "--to-sdr");
    }
    if (first.has_alpha() != video.has_alpha()) {
        return way_by_glproc(first.has_alpha() ? first : video, "convert --alpha flatten:black");
    }
    YcbcrForm all_chroma = a.form; // that between pixels lies elsewhere in the other; its turn comes next
    all_chroma.across = all_chroma.down = 1;
    return way_to_layout(first, all_chroma);
}

/// Shapes are fractions, and nobody sees a hundredth.
bool have_same_shape(const VideoInfo& a, const VideoInfo& b) {
    constexpr double least_seen = 0.01;
    return std::abs(shape_of(a) / shape_of(b) - 1) < least_seen;
}

/// Only then does it keep its proportions when it is stretched.
bool says_shape(const VideoInfo& info) {
    return info.upright_pixel_aspect().num > 0;
}

std::string way_to_shape(const VideoReader& video, double shape) {
    const VideoInfo& info = video.info();
    const auto whole = [](double samples, int of_chroma) {
        return std::max(std::lround(samples / of_chroma), 1L) * of_chroma;
    };
    return fmt::format("bring it into the same shape first: glproc video {} {} resize {}x{}",
                       file_word(video.name()), file_word(name_beside(video)),
                       whole(info.picture_form().width * shape_of(info) / shape, info.form.across),
                       whole(info.picture_form().height, info.form.down));
}

} // namespace

std::string way_to_sound(const VideoReader& first, const VideoReader& video, const AVCodecParameters& a,
                         const AVCodecParameters& b) {
    const bool is_sampled_alike =
        a.sample_rate == b.sample_rate && a.ch_layout.nb_channels == b.ch_layout.nb_channels;
    return a.codec_id != AV_CODEC_ID_AAC ? way_by_glproc(first, "--sound aac")
           : is_sampled_alike            ? way_by_glproc(video, "--sound aac")
                              : way_by_ffmpeg(video, fmt::format("-c:v copy -c:a aac -ar {} -ac {}",
                                                                 a.sample_rate, a.ch_layout.nb_channels));
}

void check_frames(const VideoReader& first, const VideoReader& video) {
    const VideoInfo& a = first.info();
    const VideoInfo& b = video.info();
    if (!have_same_shape(a, b)) {
        fail_input(video.name(),
                   fmt::format("its pixels are {:.4g} times as wide as high, but those of {} {:.4g} times",
                               shape_of(b), first.name(), shape_of(a)),
                   says_shape(b) ? way_to_shape(video, shape_of(a)) : way_to_shape(first, shape_of(b)));
    }
    const bool same = a.form == b.form && a.has_codes_of(b) && a.turn == b.turn &&
                      first.has_alpha() == video.has_alpha() && curve_of(a) == curve_of(b);
    if (!same) {
        fail_input(video.name(),
                   frames_text(a) == frames_text(b)
                       ? fmt::format("its colours or orientation differ from those of {}", first.name())
                       : fmt::format("{}, but {} is {}", frames_text(b), first.name(), frames_text(a)),
                   way_to(first, video));
    }
}

} // namespace glproc::video
