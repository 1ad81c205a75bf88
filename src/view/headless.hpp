// The window without a window: the same content, drawn into memory. For screenshots, measurements and tests,
// on machines without a display, too.
#pragma once

#include "view/app.hpp"
#include "view/engine/surface.hpp"
#include "view/panels/canvas.hpp"

#include <memory>
#include <optional>

namespace glproc::view {

/// ImGui for OpenGL, with the window's letters and colours.
void begin_widgets(float scale);

/// How long it takes until the window shows what a person has changed, in milliseconds: medians.
struct RedrawTimes {
    double first = 0; ///< anything made with the new value, perhaps at a smaller size
    double whole = 0;
    double frame = 0; ///< the window alone, where nothing is new
};

class Headless {
  public:
    Headless(const ContextOptions& options, int width, int height, float scale = 1);
    Headless(const Headless&) = delete;
    Headless& operator=(const Headless&) = delete;
    ~Headless();

    App& app() { return *app_; }
    Document& document() { return document_; }
    Engine& engine() { return *engine_; }

    void resize(int width, int height);
    /// Draws once.
    void draw();
    /// Draws until the engine has done all that was asked.
    void settle();
    /// RGB of 8 bits.
    Image screenshot() const { return target_->read(); }

    /// Moves the first slider of the first operation to and fro. Throws Error(usage) where there is none.
    RedrawTimes measure(int moves);

  private:
    std::unique_ptr<Surface> surface_;
    Document document_;
    std::optional<Engine> engine_;
    std::optional<App> app_;
    std::optional<Target> target_;
};

} // namespace glproc::view
