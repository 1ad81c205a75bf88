#include "glproc/ops/contours/formats.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// A text that is given on in large parts.
class LongText {
  public:
    explicit LongText(const TakeText& take) : take_(take) {}
    LongText(const LongText&) = delete;
    LongText& operator=(const LongText&) = delete;

    LongText& operator<<(std::string_view part) {
        constexpr std::size_t large = std::size_t{1} << 16U;
        text_ += part;
        if (text_.size() >= large) {
            end();
        }
        return *this;
    }

    /// No number is NaN or infinite but of points beside infinite values.
    LongText& operator<<(double value) {
        std::array<char, 32> digits{};
        char* const begin = digits.data();
        char* const end = begin + digits.size(); // NOLINT: its end
        if (!std::isfinite(value)) {
            return *this << "null";
        }
        const bool is_whole = std::abs(value) < 1e15 && value == std::trunc(value);
        const char* last = is_whole ? std::to_chars(begin, end, static_cast<std::int64_t>(value)).ptr
                                    : std::to_chars(begin, end, value).ptr;
        return *this << std::string_view(begin, last);
    }
    LongText& operator<<(int value) { return *this << static_cast<double>(value); }

    void end() {
        take_(text_);
        text_.clear();
    }

  private:
    const TakeText& take_;
    std::string text_;
};

/// "[[x,y],…]" with the points from the first to the last, or from the last to the first.
void put_points(const Outlines& outlines, const Outline& outline, bool backwards, bool closed,
                LongText& text) {
    const std::size_t count = outline.count + (closed ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = i % outline.count;
        const OutlinePoint point = outlines.point(outline, backwards ? outline.count - 1 - at : at);
        text << (i == 0 ? "[[" : ",[") << point.x << "," << point.y << "]";
    }
    text << "]";
}

/// Calls `visit` for the holes in an outline.
template <class Visit>
void for_holes(const Outlines& outlines, const Outline& outline, const Visit& visit) {
    for (int at = outline.child; at >= 0; at = outlines.outlines[static_cast<std::size_t>(at)].next) {
        visit(outlines.outlines[static_cast<std::size_t>(at)]);
    }
}

void put_geometry(const Outlines& outlines, const Outline& outline, LongText& text) {
    if (!outlines.are_lines && outline.count == 1) {
        const OutlinePoint point = outlines.point(outline, 0);
        text << R"("Point","coordinates":[)" << point.x << "," << point.y << "]";
    } else if (outlines.are_lines || outline.count == 2) {
        text << R"("LineString","coordinates":)";
        put_points(outlines, outline, false, false, text);
    } else { // the other way round, as RFC 7946 has rings
        text << R"("Polygon","coordinates":[)";
        put_points(outlines, outline, true, true, text);
        for_holes(outlines, outline, [&](const Outline& hole) {
            text << ",";
            put_points(outlines, hole, true, true, text);
        });
        text << "]";
    }
}

void put_path(const Outlines& outlines, const Outline& outline, LongText& text) {
    const bool is_closed = outlines.is_closed(outline);
    for (std::size_t i = 0; i < outline.count - (outlines.are_lines && is_closed ? 1 : 0); ++i) {
        const OutlinePoint point = outlines.point(outline, i);
        text << (i == 0 ? "M" : "L") << point.x << " " << point.y;
    }
    text << (is_closed ? "Z" : "");
}

} // namespace

void write_outlines_json(const Outlines& outlines, const TakeText& take) {
    LongText text(take);
    text << R"({"schema":"glproc.contours/1","width":)" << outlines.picture.width << R"(,"height":)"
         << outlines.picture.height << R"(,"count":)" << static_cast<double>(outlines.outlines.size())
         << R"(,"contours":[)";
    std::string_view before = "\n";
    for (const Outline& outline : outlines.outlines) {
        const OutlineBox box = outlines.box(outline);
        text << std::exchange(before, ",\n") << R"({"next":)" << outline.next << R"(,"previous":)"
             << outline.previous << R"(,"first_child":)" << outline.child << R"(,"parent":)" << outline.parent
             << R"(,"hole":)" << (outline.is_hole ? 1 : 0) << R"(,"closed":)"
             << (outlines.is_closed(outline) ? 1 : 0) << R"(,"area":)" << outlines.area(outline)
             << R"(,"box":[)" << box.left << "," << box.top << "," << box.width << "," << box.height
             << R"(],"points":)";
        put_points(outlines, outline, false, false, text);
        text << "}";
    }
    text << "\n]}\n";
    text.end();
}

void write_outlines_geojson(const Outlines& outlines, const TakeText& take) {
    LongText text(take);
    text << R"({"type":"FeatureCollection","axes":"pixels; x goes right, y goes down","features":[)";
    std::string_view before = "\n";
    for (std::size_t i = 0; i < outlines.outlines.size(); ++i) {
        const Outline& outline = outlines.outlines[i];
        if (outline.is_hole) {
            continue;
        }
        text << std::exchange(before, ",\n") << R"({"type":"Feature","properties":{"contour":)"
             << static_cast<double>(i) << R"(},"geometry":{"type":)";
        put_geometry(outlines, outline, text);
        text << "}}";
    }
    text << "\n]}\n";
    text.end();
}

void write_outlines_svg(const Outlines& outlines, const TakeText& take) {
    LongText text(take);
    const Form& picture = outlines.picture;
    text << fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                        "viewBox=\"0 0 {0} {1}\">\n<g transform=\"translate(0.5 0.5)\" fill=\"{2}\" "
                        "fill-rule=\"evenodd\" stroke=\"black\" stroke-linecap=\"square\">\n",
                        picture.width, picture.height, outlines.are_lines ? "none" : "black");
    for (const Outline& outline : outlines.outlines) {
        if (outline.is_hole) {
            continue;
        }
        text << "<path d=\"";
        put_path(outlines, outline, text);
        for_holes(outlines, outline, [&](const Outline& hole) { put_path(outlines, hole, text); });
        text << "\"/>\n";
    }
    text << "</g>\n</svg>\n";
    text.end();
}

void write_outlines_csv(const Outlines& outlines, const TakeText& take) {
    LongText text(take);
    text << "contour,point,x,y\n";
    for (std::size_t i = 0; i < outlines.outlines.size(); ++i) {
        const Outline& outline = outlines.outlines[i];
        for (std::size_t k = 0; k < outline.count; ++k) {
            const OutlinePoint point = outlines.point(outline, k);
            text << static_cast<double>(i) << "," << static_cast<double>(k) << "," << point.x << ","
                 << point.y << "\n";
        }
    }
    text.end();
}

void write_outlines(const Outlines& outlines, std::string_view format, const TakeText& take) {
    const auto write = format == "geojson" ? write_outlines_geojson
                       : format == "svg"   ? write_outlines_svg
                       : format == "csv"   ? write_outlines_csv
                       : format == "roi"   ? write_outlines_roi
                       : format == "zip"   ? write_outlines_zip
                                           : write_outlines_json;
    write(outlines, take);
}

} // namespace glproc
