// What the parts of the window share: the picture and its steps, how it is seen, and what a person is told.
#pragma once

#include "view/document.hpp"
#include "view/engine/engine.hpp"
#include "view/panels/canvas.hpp"
#include "view/panels/message.hpp"
#include "view/session.hpp"
#include "view/tools/tool.hpp"
#include "view/viewport.hpp"

#include <algorithm>
#include <optional>

#include <imgui.h>

namespace glproc::view {

/// In squares of the screen at 100 %: no side of a pixel is smaller than one.
inline Point2 size_of(const Shown& shown) {
    const double aspect = shown.pixel_aspect > 0 ? shown.pixel_aspect : 1;
    return {shown.form.width * std::max(aspect, 1.0), shown.form.height * std::max(1 / aspect, 1.0)};
}

struct Workspace {
    Workspace(Engine& its_engine, Document& its_document) : engine(its_engine), document(its_document) {}

    Engine& engine;
    Document& document;
    News news;       ///< as of this frame
    Session session; ///< what is remembered from one time to the next
    Message message;
    std::optional<Held> held; ///< what the pointer does in the picture; nothing: it moves it

    std::optional<WantedFile> wanted_file;

    Viewport view;
    Canvas canvas;
    Point2 area; ///< where the picture's part of the window begins
    Point2 area_size;
    bool is_over_picture = false;
    bool wants_result = true;  ///< even if the steps are the same as before: of another picture
    bool shows_source = false; ///< in place of the result
    Look look = Look::colours;
    bool splits = false; ///< before and after, side by side
    double split = 0.5;  ///< share of the picture's part of the window

    /// What the result is compared with.
    const Shown& before() const {
        return news.other.image != nullptr    ? news.other
               : news.before.image != nullptr ? news.before
                                              : news.source;
    }
    bool shows_difference() const { return look == Look::difference && before().image != nullptr; }
    bool has_picture() const { return news.source.image != nullptr; }
    /// What has another shape than the result keeps it. In the picture's part of the window.
    ScreenPlace place_of(const Shown& shown) const {
        const Point2 size = size_of(shown);
        return fitted(size.x, size.y, view.place());
    }
    /// From pixels of the result to the screen, and back.
    ImVec2 on_screen(Point2 at) const {
        const ScreenPlace place = place_of(news.result);
        return {static_cast<float>(area.x + place.corner.x + at.x * place.width / news.result.form.width),
                static_cast<float>(area.y + place.corner.y + at.y * place.height / news.result.form.height)};
    }
    Point2 in_result(const ImVec2& at) const {
        const ScreenPlace place = place_of(news.result);
        return {(at.x - area.x - place.corner.x) / place.width * news.result.form.width,
                (at.y - area.y - place.corner.y) / place.height * news.result.form.height};
    }
    /// A corner of the picture's part of the window, so far inside.
    ImVec2 inset(float x, float y) const {
        return {static_cast<float>(area.x) + x, static_cast<float>(area.y) + y};
    }
};

} // namespace glproc::view
