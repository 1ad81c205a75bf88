// The picture, the bar below it, and what is under the pointer.
#include "view/app.hpp"

#include "view/panels/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

namespace glproc::view {

namespace {

const char* depth_name(Depth depth) {
    return depth == Depth::u8 ? "8 bits" : depth == Depth::u16 ? "16 bits" : "float";
}

const char* channel_name(int channels) {
    constexpr std::array<const char*, 5> names{"", "grey", "grey + alpha", "RGB", "RGBA"};
    return names.at(static_cast<std::size_t>(channels));
}

std::string time_text(double milliseconds) {
    return milliseconds < 1000 ? fmt::format("{:.{}f} ms", milliseconds, milliseconds < 10 ? 1 : 0)
                               : fmt::format("{:.1f} s", milliseconds / 1000);
}

} // namespace

void App::split_line(float x, float top, float bottom) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddLine({x, top}, {x, bottom}, ImGui::GetColorU32(rgb(0xffffff, 0.85F)), scaled_pixels(1.5F));
    const float middle = (top + bottom) / 2;
    const float r = scaled_pixels(7);
    draw.AddCircleFilled({x, middle}, r, ImGui::GetColorU32(rgb(0xffffff, 0.9F)));
    draw.AddCircleFilled({x, middle}, r - scaled_pixels(2), ImGui::GetColorU32(theme::accent));
    const auto label = [&](const char* text, float at) {
        const ImVec2 size = ImGui::CalcTextSize(text);
        const float pad = scaled_pixels(5);
        draw.AddRectFilled({at - pad, top + pad}, {at + size.x + pad, top + 2 * pad + size.y},
                           ImGui::GetColorU32(theme::popup), pad);
        draw.AddText({at, top + 1.5F * pad}, ImGui::GetColorU32(theme::text), text);
    };
    const bool has_other = news_.other.image != nullptr;
    const char* left = has_other ? news_.other_name.c_str() : "before";
    label(left, x - ImGui::CalcTextSize(left).x - scaled_pixels(12));
    label(has_other ? news_.name.c_str() : "after", x + scaled_pixels(12));
}

void App::picture_input(bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    const Point2 at{io.MousePos.x - area_.x, io.MousePos.y - area_.y};
    if (hovered && io.MouseWheel != 0) {
        view_.step(io.MouseWheel > 0 ? 1 : -1, at);
    }
    if (tool_) {
        use_tool(hovered);
        if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0)) {
            view_.pan(io.MouseDelta.x, io.MouseDelta.y);
        }
        return;
    }
    if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        drags_split_ = splits_ && std::abs(at.x - split_ * area_size_.x) < scaled_pixels(8);
    }
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && !drags_split_) {
        view_.fits() ? view_.zoom_to(1, at) : view_.fit();
    }
    const bool drags = ImGui::IsItemActive() && (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0) ||
                                                 ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0));
    if (drags && drags_split_) {
        split_ = std::clamp(at.x / area_size_.x, 0.0, 1.0);
    } else if (drags && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
        view_.pan(io.MouseDelta.x, io.MouseDelta.y);
    }
    if (hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !drags_split_ &&
        io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < io.MouseDragThreshold * io.MouseDragThreshold) {
        pick_object(at);
    }
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        drags_split_ = false;
    }
}

void App::picture(float width, float height) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme::background);
    ImGui::BeginChild("picture", {width, height}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    area_ = {corner.x, corner.y};
    area_size_ = {width, height};
    view_.set_margin(margin());
    view_.set_frame(width, height);
    ImGui::InvisibleButton("area", {width, height},
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
    is_over_picture_ = ImGui::IsItemHovered();
    picture_input(is_over_picture_);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (news_.result.image != nullptr) {
        const auto seen = [&](const Shown& shown) {
            return (shown.small != nullptr && view_.zoom() < 0.2 ? shown.small : shown.image);
        };
        const Shown& main = shows_source() ? news_.source : news_.result;
        Scene scene;
        scene.picture = seen(main);
        scene.before = splits_ || shows_difference() ? seen(before()) : nullptr;
        scene.place = place_of(main);
        scene.before_place = place_of(before());
        scene.icc = main.icc;
        scene.before_icc = before().icc;
        scene.look = has_look(look_) ? look_ : Look::colours;
        scene.marks_clipped = marks_clipped_;
        scene.split = std::round(split_ * width);
        scene.around = {theme::background.x, theme::background.y, theme::background.z};
        colour_objects(scene);
        const unsigned texture = canvas_.draw(scene, static_cast<int>(width), static_cast<int>(height));
        draw.AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture)), corner,
                      {corner.x + width, corner.y + height}, {0, 1}, {1, 0});
        object_marks({corner.x, corner.y});
        if (splits_ && !shows_difference()) {
            split_line(corner.x + static_cast<float>(scene.split), corner.y, corner.y + height);
        }
    } else {
        const char* text = news_.busy.empty() ? "Drop an image or a video here, or open one with Ctrl+O"
                                              : news_.busy.c_str();
        const float wrap = std::max(scaled_pixels(60), width - scaled_pixels(20));
        const ImVec2 size = ImGui::CalcTextSize(text, nullptr, false, wrap);
        draw.AddText(nullptr, 0, {corner.x + (width - size.x) / 2, corner.y + (height - size.y) / 2},
                     ImGui::GetColorU32(theme::dim), text, nullptr, wrap);
    }
    if (tool_ && news_.result.image != nullptr) {
        draw_tool();
    }
    show_message();
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

/// What has another shape than the result keeps it.
Place App::place_of(const Shown& shown) const {
    const Point2 size = size_of(shown);
    return fitted(size.x, size.y, view_.place());
}

std::string App::under_pointer() {
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_before = splits_ && io.MousePos.x - area_.x < split_ * area_size_.x;
    const Shown& shown = shows_source() ? news_.source : is_before ? before() : news_.result;
    if (!is_over_picture_ || shown.image == nullptr || !ImGui::IsMousePosValid()) {
        return {};
    }
    const Place place = place_of(shown);
    const double x = (io.MousePos.x - area_.x - place.corner.x) / place.width * shown.form.width;
    const double y = (io.MousePos.y - area_.y - place.corner.y) / place.height * shown.form.height;
    if (x < 0 || y < 0 || x >= shown.form.width || y >= shown.form.height) {
        return {};
    }
    const GpuImage& image = *shown.image;
    const auto column = static_cast<int>(x * image.width() / shown.form.width);
    const auto row = static_cast<int>(y * image.height() / shown.form.height);
    const std::vector<double> values = canvas_.pixel(image, column, row);
    const char* format = image.depth() == Depth::f32 ? "{:.4f}" : "{:.0f}";
    std::vector<std::string> words;
    std::transform(values.begin(), values.end(), std::back_inserter(words),
                   [&](double value) { return fmt::format(fmt::runtime(format), value); });
    return fmt::format("{}, {}:  {}", std::floor(x), std::floor(y), fmt::join(words, "  "));
}

void App::status(float width) {
    const float height = ImGui::GetTextLineHeight() + scaled_pixels(12);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {scaled_pixels(12), scaled_pixels(6)});
    ImGui::BeginChild("status", {width, height}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
    ImGui::PopStyleVar();
    std::vector<std::string> facts;
    if (news_.result.image != nullptr) {
        const Form& form = news_.result.form;
        facts.push_back(fmt::format("{}x{}  {}  {}", form.width, form.height,
                                    channel_name(news_.result.image->channels()),
                                    depth_name(news_.result.image->depth())));
        if (const Playing& film = news_.playing; !film.beyond_sdr.empty()) {
            facts.push_back(film.beyond_sdr +
                            (film.is_as_sdr ? ", shown as SDR" : ", shown without conversion"));
        }
        facts.push_back(fmt::format("{:.0f} %", 100 * view_.zoom()));
        if (const std::string pixel = under_pointer(); !pixel.empty()) {
            facts.push_back(pixel);
        }
    }
    std::string right = !news_.busy.empty()                       ? news_.busy
                        : waited().value_or(0) >= patient_seconds ? "Computing"
                        : news_.milliseconds > 0                  ? time_text(news_.milliseconds)
                                                                  : "";
    right += news_.is_whole ? "" : "  (preview)";
    const auto width_of = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
    const auto left = [&] { return fmt::format("{}", fmt::join(facts, "     ")); };
    const float room = ImGui::GetContentRegionAvail().x - scaled_pixels(20);
    const std::string device = engine_.device().renderer.substr(0, engine_.device().renderer.find(" ("));
    const std::string both = right + (right.empty() ? "" : "     ") + device;
    // In a narrow window what matters most: the pixel below the pointer, and what goes on.
    right = width_of(left()) + width_of(both) <= room ? both : right;
    while (facts.size() > 1 && width_of(left()) + width_of(right) > room) {
        facts.erase(facts.begin());
    }
    ImGui::PushStyleColor(ImGuiCol_Text, theme::dim);
    ImGui::TextUnformatted(left().c_str());
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width_of(right));
    ImGui::TextUnformatted(right.c_str());
    ImGui::PopStyleColor();
    ImGui::EndChild();
}

} // namespace glproc::view
