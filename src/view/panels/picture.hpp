// The picture, what is under the pointer, and how it is looked at: channels, clipping, another picture beside
// it.
#pragma once

#include "view/workspace.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace glproc::view {

class Picture final : public Tool {
  public:
    using Tool::Tool;
    bool key(const Key& pressed) override;
    /// The tools draw over it, the last one on top, which gets the pointer first.
    void show(float width, float height, std::span<Tool* const> tools);
    /// The bar below it. `is_late`: a result has been waited for.
    void show_status(float width, bool is_late);
    float status_height() const;
    /// Of the menu: which values are shown.
    void look_items();

    /// The profile of the monitor; empty where there is none. What cannot be used is said.
    void set_monitor(const std::vector<std::byte>& icc);
    bool has_monitor() const { return !monitor_.empty(); }
    void switch_monitor();

    bool has_colours() const { return has_look(Look::red); }
    void switch_difference() { all_.look = all_.shows_difference() ? Look::colours : Look::difference; }
    /// Whether pixels at black and white are marked.
    bool& marks_clipped() { return marks_clipped_; }

  private:
    bool has_look(Look look) const;
    void next_look();
    void take_pointer(std::span<Tool* const> tools);
    void draw_picture(std::span<Tool* const> tools);
    void draw_absence() const;
    std::string under_pointer();
    std::vector<std::string> facts();
    void use_monitor(bool on);

    bool marks_clipped_ = false;
    std::vector<std::byte> monitor_; ///< its profile
    bool uses_monitor_ = true;       ///< if there is one
};

/// The line between before and after.
std::unique_ptr<Tool> split_tool(Workspace& all);

} // namespace glproc::view
