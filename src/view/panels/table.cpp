#include "view/panels/table.hpp"

#include "view/panels/theme.hpp"

#include "glproc/op/table_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <imgui.h>

namespace glproc::view {

namespace {

/// To the right, where its digits are below those of the other rows.
void show_number(const std::string& text) {
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(room, 0.0F));
    ImGui::TextUnformatted(text.c_str());
}

} // namespace

void TablePanel::select(std::size_t row) {
    selected_ = row;
    scrolls_ = true;
}

void TablePanel::step(int direction) {
    const std::size_t rows = table_ == nullptr ? 0 : table_->rows();
    if (rows > 0) {
        const std::size_t before = direction > 0 ? rows - 1 : 0;
        select((selected_.value_or(before) + (direction > 0 ? 1 : rows - 1)) % rows);
    }
}

Point2 TablePanel::place_of(std::size_t row) const {
    return {first_row_.x + scaled_pixels(20), first_row_.y + row_height_ * (static_cast<double>(row) + 0.5)};
}

void TablePanel::header(const ObjectTable& table) const {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
        const TableColumn& column = table.columns()[i];
        ImGui::TableSetColumnIndex(static_cast<int>(i));
        ImGui::TableHeader(column.name.c_str());
        explain(column.unit);
    }
}

bool TablePanel::show_row(const ObjectTable& table, std::size_t row) {
    ImGui::TableNextRow(0, row_height_);
    bool is_chosen = false;
    const std::span<const TableCell> cells = table.row(row);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        ImGui::TableSetColumnIndex(static_cast<int>(i));
        if (i == 0) {
            ImGui::PushID(static_cast<int>(row));
            ImGui::PushStyleColor(ImGuiCol_Header, theme::accent_deep);
            is_chosen = ImGui::Selectable("##row", selected_ == row, ImGuiSelectableFlags_SpanAllColumns);
            ImGui::PopStyleColor();
            ImGui::PopID();
            ImGui::SameLine(0, 0);
        }
        const std::string text = shown_text(table.columns()[i], cells[i]);
        table.columns()[i].type == ColumnType::text ? ImGui::TextUnformatted(text.c_str())
                                                    : show_number(text);
    }
    return is_chosen;
}

void TablePanel::title(const ObjectTable& table, bool has_labels) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(fmt::format("{}: {}", table.name(), table.count()).c_str());
    ImGui::SameLine(0, scaled_pixels(16));
    if (ImGui::Button("Copy table")) {
        std::string csv;
        write_csv(table.table(), [&](std::string_view part) { csv += part; });
        ImGui::SetClipboardText(csv.c_str());
    }
    explain("Copy the rows as CSV, for a spreadsheet");
    ImGui::SameLine();
    if (table.is_shown()) {
        ImGui::Checkbox("on the original", &is_on_original_);
        if (has_labels) {
            ImGui::SameLine(0, scaled_pixels(16));
            ImGui::Checkbox("in colours", &is_in_colours_);
            const ImVec2 corner = ImGui::GetItemRectMin();
            colours_switch_ = {corner.x + scaled_pixels(8), corner.y + scaled_pixels(8)};
            explain("A colour for each object, here only: the saved image stays as it is  C");
        }
    } else {
        ImGui::TextDisabled("marked in the image where no operation follows");
    }
    if (table.count() > table.rows()) {
        ImGui::SameLine();
        ImGui::TextDisabled("the first %zu are listed", table.rows());
    }
}

bool TablePanel::show(const std::shared_ptr<const ObjectTable>& table, bool has_labels) {
    if (table != table_) { // whose rows are other objects
        table_ = table;
        selected_.reset();
    }
    title(*table, has_labels);
    const ImGuiTableFlags flags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                  ImGuiTableFlags_Resizable | ImGuiTableFlags_SizingFixedFit |
                                  ImGuiTableFlags_BordersInnerV;
    const auto columns =
        static_cast<int>(std::min<std::size_t>(table->columns().size(), 64)); // ImGui takes no more
    if (columns == 0 || !ImGui::BeginTable("objects", columns, flags)) {
        return false;
    }
    ImGui::TableSetupScrollFreeze(1, 1);
    for (int i = 0; i < columns; ++i) {
        ImGui::TableSetupColumn(table->columns()[static_cast<std::size_t>(i)].name.c_str(), 0,
                                scaled_pixels(84));
    }
    header(*table);
    row_height_ = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
    if (scrolls_ && selected_) {
        ImGui::SetScrollY(row_height_ * static_cast<float>(*selected_) - ImGui::GetWindowHeight() / 2);
    }
    scrolls_ = false;
    bool is_chosen = false;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(table->rows()), row_height_);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const auto row = static_cast<std::size_t>(i);
            if (show_row(*table, row)) {
                selected_ = row;
                is_chosen = true;
            }
            const ImVec2 at = ImGui::GetItemRectMin();
            first_row_ = {ImGui::GetWindowPos().x, at.y - row_height_ * static_cast<float>(i)};
        }
    }
    ImGui::EndTable();
    return is_chosen;
}

} // namespace glproc::view
