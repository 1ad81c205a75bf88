// What tools share that drag a value of a step in the picture.
#pragma once

#include "view/tools/part.hpp"
#include "view/workspace.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace glproc::view {

class StepTool : public Tool {
  public:
    using Tool::Tool;
    void draw() final;
    bool drag(const Pointer& pointer) final;

  protected:
    /// Shows the value that the step has.
    virtual void show() const = 0;
    /// The button went down. False where there is nothing to take hold of.
    virtual bool grasp(Point2 at) = 0;
    /// It was dragged to there.
    virtual void move(Point2 at) = 0;
    virtual void show_cursor(Point2 at) const = 0;

    const Step& step() const { return all_.document.steps()[at_]; }
    std::string value() const { return step().value_of(*field_); }
    void set(const std::string& text) { all_.document.set(at_, *field_, text); }
    Form form() const { return all_.news.result.form; }
    /// By how much it was dragged.
    Point2 by(Point2 at) const { return {at.x - begin_.x, at.y - begin_.y}; }
    /// How near a handle the pointer must be, in pixels of the result.
    double reach() const;
    void point_at(const std::optional<Grip>& grip) const;

    std::size_t at_ = 0; ///< of the step, while one of the above is called
    Point2 begin_;       ///< where the button went down
    bool is_dragged_ = false;

  private:
    bool find();
    const FieldInfo* field_ = nullptr;
};

void draw_grip(const ImVec2& at);
/// About a point, on a dark ground.
void draw_label(const ImVec2& middle, const std::string& words);
/// With grips at its corners, and in the middle of its sides.
void draw_frame(const ImVec2& first, const ImVec2& last, bool has_sides);
/// The colour of handles.
ImU32 bright();

std::unique_ptr<Tool> part_tool(Workspace& all);
std::unique_ptr<Tool> turn_tool(Workspace& all);
std::unique_ptr<Tool> corners_tool(Workspace& all);
std::unique_ptr<Tool> second_tool(Workspace& all);

} // namespace glproc::view
