#include "view/headless.hpp"

#include "glproc/base/error.hpp"
#include "view/panels/canvas.hpp"
#include "view/engine/parts.hpp"
#include "view/keys.hpp"
#include "view/panels/numbers.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>

namespace glproc::view {

namespace {

using Clock = std::chrono::steady_clock;

// Moves of a slider that are measured even where they take longer than that in all: large pictures without a
// GPU.
constexpr int least_moves = 3;
constexpr double most_milliseconds = 10000;

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

const FieldInfo* first_slider(const Steps& steps) {
    if (steps.empty()) {
        return nullptr;
    }
    const auto& fields = steps.front().op->fields;
    const auto found = std::find_if(fields.begin(), fields.end(), [](const FieldInfo& field) {
        return field.kind == FieldKind::number || field.kind == FieldKind::whole;
    });
    return found == fields.end() ? nullptr : &*found;
}

} // namespace

Headless::Headless(const ContextOptions& options, int width, int height, float scale)
    : surface_(offscreen_surface(options)) {
    gladLoadGL(surface_->get_proc());
    engine_.emplace(*surface_, options);
    widgets_ = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.DeltaTime = 1.0F / 60;
    map_keys();
    apply_theme(scale);
    ImGui_ImplOpenGL3_Init("#version 430 core");
    app_.emplace(*engine_, document_);
    unsigned id = 0;
    glGenFramebuffers(1, &id);
    framebuffer_ = Handle<FramebufferName>(id);
    resize(width, height);
}

Headless::~Headless() {
    app_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(widgets_);
}

void Headless::resize(int width, int height) {
    width_ = width;
    height_ = height;
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    unsigned id = 0;
    glGenTextures(1, &id);
    texture_ = Handle<TextureName>(id);
    glBindTexture(GL_TEXTURE_2D, id);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, id, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void Headless::draw() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    app_->frame();
    ImGui::Render();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
    glViewport(0, 0, width_, height_);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
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

Image Headless::screenshot() const {
    return read_framebuffer(framebuffer_.get(), width_, height_);
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
        draw();
        bool is_first = true;
        while (app_->news().version != document_.version() || !app_->news().is_whole) {
            if (is_first && app_->news().version == document_.version()) {
                first.push_back(milliseconds_since(begin));
                is_first = false;
            }
            engine_->wait_for_news(app_->news());
            draw();
        }
        whole.push_back(milliseconds_since(begin));
        if (is_first) {
            first.push_back(whole.back());
        }
        const Clock::time_point idle = Clock::now();
        draw();
        frames.push_back(milliseconds_since(idle));
    }
    return {median(first), median(whole), median(frames)};
}

} // namespace glproc::view
