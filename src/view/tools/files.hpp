// Files: what is opened and saved, recipes and presets, the next picture of a folder; and the questions for
// them.
#pragma once

#include "view/engine/job_queue.hpp"
#include "view/panels/controls.hpp"
#include "view/panels/file_chooser.hpp"
#include "view/tools/transport.hpp"
#include "view/workspace.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace glproc::view {

class Files final : public Tool {
  public:
    Files(Workspace& all, Transport& video) : Tool(all), video_(video) {}
    bool key(const Key& pressed) override;
    /// The questions that are open.
    void show();
    /// In the popup "recipe".
    void recipe_menu();

    /// A file, or the first one of a folder.
    void open(const std::string& named);
    /// 1 is the next one of its folder, -1 the one before.
    void open_beside(int direction);
    bool has_folder() const { return !path_.empty(); }
    void ask_to_open();
    void ask_to_save();
    void ask_to_compare();
    /// For a parameter of a step.
    void ask_for(const WantedFile& wanted);
    /// At once, unless operations would be lost.
    void ask_to_quit();
    bool wants_to_quit() const { return quits_; }

    const FileChooser& chooser() const { return chooser_; }
    /// Videos and folders that are worked on.
    JobQueue& jobs() { return jobs_; }
    const JobQueue& jobs() const { return jobs_; }

  private:
    using Take = std::function<void(const std::string& path)>;

    void ask(FileChooser::Question question, Take take);
    bool is_file() const;
    std::string folder() const;
    void ask_to_load_recipe();
    void ask_to_save_recipe();
    void ask_to_save_preset();
    void ask_to_rename(const std::filesystem::path& preset);
    void ask_for_folder();
    void save(const std::string& path);
    void save_steps(const std::string& path);
    void queue(const std::string& command, const std::string& input, const std::string& output);
    void set_file(const WantedFile& wanted, const std::string& path);
    void load_recipe(const std::filesystem::path& path);
    void show_preset(const std::filesystem::path& preset);
    void quit_question();

    Transport& video_;
    FileChooser chooser_;
    Take take_; ///< what the chosen file is for
    JobQueue jobs_;
    std::string path_; ///< that was asked for last: of the source, unless it cannot be opened
    std::filesystem::path removed_preset_; ///< at the next click
    bool asks_to_quit_ = false;
    bool quits_ = false;
};

} // namespace glproc::view
