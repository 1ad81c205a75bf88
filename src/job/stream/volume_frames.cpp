#include "job/stream/volume_frames.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

namespace glproc::job {

namespace {

const char* text_of(Depth depth) {
    return depth == Depth::u8 ? "8 bits" : depth == Depth::u16 ? "16 bits" : "floats";
}

} // namespace

/// Planes that are made at once. The first frame of it that is processed does the work.
class VolumeFrames::Window {
  public:
    using Images = std::vector<std::shared_ptr<const Image>>;

    /// `planes` are those of each volume.
    Window(const InVolume& how, const VolumeCall& call, const Operation& operation,
           std::vector<Images> planes, std::size_t first_wanted, std::size_t wanted)
        : how_(how), call_(call), operation_(operation), planes_(std::move(planes)),
          first_wanted_(first_wanted), wanted_(wanted) {}

    void make(Context* gpu) {
        if (std::exchange(is_made_, true)) {
            return;
        }
        VolumeCall call = call_;
        call.gpu = gpu;
        for (Images& images : planes_) {
            VolumePart part{{}, first_wanted_, wanted_};
            for (const std::shared_ptr<const Image>& image : images) {
                part.planes.push_back(image.get());
            }
            made_.push_back(how_.run(operation_, call, part));
            images.clear();
        }
    }

    Image take(std::size_t plane, std::size_t volume) { return made_.at(volume)(plane); }

  private:
    const InVolume& how_;
    VolumeCall call_;
    const Operation& operation_;
    std::vector<Images> planes_;
    std::size_t first_wanted_;
    std::size_t wanted_;
    bool is_made_ = false;
    std::vector<MakePlane> made_;
};

class VolumeFrames::Frame final : public StreamFrame {
  public:
    Frame(std::unique_ptr<SeriesFrame> own, std::shared_ptr<Window> window, std::size_t plane,
          std::size_t volume)
        : own_(std::move(own)), window_(std::move(window)), plane_(plane), volume_(volume) {}

    bool needs_no_device(bool) const override { return true; }
    std::optional<Plan> plan() const override { return own_->plan(); }
    void process(Context* gpu) override {
        window_->make(gpu);
        own_->image() = window_->take(plane_, volume_);
        window_.reset();
    }
    void write() override { own_->write(); }
    double millions() const override { return own_->millions(); }

  private:
    std::unique_ptr<SeriesFrame> own_;
    std::shared_ptr<Window> window_;
    std::size_t plane_;
    std::size_t volume_;
};

VolumeFrames::VolumeFrames(const InVolume& how, VolumeCall call, VolumeOrder order,
                           std::uint64_t window_bytes, Next next)
    : how_(how), call_(std::move(call)), order_(order), window_bytes_(window_bytes), next_(std::move(next)) {}

std::unique_ptr<StreamFrame> VolumeFrames::next() {
    if (ready_.empty()) {
        make_window();
    }
    if (ready_.empty()) {
        return nullptr;
    }
    std::unique_ptr<StreamFrame> frame = std::move(ready_.front());
    ready_.pop_front();
    return frame;
}

/// Nothing in it at the end of the file.
VolumeFrames::Plane VolumeFrames::read_plane() {
    Plane plane;
    for (std::size_t i = 0; i < order_.beside; ++i) {
        std::unique_ptr<SeriesFrame> frame = next_();
        if (!frame) {
            break;
        }
        if (step_ == 0) {
            look_around(*frame, frame->image().form());
        }
        plane.images.push_back(std::make_shared<const Image>(std::move(frame->image())));
        plane.frames.push_back(std::move(frame));
        const Form& form = plane.images.back()->form();
        const Form& first = (planes_.empty() ? plane : planes_.front()).images.front()->form();
        if (form != first) {
            throw Error(ErrorCode::operation,
                        fmt::format("{}: its images differ: {}x{} with {} of {}, and {}x{} with {} of {}",
                                    call_.name, first.width, first.height, counted(first.channels, "channel"),
                                    text_of(first.depth), form.width, form.height, form.channels,
                                    text_of(form.depth)),
                        "a volume has planes of one size, depth and number of channels");
        }
    }
    return plane;
}

/// How many planes a window has: few where they are large, but more than those around them.
void VolumeFrames::look_around(const SeriesFrame& first, const Form& form) {
    constexpr std::uint64_t per_value = 24; // source, array, two arrays of doubles and result
    const std::optional<int> around = how_.around(first.operation(), call_, form);
    around_ = around ? std::min(static_cast<std::size_t>(*around), order_.length) : order_.length;
    const std::uint64_t plane = per_value * static_cast<std::uint64_t>(form.width) *
                                static_cast<std::uint64_t>(form.height) *
                                static_cast<std::uint64_t>(form.channels) * order_.beside;
    const auto fit = static_cast<std::size_t>(window_bytes_ / plane);
    step_ = around ? std::max({fit > 2 * around_ ? fit - 2 * around_ : 0, around_, std::size_t{1}})
                   : order_.length;
}

/// Up to this one. A file that is damaged may end before it tells to; then the volume ends with the last
/// whole plane.
void VolumeFrames::read_planes(std::size_t end) {
    while (begin_ + planes_.size() < std::min(order_.length, end)) {
        Plane plane = read_plane();
        if (plane.images.size() < order_.beside) {
            order_.length = begin_ + planes_.size();
            return;
        }
        planes_.push_back(std::move(plane));
    }
}

void VolumeFrames::make_window() {
    if (planes_.empty()) {
        if (Plane first = read_plane(); first.images.size() == order_.beside) {
            planes_.push_back(std::move(first));
        } else {
            return;
        }
    }
    read_planes(made_ + step_ + around_);
    const std::size_t end = std::min(order_.length, made_ + step_);
    std::vector<Window::Images> volumes(order_.beside);
    for (const Plane& plane : planes_) {
        for (std::size_t i = 0; i < order_.beside; ++i) {
            volumes[i].push_back(plane.images.at(i));
        }
    }
    const Operation& operation = planes_[made_ - begin_].frames.front()->operation();
    const auto window =
        std::make_shared<Window>(how_, call_, operation, std::move(volumes), made_ - begin_, end - made_);
    for (std::size_t at = made_; at < end; ++at) {
        std::vector<std::unique_ptr<SeriesFrame>>& frames = planes_[at - begin_].frames;
        for (std::size_t i = 0; i < order_.beside; ++i) {
            ready_.push_back(std::make_unique<Frame>(std::move(frames[i]), window, at - made_, i));
        }
    }
    made_ = end;
    const std::size_t keep_from = made_ > around_ ? made_ - around_ : 0;
    for (; begin_ < keep_from; ++begin_) {
        planes_.pop_front();
    }
    if (made_ == order_.length) { // the next volume
        planes_.clear();
        made_ = begin_ = 0;
    }
}

VolumeOrder order_along(const VolumeAsked& asked, const std::optional<StackAxes>& stack, int images,
                        const std::string& in) {
    VolumeOrder order{static_cast<std::size_t>(images), 1};
    if (asked.along && stack && !stack->axes.empty()) {
        const auto axis = std::ranges::find(stack->axes, *asked.along, &StackAxis::name);
        if (axis == stack->axes.end()) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} has no axis {}: {}", in, *asked.along, text_of(stack->axes)),
                        "--volume=pages takes all images of the file");
        }
        order.length = static_cast<std::size_t>(axis->size);
        for (auto faster = axis + 1; faster != stack->axes.end(); ++faster) {
            order.beside *= static_cast<std::size_t>(faster->size);
        }
    }
    return order;
}

VolumeCall volume_call(const VolumeAsked& asked, const std::optional<StackAxes>& stack,
                       const std::string& in) {
    VolumeCall call{.across = asked.across, .name = in};
    if (asked.by_units) {
        if (asked.along != 'z') {
            throw Error(ErrorCode::usage, "--units knows how far slices are apart, not other images",
                        "leave --units out, or take --volume along z");
        }
        if (!stack || stack->spacing <= 0 || stack->pixel_width <= 0 || stack->pixel_height <= 0) {
            throw Error(ErrorCode::usage, in + " does not tell how large its pixels and steps are",
                        "without --units lengths are in pixels");
        }
        call.spacing = {stack->spacing, stack->pixel_height, stack->pixel_width};
        call.unit = stack->unit;
    }
    return call;
}

} // namespace glproc::job
