// The tools for the picture, of which a person has one in hand at most.
#pragma once

#include "view/tools/measure.hpp"
#include "view/tools/step_tool.hpp"

#include <array>
#include <memory>
#include <optional>

namespace glproc::view {

class Toolbox final : public Tool {
  public:
    explicit Toolbox(Workspace& all);
    /// What the tool in hand shows, and the words that say what it does.
    void draw() override;
    bool drag(const Pointer& pointer) override;
    bool key(const Key& pressed) override;

    /// The steps whose result is to be seen. For the step of a tool those before it are, so that the pointer
    /// is in what the step gets.
    Steps wanted_steps();
    /// Whether these are not all steps.
    bool shows_part_of_steps() const { return all_.held && !measures(); }
    /// Around the picture, for handles that lie on its edge.
    double margin() const;
    void switch_measuring(ToolKind kind);
    bool holds(ToolKind kind) const { return all_.held && all_.held->kind == kind; }
    const Measure& measured() const { return measure_; }

  private:
    bool measures() const { return holds(ToolKind::region) || holds(ToolKind::line); }
    Tool& in_hand();
    void switch_handle();
    float words_wrap() const;
    bool is_over_words() const;

    Measure measure_;
    std::array<std::unique_ptr<Tool>, 5> step_tools_; ///< in the order of ToolKind
    std::optional<Held> later_held_;                  ///< that these steps come after
    Steps later_steps_;
};

} // namespace glproc::view
