// The window's content: it lays out its parts and passes events on to them. It knows neither GLFW nor where
// pictures come from.
#pragma once

#include "view/panels/chain.hpp"
#include "view/panels/picture.hpp"
#include "view/panels/scopes.hpp"
#include "view/tools/files.hpp"
#include "view/tools/objects.hpp"
#include "view/tools/toolbox.hpp"
#include "view/tools/transport.hpp"
#include "view/workspace.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glproc::view {

class App {
  public:
    App(Engine& engine, Document& document);

    /// A file, or the first one of a folder.
    void open(const std::string& named) { files_.open(named); }
    /// A key went down, as GLFW numbers it, or repeats. Those that come between two frames all count.
    void press(int key, bool control, bool shift) { pressed_.push_back({key, control, shift}); }
    /// Between ImGui::NewFrame() and ImGui::Render(): everything, on all of the display.
    void frame();

    bool wants_to_quit() const { return files_.wants_to_quit(); }
    /// As Ctrl+Q and the window's cross do: it quits, or asks first.
    void ask_to_quit() { files_.ask_to_quit(); }
    /// Seconds until what is shown changes by itself, such as a message that goes; nothing where it does not.
    std::optional<double> next_change() const;
    /// What is remembered from one time to the next.
    Session& session() { return all_.session; }
    const FileChooser& chooser() const { return files_.chooser(); }
    /// Whether something appears into which letters are to be typed: they are to wait for it.
    bool is_opening() const { return chooser().is_opening() || chain_.is_opening(); }
    /// Whether such a thing appears by this key alone.
    bool opens(int key) const;
    /// What the pointer does in the picture; nothing: it moves it.
    std::optional<Held>& held() { return all_.held; }
    /// The profile of the monitor; empty where there is none. What cannot be used is said.
    void set_monitor(const std::vector<std::byte>& icc) { picture_.set_monitor(icc); }
    /// Videos and folders that are worked on.
    JobQueue& jobs() { return files_.jobs(); }
    /// Whether the window is to fill the screen.
    bool is_full_screen() const { return is_full_screen_; }
    /// Whether a key is the window's own now, and not for moving from control to control: while nothing shows
    /// that a control has the focus.
    bool takes(int key) const;
    const Measure& measured() const { return toolbox_.measured(); }
    const News& news() const { return all_.news; }
    Viewport& viewport() { return all_.view; }
    /// What the picture's part of the window shows, with its size, and where that begins.
    Image picture_area() const { return all_.canvas.read(); }
    Point2 picture_corner() const { return all_.area; }
    std::string title() const;
    /// Where a message is closed.
    Point2 message_cross() const { return all_.message.cross(); }
    /// The table of objects, if there is one.
    const TablePanel& table() const { return objects_.table(); }
    /// What Copy command copies.
    std::string command() const { return transport_.command(); }

  private:
    void take_news();
    void keys();
    void key(const Key& pressed);
    float toolbar_height() const;
    void toolbar(float width);
    void view_menu();
    void panel();
    void copy_command();
    void switch_waveform();
    std::optional<double> waited() const;

    Workspace all_;
    Picture picture_;
    Objects objects_;
    std::unique_ptr<Tool> split_;
    Toolbox toolbox_;
    Transport transport_;
    Files files_;
    ChainPanel chain_;
    HistogramPanel histogram_;
    WaveformPanel waveform_;
    bool shows_waveform_ = false;
    bool is_full_screen_ = false;
    bool helps_ = false;
    int toolbar_lines_ = 1;
    std::vector<Key> pressed_;

    std::uint64_t message_number_ = 0; ///< of the news that were told last
    std::uint64_t saved_number_ = 0;
    std::uint64_t asked_version_ = 0; ///< of the result that is wanted
    Steps asked_steps_;
    bool asked_for_part_ = false; ///< of the steps, for a tool
    double asked_at_ = 0;         ///< in seconds
};

} // namespace glproc::view
