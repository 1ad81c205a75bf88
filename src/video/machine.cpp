#include "video/machine.hpp"

#include "glproc/kinds/gather/move.hpp"
#include "glproc/op/op.hpp"

#include <string>

namespace glproc::video {

void Machine::finish() const {
    if (device_ != nullptr) {
        device_->finish();
    }
}

Picture Machine::take(Image& image, std::string_view label) const {
    if (device_ != nullptr) {
        return device_->upload(image, label);
    }
    Image taken = std::exchange(image, {});
    taken.set_metadata({}); // as a device has none
    return taken;
}

Image Machine::give(Picture picture, Image memory) const {
    return device_ != nullptr ? device_->download(picture.on_device(), std::move(memory))
                              : std::move(picture.in_memory());
}

Picture Machine::run(const Plan& plan, const Picture& source) const {
    if (device_ != nullptr) {
        return run_whole(*device_, plan, source.on_device());
    }
    return image_by_processor(plan, source.in_memory());
}

Picture Machine::run(const Operation& operation, const Picture& source) const {
    if (device_ == nullptr) {
        return run(operation.plan(source.form()), source);
    }
    const std::string name = "frame";
    const Image no_pixels;
    return std::move(
        operation.run(*device_, ImageInput{name, no_pixels, source.on_device()}).picture.value());
}

Picture Machine::move(const Placement& placement, const Picture& source) const {
    const Form& form = source.form();
    if (device_ == nullptr) {
        return run(move_plan(form, placement, "move", GatherMethod::automatic), source);
    }
    const Rect result{0, 0, placement.width, placement.height};
    return run_move(*device_, placement.move, form, source.on_device(), whole_of(form), result);
}

Picture Machine::rgb_of(const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code) const {
    if (device_ != nullptr) {
        return glproc::rgb_of(*device_, planes, form, code);
    }
    return rgb_by_processor(planes, form, code);
}

PlaneImages Machine::planes_of(const Picture& picture, const YcbcrForm& form, const YcbcrCode& code,
                               PlaneImages memory) const {
    return device_ != nullptr
               ? glproc::planes_of(*device_, picture.on_device(), form, code, std::move(memory))
               : planes_by_processor(picture.in_memory(), form, code, std::move(memory));
}

} // namespace glproc::video
