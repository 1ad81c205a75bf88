// The operations of a video's frames on their planes, without RGB in between: --in yuv.
#pragma once

#include "cli/pipe/film_step.hpp"
#include "glproc/kinds/ycbcr.hpp"
#include "glproc/op/by_planes.hpp"
#include "glproc/op/pixel_shape.hpp"
#include "video/film_info.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace glproc::video {

/// Why operations on frames of such a film need RGB; empty where planes may do.
std::string why_rgb(const std::string& name, const FilmInfo& film, bool alpha);

class PlaneChain {
  public:
    /// Throws Error(usage) as configure_film(), and for operations that do not work on planes of this form.
    PlaneChain(const cli::Arguments& arguments, const YcbcrForm& from);

    bool needs_length() const;
    void set_length(double seconds) { length_ = seconds; }
    bool changes() const;

    const YcbcrForm& result() const { return result_; }
    PixelShape pixel_shape() const { return shape_; }

    static YcbcrPlanes upload(Context& gpu, const PlaneImages& planes);
    /// What becomes of the planes of a frame, which begins so many seconds after the first one.
    YcbcrPlanes made(Context& gpu, YcbcrPlanes planes, std::int64_t number, double seconds);
    /// The planes in CPU memory. `memory` is used again where it fits.
    PlaneImages fetch(Context& gpu, const YcbcrPlanes& planes, PlaneImages memory) const;

  private:
    struct Step {
        cli::FilmStep step;
        const ByPlanes* by_planes = nullptr;
    };
    void set_moment(const cli::FilmMoment& at);

    std::vector<Step> steps_;
    YcbcrForm from_;
    YcbcrForm result_;
    PixelShape shape_;
    double length_ = 0;
};

} // namespace glproc::video
