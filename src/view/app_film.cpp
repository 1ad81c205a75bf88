// The bar below a film: it plays, goes to a time, and marks the part that is saved.
#include "view/app.hpp"

#include "cli/files/film_command.hpp"
#include "cli/pipe/pipe.hpp"
#include "glproc/base/counted.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

namespace glproc::view {

namespace {

/// In milliseconds, rounded down: a frame that begins then is not lost to rounding.
std::string time_word(double seconds) {
    std::string text = fmt::format("{:.3f}", std::floor(std::max(seconds, 0.0) * 1000 + 1e-6) / 1000);
    text.erase(text.find_last_not_of('0') + 1);
    text.erase(text.back() == '.' ? text.size() - 1 : text.size());
    return text + "s";
}

/// "frame 12   0.48 s of 10.00 s"
std::string place_text(const Playing& film) {
    return fmt::format("{}{:.2f} s of {:.2f} s", film.frame ? fmt::format("frame {}   ", *film.frame) : "",
                       film.seconds, film.duration);
}

/// The longest that it becomes: the slider beside it keeps its length while a video plays.
std::string last_place_text(Playing film) {
    film.seconds = film.duration;
    film.frame = film.frames;
    return place_text(film);
}

} // namespace

/// The frame that is shown becomes the first or the last one that is saved; again, and the film has all of them.
void App::mark_cut(bool is_begin) {
    const Playing& film = news_.playing;
    if (!film.is_film || film.duration <= 0) {
        return;
    }
    std::optional<double>& mark = is_begin ? cut_.from : cut_.to;
    const double half_frame = film.lasts > 0 ? film.lasts / 2 : 0.02;
    const double time = is_begin ? film.seconds : film.seconds + half_frame; // before the next frame
    const bool is_same = mark && std::abs(*mark - time) < half_frame;
    mark = is_same ? std::nullopt : std::optional(time);
    if (cut_.from && cut_.to && *cut_.to <= *cut_.from) {
        (is_begin ? cut_.to : cut_.from).reset();
    }
}

/// What the command line has for the part that is saved, and for HDR that is shown as SDR.
std::vector<std::string> App::film_flags() const {
    std::vector<std::string> words;
    if (news_.playing.is_film && cut_.from) {
        words.insert(words.end(), {"--from", time_word(*cut_.from)});
    }
    if (news_.playing.is_film && cut_.to) {
        words.insert(words.end(), {"--to", time_word(*cut_.to)});
    }
    if (!news_.playing.beyond_sdr.empty() && news_.playing.is_as_sdr) {
        words.emplace_back("--to-sdr");
    }
    return words;
}

/// On the slider that was drawn last: what is not saved is dark.
void App::draw_cut(double duration) const {
    const ImVec2 first = ImGui::GetItemRectMin();
    const ImVec2 last = ImGui::GetItemRectMax();
    const auto place = [&](double seconds) {
        return first.x + (last.x - first.x) * static_cast<float>(std::clamp(seconds / duration, 0.0, 1.0));
    };
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 shade = ImGui::GetColorU32(rgb(0x000000, 0.3F));
    const ImU32 edge = ImGui::GetColorU32(theme::accent_bright);
    const float thick = scaled_pixels(2);
    if (cut_.from) {
        draw.AddRectFilled(first, {place(*cut_.from), last.y}, shade);
        draw.AddLine({place(*cut_.from), first.y}, {place(*cut_.from), last.y}, edge, thick);
    }
    if (cut_.to) {
        draw.AddRectFilled({place(*cut_.to), first.y}, last, shade);
        draw.AddLine({place(*cut_.to), first.y}, {place(*cut_.to), last.y}, edge, thick);
    }
}

void App::cut_button(const char* name, const char* hint, bool is_begin) {
    const std::optional<double>& mark = is_begin ? cut_.from : cut_.to;
    ImGui::PushStyleColor(ImGuiCol_Button, mark ? theme::accent_deep : theme::control);
    if (ImGui::Button(name)) {
        mark_cut(is_begin);
    }
    ImGui::PopStyleColor();
    if (ImGui::IsItemHovered()) {
        ImGui::SetTooltip("%s", mark ? (std::string(hint) + "\nNow " + time_word(*mark)).c_str() : hint);
    }
    ImGui::SameLine();
}

/// A frame back and one on.
void App::frame_buttons() {
    const auto button = [](const char* name, ImGuiDir direction, const char* hint) {
        const bool is_pressed = ImGui::ArrowButton(name, direction);
        if (ImGui::IsItemHovered()) {
            ImGui::SetTooltip("%s", hint);
        }
        ImGui::SameLine();
        return is_pressed;
    };
    if (news_.playing.duration > 0 && button("back", ImGuiDir_Left, "One frame back  Left")) {
        engine_.step_back();
    }
    if (button("on", ImGuiDir_Right, "One frame on  Right")) {
        engine_.step();
    }
}

void App::transport(float width, float height) {
    const Playing& film = news_.playing;
    ImGui::BeginChild("transport", {width, height}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NavFlattened);
    if (ImGui::Button(film.plays ? "Pause" : "Play", {scaled_pixels(70), 0})) {
        engine_.play(!film.plays);
    }
    ImGui::SameLine();
    const bool has_buttons = width > scaled_pixels(300); // in a narrow window going to a time matters more
    if (has_buttons) {
        frame_buttons();
    }
    bool has_rate = true; // where there is room for it
    if (film.duration > 0) {
        if (has_buttons) {
            cut_button("In", "The first frame that is saved  I", true);
            cut_button("Out", "The last frame that is saved  O", false);
        }
        auto seconds = static_cast<float>(film.seconds);
        const std::string place = place_text(film);
        const float words =
            ImGui::CalcTextSize(last_place_text(film).c_str()).x + ImGui::GetStyle().ItemSpacing.x;
        const float room = ImGui::GetContentRegionAvail().x;
        const float least = scaled_pixels(100);
        const bool has_words = room > words + least;
        const bool has_loop = room > words + least + scaled_pixels(90);
        has_rate = room > words + least + scaled_pixels(190);
        ImGui::SetNextItemWidth(std::max(room - (has_words ? words : 0) -
                                             scaled_pixels(has_rate   ? 190
                                                           : has_loop ? 90
                                                                      : 0),
                                         scaled_pixels(40)));
        if (ImGui::SliderFloat("##time", &seconds, 0, static_cast<float>(film.duration), "")) {
            engine_.seek(seconds);
        }
        draw_cut(film.duration);
        ImGui::SameLine();
        if (has_words) { // beside the marks, which would cover them
            ImGui::AlignTextToFramePadding();
            const float next = ImGui::GetCursorPosX() + words;
            ImGui::TextUnformatted(place.c_str());
            if (ImGui::IsItemHovered() && film.frames) {
                ImGui::SetTooltip("%s", fmt::format("{}, numbered from 0 as by glproc video --frame",
                                                    counted(*film.frames, "frame"))
                                            .c_str());
            }
            ImGui::SameLine(next);
        }
        if (has_loop && ImGui::Checkbox("Loop", &loops_)) {
            engine_.loop(loops_);
        }
        ImGui::SameLine();
    }
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", film.rate > 0 && has_rate ? fmt::format("{:.2f} fps", film.rate).c_str() : "");
    ImGui::EndChild();
}

/// Of the operations that are on and the part that is marked, for the file that is open.
std::string App::command() const {
    const bool is_film = news_.playing.is_film;
    const cli::FilmContainer* container = cli::film_container_of(news_.path);
    const std::string end = !is_film ? "png" : container == nullptr ? "mkv" : std::string(container->end);
    return command_line({"glproc", is_film ? cli::film_command().name : cli::pipe_command,
                         news_.path.empty() ? "in.png" : news_.path, "out." + end},
                        film_flags(), document_.steps());
}

} // namespace glproc::view
