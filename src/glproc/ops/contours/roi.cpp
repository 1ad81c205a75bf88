// Outlines as regions of ImageJ, which counts from the corners of pixels.
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/ops/contours/formats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace glproc {

namespace {

void put_number(std::string& to, std::uint32_t value, int bytes, std::endian order) {
    for (int i = 0; i < bytes; ++i) {
        const int shift = order == std::endian::big ? bytes - 1 - i : i;
        to += static_cast<char>(value >> (8U * static_cast<unsigned>(shift)) & 255U);
    }
}

void put_big(std::string& to, int value, int bytes = 2) {
    put_number(to, static_cast<std::uint32_t>(value), bytes, std::endian::big);
}

void put_big(std::string& to, float value) {
    put_number(to, std::bit_cast<std::uint32_t>(value), 4, std::endian::big);
}

/// The points of a polygon do not come twice.
std::vector<OutlinePoint> roi_points(const Outlines& outlines, const Outline& outline) {
    std::vector<OutlinePoint> points;
    const bool repeats = outlines.are_lines && outlines.is_closed(outline);
    for (std::size_t i = 0; i + (repeats ? 1 : 0) < outline.count; ++i) {
        const OutlinePoint point = outlines.point(outline, i);
        points.push_back({point.x + 0.5, point.y + 0.5});
    }
    return points;
}

/// The box in whole pixels. Throws where the file has no room.
OutlineBox roi_box(const std::vector<OutlinePoint>& points) {
    OutlineBox box{1e9, 1e9, 0, 0};
    double right = 0;
    double bottom = 0;
    for (const OutlinePoint& point : points) {
        box.left = std::min(box.left, std::floor(point.x));
        box.top = std::min(box.top, std::floor(point.y));
        right = std::max(right, std::ceil(point.x));
        bottom = std::max(bottom, std::ceil(point.y));
    }
    const bool fits = right <= std::numeric_limits<std::int16_t>::max() &&
                      bottom <= std::numeric_limits<std::int16_t>::max();
    if (points.size() > std::numeric_limits<std::uint16_t>::max() || !fits) {
        throw Error(ErrorCode::operation,
                    fits ? "a contour has more than the 65535 points of an ImageJ region"
                         : "a contour lies beyond the 32767 pixels of an ImageJ region",
                    fits ? "--simplify leaves out points, and .json holds any number" : "write .json");
    }
    box.width = right - box.left;
    box.height = bottom - box.top;
    return box;
}

/// A file of version 227 with sub-pixel coordinates, as RoiDecoder.java of ImageJ reads it.
std::string roi_of(const Outlines& outlines, const Outline& outline) {
    constexpr int polygon = 0;
    constexpr int polyline = 5;
    constexpr int is_sub_pixel = 128;
    constexpr std::size_t header = 64;
    const std::vector<OutlinePoint> points = roi_points(outlines, outline);
    const OutlineBox box = roi_box(points);
    std::string roi = "Iout";
    put_big(roi, 227);
    put_big(roi, outlines.is_closed(outline) ? polygon : polyline, 1);
    put_big(roi, 0, 1);
    for (const double edge : {box.top, box.left, box.top + box.height, box.left + box.width}) {
        put_big(roi, static_cast<int>(edge));
    }
    put_big(roi, static_cast<int>(points.size()));
    roi.resize(50);
    put_big(roi, is_sub_pixel);
    roi.resize(header);
    for (const auto& [axis, origin] : {std::pair{&OutlinePoint::x, box.left}, {&OutlinePoint::y, box.top}}) {
        for (const OutlinePoint& point : points) {
            put_big(roi, static_cast<int>(std::floor(point.*axis) - origin));
        }
    }
    for (const auto axis : {&OutlinePoint::x, &OutlinePoint::y}) {
        for (const OutlinePoint& point : points) {
            put_big(roi, static_cast<float>(point.*axis));
        }
    }
    return roi;
}

/// Of ZIP.
std::uint32_t sum_of(std::string_view bytes) {
    std::uint32_t sum = ~0U;
    for (const char byte : bytes) {
        sum ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) {
            sum = sum >> 1U ^ ((sum & 1U) != 0 ? 0xEDB88320U : 0U);
        }
    }
    return ~sum;
}

/// The facts of a file that its own header and the archive's directory share; it is stored as it is.
std::string zip_facts(const std::string& name, const std::string& content) {
    constexpr auto little = std::endian::little;
    constexpr std::uint32_t first_of_1980 = 0x21; // a day in the form of DOS
    std::string facts;
    put_number(facts, 20, 4, little); // version 2.0, no flags
    put_number(facts, 0, 2, little);  // not compressed
    put_number(facts, first_of_1980 << 16U, 4, little);
    put_number(facts, sum_of(content), 4, little);
    for (int i = 0; i < 2; ++i) {
        put_number(facts, static_cast<std::uint32_t>(content.size()), 4, little);
    }
    put_number(facts, static_cast<std::uint32_t>(name.size()), 4, little); // and no further fields
    return facts;
}

} // namespace

void write_outlines_roi(const Outlines& outlines, const TakeText& take) {
    if (outlines.outlines.size() != 1) {
        throw Error(ErrorCode::operation,
                    fmt::format("a .roi file holds one contour, and there {} {}",
                                outlines.outlines.empty() ? "is" : "are", outlines.outlines.size()),
                    "name the output .zip, which holds any number");
    }
    take(roi_of(outlines, outlines.outlines.front()));
}

void write_outlines_zip(const Outlines& outlines, const TakeText& take) {
    constexpr auto little = std::endian::little;
    const std::size_t count = outlines.outlines.size();
    if (count > std::numeric_limits<std::uint16_t>::max()) {
        throw Error(ErrorCode::operation,
                    fmt::format("{}: a .zip file holds 65535", counted(count, "contour")), "write .json");
    }
    std::string directory;
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Outline& outline = outlines.outlines[i];
        const std::string name = fmt::format("contour-{}{}.roi", i, outline.is_hole ? "-hole" : "");
        const std::string content = roi_of(outlines, outline);
        const std::string facts = zip_facts(name, content);
        const std::string file = "PK\3\4" + facts + name + content;
        directory += "PK\1\2" + std::string({20, 0}) + facts + std::string(10, '\0');
        put_number(directory, static_cast<std::uint32_t>(offset), 4, little);
        directory += name;
        offset += file.size();
        take(file);
    }
    if (offset + directory.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw Error(ErrorCode::operation, "the contours need a .zip file of more than 4 GiB", "write .json");
    }
    std::string end = "PK\5\6" + std::string(4, '\0');
    put_number(end, static_cast<std::uint32_t>(count), 2, little);
    put_number(end, static_cast<std::uint32_t>(count), 2, little);
    put_number(end, static_cast<std::uint32_t>(directory.size()), 4, little);
    put_number(end, static_cast<std::uint32_t>(offset), 4, little);
    take(directory + end + std::string(2, '\0'));
}

} // namespace glproc
