#include "view/panels/jobs.hpp"

#include "view/panels/theme.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

namespace glproc::view {

namespace {

std::string state_of(const Job& job) {
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

float jobs_height(const JobQueue& jobs) {
    constexpr std::size_t most_rows = 4;
    const auto rows = static_cast<float>(std::min(jobs.jobs().size(), most_rows));
    return rows == 0 ? 0 : rows * ImGui::GetFrameHeightWithSpacing() + 2 * ImGui::GetStyle().WindowPadding.y;
}

void show_jobs(JobQueue& jobs, float width, float height) {
    ImGui::BeginChild("jobs", {width, height}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NavFlattened);
    std::size_t removed = jobs.jobs().size();
    for (std::size_t i = 0; i < jobs.jobs().size(); ++i) {
        const Job& job = jobs.jobs()[i];
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Button(job.is_over() ? "Close" : "Stop", {scaled_pixels(64), 0})) {
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
        ImGui::TextColored(job.state == JobState::failed ? theme::fault : theme::dim, "%s",
                           state_of(job).c_str());
        ImGui::PopID();
    }
    if (removed < jobs.jobs().size()) {
        jobs.remove(removed);
    }
    ImGui::EndChild();
}

} // namespace glproc::view
