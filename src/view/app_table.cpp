// The table of objects, and their marks in the picture.
#include "view/app.hpp"

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

struct Box {
    ImVec2 first;
    ImVec2 last;
};

void draw_box(ImDrawList& draw, const Box& box, const ImVec4& colour, float thick) {
    draw.AddRect(box.first, box.last, ImGui::GetColorU32(colour), 0, 0, scaled_pixels(thick));
}

} // namespace

void App::objects(float width, float height) {
    ImGui::BeginChild("objects", {width, height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    if (table_.show(news_.table, news_.labels != nullptr)) {
        look_at_object();
    }
    ImGui::EndChild();
}

void App::look_at_object() {
    const ObjectTable* table = news_.table.get();
    if (table == nullptr || !table->is_shown() || !table_.selected() || *table_.selected() >= table->rows()) {
        return;
    }
    if (const std::optional<Place> at = table->place(*table_.selected())) {
        const Point2 size = size_of(news_.result);
        const double x = size.x / table->form().width;
        const double y = size.y / table->form().height;
        view_.look_at({{at->corner.x * x, at->corner.y * y}, at->width * x, at->height * y});
    }
}

/// Whether objects are in the original where they were measured.
bool App::objects_fit_source() const {
    const ObjectTable* table = news_.table.get();
    return table != nullptr && table->form().width == news_.source.form.width &&
           table->form().height == news_.source.form.height;
}

/// The original: while its key is held, or below the boxes of objects.
bool App::shows_source() const {
    return shows_before_ || (objects_fit_source() && news_.table->is_shown() && table_.is_on_original());
}

/// The labels of objects, in colours, over what is shown.
void App::colour_objects(Scene& scene) const {
    const ObjectTable* table = news_.table.get();
    if (!table_.is_in_colours() || news_.labels == nullptr || !marks_objects()) {
        return;
    }
    scene.labels = news_.labels;
    scene.labels_width = table->form().width;
    scene.labels_height = table->form().height;
    scene.labels_from = splits_ && !objects_fit_source() ? scene.split : 0;
    const std::optional<std::size_t> row = table_.selected();
    scene.chosen = row && *row < table->rows() ? table->label(*row) : 0;
}

/// What was measured by other parameters lies elsewhere.
bool App::marks_objects() const {
    const ObjectTable* table = news_.table.get();
    return table != nullptr && table->is_shown() && table->version() == news_.version &&
           (!shows_source() || objects_fit_source());
}

/// Of all objects that are in sight, and of the selected one, in the part of the window that the result has.
void App::object_marks(Point2 corner) {
    const ObjectTable* table = news_.table.get();
    if (!marks_objects()) {
        return;
    }
    const bool has_colours = table_.is_in_colours() && news_.labels != nullptr; // boxes would hide them
    const Place place = place_of(news_.result);
    const double x = place.width / table->form().width;
    const double y = place.height / table->form().height;
    const auto box_of = [&](const Place& at) {
        const double left = corner.x + place.corner.x + at.corner.x * x;
        const double top = corner.y + place.corner.y + at.corner.y * y;
        // Around the object, and never so small that it is a dot.
        const double wide = std::max(1.0, (scaled_pixels(least_mark) - at.width * x) / 2);
        const double high = std::max(1.0, (scaled_pixels(least_mark) - at.height * y) / 2);
        return Box{
            {static_cast<float>(left - wide), static_cast<float>(top - high)},
            {static_cast<float>(left + at.width * x + wide), static_cast<float>(top + at.height * y + high)}};
    };
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const double begin = corner.x + (splits_ && !objects_fit_source() ? split_ * area_size_.x : 0);
    draw.PushClipRect(
        {static_cast<float>(begin), static_cast<float>(corner.y)},
        {static_cast<float>(corner.x + area_size_.x), static_cast<float>(corner.y + area_size_.y)}, true);
    std::size_t drawn = 0;
    for (std::size_t i = 0; !has_colours && i < table->rows() && drawn < most_marks; ++i) {
        const std::optional<Place> at = table->place(i);
        if (!at || table_.selected() == i ||
            (table->rows() > many && std::max(at->width * x, at->height * y) < scaled_pixels(speck))) {
            continue;
        }
        const Box box = box_of(*at);
        if (ImGui::IsRectVisible(box.first, box.last)) {
            draw_box(draw, box, theme::object, 1);
            ++drawn;
        }
    }
    if (table_.selected() && *table_.selected() < table->rows()) {
        if (const std::optional<Place> at = table->place(*table_.selected())) {
            draw_box(draw, box_of(*at), theme::selected_object, 2.5F);
        }
    }
    draw.PopClipRect();
}

void App::pick_object(Point2 at) {
    const ObjectTable* table = news_.table.get();
    if (table == nullptr || !table->is_shown() || table->version() != news_.version) {
        return;
    }
    const Place place = place_of(news_.result);
    const double x = table->form().width / place.width;
    const double y = table->form().height / place.height;
    constexpr double margin = 3; // pixels of the screen
    const auto row = table->row_at({(at.x - place.corner.x) * x, (at.y - place.corner.y) * y},
                                   scaled_pixels(margin) * std::max(x, y));
    row ? table_.select(*row) : table_.select_none();
}

} // namespace glproc::view
