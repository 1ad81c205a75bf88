// The operations of a video's frames on their planes, without RGB in between: with --in yuv, and where pixels
// only change places.
#pragma once

#include "cli/arguments.hpp"
#include "cli/pipe/video_step.hpp"
#include "glproc/kinds/ycbcr.hpp"
#include "glproc/op/by_planes.hpp"
#include "video/chain/machine.hpp"
#include "video/read/video_info.hpp"
#include "video/write/sink.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace glproc::video {

class PlaneChain {
  public:
    /// Frames are turned upright first. `turns_siting`: whether the result's file can say of chroma that it
    /// lies where quarter turns turn it. Throws Error(usage) for operations that do not work on planes of
    /// this form.
    PlaneChain(std::vector<cli::VideoStep> steps, const VideoInfo& video, bool turns_siting);

    bool needs_length() const;
    void set_length(double seconds) { length_ = seconds; }

    const YcbcrForm& result() const { return result_; }
    /// Where the result has chroma, as files say it.
    AVChromaLocation location(AVChromaLocation of_source) const;

    /// Whether the processor alone can do it, whatever values that change are.
    bool needs_no_device() const { return needs_no_device_; }

    using Planes = std::array<Picture, 3>;
    static Planes take(const Machine& machine, PlaneImages& planes);
    /// What becomes of the planes of a frame, which begins so many seconds after the first one.
    Planes made(const Machine& machine, Planes planes, std::int64_t number, double seconds);
    /// The planes in CPU memory. `memory` is used again where it fits.
    PlaneImages give(const Machine& machine, Planes planes, PlaneImages memory) const;

  private:
    struct Step {
        cli::VideoStep step;
        const ByPlanes* by_planes = nullptr; ///< null: turned upright
    };
    std::vector<Plan> plans_of(const Step& one, const PlaneGrid& grid) const;
    void set_moment(const cli::VideoMoment& at);
    std::array<PlaneGrid, 3> grids() const;

    std::vector<Step> steps_;
    YcbcrForm from_;
    YcbcrCode code_;
    Turn turn_;
    bool turns_siting_;
    YcbcrForm result_;
    bool needs_no_device_ = true;
    double length_ = 0;
};

struct PlaneChoice {
    std::optional<PlaneChain> chain = {}; ///< nothing for RGB
    bool asked = false;                   ///< by --in yuv: then there is nothing but an error instead
    std::string why_rgb = {};             ///< that frames of such a video need; empty where planes may do
    std::string note = {};                ///< why pixels that only change places go through RGB
};

/// Planes where --in yuv asks for them, or where nothing is done but to place pixels, which then keep their
/// codes. `turns_siting` as PlaneChain has it. Throws Error(usage), also as configure_video().
PlaneChoice choose_planes(const cli::Arguments& arguments, const VideoInfo& video, std::string why_rgb,
                          bool turns_siting);

/// Once it is known how OUT takes planes; null where it takes none. Throws Error(usage) where it does not
/// take what was asked for.
void settle(PlaneChoice& choice, const cli::Arguments& arguments, const VideoInfo& video,
            const FrameSink& sink);

} // namespace glproc::video
