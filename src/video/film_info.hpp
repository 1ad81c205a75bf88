// What a film is, as its file says it or as players guess it.
#pragma once

#include "glproc/kinds/ycbcr.hpp"
#include "video/av.hpp"
#include "video/pixels.hpp"
#include "video/upright.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace glproc::video {

/// Overrides what a film says of its codes, or does not say.
struct CodeOverride {
    std::optional<YcbcrMatrix> matrix;
    std::optional<YcbcrRange> range;
};

struct FilmInfo {
    YcbcrForm form;     ///< of the frames as they are stored
    YcbcrCode code;     ///< what their codes mean
    bool tagged = true; ///< false where the matrix had to be guessed
    Turn turn;          ///< that makes them upright
    bool alpha = false; ///< which is not read

    std::string container; ///< "mov,mp4,m4a,3gp,3g2,mj2"
    std::string codec;     ///< "h264"
    AVPixelFormat pixels = AV_PIX_FMT_NONE;
    AVColorPrimaries primaries = AVCOL_PRI_UNSPECIFIED;
    AVColorTransferCharacteristic transfer = AVCOL_TRC_UNSPECIFIED;
    AVChromaLocation location = AVCHROMA_LOC_UNSPECIFIED;

    AVRational time_base{0, 1};     ///< seconds
    AVRational rate{0, 1};          ///< frames a second, the mean where they vary; 0 where it is not known
    AVRational pixel_aspect{0, 1};  ///< width of a stored pixel for its height; 0 where it is not known
    std::optional<double> duration; ///< seconds
    std::optional<std::int64_t> frames; ///< as the file says, else from duration and rate

    /// Of frames as pictures, upright, without alpha.
    Form picture_form() const {
        return turn.of(
            Form{form.width, form.height, is_grey(pixels) ? 1 : 3, form.bits == 8 ? Depth::u8 : Depth::u16});
    }
    AVRational upright_pixel_aspect() const { return turn.of(pixel_aspect); }

    /// Whether pictures, which are taken for sRGB, look as the film does.
    bool has_usual_colours() const;

    double frames_per_second() const { return rate.num > 0 ? av_q2d(rate) : 0; }
};

/// Of a stream whose decoder is open. Throws Error(input) for frames that we cannot take, `name` first.
FilmInfo describe_film(const AVFormatContext& container, const AVStream& stream, const AVCodecContext& codec,
                       const CodeOverride& code, const std::string& name);

/// How many frames of a stream are shown, where its file has counted them: edit lists leave some out.
std::optional<std::int64_t> frames_shown(const AVFormatContext& container, const AVStream& stream);

/// What encoders call a code.
AVColorSpace tag_of(YcbcrMatrix matrix);
AVColorRange tag_of(YcbcrRange range);

} // namespace glproc::video
