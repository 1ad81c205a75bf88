#include "view/panels/file_chooser.hpp"

#include "job/output/encoding.hpp"
#include "view/keys.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

namespace glproc::view {

namespace {

constexpr const char* popup_name = "files";
constexpr float wide = 760;
constexpr float high = 520;
constexpr float places_width = 130;
constexpr float least_width_with_places = 520;

std::string size_text(std::uintmax_t bytes) {
    constexpr std::array units{"B", "KB", "MB", "GB", "TB"};
    auto size = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; size >= 1000 && unit + 1 < units.size(); size /= 1000) {
        ++unit;
    }
    return fmt::format("{:.{}f} {}", size, unit > 0 && size < 10 ? 1 : 0, units.at(unit));
}

/// The end of a path that fits into the width.
std::string end_of(const std::string& path, float width) {
    std::string shown = path;
    for (std::size_t cut = 1; ImGui::CalcTextSize(shown.c_str()).x > width && cut < path.size(); ++cut) {
        shown = "..." + path.substr(cut);
    }
    return shown;
}

/// Size and time of a file, at the end of its row.
void show_facts(const FolderEntry& entry, float width) {
    const bool has_time = width > scaled_pixels(420);
    const auto show = [](const std::string& text, float end) {
        ImGui::SameLine(end - ImGui::CalcTextSize(text.c_str()).x);
        ImGui::TextDisabled("%s", text.c_str());
    };
    show(size_text(entry.bytes),
         has_time ? width - ImGui::CalcTextSize("0000-00-00 00:00").x - scaled_pixels(16) : width);
    if (has_time) {
        show(entry.written == 0 ? "" : fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(entry.written)),
             width);
    }
}

} // namespace

void FileChooser::ask(Question question) {
    question_ = std::move(question);
    typed_ = question_.name;
    chosen_quality_.reset();
    forget_refusal();
    opens_ = true;
    frames_ = 0;
    go_to(is_folder(question_.folder) ? question_.folder : std::filesystem::path("."));
}

void FileChooser::go_to(const std::filesystem::path& folder) {
    std::error_code unknown;
    const auto whole = std::filesystem::absolute(folder, unknown).lexically_normal();
    folder_ = unknown ? folder : whole;
    if (!folder_.has_filename() && folder_ != folder_.root_path()) { // after a last slash
        folder_ = folder_.parent_path();
    }
    list_all(entries_of(folder_));
}

/// Those of the folder; of none where recent files are listed.
void FileChooser::list_all(std::vector<FolderEntry> entries, bool are_recent) {
    is_recent_ = are_recent;
    all_ = std::move(entries);
    entries_ = all_;
    filter_.clear();
    selected_.reset();
    scrolls_ = true;
}

void FileChooser::show_recent() {
    std::vector<FolderEntry> files;
    std::ranges::transform(question_.recent, std::back_inserter(files),
                           [](const std::string& path) { return FolderEntry{path}; });
    list_all(std::move(files), true);
}

/// Of what is to be opened the letters that were typed are somewhere in the name.
bool FileChooser::fits(const FolderEntry& entry) const {
    const auto small = [](unsigned char c) { return std::tolower(c); };
    return filter_.empty() || !std::ranges::search(entry.name, filter_, {}, small, small).empty();
}

void FileChooser::places(float width, float height) {
    ImGui::BeginChild("places", {width, height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    const auto place = [&](const char* name, bool is_here, const std::filesystem::path& path) {
        if (ImGui::Selectable(name, is_here)) {
            path.empty() ? show_recent() : go_to(path);
            takes_focus_ = true;
        }
    };
    if (!question_.recent.empty() && !question_.writes) {
        place("Recent", is_recent_, {});
    }
    const std::filesystem::path home = home_folder();
    for (const char* name : {"", "Pictures", "Videos", "Desktop", "Downloads"}) {
        const std::filesystem::path path = *name == 0 ? home : home / name;
        if (!home.empty() && is_folder(path)) {
            place(*name == 0 ? "Home" : name, !is_recent_ && folder_ == path, path);
        }
    }
    place("/", !is_recent_ && folder_ == "/", "/");
    ImGui::EndChild();
}

void FileChooser::take_key(ImGuiInputTextCallbackData& data) {
    if (data.EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
        const std::string whole =
            completed(std::string(data.Buf, static_cast<std::size_t>(data.BufTextLen)), folder_);
        data.DeleteChars(0, data.BufTextLen);
        data.InsertChars(0, whole.c_str());
    } else if (!entries_.empty()) {
        if (data.EventKey == ImGuiKey_DownArrow) {
            selected_ = selected_ ? std::min(*selected_ + 1, entries_.size() - 1) : 0;
        } else if (selected_) { // up
            selected_ = std::max<std::size_t>(*selected_, 1) - 1;
        }
        scrolls_ = true;
    }
}

/// Whether Enter was pressed.
bool FileChooser::name_field() {
    if (takes_focus_) {
        ImGui::SetKeyboardFocusHere();
    }
    takes_focus_ = false;
    ImGui::SetNextItemWidth(-1);
    const std::string before = typed_;
    const bool done = ImGui::InputTextWithHint(
        "##path", question_.writes ? "name of the file" : "type a name, or choose one below", &typed_,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
            ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackHistory,
        [](ImGuiInputTextCallbackData* data) {
            static_cast<FileChooser*>(data->UserData)->take_key(*data);
            return 0;
        },
        this);
    if (typed_ != before) {
        selected_.reset();
        forget_refusal();
    }
    return done || is_key_pressed(enter_key) || is_key_pressed(keypad_enter_key);
}

/// Whether a row was chosen for good.
bool FileChooser::list(float height) {
    const std::string wanted = question_.writes || typed_.find('/') != std::string::npos ? "" : typed_;
    if (wanted != filter_) {
        filter_ = wanted;
        entries_.clear();
        std::ranges::copy_if(all_, std::back_inserter(entries_),
                             [&](const FolderEntry& entry) { return fits(entry); });
    }
    bool is_chosen = false;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme::card);
    ImGui::BeginChild("list", {0, height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    row_height_ = ImGui::GetTextLineHeightWithSpacing();
    if (scrolls_) {
        ImGui::SetScrollY(row_height_ * static_cast<float>(selected_.value_or(0)) - height / 2);
    }
    scrolls_ = false;
    const float width = ImGui::GetContentRegionAvail().x;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(entries_.size()), row_height_);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const auto row = static_cast<std::size_t>(i);
            const FolderEntry& entry = entries_[row];
            const bool is_usable = entry.is_folder || is_recent_ || names_picture(entry.name);
            ImGui::PushID(i);
            ImGui::PushStyleColor(ImGuiCol_Text, entry.is_folder ? theme::accent_bright
                                                 : is_usable     ? theme::text
                                                                 : theme::dim);
            const ImVec2 at = ImGui::GetCursorScreenPos();
            first_row_ = {at.x, at.y - row_height_ * static_cast<float>(i)};
            const std::string text =
                is_recent_ ? end_of(entry.name, width) : entry.name + (entry.is_folder ? "/" : "");
            if (ImGui::Selectable(text.c_str(), selected_ == row, ImGuiSelectableFlags_AllowDoubleClick)) {
                is_chosen = choose_row(row) || is_chosen;
            }
            ImGui::PopStyleColor();
            if (!entry.is_folder && !is_recent_) {
                show_facts(entry, width);
            }
            ImGui::PopID();
        }
    }
    if (entries_.empty()) {
        ImGui::TextDisabled("%s", all_.empty() ? "Nothing here" : "No name here has these letters");
    }
    ImGui::EndChild();
    ImGui::PopStyleColor();
    return is_chosen;
}

Point2 FileChooser::place_of(std::size_t row) const {
    return {first_row_.x + scaled_pixels(30), first_row_.y + row_height_ * (static_cast<double>(row) + 0.4)};
}

/// A click selects, and takes the name of what will be replaced; a second one chooses. True then.
bool FileChooser::choose_row(std::size_t row) {
    selected_ = row;
    if (question_.writes && !entries_[row].is_folder) {
        typed_ = entries_[row].name;
        selected_.reset();
    }
    return ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
}

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

void FileChooser::note() const {
    std::error_code missing;
    const std::filesystem::path path = typed_path(typed_, folder_);
    const bool replaces =
        question_.writes && !typed_.empty() && !is_folder(path) && std::filesystem::exists(path, missing);
    const bool warns = !refusal_.empty();
    ImGui::PushTextWrapPos(0);
    ImGui::TextColored(warns      ? theme::fault
                       : replaces ? theme::accent_bright
                                  : theme::dim,
                       "%s",
                       warns      ? refusal_.c_str()
                       : replaces ? "This file will be replaced."
                                  : question_.note.c_str());
    ImGui::PopTextWrapPos();
}

void FileChooser::forget_refusal() {
    refusal_.clear();
    confirmed_.clear();
}

/// Otherwise a red line says why, and the name stays to be changed.
bool FileChooser::may_write(const std::filesystem::path& path) {
    std::error_code missing;
    refusal_ = question_.refuses ? question_.refuses(path.string()) : "";
    if (refusal_.empty() && !question_.original.empty() && confirmed_ != path &&
        std::filesystem::equivalent(path, question_.original, missing)) {
        confirmed_ = path;
        refusal_ = "This is the image that is open. Save once more to replace it, or change the name.";
    }
    takes_focus_ = !refusal_.empty();
    return refusal_.empty();
}

/// The file that is selected or typed. A folder is entered.
std::optional<std::string> FileChooser::accept() {
    if (!selected_ && typed_.empty()) {
        return std::nullopt;
    }
    // Recent files have their whole paths.
    const std::filesystem::path path =
        selected_ ? folder_ / entries_[*selected_].name : typed_path(typed_, folder_);
    if (is_folder(path)) {
        typed_ = question_.writes && selected_ ? typed_ : "";
        go_to(path);
        takes_focus_ = true;
        return std::nullopt;
    }
    // The only file that fits the letters is meant by them.
    std::error_code missing;
    if (!question_.writes && !std::filesystem::exists(path, missing) && entries_.size() == 1 &&
        !filter_.empty()) {
        selected_ = 0;
        return accept();
    }
    return !question_.writes || may_write(path) ? std::optional(path.string()) : std::nullopt;
}

std::optional<std::string> FileChooser::show() {
    frames_ = std::min(frames_ + 1, frames_to_focus);
    if (opens_) {
        ImGui::OpenPopup(popup_name);
        takes_focus_ = true;
    }
    const ImGuiViewport& screen = *ImGui::GetMainViewport();
    const ImVec2 size{std::min(scaled_pixels(wide), screen.Size.x - scaled_pixels(20)),
                      std::min(scaled_pixels(high), screen.Size.y - scaled_pixels(20))};
    ImGui::SetNextWindowPos(screen.GetCenter(), ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSize(size);
    opens_ = false;
    if (!ImGui::BeginPopupModal(popup_name, nullptr,
                                ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoMove)) {
        return std::nullopt;
    }
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(question_.title.c_str());
    ImGui::SameLine(0, scaled_pixels(16));
    if (ImGui::Button("Up") && folder_.has_parent_path()) {
        go_to(folder_.parent_path());
        takes_focus_ = true;
    }
    ImGui::SameLine();
    const std::string place = is_recent_ ? "recent files" : folder_.string();
    ImGui::TextDisabled("%s", end_of(place, ImGui::GetContentRegionAvail().x).c_str());
    bool done = name_field();
    const float rows = question_.formats.empty() ? 2 : 3; // of settings and buttons
    const float below =
        rows * ImGui::GetFrameHeightWithSpacing() + 2 * ImGui::GetTextLineHeight(); // a note may be long
    const float height = std::max(scaled_pixels(40), ImGui::GetContentRegionAvail().y - below);
    if (size.x >= scaled_pixels(least_width_with_places)) {
        places(scaled_pixels(places_width), height);
        ImGui::SameLine();
    }
    done = list(height) || done;
    note();
    if (!question_.formats.empty()) {
        format_list();
        quality_slider();
    }
    ImGui::PushStyleColor(ImGuiCol_Button, theme::accent_deep); // what Enter does
    done = ImGui::Button(question_.button.c_str(), {scaled_pixels(90), 0}) || done;
    ImGui::PopStyleColor();
    ImGui::SameLine();
    const bool cancelled = ImGui::Button("Cancel", {scaled_pixels(90), 0}) || is_key_pressed(escape_key);
    const std::optional<std::string> path = done && !cancelled ? accept() : std::nullopt;
    if (path || cancelled) {
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
    return path;
}

} // namespace glproc::view
