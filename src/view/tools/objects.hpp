// The objects that an operation measured: their table below the picture, and their marks in it.
#pragma once

#include "view/panels/table.hpp"
#include "view/workspace.hpp"

namespace glproc::view {

class Objects final : public Tool {
  public:
    using Tool::Tool;
    /// Their labels, over what is shown.
    void colour(Scene& scene) const override;
    void draw() override;
    bool drag(const Pointer& pointer) override;
    bool key(const Key& pressed) override;

    /// The height of the table, of a room of this height; 0 where there is none.
    float height(float room) const;
    void show(float width, float height);
    /// Whether the original is to be seen, below their boxes.
    bool are_on_source() const;
    const TablePanel& table() const { return table_; }

  private:
    /// Null where no objects are to be seen.
    const ObjectTable* shown() const;
    std::optional<std::size_t> selected() const;
    bool fit_source() const;
    bool are_marked() const;
    void look_at_selected();

    TablePanel table_;
};

} // namespace glproc::view
