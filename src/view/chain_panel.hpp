// The chain as a list of cards, and the list of operations to add.
#pragma once

#include "view/controls.hpp"
#include "view/document.hpp"
#include "view/engine.hpp"
#include "view/tool.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <imgui.h>

namespace glproc::view {

class ChainPanel {
  public:
    /// What the cards show apart from the steps.
    struct Surroundings {
        std::optional<Tool>& tool;
        const StepCounts& inputs;        ///< of steps with levels: what they get
        std::optional<WantedFile>& file; ///< that a person is to choose
    };
    void show(Document& document, const Surroundings& around);
    /// Opens the list of operations.
    void ask_for_operation() { asks_ = true; }

  private:
    void show_card(Document& document, std::size_t at, const Surroundings& around);
    void show_body(Document& document, std::size_t at, const Surroundings& around);
    void show_title(const Step& step, std::size_t at);
    void take_dragged(const ImVec2& first, const ImVec2& last, std::size_t at);
    bool show_header(Document& document, std::size_t at);
    void show_list(Document& document, std::optional<Tool>& tool);
    static void add(Document& document, const OpInfo& op, std::optional<Tool>& tool);

    bool asks_ = false;
    std::string search_;
    std::optional<std::pair<std::size_t, std::size_t>> moved_; ///< a card was dragged from, to
    std::set<int> folded_;                                     ///< ids of steps
    std::set<int> advanced_;                                   ///< that show all of their parameters
};

} // namespace glproc::view
