// Whether words and controls of both themes stand out from their ground.
#include "view/panels/theme.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <imgui.h>

using namespace glproc::view;

namespace {

/// By WCAG 2, of colours without alpha.
double luminance(const ImVec4& colour) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.x) + 0.7152 * linear(colour.y) + 0.0722 * linear(colour.z);
}

double contrast(const ImVec4& a, const ImVec4& b) {
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

} // namespace

TEST_CASE("theme: words have a contrast of 4.5 and grips one of 3, dark and light") {
    ImGuiContext* const context = ImGui::CreateContext();
    for (const bool is_light : {false, true}) {
        set_colours(is_light);
        const ImVec4* const of = ImGui::GetStyle().Colors;
        INFO((is_light ? "light" : "dark"));
        for (const ImVec4& ground : {theme::panel, theme::card, theme::popup, theme::control, theme::control_hovered,
                                     theme::accent_deep, of[ImGuiCol_ButtonActive], of[ImGuiCol_HeaderActive]}) {
            CHECK(contrast(theme::text, ground) >= 4.5);
        }
        for (const ImVec4& ground : {theme::panel, theme::card, theme::popup, theme::control, theme::background}) {
            CHECK(contrast(theme::dim, ground) >= 4.5);
        }
        for (const ImVec4& channel : {theme::red, theme::green, theme::blue}) { // letters, and lines in the histogram
            CHECK(contrast(channel, theme::control) >= 4.5);
            CHECK(contrast(channel, theme::background) >= 3);
        }
        CHECK(contrast(theme::fault, theme::card) >= 4.5);
        CHECK(contrast(theme::accent_bright, theme::popup) >= 4.5);
        CHECK(contrast(of[ImGuiCol_SliderGrab], theme::control) >= 3);
        CHECK(contrast(of[ImGuiCol_CheckMark], theme::control) >= 3);
        CHECK(contrast(of[ImGuiCol_NavHighlight], theme::card) >= 3);
        for (std::size_t heading = 0; heading < 5; ++heading) {
            CHECK(contrast(heading_colour(heading), theme::card) >= 4.5);
        }
    }
    ImGui::DestroyContext(context);
}
