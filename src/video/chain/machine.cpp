#include "video/chain/machine.hpp"

#include "glproc/kinds/gather/move.hpp"
#include "glproc/op/op.hpp"
#include "video/read/pixels.hpp"
#include "video/read/video_info.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

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

namespace {

struct Line {
    double factor;
    double added;
    double most;

    double code(double value) const { return std::clamp(std::nearbyint(factor * value + added), 0.0, most); }
};

/// By a table where values are whole numbers.
Image converted(const Image& from, const Line& line, Depth depth) {
    Image to(from.width(), from.height(), 1, depth);
    with_codes_of(depth, [&]<class To>(To) {
        const auto code = [&](double value) { return static_cast<To>(line.code(value)); };
        if (from.depth() == Depth::f32) {
            std::ranges::transform(from.values<float>(), to.values<To>().begin(), code);
            return;
        }
        with_codes_of(from.depth(), [&]<class From>(From) {
            std::vector<To> table(std::size_t{1} << (8 * sizeof(From)));
            for (std::size_t i = 0; i < table.size(); ++i) {
                table[i] = code(static_cast<double>(i));
            }
            std::ranges::transform(from.values<From>(), to.values<To>().begin(),
                                   [&](From value) { return table[value]; });
        });
    });
    return to;
}

Depth depth_of(int bits) {
    return YcbcrForm{1, 1, bits}.planes()[0].depth;
}

/// The meaning of each channel of RGB in planes, which is that of luma.
constexpr YcbcrCode alone(YcbcrRange range) {
    return {YcbcrMatrix::rgb, range};
}

/// Values of 8 bits, or of 16 where there are more. Codes beyond black and white are cut off, as in RGB.
Image grey_of_luma(const Image& luma, int bits, YcbcrRange range) {
    const Depth depth = depth_of(bits);
    const auto red = rgb_matrix({1, 1, bits}, alone(range), max_code(depth));
    return converted(luma, {red[2], red[3], max_code(depth)}, depth);
}

} // namespace

Image luma_of_grey(const Image& grey, int bits, YcbcrRange range) {
    const auto green = ycbcr_matrix({1, 1, bits}, alone(range), max_code(grey.depth()));
    return converted(grey, {green[1], green[3], std::exp2(bits) - 1}, depth_of(bits));
}

Picture frame_image(const Machine& machine, const PlaneImages& planes, const VideoInfo& video, bool grey) {
    if (!grey) {
        return machine.upright(machine.rgb_of(planes, video.form, video.code), video.turn);
    }
    Image luma = grey_of_luma(planes[0], video.form.bits, video.code.range);
    return machine.upright(machine.take(luma, "frame"), video.turn);
}

} // namespace glproc::video
