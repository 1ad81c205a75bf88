#include "job/format_fit.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/image/colour.hpp"

#include <algorithm>
#include <array>

namespace glproc::job {

namespace {

constexpr std::array all_depths{Depth::u8, Depth::u16, Depth::f32};

bool holds(const std::string& format, int channels, Depth depth) {
    return is_encodable(format, {0, 0, channels, depth});
}

/// As it is, or as colour.
bool takes(const std::string& format, int channels, Depth depth) {
    return holds(format, channels, depth) || holds(format, colour_channels(channels), depth);
}

} // namespace

bool is_encodable(const std::string& format, const Form& form) {
    try {
        check_encodable(format, form.channels, form.depth);
        return true;
    } catch (const Error&) {
        return false;
    }
}

bool takes_as_colour(const std::string& format, int channels, std::optional<Depth> depth) {
    const auto in_some_depth = [&](int count) {
        return std::any_of(all_depths.begin(), all_depths.end(), [&](Depth one) {
            return depth.value_or(one) == one && holds(format, count, one);
        });
    };
    return channels < 3 && !in_some_depth(channels) && in_some_depth(colour_channels(channels));
}

bool takes_as_floats(const std::string& format, const Form& form) {
    const auto takes_depth = [&](Depth depth) {
        return holds(format, form.channels, depth) || holds(format, 3, depth); // grey can become colour
    };
    return form.depth != Depth::f32 && !takes_depth(Depth::u8) && !takes_depth(Depth::u16) &&
           takes_depth(Depth::f32);
}

std::optional<Depth> codes_of_mask(const std::string& format, const Form& form) {
    if (form.depth != Depth::f32 || is_encodable(format, form)) {
        return std::nullopt;
    }
    return takes(format, form.channels, Depth::u8)    ? std::optional(Depth::u8)
           : takes(format, form.channels, Depth::u16) ? std::optional(Depth::u16)
                                                      : std::nullopt;
}

} // namespace glproc::job
