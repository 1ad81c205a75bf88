#include "view/panels/file_chooser.hpp"

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
    const std::string size = size_text(entry.bytes);
    const std::string time =
        entry.written == 0 ? "" : fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(entry.written));
    const float column = ImGui::CalcTextSize("0000-00-00 00:00").x + scaled_pixels(16);
    const bool has_time = width > scaled_pixels(420);
    ImGui::SameLine(width - ImGui::CalcTextSize(size.c_str()).x - (has_time ? column : 0));
    ImGui::TextDisabled("%s", size.c_str());
    if (has_time) {
        ImGui::SameLine(width - ImGui::CalcTextSize(time.c_str()).x);
        ImGui::TextDisabled("%s", time.c_str());
    }
}

bool is_folder(const std::filesystem::path& path) {
    std::error_code unknown;
    return std::filesystem::is_directory(path, unknown);
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
    is_recent_ = false;
    all_ = entries_of(folder_);
    entries_ = all_;
    filter_.clear();
    selected_.reset();
    scrolls_ = true;
}

void FileChooser::show_recent() {
    is_recent_ = true;
    all_.clear();
    std::transform(question_.recent.begin(), question_.recent.end(), std::back_inserter(all_),
                   [](const std::string& path) { return FolderEntry{path}; });
    entries_ = all_;
    filter_.clear();
    selected_.reset();
    scrolls_ = true;
}

/// Of what is to be opened the letters that were typed are somewhere in the name.
bool FileChooser::fits(const FolderEntry& entry) const {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(entry.name.begin(), entry.name.end(), filter_.begin(), filter_.end(), same) !=
           entry.name.end();
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
    } else if (!entries_.empty()) { // up or down
        const std::size_t last = entries_.size() - 1;
        if (data.EventKey == ImGuiKey_DownArrow) {
            selected_ = selected_ ? std::min(*selected_ + 1, last) : 0;
        } else if (selected_) {
            selected_ = *selected_ > 0 ? *selected_ - 1 : 0;
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
        std::copy_if(all_.begin(), all_.end(), std::back_inserter(entries_),
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

void FileChooser::note() const {
    std::error_code missing;
    const std::filesystem::path path = typed_path(typed_, folder_);
    const bool replaces =
        question_.writes && !typed_.empty() && !is_folder(path) && std::filesystem::exists(path, missing);
    const bool warns = !refusal_.empty();
    ImGui::PushStyleColor(ImGuiCol_Text, warns ? theme::fault : replaces ? theme::accent_bright : theme::dim);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(warns ? refusal_.c_str() : replaces ? "This file will be replaced." : question_.note.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
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
    const std::filesystem::path path = !selected_   ? typed_path(typed_, folder_)
                                       : is_recent_ ? std::filesystem::path(entries_[*selected_].name)
                                                    : folder_ / entries_[*selected_].name;
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
