// What is chosen of a file beside its name: its format and its quality.
#include "cli/files/picture_output.hpp"
#include "view/panels/file_chooser.hpp"
#include "view/panels/theme.hpp"

#include <imgui.h>

namespace glproc::view {

/// Of what is written; another one is another end of the name.
void FileChooser::format_list() {
    const std::filesystem::path name(typed_);
    const std::string end = name.extension().string();
    const std::string now = end.empty() ? end : end.substr(1);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Format");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(scaled_pixels(90));
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    formats_ = {corner.x + scaled_pixels(45), corner.y + ImGui::GetFrameHeight() / 2};
    if (ImGui::BeginCombo("##format", now.c_str(), ImGuiComboFlags_HeightLarge)) {
        const ImVec2 first = ImGui::GetCursorScreenPos();
        first_format_ = {first.x, first.y};
        for (const std::string& format : question_.formats) {
            if (ImGui::Selectable(format.c_str(), format == now)) {
                typed_ = std::filesystem::path(name).replace_extension(format).string();
                forget_refusal();
            }
        }
        ImGui::EndCombo();
    }
}

Point2 FileChooser::place_of_format(std::size_t number) const {
    return {first_format_.x + scaled_pixels(20),
            first_format_.y + row_height_ * (static_cast<double>(number) + 0.4)};
}

void FileChooser::quality_slider() {
    const std::optional<int> usual = question_.quality ? question_.quality(typed_) : std::nullopt;
    if (!usual) {
        return;
    }
    ImGui::SameLine(0, scaled_pixels(20));
    ImGui::TextUnformatted("Quality");
    ImGui::SameLine();
    int value = chosen_quality_.value_or(*usual);
    ImGui::SetNextItemWidth(scaled_pixels(240));
    if (ImGui::SliderInt("##quality", &value, static_cast<int>(cli::quality_limit.low),
                         static_cast<int>(cli::quality_limit.high), "%d", ImGuiSliderFlags_AlwaysClamp)) {
        chosen_quality_ = value;
    }
    const ImVec2 corner = ImGui::GetItemRectMin();
    slider_ = {corner.x, corner.y + ImGui::GetFrameHeight() / 2};
}

std::optional<int> FileChooser::quality() const {
    return question_.quality && question_.quality(typed_) ? chosen_quality_ : std::nullopt;
}

} // namespace glproc::view
