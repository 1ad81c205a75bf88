// The chain as a list of cards, and the list of operations to add.
#pragma once

#include "view/panels/controls.hpp"
#include "view/workspace.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <imgui.h>

namespace glproc::view {

class ChainPanel {
  public:
    void show(Workspace& all);
    /// Opens the list of operations.
    void ask_for_operation();
    /// Whether letters are to wait for that list.
    bool is_opening() const { return frames_ < frames_to_focus; }

  private:
    void show_cards(Workspace& all);
    void show_card(Workspace& all, std::size_t at);
    void show_body(Workspace& all, std::size_t at);
    void show_title(const Step& step, std::size_t at);
    void take_dragged(const ImVec2& first, const ImVec2& last, std::size_t at);
    bool show_header(Document& document, std::size_t at);
    void show_list(Workspace& all);
    void add(Workspace& all, const OpInfo& op);

    static constexpr int frames_to_focus = 3;
    bool asks_ = false;
    int frames_ = frames_to_focus; ///< since it was asked
    float cards_height_ = 0;       ///< of all cards, as of the last frame
    int scrolls_ = 0;              ///< frames until the card of a new step is whole
    std::string search_;
    std::optional<std::pair<std::size_t, std::size_t>> moved_; ///< a card was dragged from, to
    std::set<int> folded_;                                     ///< ids of steps
    std::set<int> advanced_;                                   ///< that show all of their parameters
};

} // namespace glproc::view
