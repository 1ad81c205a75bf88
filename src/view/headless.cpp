#include "view/headless.hpp"

#include "glproc/base/clock.hpp"
#include "glproc/base/error.hpp"
#include "view/engine/parts.hpp"
#include "view/keys.hpp"
#include "view/panels/numbers.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <span>

#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>

namespace glproc::view {

namespace {

// Moves of a slider that are measured even where they take longer than that in all: large pictures without a
// GPU.
constexpr int least_moves = 3;
constexpr double most_milliseconds = 10000;

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

const FieldInfo* first_slider(const Steps& steps) {
    const auto is_slider = [](const FieldInfo& field) {
        return field.kind == FieldKind::number || field.kind == FieldKind::whole;
    };
    const auto fields =
        steps.empty() ? std::span<const FieldInfo>() : std::span<const FieldInfo>(steps.front().op->fields);
    const auto found = std::ranges::find_if(fields, is_slider);
    return found == fields.end() ? nullptr : &*found;
}

} // namespace

void begin_widgets(float scale) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    apply_theme(scale);
    ImGui_ImplOpenGL3_Init("#version 430 core");
}

Headless::Headless(const ContextOptions& options, int width, int height, float scale)
    : surface_(offscreen_surface(options)) {
    gladLoadGL(surface_->get_proc());
    engine_.emplace(*surface_, options);
    begin_widgets(scale);
    ImGui::GetIO().DeltaTime = 1.0F / 60;
    map_keys();
    app_.emplace(*engine_, document_);
    target_.emplace();
    resize(width, height);
}

Headless::~Headless() {
    app_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
}

void Headless::resize(int width, int height) {
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    target_->resize(width, height);
}

void Headless::draw() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    app_->frame();
    ImGui::Render();
    target_->begin();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    Target::end();
    glFinish();
}

void Headless::settle() {
    constexpr int frames = 4; // until sizes and what depends on them have settled
    draw();
    engine_->wait();
    for (int i = 0; i < frames; ++i) {
        draw();
        engine_->wait();
    }
    draw();
}

RedrawTimes Headless::measure(int moves) {
    const FieldInfo* field = first_slider(document_.steps());
    if (field == nullptr) {
        throw Error(ErrorCode::usage, "there is no slider to move", "glproc view photo.jpg blur --sigma 2");
    }
    settle();
    std::vector<double> first;
    std::vector<double> whole;
    std::vector<double> frames;
    const double begin_value = field->slider.low + (field->slider.high - field->slider.low) / 15;
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < moves && (i < least_moves || milliseconds_since(start) < most_milliseconds); ++i) {
        document_.set(0, *field, on_step(begin_value + field->slider.step * (1 + i % 8), *field));
        const Clock::time_point begin = Clock::now();
        std::optional<double> shown;
        for (draw(); app_->news().version != document_.version() || !app_->news().is_whole; draw()) {
            if (!shown && app_->news().version == document_.version()) {
                shown = milliseconds_since(begin);
            }
            engine_->wait_for_news(app_->news());
        }
        whole.push_back(milliseconds_since(begin));
        first.push_back(shown.value_or(whole.back()));
        const Clock::time_point idle = Clock::now();
        draw();
        frames.push_back(milliseconds_since(idle));
    }
    return {median(first), median(whole), median(frames)};
}

} // namespace glproc::view
