// How the result is looked at: channels, clipping, another picture beside it, the next one of its folder.
#include "view/app.hpp"

#include "glproc/base/error.hpp"
#include "view/panels/theme.hpp"

#include <array>
#include <utility>

#include <imgui.h>

namespace glproc::view {

namespace {

constexpr std::array<std::pair<Look, const char*>, 7> looks{{{Look::colours, "Colours"},
                                                             {Look::red, "Red"},
                                                             {Look::green, "Green"},
                                                             {Look::blue, "Blue"},
                                                             {Look::alpha, "Alpha"},
                                                             {Look::luma, "Luma"},
                                                             {Look::false_colours, "False colours"}}};

} // namespace

/// What the result is compared with.
const Shown& App::before() const {
    return news_.other.image != nullptr    ? news_.other
           : news_.before.image != nullptr ? news_.before
                                           : news_.source;
}

bool App::shows_difference() const {
    return look_ == Look::difference && before().image != nullptr;
}

/// Whether the result has what this shows.
bool App::has_look(Look look) const {
    const int channels = news_.result.image == nullptr ? 0 : news_.result.image->channels();
    switch (look) {
    case Look::red:
    case Look::green:
    case Look::blue:
        return channels >= 3;
    case Look::alpha:
        return channels == 2 || channels == 4;
    case Look::difference:
        return before().image != nullptr;
    default:
        return channels > 0;
    }
}

void App::next_look() {
    do {
        look_ = static_cast<Look>((static_cast<int>(look_) + 1) % static_cast<int>(Look::difference));
    } while (look_ != Look::colours && !has_look(look_));
}

void App::open_beside(int direction) {
    const std::string next = path_.empty() || is_camera(path_) ? "" : beside(path_, direction);
    next.empty() ? tell("There is no other image in this folder", false) : open(next);
}

void App::begin_measuring(ToolKind kind) {
    const bool is_on = tool_ && tool_->kind == kind;
    tool_ = is_on ? std::nullopt : std::optional(Tool{kind});
    has_measured_ = false;
}

void App::switch_waveform() {
    shows_waveform_ = !shows_waveform_;
    engine_.want_waveform(shows_waveform_);
}

void App::set_monitor(const std::vector<std::byte>& icc) {
    if (icc != monitor_) {
        monitor_ = icc;
        use_monitor();
    }
}

void App::use_monitor() {
    try {
        canvas_.set_monitor(uses_monitor_ ? monitor_ : std::vector<std::byte>());
    } catch (const Error& error) {
        tell(error.what(), true);
    }
}

void App::view_menu() {
    if (!ImGui::BeginPopup("view")) {
        return;
    }
    for (const auto& [look, name] : looks) {
        if (ImGui::MenuItem(name, look == Look::colours ? "V" : nullptr, look_ == look, has_look(look))) {
            look_ = look;
        }
    }
    ImGui::Separator();
    const bool has_picture = news_.source.image != nullptr;
    if (ImGui::MenuItem("Mark clipped pixels", "X", marks_clipped_, has_picture)) {
        marks_clipped_ = !marks_clipped_;
    }
    if (ImGui::MenuItem("Waveform", "W", shows_waveform_, has_picture)) {
        switch_waveform();
    }
    if (ImGui::MenuItem("Measure a region", "M", tool_ && tool_->kind == ToolKind::region, has_picture)) {
        begin_measuring(ToolKind::region);
    }
    if (ImGui::MenuItem("Values along a line", "Shift+M", tool_ && tool_->kind == ToolKind::line,
                        has_picture)) {
        begin_measuring(ToolKind::line);
    }
    ImGui::Separator();
    if (ImGui::MenuItem("Compare with another image ...", nullptr, false, has_picture)) {
        ask(Ask::compare);
    }
    if (ImGui::MenuItem("Compare with the original", nullptr, false, news_.other.image != nullptr)) {
        engine_.compare_with({});
    }
    if (ImGui::MenuItem("Show the difference, times 4", "D", shows_difference(), has_picture)) {
        look_ = shows_difference() ? Look::colours : Look::difference;
    }
    ImGui::Separator();
    if (ImGui::MenuItem("Next image of the folder", "Page down", false, !path_.empty())) {
        open_beside(1);
    }
    if (ImGui::MenuItem("Previous image of the folder", "Page up", false, !path_.empty())) {
        open_beside(-1);
    }
    ImGui::Separator();
    const bool is_beyond = !news_.playing.beyond_sdr.empty();
    if (ImGui::MenuItem("HDR video as SDR", nullptr, is_beyond && news_.playing.is_as_sdr, is_beyond)) {
        engine_.show_as_sdr(!news_.playing.is_as_sdr);
    }
    if (ImGui::MenuItem("Use the monitor's profile", nullptr, canvas_.has_monitor(), !monitor_.empty())) {
        uses_monitor_ = !canvas_.has_monitor();
        use_monitor();
    }
    if (ImGui::MenuItem("Light colours", nullptr, session_.is_light)) {
        session_.is_light = !session_.is_light;
        set_colours(session_.is_light);
    }
    if (ImGui::MenuItem("Full screen", "F11", is_full_screen_)) {
        is_full_screen_ = !is_full_screen_;
    }
    ImGui::EndPopup();
}

} // namespace glproc::view
