#include "video/grey.hpp"

#include "video/upright.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace glproc::video {

namespace {

struct Line {
    double factor;
    double added;
    double most;

    double code(double value) const { return std::clamp(std::nearbyint(factor * value + added), 0.0, most); }
};

/// By a table where values are whole numbers.
template <class From, class To>
void convert(std::span<const From> from, const Line& line, std::span<To> to) {
    if constexpr (std::is_integral_v<From>) {
        std::vector<To> table(std::size_t{1} << (8 * sizeof(From)));
        for (std::size_t i = 0; i < table.size(); ++i) {
            table[i] = static_cast<To>(line.code(static_cast<double>(i)));
        }
        std::transform(from.begin(), from.end(), to.begin(), [&](From value) { return table[value]; });
    } else {
        std::transform(from.begin(), from.end(), to.begin(),
                       [&](From value) { return static_cast<To>(line.code(value)); });
    }
}

template <class From>
Image converted(const Image& from, const Line& line, Depth depth) {
    Image to(from.width(), from.height(), 1, depth);
    if (depth == Depth::u8) {
        convert(from.values<From>(), line, to.values<std::uint8_t>());
    } else {
        convert(from.values<From>(), line, to.values<std::uint16_t>());
    }
    return to;
}

Image converted(const Image& from, const Line& line, Depth depth) {
    return from.depth() == Depth::u8    ? converted<std::uint8_t>(from, line, depth)
           : from.depth() == Depth::u16 ? converted<std::uint16_t>(from, line, depth)
                                        : converted<float>(from, line, depth);
}

Depth depth_of(int bits) {
    return YcbcrForm{1, 1, bits}.planes()[0].depth;
}

/// The meaning of each channel of RGB in planes, which is that of luma.
constexpr YcbcrCode alone(YcbcrRange range) {
    return {YcbcrMatrix::rgb, range};
}

} // namespace

Image grey_of_luma(const Image& luma, int bits, YcbcrRange range) {
    const Depth depth = depth_of(bits);
    const auto red = rgb_matrix({1, 1, bits}, alone(range), max_code(depth));
    return converted(luma, {red[2], red[3], max_code(depth)}, depth);
}

Image luma_of_grey(const Image& grey, int bits, YcbcrRange range) {
    const auto green = ycbcr_matrix({1, 1, bits}, alone(range), max_code(grey.depth()));
    return converted(grey, {green[1], green[3], std::exp2(bits) - 1}, depth_of(bits));
}

Picture frame_image(const Machine& machine, const PlaneImages& planes, const FilmInfo& film, bool grey) {
    if (!grey) {
        return upright(machine, machine.rgb_of(planes, film.form, film.code), film.turn);
    }
    Image luma = grey_of_luma(planes[0], film.form.bits, film.code.range);
    return upright(machine, machine.take(luma, "frame"), film.turn);
}

} // namespace glproc::video
