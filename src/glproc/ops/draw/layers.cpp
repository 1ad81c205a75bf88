#include "glproc/ops/draw/layers.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/drawing.hpp"
#include "glproc/image/metadata.hpp"
#include "glproc/ops/blend/second.hpp"
#include "glproc/ops/draw/items.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <mutex>

#include <fmt/format.h>

namespace glproc {

namespace {

using modules::Area;
using modules::Cover;
using modules::Lettering;
using modules::Letters;
using modules::Outline;
using modules::Sides;

using Layers = std::vector<DrawnLayer>;

Area larger(const Area& box, int by) {
    return {box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by};
}

Area both(const Area& a, const Area& b) {
    const int x = std::min(a.x, b.x);
    const int y = std::min(a.y, b.y);
    return {x, y, std::max(a.x + a.width, b.x + b.width) - x, std::max(a.y + a.height, b.y + b.height) - y};
}

Area moved(Area box, const Int2& by) {
    box.x += by[0];
    box.y += by[1];
    return box;
}

/// Figures of whole pixels, as Cairo draws exactly.
Outline figure_of(const Area& box) {
    const double right = box.x + box.width;
    const double bottom = box.y + box.height;
    return {
        .points = {double(box.x), double(box.y), right, double(box.y), right, bottom, double(box.x), bottom},
        .closed = true};
}

void add_figure(Layers& layers, const Colour& colour, Outline figure) {
    double low_x = figure.points[0];
    double low_y = figure.points[1];
    double high_x = low_x;
    double high_y = low_y;
    for (std::size_t i = 0; i < figure.points.size(); i += 2) {
        low_x = std::min(low_x, figure.points[i]);
        high_x = std::max(high_x, figure.points[i]);
        low_y = std::min(low_y, figure.points[i + 1]);
        high_y = std::max(high_y, figure.points[i + 1]);
    }
    // Mitred corners and square ends reach beyond half the width: Cairo's limit is ten times that.
    const double more = figure.radius + (figure.stroke > 0 ? figure.stroke * 5 + 1 : 0);
    const int x = static_cast<int>(std::floor(low_x - more));
    const int y = static_cast<int>(std::floor(low_y - more));
    const Area reach{x, y, static_cast<int>(std::ceil(high_x + more)) - x,
                     static_cast<int>(std::ceil(high_y + more)) - y};
    const auto shared = std::make_shared<const Outline>(std::move(figure));
    layers.push_back({colour, reach, [shared](Cover& cover) { draughtsman().draw(*shared, cover); }});
}

void check_count(std::string_view name, const Points& points, bool fits, std::string_view form) {
    if (!fits) {
        throw Error(ErrorCode::usage, fmt::format("--{} has {} numbers", name, points.numbers.size()),
                    fmt::format("write --{} {}", name, form));
    }
}

void add_closed(Layers& layers, const DrawItem& item, const Outline& inside, const Outline& line) {
    if (item.fill) {
        add_figure(layers, *item.fill, inside);
    }
    if (item.stroke > 0) {
        Outline edge = line;
        edge.stroke = item.stroke;
        add_figure(layers, item.color, std::move(edge));
    } else if (!item.fill) {
        throw Error(ErrorCode::usage, "draw has no line and no inside: --stroke is 0 and there is no --fill",
                    "add --fill white");
    }
}

void add_rect(Layers& layers, const DrawItem& item) {
    const std::vector<double>& n = item.rect->numbers;
    check_count("rect", *item.rect, n.size() == 4 && n[2] > 0 && n[3] > 0, "X,Y,WIDTH,HEIGHT");
    const auto inset = [&](double by) {
        return Outline{.points = {n[0] + by, n[1] + by, n[0] + n[2] - by, n[1] + by, n[0] + n[2] - by,
                                  n[1] + n[3] - by, n[0] + by, n[1] + n[3] - by},
                       .closed = true};
    };
    if (item.stroke * 2 >= std::min(n[2], n[3]) && item.stroke > 0) { // nothing is left inside
        add_figure(layers, item.color, inset(0));
    } else {
        add_closed(layers, item, inset(0), inset(item.stroke / 2));
    }
}

/// Where lines of a whole width cover whole pixels.
std::vector<double> middles(std::vector<double> points, double stroke) {
    const bool even = stroke > 0 && std::fmod(stroke, 2) == 0;
    for (double& v : points) {
        v += even ? 0 : 0.5;
    }
    return points;
}

void add_polygon(Layers& layers, const DrawItem& item) {
    const std::vector<double>& n = item.polygon->numbers;
    check_count("polygon", *item.polygon, n.size() >= 6 && n.size() % 2 == 0,
                "X,Y,X,Y,X,Y: three corners or more");
    const Outline figure{.points = middles(n, item.stroke), .closed = true};
    add_closed(layers, item, figure, figure);
}

void add_circle(Layers& layers, const DrawItem& item) {
    const std::vector<double>& n = item.circle->numbers;
    check_count("circle", *item.circle, n.size() == 3 && n[2] >= 0, "X,Y,RADIUS");
    const std::vector<double> centre{n[0] + 0.5, n[1] + 0.5};
    const double whole = n[2] + 0.5; // with the pixels on its edge
    const Outline inside{.points = centre, .radius = whole};
    if (item.stroke >= whole) {
        add_figure(layers, item.color, inside);
    } else {
        add_closed(layers, item, inside, {.points = centre, .radius = whole - item.stroke / 2});
    }
}

void add_line(Layers& layers, const DrawItem& item) {
    const std::vector<double>& n = item.line->numbers;
    check_count("line", *item.line, n.size() >= 4 && n.size() % 2 == 0, "X,Y,X,Y: two points or more");
    add_figure(layers, item.color,
               {.points = middles(n, item.stroke), .stroke = std::max<double>(item.stroke, 1.0)});
}

/// A line whose end is a triangle.
void add_arrow(Layers& layers, const DrawItem& item) {
    const std::vector<double> n = middles(item.arrow->numbers, item.stroke);
    const double stroke = std::max<double>(item.stroke, 1.0);
    check_count("arrow", *item.arrow, n.size() == 4, "X,Y,X,Y: from, to");
    const double dx = n[2] - n[0];
    const double dy = n[3] - n[1];
    const double length = std::sqrt(dx * dx + dy * dy);
    if (length == 0) {
        throw Error(ErrorCode::usage, "draw --arrow begins where it ends");
    }
    const double head = std::min(std::max(5 * stroke, 8.0), length);
    const double x = dx / length * head;
    const double y = dy / length * head;
    if (head < length) {
        add_figure(layers, item.color,
                   {.points = {n[0], n[1], n[2] - x * 0.75, n[3] - y * 0.75}, .stroke = stroke});
    }
    add_figure(layers, item.color,
               {.points = {n[2], n[3], n[2] - x - y * 0.45, n[3] - y + x * 0.45, n[2] - x + y * 0.45,
                           n[3] - y - x * 0.45},
                .closed = true});
}

Sides sides_of(const std::optional<Gravity>& gravity) {
    switch (gravity.value_or(Gravity::northwest)) {
    case Gravity::northwest:
    case Gravity::west:
    case Gravity::southwest:
        return Sides::left;
    case Gravity::northeast:
    case Gravity::east:
    case Gravity::southeast:
        return Sides::right;
    default:
        return Sides::middle;
    }
}

/// Of one call of Pango at a time.
std::mutex& pango_guard() {
    static std::mutex guard;
    return guard;
}

std::shared_ptr<const Lettering> laid_out(const DrawItem& item, const std::string& text) {
    if (text.size() > most_text_bytes) {
        throw Error(ErrorCode::usage,
                    fmt::format("draw --text has {} bytes; the most is {}", text.size(), most_text_bytes));
    }
    constexpr double longest = 1.5e6; // pixels; Pango counts 1024ths of them in 32 bits
    if (item.size * static_cast<double>(text.size()) > longest) {
        throw Error(ErrorCode::usage,
                    fmt::format("draw --text has {} bytes, too many for letters of {} pixels", text.size(),
                                print_number(item.size)));
    }
    std::shared_ptr<const Lettering> letters = draughtsman().lay_out({.text = utf8_of(text),
                                                                      .font = item.font,
                                                                      .size = item.size,
                                                                      .wrap = item.wrap,
                                                                      .lines = sides_of(item.gravity)});
    if (const std::string other = letters->other_font(); !other.empty()) {
        throw Error(ErrorCode::usage,
                    fmt::format("draw --font {}: this font is not installed; {} would be used instead",
                                item.font, other),
                    "fc-list : family names the fonts of this machine");
    }
    if (const int unknown = letters->unknown_letters(); unknown > 0) {
        throw Error(ErrorCode::usage,
                    fmt::format("draw: no font of this machine has {} of the letters in the text", unknown),
                    "install one that has: fonts-noto-core or fonts-noto-cjk");
    }
    return letters;
}

int outline_of(const DrawItem& item) {
    return item.outline ? std::max(static_cast<int>(std::lround(item.size / 16)), 1) : 0;
}

/// Layers around 0,0 with the space they take, moved to their place.
void put(Layers& layers, Layers block, Area space, const DrawItem& item, const Form& form) {
    if (item.box) {
        space = larger(space, static_cast<int>(std::lround(item.size / 4)));
        Layers behind;
        add_figure(behind, *item.box, figure_of(space));
        block.insert(block.begin(), std::move(behind.front()));
    }
    const Int2 aside = item.at ? Int2{item.at->x, item.at->y} : Int2{0, 0};
    Int2 place = aside;
    if (item.gravity || !item.at) {
        const Int2 own =
            place_of(item.gravity.value_or(Gravity::northwest), form.width - space.width - 2 * item.margin,
                     form.height - space.height - 2 * item.margin);
        place = {own[0] + item.margin + aside[0], own[1] + item.margin + aside[1]};
    }
    const Int2 by{place[0] - space.x, place[1] - space.y};
    for (DrawnLayer& layer : block) {
        layers.push_back(
            {layer.colour, moved(layer.reach, by), [by, draw = std::move(layer.draw)](Cover& cover) {
                 Cover seen = cover;
                 seen.part = moved(cover.part, {-by[0], -by[1]});
                 draw(seen);
             }});
    }
}

/// Letters whose upper left corner is `place`, with outlines around them.
void add_letters(Layers& block, const DrawItem& item, const std::shared_ptr<const Lettering>& letters,
                 const Int2& place) {
    const auto add = [&](const Colour& colour, double outline) {
        const Area reach = larger(letters->ink(), static_cast<int>(std::ceil(outline)) + 1);
        block.push_back({colour, moved(reach, place), [letters, place, outline](Cover& cover) {
                             Cover seen = cover;
                             seen.part = moved(cover.part, {-place[0], -place[1]});
                             letters->draw(seen, outline);
                         }});
    };
    if (item.outline) {
        add(*item.outline, 2 * outline_of(item));
    }
    add(item.color, 0);
}

void add_text(Layers& layers, const DrawItem& item, const Form& form) {
    const auto letters = laid_out(item, item.text);
    Layers block;
    add_letters(block, item, letters, {0, 0});
    put(layers, std::move(block), letters->box(), item, form);
}

std::string label_of(const Length& length) {
    return print_number(length.number) + (length.unit.empty() ? "" : " ") +
           (length.unit == "um" ? "µm" : length.unit);
}

/// A bar of the length, and above it what it is.
void add_scale_bar(Layers& layers, const DrawItem& item, const Form& form) {
    if (!item.pixel_size && item.scale_bar->unit != "px") {
        throw Error(ErrorCode::usage, "draw --scale-bar needs --pixel-size: how long one pixel is",
                    "for instance --scale-bar 50,um --pixel-size 0.325,um");
    }
    const double length = ratio_of(*item.scale_bar, item.pixel_size.value_or(Length{1, "px"}));
    if (!(length >= 1 && length <= form.width)) {
        throw Error(ErrorCode::usage,
                    fmt::format("the scale bar would be {} pixels long, the image is {} wide",
                                print_number(std::round(length)), form.width),
                    "choose another length");
    }
    const int width = static_cast<int>(std::lround(length));
    const int thickness = std::max(static_cast<int>(std::lround(item.size / 5)), 2);
    const auto letters = laid_out(item, label_of(*item.scale_bar));
    const Area label = letters->box();
    const int whole = std::max(label.width, width);
    const Area bar{(whole - width) / 2, label.height, width, thickness};
    Layers block;
    if (item.outline) {
        add_figure(block, *item.outline, figure_of(larger(bar, outline_of(item))));
    }
    add_figure(block, item.color, figure_of(bar));
    add_letters(block, item, letters, {(whole - label.width) / 2, 0});
    put(layers, std::move(block), both({0, 0, whole, 1}, bar), item, form);
}

} // namespace

std::vector<DrawnLayer> layers_of(const DrawItem& item, const Form& form) {
    Layers layers;
    const auto add = [&](bool wanted, auto part, const auto&... more) {
        if (wanted) {
            part(layers, item, more...);
        }
    };
    add(item.rect.has_value(), add_rect);
    add(item.polygon.has_value(), add_polygon);
    add(item.circle.has_value(), add_circle);
    add(item.line.has_value(), add_line);
    add(item.arrow.has_value(), add_arrow);
    add(item.scale_bar.has_value(), add_scale_bar, form);
    add(!item.text.empty(), add_text, form);
    return layers;
}

SecondImage drawn_on(const std::vector<DrawItem>& items, const Form& form) {
    const std::lock_guard lock(pango_guard());
    std::vector<DrawnLayer> layers;
    for (const DrawItem& item : items) {
        std::vector<DrawnLayer> some = at_its_place(item, [&] { return layers_of(item, form); });
        layers.insert(layers.end(), std::make_move_iterator(some.begin()),
                      std::make_move_iterator(some.end()));
    }
    const modules::Area part = reach_of(layers, form);
    if (part.width == 0) { // nothing of it lies on the image
        return {.image = std::make_shared<const Image>(1, 1, form.channels, form.depth), .at = {-1, -1}};
    }
    constexpr std::int64_t most = std::int64_t{1} << 28U;
    if (std::int64_t{part.width} * part.height > most) {
        throw Error(ErrorCode::usage,
                    fmt::format("draw would cover {}x{} pixels; the most is {} at one go", part.width,
                                part.height, most),
                    "draw less at one go: steps of glproc pipe");
    }
    const auto cover = std::make_shared<const Image>(cover_of(layers, part, form.depth));
    return second_of({.with = {.image = cover}, .at = PerAxis<int>{part.x, part.y}}, form);
}

namespace {

/// Where each letter begins, and the end.
std::vector<std::size_t> letters_in(const std::string& text) {
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
            begins.push_back(i);
        }
    }
    begins.push_back(text.size());
    return begins;
}

/// So many letters of a line, from both ends.
std::string both_ends(const std::string& line, const std::vector<std::size_t>& begins, std::size_t letters) {
    const std::size_t tail = begins[begins.size() - 1 - letters / 2];
    return line.substr(0, begins[letters - letters / 2]) + "…" + line.substr(tail);
}

} // namespace

std::string shortened(const DrawItem& item, const std::string& given, int width) {
    const std::lock_guard lock(pango_guard());
    const auto fits = [&](const std::string& text) { return laid_out(item, text)->box().width <= width; };
    const std::string line = utf8_of(given);
    if (fits(line)) {
        return line;
    }
    const std::vector<std::size_t> begins = letters_in(line);
    std::size_t fitting = 0; // letters
    std::size_t most = begins.size() - 1;
    while (most - fitting > 1) {
        const std::size_t middle = (fitting + most) / 2;
        (fits(both_ends(line, begins, middle)) ? fitting : most) = middle;
    }
    return both_ends(line, begins, fitting);
}

} // namespace glproc
