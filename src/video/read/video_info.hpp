// What a video is, as its file says it or as players guess it.
#pragma once

#include "glproc/kinds/gather/plan.hpp"
#include "glproc/kinds/ycbcr.hpp"
#include "video/av.hpp"
#include "video/read/pixels.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace glproc::video {

/// Overrides what a video says of its codes, or does not say.
struct CodeOverride {
    std::optional<YcbcrMatrix> matrix;
    std::optional<YcbcrRange> range;
};

/// How stored frames become upright: turned clockwise, then mirrored.
struct Turn {
    int degrees = 0;       ///< 0, 90, 180 or 270
    bool mirrored = false; ///< left to right

    bool is_upright() const { return degrees == 0 && !mirrored; }
    bool exchanges_axes() const { return degrees % 180 != 0; }
    /// The form of upright frames, and the shape of their pixels, for those of stored ones.
    Form of(Form stored) const;
    AVRational of(AVRational pixel_aspect) const;

    bool operator==(const Turn&) const = default;
};

/// What a stream says of its frames, to the nearest quarter turn.
Turn turn_of(const AVStream& stream);

/// How pixels of a stored frame are placed in an upright one.
Placement placement_of(const Turn& turn, const Form& stored);

/// What frames are, whatever codec they come from or go to.
struct StoredForm {
    YcbcrForm form;     ///< as they are stored
    YcbcrCode code;     ///< what their codes mean
    bool tagged = true; ///< false where the matrix is guessed from the size, as players guess it
    AVColorPrimaries primaries = AVCOL_PRI_UNSPECIFIED;
    AVColorTransferCharacteristic transfer = AVCOL_TRC_UNSPECIFIED;
    AVChromaLocation location = AVCHROMA_LOC_UNSPECIFIED;
    AVRational time_base{0, 1};    ///< seconds
    AVRational rate{0, 1};         ///< frames a second, the mean where they vary; 0 where it is not known
    AVRational pixel_aspect{0, 1}; ///< width of a stored pixel for its height; 0 where it is not known

    bool has_codes_of(const StoredForm& other) const {
        return code.matrix == other.code.matrix && code.range == other.code.range;
    }
    bool is_rgb() const { return code.matrix == YcbcrMatrix::rgb; }
    bool is_hdr() const { return transfer == AVCOL_TRC_SMPTE2084 || transfer == AVCOL_TRC_ARIB_STD_B67; }
};

struct VideoInfo : StoredForm {
    Turn turn;          ///< that makes frames upright
    bool alpha = false; ///< which is not read

    std::string container; ///< "mov,mp4,m4a,3gp,3g2,mj2"
    std::string codec;     ///< "h264"
    AVPixelFormat pixels = AV_PIX_FMT_NONE;
    std::optional<double> duration;     ///< seconds
    std::optional<std::int64_t> frames; ///< as the file says, else from duration and rate

    /// Of frames as pictures, upright, without alpha.
    Form picture_form() const {
        return turn.of(
            Form{form.width, form.height, is_grey(pixels) ? 1 : 3, form.bits == 8 ? Depth::u8 : Depth::u16});
    }
    AVRational upright_pixel_aspect() const { return turn.of(pixel_aspect); }

    /// Whether pictures, which are taken for sRGB, look as the video does.
    bool has_usual_colours() const;

    double frames_per_second() const { return rate.num > 0 ? av_q2d(rate) : 0; }
    /// Seconds that a frame is shown which does not say it.
    AVRational usual_duration() const { return rate.num > 0 ? av_inv_q(rate) : AVRational{1, 25}; }
};

/// Of a stream whose decoder is open. Throws Error(input) for frames that we cannot take, `name` first.
VideoInfo describe_video(const AVFormatContext& container, const AVStream& stream,
                         const AVCodecContext& codec, const CodeOverride& code, const std::string& name);

/// How many frames of a stream are shown, where its file has counted them: edit lists leave some out.
std::optional<std::int64_t> frames_shown(const AVFormatContext& container, const AVStream& stream);

/// What encoders call a code.
AVColorSpace tag_of(YcbcrMatrix matrix);
AVColorRange tag_of(YcbcrRange range);

} // namespace glproc::video
