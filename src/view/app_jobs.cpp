// What glproc does beside the window: videos, folders; and recipes by name.
#include "view/app.hpp"

#include "cli/files/film_command.hpp"
#include "cli/pipe/pipe.hpp"
#include "glproc/base/error.hpp"
#include "view/presets.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

namespace glproc::view {

namespace {

constexpr std::size_t most_rows = 4;

std::string words_of(const Job& job) {
    switch (job.state) {
    case JobState::waits:
        return "waits";
    case JobState::runs:
        return job.message.empty() ? fmt::format("{:.0f} %", 100 * job.share) : job.message;
    case JobState::done:
        return "done";
    case JobState::failed:
        return job.message.empty() ? "failed" : job.message;
    case JobState::stopped:
        return "stopped";
    }
    return "";
}

} // namespace

/// A video is written beside the window, which goes on.
void App::save(const std::string& path) {
    if (news_.playing.is_film && cli::names_film(path)) {
        queue(cli::film_command().name, news_.path, path);
        document_.mark_saved();
    } else {
        engine_.save(document_.steps(), path, chooser_.quality()); // which says when it is written
    }
    remember_folder(path);
}

void App::queue(const std::string& command, const std::string& input, const std::string& output) {
    std::error_code unknown;
    if (std::filesystem::equivalent(input, output, unknown)) {
        return tell("The result cannot replace what it is made of", true);
    }
    std::vector<std::string> words{"glproc", command, input, output};
    for (const std::vector<std::string>& more : {film_flags(), view::words_of(document_.steps())}) {
        words.insert(words.end(), more.begin(), more.end());
    }
    const std::filesystem::path path(output);
    jobs_.add((path.has_filename() ? path : path.parent_path()).filename().string(), std::move(words));
}

float App::jobs_height() const {
    const std::size_t rows = std::min(jobs_.jobs().size(), most_rows);
    return rows == 0 ? 0
                     : static_cast<float>(rows) * ImGui::GetFrameHeightWithSpacing() +
                           2 * ImGui::GetStyle().WindowPadding.y;
}

void App::show_jobs(float width, float height) {
    ImGui::BeginChild("jobs", {width, height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NavFlattened);
    std::size_t removed = jobs_.jobs().size();
    for (std::size_t i = 0; i < jobs_.jobs().size(); ++i) {
        const Job& job = jobs_.jobs()[i];
        const bool is_fault = job.state == JobState::failed;
        ImGui::PushID(static_cast<int>(i));
        const bool is_over = job.state == JobState::done || is_fault || job.state == JobState::stopped;
        if (ImGui::Button(is_over ? "Close" : "Stop", {scaled_pixels(64), 0})) {
            removed = i;
        }
        ImGui::SameLine();
        ImGui::PushStyleColor(ImGuiCol_PlotHistogram, theme::accent);
        ImGui::ProgressBar(static_cast<float>(job.share), {scaled_pixels(120), 0}, "");
        ImGui::PopStyleColor();
        ImGui::SameLine();
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(job.name.c_str());
        ImGui::SameLine();
        ImGui::PushStyleColor(ImGuiCol_Text, is_fault ? theme::fault : theme::dim);
        ImGui::TextUnformatted(words_of(job).c_str());
        ImGui::PopStyleColor();
        ImGui::PopID();
    }
    if (removed < jobs_.jobs().size()) {
        jobs_.remove(removed);
    }
    ImGui::EndChild();
}

void App::load_recipe(const std::filesystem::path& path) {
    try {
        Steps steps = read_steps(path.string());
        if (!document_.steps().empty()) {
            tell(path.stem().string() + " has replaced the operations. Undo brings them back.", false);
        }
        document_.replace(std::move(steps));
    } catch (const Error& error) {
        tell(error.what(), true);
    }
}

/// In the menu of recipes.
void App::presets() {
    const bool has_steps = !document_.steps().empty();
    if (ImGui::MenuItem("Save as a preset ...", nullptr, false, has_steps && !preset_folder().empty())) {
        std::error_code fault;
        std::filesystem::create_directories(preset_folder(), fault);
        ask(Ask::save_preset);
    }
    if (ImGui::MenuItem("Apply to all images of the folder ...", nullptr, false,
                        has_steps && news_.source.image != nullptr && !news_.playing.is_film)) {
        ask(Ask::apply_to_folder);
    }
    std::error_code missing;
    if (ImGui::MenuItem("The operations of last time", nullptr, false, std::filesystem::exists(last_recipe(), missing))) {
        load_recipe(last_recipe());
    }
    if (const auto all = presets_in(preset_folder()); !all.empty()) {
        ImGui::Separator();
        ImGui::TextDisabled("Presets");
        std::for_each(all.begin(), all.end(), [this](const auto& one) { show_preset(one); });
    }
}

/// A click on its name loads it; buttons behind it rename it, and remove it at the second click.
void App::show_preset(const std::filesystem::path& preset) {
    const std::string name = preset.stem().string();
    const bool asks = removed_preset_ == preset;
    const char* remove = asks ? "remove for good" : "remove";
    ImGui::PushID(name.c_str());
    const float width = std::max(ImGui::CalcTextSize(name.c_str()).x, scaled_pixels(150));
    if (ImGui::Selectable(name.c_str(), false, 0, {width, 0})) {
        load_recipe(preset);
    }
    ImGui::SameLine();
    if (ImGui::SmallButton("rename")) {
        renamed_preset_ = preset;
        ImGui::CloseCurrentPopup();
        ask(Ask::rename_preset);
    }
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, asks ? theme::fault : theme::text);
    if (ImGui::SmallButton(remove)) {
        std::error_code fault;
        if (asks && !std::filesystem::remove(preset, fault) && fault) {
            tell("The preset cannot be removed: " + fault.message(), true);
        }
        removed_preset_ = asks ? std::filesystem::path() : preset;
    }
    ImGui::PopStyleColor();
    ImGui::PopID();
}

void App::rename_preset(const std::string& path) {
    std::error_code fault;
    std::filesystem::rename(renamed_preset_, path, fault);
    if (fault) {
        return tell("The preset cannot be renamed: " + fault.message(), true);
    }
    tell("Renamed: " + std::filesystem::path(path).stem().string(), false);
}

} // namespace glproc::view
