#include "view/tools/transport.hpp"

#include "cli/files/video_command.hpp"
#include "cli/pipe/pipe.hpp"
#include "glproc/base/counted.hpp"
#include "view/number_text.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc::view {

namespace {

/// In milliseconds, rounded down: a frame that begins then is not lost to rounding.
std::string time_word(double seconds) {
    return short_number(std::floor(std::max(seconds, 0.0) * 1000 + 1e-6) / 1000, 3) + "s";
}

/// "frame 12   0.48 s of 10.00 s"
std::string place_text(const Playing& video) {
    return fmt::format("{}{:.2f} s of {:.2f} s", video.frame ? fmt::format("frame {}   ", *video.frame) : "",
                       video.seconds, video.duration);
}

/// The longest that it becomes: the slider beside it keeps its length while a video plays.
std::string last_place_text(Playing video) {
    video.seconds = video.duration;
    video.frame = video.frames;
    return place_text(video);
}

} // namespace

float Transport::height() const {
    return video().is_video ? ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().WindowPadding.y : 0;
}

bool Transport::key(const Key& pressed) {
    const auto play = [&] { all_.engine.play(!video().plays); };
    const auto step = [&] { all_.engine.step(); };
    return video().is_video && act_on(pressed, {{'I', [&] { mark(true); }},
                                              {'O', [&] { mark(false); }},
                                              {'P', play},
                                              {space_key, play},
                                              {'.', step},
                                              {right_key, step},
                                              {left_key, [&] { all_.engine.step_back(); }}});
}

/// The frame that is shown becomes the first or the last one that is saved; again, and the video has all of
/// them.
void Transport::mark(bool is_begin) {
    if (video().duration <= 0) {
        return;
    }
    std::optional<double>& mark = is_begin ? cut_.from : cut_.to;
    const double half_frame = video().lasts > 0 ? video().lasts / 2 : 0.02;
    const double time = is_begin ? video().seconds : video().seconds + half_frame; // before the next frame
    const bool is_same = mark && std::abs(*mark - time) < half_frame;
    mark = is_same ? std::nullopt : std::optional(time);
    if (cut_.from && cut_.to && *cut_.to <= *cut_.from) {
        (is_begin ? cut_.to : cut_.from).reset();
    }
}

std::vector<std::string> Transport::flags() const {
    std::vector<std::string> words;
    const auto add = [&](const char* flag, const std::optional<double>& seconds) {
        if (video().is_video && seconds) {
            words.insert(words.end(), {flag, time_word(*seconds)});
        }
    };
    add("--from", cut_.from);
    add("--to", cut_.to);
    if (!video().beyond_sdr.empty() && video().is_as_sdr) {
        words.emplace_back("--to-sdr");
    }
    return words;
}

/// On the slider that was drawn last: what is not saved is dark.
void Transport::draw_cut() const {
    const ImVec2 first = ImGui::GetItemRectMin();
    const ImVec2 last = ImGui::GetItemRectMax();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const auto end = [&](const std::optional<double>& seconds, float dark) {
        if (seconds) {
            const float x =
                first.x +
                (last.x - first.x) * static_cast<float>(std::clamp(*seconds / video().duration, 0.0, 1.0));
            draw.AddRectFilled({std::min(x, dark), first.y}, {std::max(x, dark), last.y},
                               ImGui::GetColorU32(rgb(0x000000, 0.3F)));
            draw.AddLine({x, first.y}, {x, last.y}, ImGui::GetColorU32(theme::accent_bright),
                         scaled_pixels(2));
        }
    };
    end(cut_.from, first.x);
    end(cut_.to, last.x);
}

void Transport::cut_button(const char* name, const char* hint, bool is_begin) {
    const std::optional<double> was = is_begin ? cut_.from : cut_.to;
    if (switch_button(name, was.has_value())) {
        mark(is_begin);
    }
    const std::optional<double>& now = is_begin ? cut_.from : cut_.to;
    explain(now ? std::string(hint) + "\nNow " + time_word(*now) : hint);
    ImGui::SameLine();
}

/// A frame back and one on.
void Transport::frame_buttons() {
    const auto button = [](const char* name, ImGuiDir direction, const char* hint) {
        const bool is_pressed = ImGui::ArrowButton(name, direction);
        explain(hint);
        ImGui::SameLine();
        return is_pressed;
    };
    if (video().duration > 0 && button("back", ImGuiDir_Left, "One frame back  Left")) {
        all_.engine.step_back();
    }
    if (button("on", ImGuiDir_Right, "One frame on  Right")) {
        all_.engine.step();
    }
}

/// With what there is room for beside it: the time, and whether it begins again. The room that is left for
/// more.
float Transport::time_slider(bool has_buttons) {
    if (has_buttons) {
        cut_button("In", "The first frame that is saved  I", true);
        cut_button("Out", "The last frame that is saved  O", false);
    }
    auto seconds = static_cast<float>(video().seconds);
    const float words =
        ImGui::CalcTextSize(last_place_text(video()).c_str()).x + ImGui::GetStyle().ItemSpacing.x;
    const float room = ImGui::GetContentRegionAvail().x;
    const float beside = room - words - scaled_pixels(100);
    const float loop = scaled_pixels(90);
    const float rate = scaled_pixels(190); // with the loop before it
    const float taken = (beside > 0 ? words : 0) + (beside > rate ? rate : beside > loop ? loop : 0);
    ImGui::SetNextItemWidth(std::max(room - taken, scaled_pixels(40)));
    if (ImGui::SliderFloat("##time", &seconds, 0, static_cast<float>(video().duration), "")) {
        all_.engine.seek(seconds);
    }
    draw_cut();
    ImGui::SameLine();
    if (beside > 0) { // beside the marks, which would cover them
        ImGui::AlignTextToFramePadding();
        const float next = ImGui::GetCursorPosX() + words;
        ImGui::TextUnformatted(place_text(video()).c_str());
        explain(video().frames
                    ? counted(*video().frames, "frame") + ", numbered from 0 as by glproc video --frame"
                    : "");
        ImGui::SameLine(next);
    }
    if (beside > loop && ImGui::Checkbox("Loop", &loops_)) {
        all_.engine.loop(loops_);
    }
    ImGui::SameLine();
    return beside - rate;
}

void Transport::show(float width, float height) {
    ImGui::BeginChild("transport", {width, height}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar |
                          ImGuiWindowFlags_NavFlattened);
    if (ImGui::Button(video().plays ? "Pause" : "Play", {scaled_pixels(70), 0})) {
        all_.engine.play(!video().plays);
    }
    ImGui::SameLine();
    const bool has_buttons = width > scaled_pixels(300); // in a narrow window going to a time matters more
    if (has_buttons) {
        frame_buttons();
    }
    const bool has_rate = video().duration <= 0 || time_slider(has_buttons) > 0;
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s",
                        video().rate > 0 && has_rate ? fmt::format("{:.2f} fps", video().rate).c_str() : "");
    ImGui::EndChild();
}

std::string Transport::command() const {
    const cli::VideoContainer* container = cli::video_container_of(all_.news.path);
    const std::string end = !video().is_video        ? "png"
                            : container == nullptr ? "mkv"
                                                   : std::string(container->end);
    return command_line({"glproc", video().is_video ? cli::video_command().name : cli::pipe_command,
                         all_.news.path.empty() ? "in.png" : all_.news.path, "out." + end},
                        flags(), all_.document.steps());
}

} // namespace glproc::view
