#include "view/tools/objects.hpp"

#include "view/panels/theme.hpp"

#include <algorithm>
#include <cmath>

#include <imgui.h>

namespace glproc::view {

namespace {

// Of very many objects, those that are specks on the screen have no box: it would hide the picture, and take
// long.
constexpr std::size_t many = 1000;
constexpr double speck = 5;
constexpr std::size_t most_marks = 5000;
constexpr float least_mark = 9;

/// By how much places in the table's picture grow where that is `size` large.
Point2 growth(const ObjectTable& table, Point2 size) {
    return {size.x / table.form().width, size.y / table.form().height};
}

} // namespace

const ObjectTable* Objects::shown() const {
    const ObjectTable* table = all_.news.table.get();
    return table != nullptr && table->is_shown() ? table : nullptr;
}

std::optional<std::size_t> Objects::selected() const {
    const std::optional<std::size_t> row = table_.selected();
    return row && shown() != nullptr && *row < shown()->rows() ? row : std::nullopt;
}

float Objects::height(float room) const {
    constexpr float most = 220;
    return all_.news.table == nullptr ? 0 : std::min(scaled_pixels(most), std::floor(room * 0.4F));
}

void Objects::show(float width, float height) {
    ImGui::BeginChild("objects", {width, height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    if (table_.show(all_.news.table, all_.news.labels != nullptr)) {
        look_at_selected();
    }
    ImGui::EndChild();
}

bool Objects::key(const Key& pressed) {
    const auto step = [&] {
        table_.step(pressed.shift ? -1 : 1);
        look_at_selected();
    };
    return act_on(pressed, {{'N', step}, {'C', [&] { table_.switch_colours(); }}});
}

void Objects::look_at_selected() {
    if (const auto at = selected() ? shown()->place(*selected()) : std::nullopt) {
        const Point2 by = growth(*shown(), size_of(all_.news.result));
        all_.view.look_at({{at->corner.x * by.x, at->corner.y * by.y}, at->width * by.x, at->height * by.y});
    }
}

/// Whether objects are in the original where they were measured.
bool Objects::fit_source() const {
    const ObjectTable* table = all_.news.table.get();
    const Form& source = all_.news.source.form;
    return table != nullptr && table->form().width == source.width && table->form().height == source.height;
}

bool Objects::are_on_source() const {
    return shown() != nullptr && fit_source() && table_.is_on_original();
}

/// What was measured by other parameters lies elsewhere.
bool Objects::are_marked() const {
    return shown() != nullptr && shown()->version() == all_.news.version &&
           (!all_.shows_source || fit_source());
}

void Objects::colour(Scene& scene) const {
    if (!table_.is_in_colours() || all_.news.labels == nullptr || !are_marked()) {
        return;
    }
    scene.labels = all_.news.labels;
    scene.labels_width = shown()->form().width;
    scene.labels_height = shown()->form().height;
    scene.labels_from = all_.splits && !fit_source() ? scene.split : 0;
    scene.chosen = selected() ? shown()->label(*selected()) : 0;
}

/// Boxes around all objects that are in sight, and around the selected one, in the part of the window that
/// the result has.
void Objects::draw() {
    if (all_.news.result.image == nullptr || !are_marked()) {
        return;
    }
    const ObjectTable& table = *shown();
    const ScreenPlace place = all_.place_of(all_.news.result);
    const Point2 by = growth(table, {place.width, place.height});
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const auto mark = [&](const ScreenPlace& at, const ImVec4& colour, float thick) {
        const double left = all_.area.x + place.corner.x + at.corner.x * by.x;
        const double top = all_.area.y + place.corner.y + at.corner.y * by.y;
        // Around the object, and never so small that it is a dot.
        const double wide = std::max(1.0, (scaled_pixels(least_mark) - at.width * by.x) / 2);
        const double high = std::max(1.0, (scaled_pixels(least_mark) - at.height * by.y) / 2);
        const ImVec2 first{static_cast<float>(left - wide), static_cast<float>(top - high)};
        const ImVec2 last{static_cast<float>(left + at.width * by.x + wide),
                          static_cast<float>(top + at.height * by.y + high)};
        const bool is_visible = ImGui::IsRectVisible(first, last);
        if (is_visible) {
            draw.AddRect(first, last, ImGui::GetColorU32(colour), 0, 0, scaled_pixels(thick));
        }
        return is_visible;
    };
    const double begin = all_.splits && !fit_source() ? all_.split * all_.area_size.x : 0;
    draw.PushClipRect(all_.inset(static_cast<float>(begin), 0),
                      all_.inset(static_cast<float>(all_.area_size.x), static_cast<float>(all_.area_size.y)),
                      true);
    const bool has_colours = table_.is_in_colours() && all_.news.labels != nullptr; // boxes would hide them
    std::size_t drawn = 0;
    for (std::size_t i = 0; !has_colours && i < table.rows() && drawn < most_marks; ++i) {
        const std::optional<ScreenPlace> at = table.place(i);
        const bool is_speck = at && std::max(at->width * by.x, at->height * by.y) < scaled_pixels(speck);
        if (at && selected() != i && !(table.rows() > many && is_speck) && mark(*at, theme::object, 1)) {
            ++drawn;
        }
    }
    if (const auto at = selected() ? table.place(*selected()) : std::nullopt) {
        mark(*at, theme::selected_object, 2.5F);
    }
    draw.PopClipRect();
}

/// A click selects.
bool Objects::drag(const Pointer& pointer) {
    const ObjectTable* table = shown();
    if (pointer.is_clicked && table != nullptr && table->version() == all_.news.version) {
        const Form& form = all_.news.result.form;
        const ScreenPlace place = all_.place_of(all_.news.result);
        const double margin = scaled_pixels(3) * std::max(table->form().width / place.width,
                                                          table->form().height / place.height);
        const Point2 by = {double(table->form().width) / form.width,
                           double(table->form().height) / form.height};
        const auto row = table->row_at({pointer.at.x * by.x, pointer.at.y * by.y}, margin);
        row ? table_.select(*row) : table_.select_none();
    }
    return false; // it may also move the picture
}

} // namespace glproc::view
