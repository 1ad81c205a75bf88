#include "view/app.hpp"

#include "glproc/error.hpp"
#include "view/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <imgui_stdlib.h>

namespace glproc::view {

namespace {

constexpr float panel_width = 340;

const char* depth_name(Depth depth) {
    return depth == Depth::u8 ? "8 bits" : depth == Depth::u16 ? "16 bits" : "float";
}

const char* channel_name(int channels) {
    constexpr std::array<const char*, 5> names{"", "grey", "grey + alpha", "RGB", "RGBA"};
    return names.at(static_cast<std::size_t>(channels));
}

} // namespace

App::App(Engine& engine, Document& document) : engine_(engine), document_(document) {}

void App::open(const std::string& path) {
    path_ = path;
    engine_.open(path);
    asked_version_ = 0;
    view_.fit();
}

std::string App::title() const {
    return news_.name.empty() ? "glproc" : news_.name + " - glproc";
}

void App::tell(const std::string& text, bool is_fault) {
    message_ = text;
    message_is_fault_ = is_fault;
    message_since_ = ImGui::GetTime();
}

void App::take_news() {
    news_ = engine_.news();
    if (news_.message_number != message_number_) {
        message_number_ = news_.message_number;
        tell(news_.message, news_.message_is_fault);
    }
    if (document_.version() != asked_version_) {
        asked_version_ = document_.version();
        engine_.show(document_.steps(), asked_version_);
    }
    view_.set_picture(news_.result.form.width, news_.result.form.height);
}

void App::copy_command() {
    const std::string input = path_.empty() ? "in.png" : path_;
    ImGui::SetClipboardText(command_line(document_.steps(), input, "out.png").c_str());
    tell("The command line is in the clipboard", false);
}

void App::ask(Ask what) {
    asks_ = what;
    asks_now_ = true;
    const std::filesystem::path path(path_);
    if (what == Ask::save) {
        answer_ = path_.empty() ? "out.png"
                                : (path.parent_path() / (path.stem().string() + "-edited.png")).string();
    } else if (what == Ask::open) {
        answer_ = path_;
    } else {
        answer_ = "recipe.txt";
    }
}

void App::keys() {
    const bool is_free =
        !ImGui::GetIO().WantTextInput &&
        !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    for (const Key& pressed : std::exchange(pressed_, {})) {
        if (is_free) {
            key(pressed);
        }
    }
    shows_before_ = is_free && !ImGui::GetIO().KeyCtrl && ImGui::IsKeyDown('B');
}

void App::key(const Key& pressed) {
    constexpr int f1 = 290; // of GLFW, whose other numbers here are ASCII
    constexpr double far = 80;
    if (pressed.control) {
        switch (pressed.number) {
        case 'O':
            return ask(Ask::open);
        case 'S':
            return ask(Ask::save);
        case 'R':
            return ask(Ask::load_recipe);
        case 'E':
            return ask(Ask::save_recipe);
        case 'Z':
            return pressed.shift ? document_.redo() : document_.undo();
        case 'Y':
            return document_.redo();
        case 'C':
            return copy_command();
        case 'Q':
            quits_ = true;
            return;
        default:
            return;
        }
    }
    switch (pressed.number) {
    case 'A':
        return chain_.ask_for_operation();
    case 'F':
        return view_.fit();
    case '1':
        return view_.zoom_to(1);
    case '=':
    case '+':
        return view_.step(1);
    case '-':
        return view_.step(-1);
    case 'S':
        splits_ = !splits_;
        return;
    case 'L':
        return histogram_.switch_scale();
    case 'H':
        return view_.pan(far, 0);
    case 'J':
        return view_.pan(0, -far);
    case 'K':
        return view_.pan(0, far);
    case ';':
        return view_.pan(-far, 0);
    case 'P':
        return news_.playing.is_film ? engine_.play(!news_.playing.plays) : void();
    case '.':
        return news_.playing.is_film ? engine_.step() : void();
    case '/':
        helps_ = helps_ || pressed.shift;
        return;
    case f1:
        helps_ = true;
        return;
    default:
        return;
    }
}

void App::toolbar(float width) {
    const float height = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().WindowPadding.y;
    ImGui::BeginChild("toolbar", {width, height}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
    const auto button = [](const char* name, const char* what, bool enabled = true) {
        ImGui::BeginDisabled(!enabled);
        const bool is_pressed = ImGui::Button(name);
        ImGui::EndDisabled();
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
            ImGui::SetTooltip("%s", what);
        }
        ImGui::SameLine();
        return is_pressed;
    };
    const auto gap = [] {
        ImGui::Dummy({scaled_pixels(6), 0});
        ImGui::SameLine();
    };
    if (button("Open", "Open a picture  Ctrl+O")) {
        ask(Ask::open);
    }
    if (button("Save", "Save the result  Ctrl+S", news_.source.image != nullptr)) {
        ask(Ask::save);
    }
    gap();
    if (button("Undo", "Ctrl+Z", document_.can_undo())) {
        document_.undo();
    }
    if (button("Redo", "Ctrl+Y", document_.can_redo())) {
        document_.redo();
    }
    gap();
    if (button("Fit", "All of the picture  F")) {
        view_.fit();
    }
    if (button("1:1", "A pixel of the picture for one of the screen  1")) {
        view_.zoom_to(1);
    }
    ImGui::PushStyleColor(ImGuiCol_Button, splits_ ? rgb(0x2f5f80) : theme::control);
    if (button("Split", "Before and after, side by side  S\nHold B to see the picture as it was")) {
        splits_ = !splits_;
    }
    ImGui::PopStyleColor();
    gap();
    if (button("Recipe", "Load or save the operations  Ctrl+R, Ctrl+E")) {
        ImGui::OpenPopup("recipe");
    }
    if (ImGui::BeginPopup("recipe")) {
        const bool loads = ImGui::Selectable("Load a recipe");
        const bool saves = ImGui::Selectable("Save the recipe", false,
                                             document_.steps().empty() ? ImGuiSelectableFlags_Disabled : 0);
        ImGui::EndPopup();
        if (loads || saves) {
            ask(loads ? Ask::load_recipe : Ask::save_recipe);
        }
    }
    if (button("Copy command", "The command line that does the same  Ctrl+C", !document_.steps().empty())) {
        copy_command();
    }
    if (button("?", "Keys  F1")) {
        helps_ = true;
    }
    ImGui::EndChild();
}

void App::panel() {
    ImGui::BeginChild("panel", {0, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    histogram_.show(news_.counts.get(), scaled_pixels(130));
    ImGui::Dummy({0, scaled_pixels(4)});
    ImGui::BeginChild("chain", {0, 0}, false);
    chain_.show(document_);
    ImGui::EndChild();
    ImGui::EndChild();
}

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
                           ImGui::GetColorU32(rgb(0x16181c, 0.75F)), pad);
        draw.AddText({at, top + 1.5F * pad}, ImGui::GetColorU32(theme::text), text);
    };
    label("before", x - ImGui::CalcTextSize("before").x - scaled_pixels(12));
    label("after", x + scaled_pixels(12));
}

void App::picture_input(bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    const Point2 at{io.MousePos.x - area_.x, io.MousePos.y - area_.y};
    if (hovered && io.MouseWheel != 0) {
        view_.step(io.MouseWheel > 0 ? 1 : -1, at);
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
        Scene scene;
        scene.picture = seen(shows_before_ ? news_.source : news_.result);
        scene.before = splits_ ? seen(news_.source) : nullptr;
        scene.width = news_.result.form.width;
        scene.height = news_.result.form.height;
        scene.split = std::round(split_ * width);
        scene.around = {theme::background.x, theme::background.y, theme::background.z};
        const unsigned texture =
            canvas_.draw(scene, view_, static_cast<int>(width), static_cast<int>(height));
        draw.AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture)), corner,
                      {corner.x + width, corner.y + height}, {0, 1}, {1, 0});
        if (splits_) {
            split_line(corner.x + static_cast<float>(scene.split), corner.y, corner.y + height);
        }
    } else {
        const char* text = news_.busy.empty() ? "Drop a picture or a film here, or open one with Ctrl+O"
                                              : news_.busy.c_str();
        const ImVec2 size = ImGui::CalcTextSize(text);
        draw.AddText({corner.x + (width - size.x) / 2, corner.y + (height - size.y) / 2},
                     ImGui::GetColorU32(theme::dim), text);
    }
    show_message();
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

/// At the lower edge of the picture: what went wrong, or what was done.
void App::show_message() {
    constexpr double seconds = 6;
    const bool is_old = !message_is_fault_ && ImGui::GetTime() - message_since_ > seconds;
    const std::string& text = !news_.fault.empty() ? news_.fault : is_old ? std::string() : message_;
    if (text.empty()) {
        return;
    }
    const bool is_fault = !news_.fault.empty() || message_is_fault_;
    const float pad = scaled_pixels(10);
    const float wrap = std::max(100.0F, static_cast<float>(area_size_.x) - 6 * pad);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap);
    const ImVec2 at{static_cast<float>(area_.x) + 2 * pad,
                    static_cast<float>(area_.y + area_size_.y) - size.y - 3 * pad};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled({at.x - pad, at.y - pad}, {at.x + size.x + pad, at.y + size.y + pad},
                       ImGui::GetColorU32(rgb(0x23272d, 0.95F)), scaled_pixels(5));
    draw.AddRectFilled({at.x - pad, at.y - pad}, {at.x - pad + scaled_pixels(3), at.y + size.y + pad},
                       ImGui::GetColorU32(is_fault ? theme::fault : theme::good), scaled_pixels(5),
                       ImDrawFlags_RoundCornersLeft);
    draw.AddText(nullptr, 0, at, ImGui::GetColorU32(theme::text), text.c_str(), nullptr, wrap);
}

std::string App::under_pointer() {
    const ImGuiIO& io = ImGui::GetIO();
    const Shown& shown = shows_before_ || (splits_ && io.MousePos.x - area_.x < split_ * area_size_.x)
                             ? news_.source
                             : news_.result;
    if (!is_over_picture_ || shown.image == nullptr || !ImGui::IsMousePosValid()) {
        return {};
    }
    const Point2 at = view_.to_picture({io.MousePos.x - area_.x, io.MousePos.y - area_.y});
    const double x = at.x * shown.form.width / news_.result.form.width;
    const double y = at.y * shown.form.height / news_.result.form.height;
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

/// Of a film: play, step, where it is.
void App::transport(float width, float height) {
    const Playing& film = news_.playing;
    ImGui::BeginChild("transport", {width, height}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
    if (ImGui::Button(film.plays ? "Pause" : "Play", {scaled_pixels(70), 0})) {
        engine_.play(!film.plays);
    }
    ImGui::SameLine();
    if (ImGui::Button("Step")) {
        engine_.step();
    }
    ImGui::SameLine();
    if (film.duration > 0) {
        auto seconds = static_cast<float>(film.seconds);
        ImGui::SetNextItemWidth(-scaled_pixels(190));
        const std::string place = fmt::format("{:.2f} s of {:.2f} s", film.seconds, film.duration);
        if (ImGui::SliderFloat("##time", &seconds, 0, static_cast<float>(film.duration), place.c_str())) {
            engine_.seek(seconds);
        }
        ImGui::SameLine();
        if (ImGui::Checkbox("Loop", &loops_)) {
            engine_.loop(loops_);
        }
        ImGui::SameLine();
    }
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", film.rate > 0 ? fmt::format("{:.2f} fps", film.rate).c_str() : "");
    ImGui::EndChild();
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
        facts.push_back(fmt::format("{:.0f} %", 100 * view_.zoom()));
        if (const std::string pixel = under_pointer(); !pixel.empty()) {
            facts.push_back(pixel);
        }
    }
    ImGui::PushStyleColor(ImGuiCol_Text, theme::dim);
    ImGui::TextUnformatted(fmt::format("{}", fmt::join(facts, "     ")).c_str());
    std::string right = !news_.busy.empty() ? news_.busy
                        : news_.milliseconds > 0
                            ? fmt::format("{:.{}f} ms", news_.milliseconds, news_.milliseconds < 10 ? 1 : 0)
                            : "";
    right += news_.is_whole ? "" : "  (preview)";
    const std::string device = engine_.device().renderer.substr(0, engine_.device().renderer.find(" ("));
    right += (right.empty() ? "" : "     ") + device;
    const float at = ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(right.c_str()).x;
    ImGui::SameLine(std::max(at, ImGui::GetItemRectSize().x + scaled_pixels(40)));
    ImGui::TextUnformatted(right.c_str());
    ImGui::PopStyleColor();
    ImGui::EndChild();
}

void App::question() {
    constexpr std::array<const char*, 5> titles{"", "Open a picture", "Save the result", "Load a recipe",
                                                "Save the recipe"};
    const char* title = titles[static_cast<std::size_t>(asks_)];
    if (asks_now_) {
        ImGui::OpenPopup("question");
    }
    const ImVec2 middle = ImGui::GetMainViewport()->GetCenter();
    ImGui::SetNextWindowPos(middle, ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSize({scaled_pixels(560), 0});
    if (!ImGui::BeginPopupModal("question", nullptr,
                                ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize)) {
        asks_now_ = false;
        return;
    }
    ImGui::TextUnformatted(title);
    ImGui::Dummy({0, scaled_pixels(2)});
    if (asks_now_) {
        ImGui::SetKeyboardFocusHere();
    }
    asks_now_ = false;
    ImGui::SetNextItemWidth(-1);
    bool done =
        ImGui::InputTextWithHint("##path", "path of a file", &answer_,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    std::error_code missing;
    const bool writes = asks_ == Ask::save || asks_ == Ask::save_recipe;
    ImGui::PushStyleColor(ImGuiCol_Text, theme::dim);
    ImGui::TextUnformatted(writes && std::filesystem::exists(answer_, missing) ? "This file will be replaced."
                           : writes                                            ? "The ending says the format."
                                    : "Or drop the file on the window.");
    ImGui::PopStyleColor();
    done = ImGui::Button(writes ? "Save" : "Open", {scaled_pixels(90), 0}) || done;
    ImGui::SameLine();
    const bool cancelled = ImGui::Button("Cancel", {scaled_pixels(90), 0}) ||
                           ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
    if (done || cancelled) {
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
    if (done && !answer_.empty()) {
        answer();
    }
}

void App::answer() {
    try {
        switch (asks_) {
        case Ask::open:
            open(answer_);
            break;
        case Ask::save:
            engine_.save(document_.steps(), answer_);
            break;
        case Ask::load_recipe:
            document_.replace(read_steps(answer_));
            break;
        case Ask::save_recipe:
            write_steps(document_.steps(), answer_);
            tell("Saved " + answer_, false);
            break;
        case Ask::nothing:
            break;
        }
    } catch (const Error& error) {
        tell(error.what(), true);
    }
}

void App::help() {
    if (helps_) {
        ImGui::OpenPopup("keys");
        helps_ = false;
    }
    const ImVec2 middle = ImGui::GetMainViewport()->GetCenter();
    ImGui::SetNextWindowPos(middle, ImGuiCond_Appearing, {0.5F, 0.5F});
    if (!ImGui::BeginPopup("keys")) {
        return;
    }
    constexpr std::array<std::array<const char*, 2>, 20> rows{
        {{"Ctrl+O", "open a picture or a film"},
         {"Ctrl+S", "save the result"},
         {"Ctrl+R, Ctrl+E", "load, save a recipe"},
         {"Ctrl+C", "copy the command line"},
         {"Ctrl+Z, Ctrl+Y", "undo, redo"},
         {"A", "add an operation"},
         {"Tab, arrows, Space", "choose and change a control"},
         {"Ctrl+click, Enter", "type a number into a slider"},
         {"double click on a name", "its default again"},
         {"F, 1", "fit the picture, one to one"},
         {"+, -, wheel", "zoom"},
         {"H, J, K, ; or drag", "move the picture"},
         {"double click", "fit, or one to one there"},
         {"S", "before and after, side by side"},
         {"B", "hold: the picture as it was"},
         {"L", "histogram linear or logarithmic"},
         {"P, .", "play a film, step to the next frame"},
         {"F1, ?", "these keys"},
         {"Esc", "close what is open"},
         {"Ctrl+Q", "quit"}}};
    for (const auto& [key, what] : rows) {
        ImGui::TextColored(theme::accent_bright, "%s", key);
        ImGui::SameLine(scaled_pixels(190));
        ImGui::TextUnformatted(what);
    }
    ImGui::EndPopup();
}

void App::frame() {
    take_news();
    keys();
    const ImGuiViewport& screen = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(screen.Pos);
    ImGui::SetNextWindowSize(screen.Size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("glproc", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleVar();
    const float side = std::min(scaled_pixels(panel_width), screen.Size.x / 2);
    const float width = std::max(1.0F, screen.Size.x - side);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginGroup();
    ImGui::PopStyleVar();
    const float bar = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().WindowPadding.y;
    const float foot = ImGui::GetTextLineHeight() + scaled_pixels(12);
    toolbar(width);
    ImGui::SetCursorPos({0, bar});
    const float film = news_.playing.is_film ? bar : 0;
    picture(width, std::max(1.0F, screen.Size.y - bar - film - foot));
    if (news_.playing.is_film) {
        ImGui::SetCursorPos({0, screen.Size.y - foot - film});
        transport(width, film);
    }
    ImGui::SetCursorPos({0, screen.Size.y - foot});
    status(width);
    ImGui::EndGroup();
    ImGui::SetCursorPos({width, 0});
    panel();
    question();
    help();
    ImGui::End();
}

} // namespace glproc::view
