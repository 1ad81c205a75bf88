#include "glproc/ops/draw/items.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/value_words.hpp"
#include "glproc/ops/draw/variables.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc {

namespace {

/// A key of a list's objects; all are fields of the operation, too.
struct Key {
    std::string_view name;
    void (*set)(DrawItem& item, const FieldContext& context, std::string_view text, bool is_light);
    Limit limit = {};
};

template <auto Member>
void set(DrawItem& item, const FieldContext& context, std::string_view text, [[maybe_unused]] bool is_light) {
    using Value = std::remove_cvref_t<decltype(item.*Member)>;
    item.*Member = FieldText<Value>::parse(context, text);
    if constexpr (HasColour<Value>) {
        item.*Member = is_light ? FieldText<Value>::in_light(item.*Member) : item.*Member;
    }
}

constexpr std::array<Key, 18> keys{{{"text", &set<&DrawItem::text>},
                                    {"font", &set<&DrawItem::font>},
                                    {"size", &set<&DrawItem::size>, font_size_limit},
                                    {"color", &set<&DrawItem::color>},
                                    {"outline", &set<&DrawItem::outline>},
                                    {"box", &set<&DrawItem::box>},
                                    {"fill", &set<&DrawItem::fill>},
                                    {"stroke", &set<&DrawItem::stroke>, stroke_limit},
                                    {"wrap", &set<&DrawItem::wrap>, wrap_limit},
                                    {"line", &set<&DrawItem::line>, point_limit},
                                    {"rect", &set<&DrawItem::rect>, point_limit},
                                    {"circle", &set<&DrawItem::circle>, point_limit},
                                    {"arrow", &set<&DrawItem::arrow>, point_limit},
                                    {"polygon", &set<&DrawItem::polygon>, point_limit},
                                    {"scale-bar", &set<&DrawItem::scale_bar>},
                                    {"pixel-size", &set<&DrawItem::pixel_size>},
                                    {"at", &set<&DrawItem::at>, point_limit},
                                    {"gravity", &set<&DrawItem::gravity>}}};
constexpr Key margin_key{"margin", &set<&DrawItem::margin>, draw_margin_limit};

const Key& key_of(const std::string& name) {
    std::vector<std::string> names;
    for (const Key& key : keys) {
        names.emplace_back(key.name);
    }
    names.emplace_back(margin_key.name);
    const std::string meant = choice_called(name, names);
    const std::size_t found = static_cast<std::size_t>(std::find(names.begin(), names.end(), meant) - names.begin());
    if (found == names.size()) {
        const std::string nearest = did_you_mean(name, names);
        throw Error(ErrorCode::usage,
                    fmt::format("unknown name \"{:.64}\"{}", name, nearest.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", nearest)),
                    fmt::format("one of: {}", fmt::join(names, ", ")));
    }
    return found < keys.size() ? keys[found] : margin_key;
}

/// Whether it draws anything.
bool is_empty(const DrawItem& item) {
    return item.text.empty() && !item.line && !item.rect && !item.circle && !item.arrow && !item.polygon &&
           !item.scale_bar;
}

/// The item with the call's font, colours and the like.
DrawItem styled_as(const Draw& op) {
    DrawItem item = op;
    item.text.clear();
    item.line = item.rect = item.circle = item.arrow = item.polygon = std::nullopt;
    item.scale_bar = std::nullopt;
    return item;
}

void take_size(DrawItem& item, const Form& form) {
    item.size = item.size.in(form.width);
    item.stroke = item.stroke.in(form.width);
    item.wrap = item.wrap.in(form.width);
    item.margin = item.margin.in(form.width);
    for (auto* points : {&item.line, &item.rect, &item.circle, &item.arrow, &item.polygon}) {
        if (*points) {
            *points = (*points)->in(form.width, form.height);
        }
    }
    if (item.at) {
        item.at = {item.at->x.in(form.width), item.at->y.in(form.height)};
    }
}

void check(const DrawItem& item) {
    check_limit("size", item.size, font_size_limit);
    check_limit("stroke", item.stroke, stroke_limit);
    check_limit("wrap", item.wrap, wrap_limit);
    check_limit("margin", item.margin, draw_margin_limit);
    constexpr std::size_t most_points = 10000; // of a figure: the time to fill it grows with their square
    for (const auto* points : {&item.line, &item.rect, &item.circle, &item.arrow, &item.polygon}) {
        if (*points && (*points)->numbers.size() > 2 * most_points) {
            throw Error(ErrorCode::usage,
                        fmt::format("a figure has {} points, and at most {} are drawn", (*points)->numbers.size() / 2, most_points),
                        "cut it into several figures");
        }
        for (const double v : *points ? (*points)->numbers : std::vector<double>{}) {
            check_limit("points", v, point_limit);
        }
    }
    if (item.at) {
        check_limit("at", item.at->x, point_limit);
        check_limit("at", item.at->y, point_limit);
    }
    if (!item.text.empty() && item.scale_bar) {
        throw Error(ErrorCode::usage, "draw takes --text or --scale-bar: both have the same place",
                    "draw them one after the other, by glproc pipe or a list with --from");
    }
}

DrawItem item_of(const Draw& op, const DrawList::Object& object, const Form& form) {
    DrawItem item = styled_as(op); // its colours are in light already
    const bool is_light = form.depth == Depth::f32 && op.picture.curve == ColourCurve::linear;
    item.place = object.empty() ? op.from.path() : fmt::format("{}:{}", op.from.path(), object.front().line);
    for (const DrawList::Member& member : object) {
        try {
            const Key& key = key_of(member.key);
            key.set(item, {key.name, {}, key.limit}, member.value, is_light);
            take_size(item, form);
            check(item);
        } catch (const Error& error) {
            throw Error(ErrorCode::usage, fmt::format("{}:{}: {}", op.from.path(), member.line, error.what()),
                        error.hint());
        }
    }
    return item;
}

} // namespace

bool draws(const Draw& op) {
    return !is_empty(op) || !op.from.path().empty();
}

bool wants_facts(const Draw& op) {
    return has_variables(op.text) || !op.from.path().empty();
}

std::vector<DrawItem> items_of(const Draw& op, const Form& form) {
    std::vector<DrawItem> items;
    if (!is_empty(op)) {
        items.push_back(op);
    }
    for (const DrawList::Object& object : op.from.objects()) {
        items.push_back(item_of(op, object, form));
    }
    if (!draws(op)) {
        throw Error(ErrorCode::usage, "draw needs something to draw",
                    "glproc draw in.png out.png --text hello");
    }
    for (DrawItem& item : items) {
        take_size(item, form);
        check(item);
        at_its_place(item, [&] { item.text = with_values(item.text, op.picture); });
    }
    return items;
}

} // namespace glproc
