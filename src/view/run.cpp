#include "view/run.hpp"

#include "cli/files/input.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/op/field.hpp"
#include "view/app.hpp"
#include "view/document.hpp"
#include "view/engine/engine.hpp"
#include "view/engine/surface.hpp"
#include "view/headless.hpp"
#include "view/keys.hpp"
#include "view/panels/monitor.hpp"
#include "view/panels/theme.hpp"
#include "view/session.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace glproc::view {

namespace {

constexpr int window_width = 1280;
constexpr int window_height = 800;

/// ImGui with its two backends.
class Widgets {
  public:
    explicit Widgets(GLFWwindow* window) {
        float scale = 1;
        glfwGetWindowContentScale(window, &scale, nullptr);
        begin_widgets(scale);
        ImGui_ImplGlfw_InitForOpenGL(window, true);
    }
    Widgets(const Widgets&) = delete;
    Widgets& operator=(const Widgets&) = delete;
    ~Widgets() {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
    }

    void draw(GLFWwindow* window, App& app) {
        ImGui_ImplOpenGL3_NewFrame();
        ImGui_ImplGlfw_NewFrame();
        ImGui::NewFrame();
        app.frame();
        ImGui::Render();
        int width = 0;
        int height = 0;
        glfwGetFramebufferSize(window, &width, &height);
        glViewport(0, 0, width, height);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        glfwSwapBuffers(window);
    }
};

/// What the window's events go to.
struct Receiver {
    App& app;
    InputQueue input;
};

Receiver& receiver_of(GLFWwindow* window) {
    return *static_cast<Receiver*>(glfwGetWindowUserPointer(window));
}

void take_key(GLFWwindow* window, int key, int /*code*/, int action, int modifiers) {
    receiver_of(window).input.add(KeyEvent{key, action, modifiers});
}

void take_character(GLFWwindow* window, unsigned character) {
    receiver_of(window).input.add(CharacterEvent{character});
}

void drop(GLFWwindow* window, int count, const char** paths) {
    if (count > 0) {
        receiver_of(window).app.open(paths[0]);
    }
}

/// What was typed, as far as one frame can tell it apart.
void pass_input(GLFWwindow* window, Receiver& receiver) {
    if (receiver.app.is_opening()) {
        return;
    }
    spread_events(true);
    receiver.input.pass(
        [&](const KeyEvent& event) {
            if (event.action == GLFW_RELEASE || !receiver.app.takes(event.key)) {
                pass_key(event.key, event.action != GLFW_RELEASE, event.modifiers);
            }
            spread_events(false);
            if (event.action != GLFW_RELEASE) {
                receiver.app.press(event.key, (event.modifiers & GLFW_MOD_CONTROL) != 0,
                                   (event.modifiers & GLFW_MOD_SHIFT) != 0);
            }
        },
        [&](const CharacterEvent& event) { ImGui_ImplGlfw_CharCallback(window, event.character); },
        [&](const KeyEvent& event) { return event.modifiers == 0 && receiver.app.opens(event.key); });
}

/// All of the screen, or the place that it had before.
class FullScreen {
  public:
    explicit FullScreen(GLFWwindow* window) : window_(window) {}

    void set(bool on) {
        if (on == is_on_) {
            return;
        }
        is_on_ = on;
        if (!on) {
            return glfwSetWindowMonitor(window_, nullptr, x_, y_, width_, height_, GLFW_DONT_CARE);
        }
        glfwGetWindowPos(window_, &x_, &y_);
        glfwGetWindowSize(window_, &width_, &height_);
        GLFWmonitor* monitor = glfwGetPrimaryMonitor();
        if (const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr) {
            glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
        }
    }

  private:
    GLFWwindow* window_;
    bool is_on_ = false;
    int x_ = 0;
    int y_ = 0;
    int width_ = 0;
    int height_ = 0;
};

/// Draws after events, and a little longer, until what they changed has settled; then it sleeps.
void loop(GLFWwindow* window, Widgets& widgets, Receiver& receiver) {
    App& app = receiver.app;
    constexpr int settling = 3;
    constexpr double cursor_blink = 0.5;
    std::string title;
    FullScreen full_screen(window);
    bool had_focus = false;
    for (int frames = settling; !app.wants_to_quit(); --frames) {
        if (glfwWindowShouldClose(window) == GLFW_TRUE) {
            glfwSetWindowShouldClose(window, GLFW_FALSE);
            app.ask_to_quit();
            frames = settling;
        }
        if (frames > 0 || receiver.input.has_more() || has_left_events()) {
            glfwPollEvents();
        } else if (ImGui::GetIO().WantTextInput) {
            glfwWaitEventsTimeout(cursor_blink);
            frames = 1;
        } else {
            const std::optional<double> change = app.next_change();
            change ? glfwWaitEventsTimeout(*change + 0.01) : glfwWaitEvents();
            frames = settling;
        }
        // A person may have chosen another profile meanwhile.
        const bool has_focus = glfwGetWindowAttrib(window, GLFW_FOCUSED) == GLFW_TRUE;
        if (has_focus && !had_focus) {
            app.set_monitor(monitor_profile());
        }
        had_focus = has_focus;
        pass_input(window, receiver);
        widgets.draw(window, app);
        full_screen.set(app.is_full_screen());
        if (const std::string now = app.title(); now != title) {
            glfwSetWindowTitle(window, (title = now).c_str());
        }
    }
}

/// --screenshot: what the window would show, in a file; with --timing how long it takes to show a change.
void take_screenshot(const cli::Arguments& arguments, const cli::Settings& settings, const Steps& steps) {
    const std::string path = arguments.value("screenshot");
    check_encodable(path, 3, Depth::u8);
    PixelSize size{window_width, window_height};
    if (arguments.has("size")) {
        size = FieldText<PixelSize>::parse({"size", "pixels", {64, 8192}}, arguments.value("size"));
    }
    Headless window(settings.context, size.width, size.height, size.width >= 2 * window_width ? 2.0F : 1.0F);
    if (!arguments.places.empty()) {
        window.app().open(arguments.places.front());
    }
    window.document().begin_with(steps);
    window.settle();
    if (const News& news = window.app().news(); news.message_is_fault || !news.fault.empty()) {
        throw Error(news.source.image == nullptr ? ErrorCode::input : ErrorCode::operation,
                    news.fault.empty() ? news.message : news.fault);
    }
    save(window.screenshot(), path);
    if (settings.timing) {
        const RedrawTimes times = window.measure(40);
        const bool is_json = *settings.timing == cli::TimingFormat::json;
        cli::print_stderr(fmt::format(
            fmt::runtime(is_json ? "{{\"schema\":\"glproc.redraw/"
                                   "1\",\"device\":\"{}\",\"ms\":{{\"first\":{:.2f},\"whole\":{:.2f},"
                                   "\"frame\":{:.2f}}}}}\n"
                                 : "{}: a moved slider shows after {:.1f} ms, whole after {:.1f} ms; the "
                                   "window alone {:.1f} ms\n"),
            window.engine().device().renderer, times.first, times.whole, times.frame));
    }
}

/// For the next time.
void keep_steps(const Steps& steps) {
    const std::filesystem::path file = last_recipe();
    if (steps.empty() || file.empty()) {
        return;
    }
    std::error_code fault;
    std::filesystem::create_directories(file.parent_path(), fault);
    try {
        write_steps(steps, file.string());
    } catch (const Error&) { // nobody needs it
    }
}

/// Until a person has enough, and what is to be kept.
void let_edit(const WindowSurface& surface, Engine& engine, Document& document,
              const cli::Arguments& arguments, const Session& session,
              const std::filesystem::path& remembered) {
    Widgets widgets(surface.window());
    App app(engine, document);
    app.session() = session;
    set_colours(session.is_light);
    Receiver receiver{app, {}};
    glfwSetWindowUserPointer(surface.window(), &receiver);
    glfwSetKeyCallback(surface.window(), take_key); // in the place of ImGui's, which it passes to
    glfwSetCharCallback(surface.window(), take_character);
    glfwSetDropCallback(surface.window(), drop);
    app.set_monitor(monitor_profile());
    if (!arguments.places.empty()) {
        app.open(arguments.places.front());
    }
    loop(surface.window(), widgets, receiver);
    if (!app.is_full_screen()) {
        glfwGetWindowSize(surface.window(), &app.session().width, &app.session().height);
    }
    keep_steps(document.steps());
    if (!remembered.empty() && app.session() != session) {
        write_session(app.session(), remembered);
    }
}

} // namespace

int run_view(const cli::Arguments& arguments, const cli::Settings& settings) {
    if (cli::read_budget(arguments).untrusted) {
        throw Error(ErrorCode::usage, "the window reads no untrusted files",
                    "GLPROC_POLICY is untrusted, and nothing confines what the window opens");
    }
    const Steps steps = steps_from(arguments);
    if (arguments.has("screenshot")) {
        take_screenshot(arguments, settings, steps);
        return 0;
    }
    Document document;
    document.begin_with(steps);
    const std::filesystem::path remembered = session_file();
    const Session session = read_session(remembered);
    WindowSurface surface(session.width, session.height, "glproc");
    gladLoadGL(surface.get_proc());
    Engine engine(surface, settings.context);
    let_edit(surface, engine, document, arguments, session, remembered);
    // On a software renderer a pass may take long, and nobody waits for its result.
    glfwHideWindow(surface.window());
    if (!engine.ends_within(std::chrono::seconds(2))) {
        std::_Exit(0);
    }
    return 0;
}

} // namespace glproc::view
