// The window's content: what a person sees and does. It knows neither GLFW nor where pictures come from.
#pragma once

#include "view/panels/canvas.hpp"
#include "view/panels/chain.hpp"
#include "view/document.hpp"
#include "view/engine/engine.hpp"
#include "view/panels/file_chooser.hpp"
#include "view/tools/handles.hpp"
#include "view/panels/histogram.hpp"
#include "view/engine/job_queue.hpp"
#include "view/tools/measure.hpp"
#include "view/tools/part.hpp"
#include "view/session.hpp"
#include "view/panels/table.hpp"
#include "view/tools/tool.hpp"
#include "view/viewport.hpp"
#include "view/panels/waveform_panel.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace glproc::view {

/// In squares of the screen at 100 %: no side of a pixel is smaller than one.
Point2 size_of(const Shown& shown);

class App {
  public:
    App(Engine& engine, Document& document);

    /// A file, or the first one of a folder.
    void open(const std::string& named);
    /// A key went down, as GLFW numbers it, or repeats. Those that come between two frames all count.
    void press(int key, bool control, bool shift) { pressed_.push_back({key, control, shift}); }
    /// Between ImGui::NewFrame() and ImGui::Render(): everything, on all of the display.
    void frame();

    bool wants_to_quit() const { return quits_; }
    /// As Ctrl+Q and the window's cross do: it quits, or asks first.
    void ask_to_quit();
    /// Seconds until what is shown changes by itself, such as a message that goes; nothing where it does not.
    std::optional<double> next_change() const;
    /// What is remembered from one time to the next.
    Session& session() { return session_; }
    const FileChooser& chooser() const { return chooser_; }
    /// Whether something appears into which letters are to be typed: they are to wait for it.
    bool is_opening() const { return chooser_.is_opening() || chain_.is_opening(); }
    /// Whether such a thing appears by this key alone.
    bool opens(int key) const;
    /// What the pointer does in the picture; nothing: it moves it.
    std::optional<Tool>& tool() { return tool_; }
    /// The profile of the monitor; empty where there is none. What cannot be used is said.
    void set_monitor(const std::vector<std::byte>& icc);
    /// Videos and folders that are worked on.
    JobQueue& jobs() { return jobs_; }
    /// Whether the window is to fill the screen.
    bool is_full_screen() const { return is_full_screen_; }
    /// Whether a key is the window's own now, and not for moving from control to control.
    bool takes(int key) const;
    /// Figures of the region that was measured, of each channel, and values along the line.
    const std::vector<ChannelFigures>& region() const { return region_; }
    const std::vector<std::vector<double>>& line() const { return line_; }
    const News& news() const { return news_; }
    Viewport& viewport() { return view_; }
    /// What the picture's part of the window shows, with its size.
    Image picture_area() const { return canvas_.read(); }
    /// Where that part begins.
    Point2 picture_corner() const { return area_; }
    std::string title() const;
    /// Where a message is closed.
    Point2 message_cross() const { return message_cross_; }
    /// The table of objects, if there is one.
    const TablePanel& table() const { return table_; }
    /// What Copy command copies.
    std::string command() const;

  private:
    static constexpr double patient_seconds = 0.4; ///< before it is said that the result is being computed
    struct Key {
        int number = 0;
        bool control = false;
        bool shift = false;
    };
    enum class Ask {
        nothing,
        open,
        save,
        load_recipe,
        save_recipe,
        save_preset,
        rename_preset,
        compare,
        apply_to_folder,
        step_file
    };

    void take_news();
    void keys();
    void key(const Key& pressed);
    void panel();
    float toolbar_height() const;
    void toolbar(float width);
    void picture(float width, float height);
    void picture_input(bool hovered);
    void objects(float width, float height);
    void look_at_object();
    bool objects_fit_source() const;
    bool shows_source() const;
    bool marks_objects() const;
    void colour_objects(Scene& scene) const;
    void object_marks(Point2 corner);
    void pick_object(Point2 at);
    bool measures() const;
    Steps wanted_steps();
    Point2 in_result(Point2 at) const;
    void use_tool(bool hovered);
    struct Words {
        const char* text;
        ImVec2 corner;
        ImVec2 size;
        float wrap;
    };
    Words tool_words() const;
    bool is_over_words() const;
    Part part_of(std::size_t step, const FieldInfo& field) const;
    void drag_part(std::size_t step, Point2 at, bool is_pressed);
    void pick_level(std::size_t step, Point2 at);
    void draw_tool();
    bool shows_step() const;
    double margin() const;
    void switch_handle();
    ImVec2 on_screen(Point2 at) const;
    double reach() const;
    void show_grip_cursor(const std::optional<Grip>& grip, bool spans) const;
    void drag_turn(std::size_t step, Point2 at, bool is_pressed);
    void drag_corners(std::size_t step, Point2 at, bool is_pressed);
    void drag_second(std::size_t step, Point2 at, bool is_pressed);
    std::optional<Part> second_of(std::size_t step) const;
    void draw_handles() const;
    void draw_part(std::size_t step, const FieldInfo& field) const;
    void draw_turn(std::size_t step, const FieldInfo& field) const;
    void draw_corners(std::size_t step, const FieldInfo& field) const;
    void draw_second(std::size_t step) const;
    void measure(Point2 at, bool is_pressed);
    std::optional<Image> measured_part(Point2& from, Point2& to);
    void update_measures();
    std::string region_text() const;
    void draw_measure();
    void draw_profile() const;
    void begin_measuring(ToolKind kind);
    void view_menu();
    void switch_waveform();
    void use_monitor();
    const Shown& before() const;
    bool shows_difference() const;
    bool has_look(Look look) const;
    void next_look();
    void open_beside(int direction);
    void arrow(int key);
    void split_line(float x, float top, float bottom);
    void transport(float width, float height);
    void mark_cut(bool is_begin);
    std::vector<std::string> film_flags() const;
    void draw_cut(double duration) const;
    void frame_buttons();
    void cut_button(const char* name, const char* hint, bool is_begin);
    bool has_command() const;
    void status(float width);
    std::optional<double> waited() const;
    double message_left() const;
    Place place_of(const Shown& shown) const;
    std::string under_pointer();
    void ask(Ask what);
    void question();
    void answer(const std::string& path);
    void set_step_file(const std::string& path);
    void remember_folder(const std::string& path);
    void quit_question();
    void save(const std::string& path);
    void queue(const std::string& command, const std::string& input, const std::string& output);
    float jobs_height() const;
    void show_jobs(float width, float height);
    void presets();
    void show_preset(const std::filesystem::path& preset);
    void rename_preset(const std::string& path);
    void load_recipe(const std::filesystem::path& path);
    void show_message();
    void close_message();
    void help();
    void copy_command();
    void tell(const std::string& text, bool is_fault);

    Engine& engine_;
    Document& document_;
    Canvas canvas_;
    Viewport view_;
    ChainPanel chain_;
    HistogramPanel histogram_;
    WaveformPanel waveform_;
    bool shows_waveform_ = false;
    TablePanel table_;
    News news_;
    std::string path_; ///< that was asked for last: of the source, unless it cannot be opened
    std::uint64_t asked_version_ = 0;
    double asked_at_ = 0; ///< in seconds
    std::uint64_t message_number_ = 0;
    std::uint64_t saved_number_ = 0;
    std::string message_;
    bool message_is_fault_ = false;
    Point2 message_cross_;     ///< where it is closed
    std::string closed_fault_; ///< of the result, which a person has read
    double message_since_ = 0;
    int toolbar_lines_ = 1;
    Steps asked_steps_; ///< what is shown is made of, while a tool is in use
    bool asked_for_tool_ = false;
    std::optional<Tool> tool_;
    std::optional<Tool> later_tool_; ///< that these steps come after
    Steps later_steps_;
    /// What is dragged, as it was when the button went down. In pixels of the result.
    struct Drag {
        Point2 begin = {};
        Point2 last = {}; ///< on the screen
        Grip grip = {};
        bool spans = false; ///< a new part
        Part part = {};
        Corners corners = {};
        std::size_t corner = 0;
        double degrees = 0; ///< now
    };
    std::optional<Drag> drag_;
    struct Measured {
        ToolKind kind = ToolKind::region;
        Point2 from;
        Point2 to;
        std::shared_ptr<const GpuImage> image;
        bool operator==(const Measured&) const = default;
    };
    bool measures_now_ = false;
    bool has_measured_ = false;
    Point2 measured_from_; ///< in pixels of the result
    Point2 measured_to_;
    std::optional<Measured> measured_; ///< that these figures are of
    std::vector<ChannelFigures> region_;
    std::vector<std::vector<double>> line_;
    Look look_ = Look::colours;
    bool marks_clipped_ = false;
    std::vector<std::byte> monitor_; ///< its profile
    bool uses_monitor_ = true;       ///< if there is one
    bool is_full_screen_ = false;
    bool splits_ = false;
    bool shows_before_ = false;
    double split_ = 0.5; ///< share of the picture's part of the window
    bool drags_split_ = false;
    Point2 area_; ///< where the picture's part begins
    Point2 area_size_;
    bool is_over_picture_ = false;
    Session session_;
    JobQueue jobs_;
    FileChooser chooser_;
    Ask asks_ = Ask::nothing; ///< what the chooser is for
    WantedFile wanted_file_;  ///< with Ask::step_file
    std::filesystem::path renamed_preset_; ///< with Ask::rename_preset
    std::filesystem::path removed_preset_; ///< at the next click
    bool asks_to_quit_ = false;
    bool helps_ = false;
    bool loops_ = true;
    struct Cut {
        std::optional<double> from; ///< seconds
        std::optional<double> to;
    };
    Cut cut_; ///< the part of a film that is saved
    bool quits_ = false;
    std::vector<Key> pressed_;
};

} // namespace glproc::view
