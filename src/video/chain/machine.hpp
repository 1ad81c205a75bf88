// Who works on frames: a device, or the processor alone. Both make the same bits.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/kinds/gather/plan.hpp"
#include "glproc/kinds/ycbcr.hpp"
#include "video/read/video_info.hpp"

#include <string_view>
#include <utility>
#include <variant>

namespace glproc::video {

/// A picture where the work on it is done: on the device, or in memory.
class Picture {
  public:
    // Implicit, since either is one.
    Picture(GpuImage image) : pixels_(std::move(image)) {}
    Picture(Image image) : pixels_(std::move(image)) {}

    const Form& form() const {
        return std::visit([](const auto& image) -> const Form& { return image.form(); }, pixels_);
    }
    GpuImage& on_device() { return std::get<GpuImage>(pixels_); }
    const GpuImage& on_device() const { return std::get<GpuImage>(pixels_); }
    Image& in_memory() { return std::get<Image>(pixels_); }
    const Image& in_memory() const { return std::get<Image>(pixels_); }

  private:
    std::variant<GpuImage, Image> pixels_;
};

class Machine {
  public:
    // Implicit: a device is one.
    Machine(Context& device) : device_(&device) {}
    /// Null: the processor alone.
    explicit Machine(Context* device) : device_(device) {}

    /// Null where there is none.
    Context* device() const { return device_; }
    /// Waits for its work.
    void finish() const;

    /// The pixels of an image, which keeps them only where the device has memory of its own.
    Picture take(Image& image, std::string_view label) const;
    /// The same back. `memory` is used again where it fits.
    Image give(Picture picture, Image memory = {}) const;

    Picture run(const Plan& plan, const Picture& source) const;
    Picture run(const Operation& operation, const Picture& source) const;
    Picture move(const Placement& placement, const Picture& source) const;
    /// A stored frame as it is shown.
    Picture upright(Picture stored, const Turn& turn) const {
        return turn.is_upright() ? std::move(stored) : move(placement_of(turn, stored.form()), stored);
    }

    /// As rgb_of() and planes_of(); by the processor alone, no pictures of floats.
    Picture rgb_of(const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code) const;
    PlaneImages planes_of(const Picture& picture, const YcbcrForm& form, const YcbcrCode& code,
                          PlaneImages memory) const;

  private:
    Context* device_;
};

/// Codes of luma of grey images of any depth, as of channels of RGB.
Image luma_of_grey(const Image& grey, int bits, YcbcrRange range);

/// A frame as operations get it, upright: grey, or RGB.
Picture frame_image(const Machine& machine, const PlaneImages& planes, const VideoInfo& video, bool grey);

} // namespace glproc::video
