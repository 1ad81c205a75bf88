// What HDR10 says of the screen that a video was made on, and of its brightest pixels.
#pragma once

#include "glproc/kinds/hdr.hpp"
#include "video/av.hpp"
#include "video/read/video_info.hpp"

#include <optional>
#include <string>

extern "C" {
#include <libavutil/mastering_display_metadata.h>
}

namespace glproc::video {

struct HdrMetadata {
    std::optional<AVMasteringDisplayMetadata> display; ///< with primaries and luminance
    std::optional<AVContentLightMetadata> light;
    bool empty() const { return !display && !light; }
};

/// Of a stream and its first frame, which may be null: one of them says it.
HdrMetadata hdr_metadata_of(const AVStream& stream, const AVFrame* frame);

/// For containers that hold it.
void put_hdr_metadata(const HdrMetadata& hdr, AVStream& stream);

/// As x264 and x265 take it, "G(13250,34500)B(…)R(…)WP(…)L(10000000,1)", and as SVT-AV1 does, in real
/// numbers.
std::string display_of_x26x(const AVMasteringDisplayMetadata& display);
std::string display_of_av1(const AVMasteringDisplayMetadata& display);
/// "1000,400"
std::string light_of(const AVContentLightMetadata& light);

/// Tone mapping and conversion of the frames, as RGB; nothing for videos that are SDR of usual colours. The
/// peak of PQ is what the metadata say: the brightest pixel, or else the screen.
std::optional<ToSdr> sdr_look_of(const VideoInfo& info, const HdrMetadata& hdr);

} // namespace glproc::video
