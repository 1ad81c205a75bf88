#include "view/tools/toolbox.hpp"

#include "view/panels/controls.hpp"
#include "view/panels/levels.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glproc::view {

namespace {

struct Traits {
    const char* words;       ///< what it does
    bool is_on_edge = false; ///< some of its handles lie on the picture's edge
    bool shows_step = false; ///< its step is seen itself, and not what that gets
};

/// In the order of ToolKind.
constexpr std::array<Traits, 9> traits{
    {{"Drag an edge, a corner or the middle; Shift keeps the shape. Enter, or a click here: done", true},
     {"Drag around the middle to turn. Enter, or a click here: done", false, true},
     {"Drag the corners. Enter, or a click here: done", true},
     {"Drag it, or a corner to scale it. Enter, or a click here: done", true, true},
     {"Click a pixel that is to become black. Esc, or a click here: leave"},
     {"Click a pixel that is to become white. Esc, or a click here: leave"},
     {"Click a pixel that is to become a middle grey. Esc, or a click here: leave"},
     {"Drag over a region to measure it. Esc, or a click here: leave"},
     {"Drag along a line to see its values. Esc, or a click here: leave"}}};

const Traits& traits_of(const Held& held) {
    return traits.at(static_cast<std::size_t>(held.kind));
}

float words_pad() {
    return scaled_pixels(6);
}

/// Takes a level from a pixel.
class Picker final : public Tool {
  public:
    using Tool::Tool;

    bool drag(const Pointer& pointer) override {
        const std::optional<std::size_t> step = all_.document.find(all_.held->step);
        if (step && pointer.is_pressed && all_.news.result.image != nullptr) {
            pick(*step, pointer.at);
        }
        return true;
    }

  private:
    /// The mean luma of 3 x 3 pixels.
    void pick(std::size_t step, Point2 at) {
        const GpuImage& image = *all_.news.result.image;
        const auto levels = levels_of(all_.document.steps()[step]);
        const auto column = static_cast<int>(std::floor(at.x * image.width() / all_.news.result.form.width));
        const auto row = static_cast<int>(std::floor(at.y * image.height() / all_.news.result.form.height));
        if (!levels || column < 0 || row < 0 || column >= image.width() || row >= image.height()) {
            return;
        }
        const int left = std::max(column - 1, 0);
        const int top = std::max(row - 1, 0);
        const auto figures =
            figures_of(all_.canvas.part(image, left, top, std::min(column + 2, image.width()) - left,
                                        std::min(row + 2, image.height()) - top));
        const double mean = figures.size() < 3 ? figures[0].mean
                                               : 0.2126 * figures[0].mean + 0.7152 * figures[1].mean +
                                                     0.0722 * figures[2].mean;
        const double luma = mean / max_code(image.depth());
        set_levels(all_.document, step,
                   all_.held->kind == ToolKind::black   ? with_black(*levels, luma)
                   : all_.held->kind == ToolKind::white ? with_white(*levels, luma)
                                                        : with_middle(*levels, luma));
        all_.document.settle();
        all_.held.reset();
    }
};

} // namespace

Toolbox::Toolbox(Workspace& all)
    : Tool(all), measure_(all), step_tools_{part_tool(all), turn_tool(all), corners_tool(all),
                                            second_tool(all), std::make_unique<Picker>(all)} {}

Tool& Toolbox::in_hand() {
    const auto kind =
        std::min(static_cast<std::size_t>(all_.held->kind), step_tools_.size() - 1); // which picks
    return measures() ? static_cast<Tool&>(measure_) : *step_tools_.at(kind);
}

/// Of the last step that has one and is on.
void Toolbox::switch_handle() {
    for (auto step = all_.document.steps().rbegin(); step != all_.document.steps().rend(); ++step) {
        if (const std::optional<Held> handle = step->on ? handle_of(*step) : std::nullopt) {
            all_.held = all_.held == handle ? std::nullopt : handle;
            return;
        }
    }
    all_.message.tell("None of the operations has a handle in the image");
}

void Toolbox::switch_measuring(ToolKind kind) {
    all_.held = holds(kind) ? std::nullopt : std::optional(Held{kind});
    measure_.clear();
}

double Toolbox::margin() const {
    return all_.held && traits_of(*all_.held).is_on_edge ? scaled_pixels(8) : 0;
}

Steps Toolbox::wanted_steps() {
    const Steps& steps = all_.document.steps();
    if (!shows_part_of_steps()) {
        later_held_.reset();
        return steps;
    }
    const std::optional<std::size_t> at = all_.document.find(all_.held->step);
    if (!at || !steps[*at].on) {
        all_.held.reset();
        return steps;
    }
    const auto here = steps.begin() + static_cast<std::ptrdiff_t>(*at);
    // A change of a later step is to be seen, too: the tool has done its work then.
    Steps later(here + 1, steps.end());
    if (later_held_ == all_.held && later_steps_ != later) {
        all_.held.reset();
        return steps;
    }
    later_held_ = all_.held;
    later_steps_ = std::move(later);
    return {steps.begin(), traits_of(*all_.held).shows_step ? here + 1 : here};
}

bool Toolbox::drag(const Pointer& pointer) {
    if (!all_.held) {
        return false;
    }
    if (pointer.is_pressed && is_over_words()) {
        all_.held.reset();
        return true;
    }
    return in_hand().drag(pointer);
}

bool Toolbox::key(const Key& pressed) {
    const auto leave = [&] { all_.held.reset(); };
    return act_on(pressed,
                  {{'T', [&] { switch_handle(); }},
                   {'M', [&] { switch_measuring(pressed.shift ? ToolKind::line : ToolKind::region); }},
                   {enter_key, leave},
                   {keypad_enter_key, leave},
                   {all_.held ? escape_key : 0, leave}});
}

/// Where lines of the words end that say what the tool does.
float Toolbox::words_wrap() const {
    return std::max(scaled_pixels(60), static_cast<float>(all_.area_size.x) - 4 * words_pad());
}

bool Toolbox::is_over_words() const {
    const ImVec2 corner = all_.inset(2 * words_pad(), 2 * words_pad());
    const ImVec2 size = ImGui::CalcTextSize(traits_of(*all_.held).words, nullptr, false, words_wrap());
    return ImGui::IsMouseHoveringRect(corner, corner + size, false);
}

void Toolbox::draw() {
    if (all_.held && all_.news.result.image != nullptr) {
        in_hand().draw();
        draw_words(all_.inset(2 * words_pad(), 2 * words_pad()), traits_of(*all_.held).words, words_pad(),
                   is_over_words() ? theme::control : theme::popup, theme::text, words_wrap());
    }
}

} // namespace glproc::view
