// What a person has set up: operations one after another, with their parameters. No window, no OpenGL.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/op/op.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc::view {

/// One operation of the chain.
struct Step {
    const OpInfo* op = nullptr;
    std::map<std::string, std::string> given = {}; ///< fields and their texts; that of a switch is empty
    bool on = true;
    int id = 0;              ///< stays with the step wherever it goes
    std::string aspect = {}; ///< "3:2": that of its part, which stays while that is dragged

    bool has(const FieldInfo& field) const { return given.contains(field.name); }
    /// What is given, else the default.
    std::string value_of(const FieldInfo& field) const;
    bool operator==(const Step&) const = default;
};

using Steps = std::vector<Step>;

/// What is assumed of a picture that is not known.
inline constexpr Form any_picture{4096, 4096, 3, Depth::u8};

/// The step as an operation is first added to a picture of this form: where it needs values, those of its
/// example, but where it needs a part of the picture or its corners, all of it. A curve is straight, and an
/// amount 0.
Step new_step(const OpInfo& op, const std::optional<Form>& form = {});

/// Whether the value is a part of the picture, X,Y,W,H.
bool names_part(const FieldInfo& field);
/// Whether it is the aspect of such a part, W:H.
bool names_aspect(const FieldInfo& field);
/// A part is said by its rectangle, its size or its aspect: where the field is one of them, the step forgets
/// the others.
void forget_part(Step& step, const FieldInfo& field);

/// A message without the dashes of flags, for someone who sees fields instead.
std::string without_dashes(std::string message);

/// The field of this name; null where the operation has none.
const FieldInfo* field_called(const OpInfo& op, std::string_view name);

/// The field of a file that the step needs and does not have; null where there is none.
const FieldInfo* missing_file(const Step& step);

/// The step as an operation. Throws Error(usage) for what it does not take.
std::unique_ptr<Operation> operation_of(const Step& step);

/// Why the step cannot be run on such a picture, in one line; empty where it can.
std::string fault_of(const Step& step, const Form& form = any_picture);

/// The words of the command line.
std::vector<std::string> words_of(const Step& step);

/// Those that are on, with the separator in between.
std::vector<std::string> words_of(const Steps& steps);

/// Steps as they were typed. Throws Error(usage).
Steps steps_from(const cli::Arguments& arguments);

/// The steps of a file. Throws Error.
Steps read_steps(const std::string& path);

/// Writes such a file; steps that are off are comments in it. Throws Error(output).
void write_steps(const Steps& steps, const std::string& path);

/// A call of the program that does the same: it begins with these words, and `flags` come before the steps.
std::string command_line(std::vector<std::string> words, const std::vector<std::string>& flags,
                         const Steps& steps);

/// The steps, and every way back. Changes of one parameter in a row are one change until settle().
class Document {
  public:
    const Steps& steps() const { return steps_; }
    /// Another number after each change.
    std::uint64_t version() const { return version_; }

    /// Where the step with this id is; nothing where it is gone.
    std::optional<std::size_t> find(int id) const;

    void add(const OpInfo& op);
    void remove(std::size_t at);
    void move(std::size_t from, std::size_t to);
    void switch_step(std::size_t at, bool on);
    void set(std::size_t at, const FieldInfo& field, const std::string& text);
    /// Several at once, as one change.
    void set(std::size_t at, const std::map<std::string, std::string>& values);
    /// The default again, or what a new step has.
    void reset(std::size_t at, const FieldInfo& field);
    void replace(Steps steps);
    /// The same where there is nothing to go back to.
    void begin_with(Steps steps);
    /// What the steps are for; 0 pixels where nothing is open.
    void set_source(const Form& form) { source_ = form; }
    /// What a step gets; nothing where that is not known.
    std::optional<Form> form_before(std::size_t at) const;
    /// Ends a change of one parameter: a slider was let go.
    void settle() { changing_.clear(); }

    bool can_undo() const { return !before_.empty(); }
    bool can_redo() const { return !after_.empty(); }
    void undo() { go(before_, after_); }
    void redo() { go(after_, before_); }

    /// The steps are kept somewhere else now.
    void mark_saved() { mark_saved(steps_); }
    /// These are, whatever the steps are by now.
    void mark_saved(const Steps& steps) { saved_ = steps; }
    /// Whether steps would be lost that were made since then, or since the beginning.
    bool is_changed() const { return !steps_.empty() && steps_ != saved_; }

  private:
    void change(const std::string& what = {});
    void number();
    void go(std::vector<Steps>& from, std::vector<Steps>& to);

    Form source_;
    Steps steps_;
    Steps saved_;
    std::vector<Steps> before_;
    std::vector<Steps> after_;
    std::string changing_; ///< the parameter that is under way
    std::uint64_t version_ = 1;
    int last_id_ = 0;
};

} // namespace glproc::view
