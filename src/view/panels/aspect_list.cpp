#include "view/panels/aspect_list.hpp"

#include <algorithm>
#include <array>

#include <imgui.h>

namespace glproc::view {

bool choose_aspect(std::string& text) {
    constexpr std::array usual{"1:1", "3:2", "2:3", "4:3", "3:4", "5:4", "4:5", "16:9", "9:16", "2.39:1"};
    bool changed = false;
    if (!ImGui::BeginCombo("##value", text.empty() ? "free" : text.c_str())) {
        return changed;
    }
    const auto item = [&](const char* name, const std::string& value) {
        if (ImGui::Selectable(name, text == value)) {
            changed = text != value;
            text = value;
        }
    };
    item("free", "");
    std::for_each(usual.begin(), usual.end(), [&](const char* one) { item(one, one); });
    ImGui::EndCombo();
    return changed;
}

} // namespace glproc::view
