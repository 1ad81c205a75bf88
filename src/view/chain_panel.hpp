// The chain as a list of cards, and the list of operations to add.
#pragma once

#include "view/document.hpp"

#include <cstddef>
#include <string>

namespace glproc::view {

class ChainPanel {
  public:
    void show(Document& document);
    /// Opens the list of operations.
    void ask_for_operation() { asks_ = true; }

  private:
    void show_card(Document& document, std::size_t at);
    bool show_header(Document& document, std::size_t at);
    void show_list(Document& document);

    bool asks_ = false;
    std::string search_;
};

} // namespace glproc::view
