#include "view/panels/levels.hpp"

#include "view/number_text.hpp"
#include "view/panels/curve.hpp"
#include "view/panels/scopes.hpp"
#include "view/panels/theme.hpp"
#include "view/workspace.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>

#include <imgui.h>

namespace glproc::view {

namespace {

constexpr double least_range = 0.01;
constexpr double least_gamma = 0.1; // as the operation's limits are
constexpr double most_gamma = 10;

} // namespace

bool has_levels(const OpInfo& op) {
    const FieldInfo* black = field_called(op, "black");
    const FieldInfo* white = field_called(op, "white");
    return black != nullptr && black->is_level && white != nullptr && white->is_level &&
           field_called(op, "gamma") != nullptr;
}

std::optional<LevelEnds> levels_of(const Step& step) {
    const auto of = [&](const char* name) {
        const std::string text = step.value_of(*field_called(*step.op, name));
        double value = 0;
        const auto [end, error] = read_number(text, value);
        return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
    };
    if (!has_levels(*step.op)) {
        return std::nullopt;
    }
    const auto black = of("black");
    const auto white = of("white");
    const auto gamma = of("gamma");
    const bool is_auto = step.given.contains("auto");
    if (!black || !white || !gamma || is_auto || *black < 0 || *white > 1 || *black >= *white ||
        *gamma < least_gamma) {
        return std::nullopt;
    }
    return LevelEnds{*black, *white, *gamma};
}

void set_levels(Document& document, std::size_t at, const LevelEnds& levels) {
    const std::optional<LevelEnds> before = levels_of(document.steps()[at]);
    const auto set = [&](const char* name, double now, double then) {
        if (now != then) {
            document.set(at, *field_called(*document.steps()[at].op, name), short_number(now, 3));
        }
    };
    if (before) {
        set("black", levels.black, before->black);
        set("white", levels.white, before->white);
        set("gamma", levels.gamma, before->gamma);
    }
}

double middle_of(const LevelEnds& levels) {
    return levels.black + (levels.white - levels.black) * std::pow(0.5, levels.gamma);
}

LevelEnds with_middle(LevelEnds levels, double value) {
    const double share = std::clamp((value - levels.black) / (levels.white - levels.black), 0.001, 0.999);
    levels.gamma = std::clamp(std::log(share) / std::log(0.5), least_gamma, most_gamma);
    return levels;
}

LevelEnds with_black(LevelEnds levels, double value) {
    levels.black = std::clamp(value, 0.0, std::max(levels.white - least_range, 0.0));
    return levels;
}

LevelEnds with_white(LevelEnds levels, double value) {
    levels.white = std::clamp(value, std::min(levels.black + least_range, 1.0), 1.0);
    return levels;
}

bool wants_counts(const OpInfo& op) {
    return has_levels(op) || std::ranges::any_of(op.fields, names_curve);
}

namespace {

void draw_handle(float x, float top, float size, const ImVec4& fill, bool lit) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 a{x, top};
    const ImVec2 b{x + size * 0.6F, top + size};
    const ImVec2 c{x - size * 0.6F, top + size};
    draw.AddTriangleFilled(a, b, c, ImGui::GetColorU32(fill));
    draw.AddTriangle(a, b, c, ImGui::GetColorU32(lit ? theme::accent_bright : theme::dim),
                     scaled_pixels(1.5F));
}

void pickers(Workspace& all, std::size_t at) {
    constexpr std::array<const char*, 3> names{"pick black", "grey", "white"};
    constexpr std::array kinds{ToolKind::black, ToolKind::grey, ToolKind::white};
    constexpr std::array hints{"Click a pixel that is to become black",
                               "Click a pixel that is to become a middle grey",
                               "Click a pixel that is to become white"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Held wanted{kinds[i], all.document.steps()[at].id};
        const bool is_on = all.held == wanted;
        if (small_switch_button(names[i], is_on, hints[i])) {
            all.held = is_on ? std::nullopt : std::optional(wanted);
        }
        ImGui::SameLine();
    }
    ImGui::NewLine();
}

} // namespace

void edit_levels(Workspace& all, std::size_t at, const std::vector<ChannelCounts>* counts) {
    Document& document = all.document;
    const std::optional<LevelEnds> levels = levels_of(document.steps()[at]);
    if (!levels) {
        return;
    }
    const float handle = scaled_pixels(10);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x - card_inset(), scaled_pixels(56)};
    ImGui::InvisibleButton("levels", {size.x, size.y + handle});
    draw_counts(corner, size, counts, theme::dim);
    const std::array places{levels->black, middle_of(*levels), levels->white};
    const double mouse = std::clamp((ImGui::GetIO().MousePos.x - corner.x) / size.x, 0.0F, 1.0F);
    const auto nearest = static_cast<int>(
        std::ranges::min_element(places, {}, [&](double place) { return std::abs(place - mouse); }) -
        places.begin());
    ImGuiStorage& storage = *ImGui::GetStateStorage(); // which handle is dragged
    const ImGuiID id = ImGui::GetID("dragged level");
    if (ImGui::IsItemActivated()) {
        storage.SetInt(id, nearest);
    }
    const bool is_dragged = ImGui::IsItemActive();
    const int lit = is_dragged ? storage.GetInt(id) : ImGui::IsItemHovered() ? nearest : -1;
    if (is_dragged && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0)) {
        set_levels(document, at,
                   lit == 0   ? with_black(*levels, mouse)
                   : lit == 1 ? with_middle(*levels, mouse)
                              : with_white(*levels, mouse));
    }
    if (ImGui::IsItemDeactivated()) {
        document.settle();
    }
    constexpr std::array fills{0x000000U, 0x808080U, 0xffffffU};
    for (std::size_t i = 0; i < places.size(); ++i) {
        draw_handle(corner.x + size.x * static_cast<float>(places[i]), corner.y + size.y, handle,
                    rgb(fills[i]), lit == static_cast<int>(i));
    }
    pickers(all, at);
}

} // namespace glproc::view
