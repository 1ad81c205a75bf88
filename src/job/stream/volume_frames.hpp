// The images of a file as volumes: each is worked on with those around it along an axis of its stack.
#pragma once

#include "glproc/image/stack_axes.hpp"
#include "glproc/op/in_volume.hpp"
#include "glproc/op/op.hpp"
#include "job/picture/volume_asked.hpp"
#include "job/stream/stream_frame.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glproc::job {

/// An image on its way, which waits for its neighbours.
class SeriesFrame : public StreamFrame {
  public:
    virtual Image& image() = 0;
    virtual const Operation& operation() const = 0;
};

/// How the images of a file lie along an axis: those of faster axes stand between one and the next.
struct VolumeOrder {
    std::size_t length = 0; ///< planes of a volume
    std::size_t beside = 1; ///< volumes whose planes take turns
};

class VolumeFrames {
  public:
    using Next = std::function<std::unique_ptr<SeriesFrame>()>;

    /// `next` gives the images in the order of the file. A window has about so many bytes, if the operation
    /// lets it.
    VolumeFrames(const InVolume& how, VolumeCall call, VolumeOrder order, std::uint64_t window_bytes,
                 Next next);

    /// Null at the end. Frames have to be processed in their order.
    std::unique_ptr<StreamFrame> next();

  private:
    class Window;
    class Frame;
    /// The images at one place along the axis: one of each volume.
    struct Plane {
        std::vector<std::unique_ptr<SeriesFrame>> frames; ///< until they are given
        std::vector<std::shared_ptr<const Image>> images;
    };
    Plane read_plane();
    void look_around(const SeriesFrame& first, const Form& form);
    void read_planes(std::size_t end);
    void make_window();

    const InVolume& how_;
    VolumeCall call_;
    VolumeOrder order_;
    std::uint64_t window_bytes_;
    Next next_;
    std::size_t around_ = 0; ///< planes
    std::size_t step_ = 0;   ///< planes that a window makes
    std::size_t made_ = 0;   ///< planes of this volume that are in windows, or were
    std::size_t begin_ = 0;  ///< the plane that planes_ begins with
    std::deque<Plane> planes_;
    std::deque<std::unique_ptr<StreamFrame>> ready_;
};

/// The order of a file's images along what is asked for. `in` is for messages. Throws Error(usage) where the
/// file does not tell.
VolumeOrder order_along(const VolumeAsked& asked, const std::optional<StackAxes>& stack, int images,
                        const std::string& in);
/// The call on volumes of a file: how large its pixels are, where that is asked for. Throws Error(usage),
/// too.
VolumeCall volume_call(const VolumeAsked& asked, const std::optional<StackAxes>& stack,
                       const std::string& in);

} // namespace glproc::job
