#include "view/panels/picture.hpp"

#include "glproc/base/error.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

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

constexpr std::array<std::pair<Look, const char*>, 7> looks{{{Look::colours, "Colours"},
                                                             {Look::red, "Red"},
                                                             {Look::green, "Green"},
                                                             {Look::blue, "Blue"},
                                                             {Look::alpha, "Alpha"},
                                                             {Look::luma, "Luma"},
                                                             {Look::false_colours, "False colours"}}};

} // namespace

/// Whether the result has what this shows.
bool Picture::has_look(Look look) const {
    const int channels = all_.news.result.image == nullptr ? 0 : all_.news.result.image->channels();
    switch (look) {
    case Look::red:
    case Look::green:
    case Look::blue:
        return channels >= 3;
    case Look::alpha:
        return channels == 2 || channels == 4;
    case Look::difference:
        return all_.before().image != nullptr;
    default:
        return channels > 0;
    }
}

void Picture::next_look() {
    do {
        all_.look = static_cast<Look>((static_cast<int>(all_.look) + 1) % static_cast<int>(Look::difference));
    } while (all_.look != Look::colours && !has_look(all_.look));
}

void Picture::look_items() {
    for (const auto& [look, name] : looks) {
        if (ImGui::MenuItem(name, look == Look::colours ? "V" : nullptr, all_.look == look, has_look(look))) {
            all_.look = look;
        }
    }
}

void Picture::set_monitor(const std::vector<std::byte>& icc) {
    if (icc != monitor_) {
        monitor_ = icc;
        use_monitor(uses_monitor_);
    }
}

void Picture::switch_monitor() {
    uses_monitor_ = !all_.canvas.has_monitor();
    use_monitor(uses_monitor_);
}

void Picture::use_monitor(bool on) {
    try {
        all_.canvas.set_monitor(on ? monitor_ : std::vector<std::byte>());
    } catch (const Error& error) {
        all_.message.tell(error.what(), true);
    }
}

bool Picture::key(const Key& pressed) {
    const auto pan = [&](double x, double y) {
        constexpr double far = 80;
        return [this, x, y] { all_.view.pan(x * far, y * far); };
    };
    return act_on(pressed, {{'F', [&] { all_.view.fit(); }},
                            {'1', [&] { all_.view.zoom_to(1); }},
                            {'=', [&] { all_.view.step(1); }},
                            {'+', [&] { all_.view.step(1); }},
                            {'-', [&] { all_.view.step(-1); }},
                            {'H', pan(1, 0)},
                            {'J', pan(0, -1)},
                            {'K', pan(0, 1)},
                            {';', pan(-1, 0)},
                            {left_key, pan(1, 0)},
                            {right_key, pan(-1, 0)},
                            {up_key, pan(0, 1)},
                            {down_key, pan(0, -1)},
                            {'V', [&] { next_look(); }},
                            {'X', [&] { marks_clipped_ = !marks_clipped_; }},
                            {'D', [&] {
                                 all_.look = all_.look == Look::difference ? Look::colours : Look::difference;
                             }}});
}

void Picture::take_pointer(std::span<Tool* const> tools) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_over = all_.is_over_picture;
    const Point2 at{io.MousePos.x - all_.area.x, io.MousePos.y - all_.area.y};
    if (is_over && io.MouseWheel != 0) {
        all_.view.step(io.MouseWheel > 0 ? 1 : -1, at);
    }
    const bool is_pressed = is_over && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    const bool is_clicked =
        is_over && ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
        io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < io.MouseDragThreshold * io.MouseDragThreshold;
    const Pointer pointer{all_.in_result(io.MousePos), is_pressed, is_clicked};
    const bool is_taken =
        std::any_of(tools.rbegin(), tools.rend(), [&](Tool* tool) { return tool->drag(pointer); });
    if (is_over && !is_taken && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        all_.view.fits() ? all_.view.zoom_to(1, at) : all_.view.fit();
    }
    const bool drags =
        ImGui::IsItemActive() && (ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0) ||
                                  (!is_taken && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0)));
    if (drags && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
        all_.view.pan(io.MouseDelta.x, io.MouseDelta.y);
    }
}

void Picture::draw_picture(std::span<Tool* const> tools) {
    const auto seen = [&](const Shown& shown) {
        return shown.small != nullptr && all_.view.zoom() < 0.2 ? shown.small : shown.image;
    };
    const Shown& main = all_.shows_source ? all_.news.source : all_.news.result;
    Scene scene;
    scene.picture = seen(main);
    scene.before = all_.splits || all_.shows_difference() ? seen(all_.before()) : nullptr;
    scene.place = all_.place_of(main);
    scene.before_place = all_.place_of(all_.before());
    scene.icc = main.icc;
    scene.before_icc = all_.before().icc;
    scene.look = has_look(all_.look) ? all_.look : Look::colours;
    scene.marks_clipped = marks_clipped_;
    scene.split = std::round(all_.split * all_.area_size.x);
    scene.around = {theme::background.x, theme::background.y, theme::background.z};
    std::ranges::for_each(tools, [&](const Tool* tool) { tool->colour(scene); });
    const auto width = static_cast<float>(all_.area_size.x);
    const auto height = static_cast<float>(all_.area_size.y);
    const unsigned texture = all_.canvas.draw(scene, static_cast<int>(width), static_cast<int>(height));
    ImGui::GetWindowDrawList()->AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture)),
                                         all_.inset(0, 0), all_.inset(width, height), {0, 1}, {1, 0});
}

void Picture::draw_absence() const {
    const char* text = all_.news.busy.empty() ? "Drop an image or a video here, or open one with Ctrl+O"
                                              : all_.news.busy.c_str();
    const auto width = static_cast<float>(all_.area_size.x);
    const float wrap = std::max(scaled_pixels(60), width - scaled_pixels(20));
    const ImVec2 size = ImGui::CalcTextSize(text, nullptr, false, wrap);
    ImGui::GetWindowDrawList()->AddText(
        nullptr, 0, all_.inset((width - size.x) / 2, (static_cast<float>(all_.area_size.y) - size.y) / 2),
        ImGui::GetColorU32(theme::dim), text, nullptr, wrap);
}

void Picture::show(float width, float height, std::span<Tool* const> tools) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme::background);
    ImGui::BeginChild("picture", {width, height}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    all_.area = {corner.x, corner.y};
    all_.area_size = {width, height};
    all_.view.set_frame(width, height);
    ImGui::InvisibleButton("area", {width, height},
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
    all_.is_over_picture = ImGui::IsItemHovered();
    take_pointer(tools);
    if (all_.news.result.image != nullptr) {
        draw_picture(tools);
    } else {
        draw_absence();
    }
    std::ranges::for_each(tools, [](Tool* tool) { tool->draw(); });
    all_.message.show(all_.news.fault, all_.area, all_.area_size);
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

std::string Picture::under_pointer() {
    const ImVec2& mouse = ImGui::GetIO().MousePos;
    const bool is_before = all_.splits && mouse.x - all_.area.x < all_.split * all_.area_size.x;
    const Shown& shown = all_.shows_source ? all_.news.source : is_before ? all_.before() : all_.news.result;
    if (!all_.is_over_picture || shown.image == nullptr || !ImGui::IsMousePosValid()) {
        return {};
    }
    const ScreenPlace place = all_.place_of(shown);
    const double x = (mouse.x - all_.area.x - place.corner.x) / place.width * shown.form.width;
    const double y = (mouse.y - all_.area.y - place.corner.y) / place.height * shown.form.height;
    if (x < 0 || y < 0 || x >= shown.form.width || y >= shown.form.height) {
        return {};
    }
    const GpuImage& image = *shown.image;
    const auto column = static_cast<int>(x * image.width() / shown.form.width);
    const auto row = static_cast<int>(y * image.height() / shown.form.height);
    const std::vector<double> values = all_.canvas.pixel(image, column, row);
    return fmt::format("{}, {}:  {:.{}f}", std::floor(x), std::floor(y), fmt::join(values, "  "),
                       image.depth() == Depth::f32 ? 4 : 0);
}

/// In a narrow window the last ones matter most: the pixel below the pointer above all.
std::vector<std::string> Picture::facts() {
    std::vector<std::string> facts;
    if (all_.news.result.image != nullptr) {
        const Form& form = all_.news.result.form;
        const GpuImage& image = *all_.news.result.image;
        facts.push_back(fmt::format("{}x{}  {}  {}", form.width, form.height, channel_name(image.channels()),
                                    depth_name(image.depth())));
        if (const Playing& video = all_.news.playing; !video.beyond_sdr.empty()) {
            facts.push_back(video.beyond_sdr +
                            (video.is_as_sdr ? ", shown as SDR" : ", shown without conversion"));
        }
        facts.push_back(fmt::format("{:.0f} %", 100 * all_.view.zoom()));
        if (std::string pixel = under_pointer(); !pixel.empty()) {
            facts.push_back(std::move(pixel));
        }
    }
    return facts;
}

float Picture::status_height() const {
    return ImGui::GetTextLineHeight() + scaled_pixels(12);
}

void Picture::show_status(float width, bool is_late) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {scaled_pixels(12), scaled_pixels(6)});
    ImGui::BeginChild("status", {width, status_height()}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
    ImGui::PopStyleVar();
    std::vector<std::string> known = facts();
    const News& news = all_.news;
    std::string right = !news.busy.empty()      ? news.busy
                        : is_late               ? "Computing"
                        : news.milliseconds > 0 ? time_text(news.milliseconds)
                                                : "";
    right += news.is_whole ? "" : "  (preview)";
    const auto width_of = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
    const auto left = [&] { return fmt::format("{}", fmt::join(known, "     ")); };
    const float room = ImGui::GetContentRegionAvail().x - scaled_pixels(20);
    const std::string& renderer = all_.engine.device().renderer;
    const std::string both = right + (right.empty() ? "" : "     ") + renderer.substr(0, renderer.find(" ("));
    right = width_of(left()) + width_of(both) <= room ? both : right;
    while (known.size() > 1 && width_of(left()) + width_of(right) > room) {
        known.erase(known.begin());
    }
    ImGui::TextColored(theme::dim, "%s", left().c_str());
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width_of(right));
    ImGui::TextColored(theme::dim, "%s", right.c_str());
    ImGui::EndChild();
}

namespace {

/// Before and after, side by side.
class SplitTool final : public Tool {
  public:
    using Tool::Tool;

    bool key(const Key& pressed) override {
        return act_on(pressed, {{'S', [&] { all_.splits = !all_.splits; }}});
    }

    bool drag(const Pointer& pointer) override {
        const double x = ImGui::GetIO().MousePos.x - all_.area.x;
        if (pointer.is_pressed) {
            is_dragged_ = all_.splits && std::abs(x - all_.split * all_.area_size.x) < scaled_pixels(8);
        }
        const bool was_dragged = is_dragged_;
        if (is_dragged_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0)) {
            all_.split = std::clamp(x / all_.area_size.x, 0.0, 1.0);
        }
        is_dragged_ = is_dragged_ && ImGui::IsMouseDown(ImGuiMouseButton_Left);
        return was_dragged;
    }

    void draw() override {
        if (!all_.splits || all_.shows_difference() || all_.news.result.image == nullptr) {
            return;
        }
        const float x =
            static_cast<float>(all_.area.x) + static_cast<float>(std::round(all_.split * all_.area_size.x));
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        const auto top = static_cast<float>(all_.area.y);
        const auto bottom = static_cast<float>(all_.area.y + all_.area_size.y);
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
        const bool has_other = all_.news.other.image != nullptr;
        const char* left = has_other ? all_.news.other_name.c_str() : "before";
        label(left, x - ImGui::CalcTextSize(left).x - scaled_pixels(12));
        label(has_other ? all_.news.name.c_str() : "after", x + scaled_pixels(12));
    }

  private:
    bool is_dragged_ = false;
};

} // namespace

std::unique_ptr<Tool> split_tool(Workspace& all) {
    return std::make_unique<SplitTool>(all);
}

} // namespace glproc::view
