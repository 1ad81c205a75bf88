// The bar below a video: it plays, goes to a time, and marks the part that is saved.
#pragma once

#include "view/workspace.hpp"

#include <optional>
#include <string>
#include <vector>

namespace glproc::view {

class Transport final : public Tool {
  public:
    using Tool::Tool;
    bool key(const Key& pressed) override;
    /// 0 where no video is open.
    float height() const;
    void show(float width, float height);
    /// Another file is opened.
    void forget_cut() { cut_ = {}; }

    /// What the command line has for the part that is saved, and for HDR that is shown as SDR.
    std::vector<std::string> flags() const;
    /// What Copy command copies: the operations that are on and the part that is marked, for the file that is
    /// open.
    std::string command() const;
    bool has_command() const { return !words_of(all_.document.steps()).empty() || !flags().empty(); }

  private:
    const Playing& video() const { return all_.news.playing; }
    void mark(bool is_begin);
    void draw_cut() const;
    void cut_button(const char* name, const char* hint, bool is_begin);
    void frame_buttons();
    float time_slider(bool has_buttons);

    struct Cut {
        std::optional<double> from; ///< seconds
        std::optional<double> to;
    };
    Cut cut_; ///< the part that is saved
    bool loops_ = true;
};

} // namespace glproc::view
