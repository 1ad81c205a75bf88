// The commands, each described once: one for every operation of the registry, and the program's own.
#pragma once

#include "glproc/op/op.hpp"

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glproc::job {} // whose words front ends speak as their own

namespace glproc::cli {

using namespace job;

struct Flag {
    FieldInfo info = {};
    char letter = 0; ///< the short form, 0 without one
    std::string implied =
        {}; ///< the value that the flag alone stands for; it may then be written --flag=value only
    std::string group = {}; ///< what commands share it for, "Output"; empty for a command's own
    bool hidden = false;    ///< an old spelling: it works, and nothing names it
    bool repeats = false;   ///< each use adds a value; the values of all lie in lines
    std::string task = {};  ///< the heading that help shows it under, where the command has several

    bool takes_value() const { return !info.value.empty(); }
};

/// A list that is made when it is first asked for: a call asks for the flags of one command of thirty.
template <class T>
class LateList {
  public:
    LateList() = default;
    LateList(std::initializer_list<T> list) : made_(list) {}
    static LateList made_by(std::function<std::vector<T>()> make) {
        LateList list;
        list.make_ = std::move(make);
        return list;
    }

    const std::vector<T>& get() const {
        if (make_) {
            made_ = std::exchange(make_, nullptr)();
        }
        return made_;
    }
    std::vector<T>& get() { return const_cast<std::vector<T>&>(std::as_const(*this).get()); } // NOLINT: ours
    operator const std::vector<T>&() const { return get(); } // NOLINT(google-explicit-constructor): it is one
    auto begin() const { return get().begin(); }
    auto end() const { return get().end(); }
    bool empty() const { return get().empty(); }

  private:
    mutable std::function<std::vector<T>()> make_;
    mutable std::vector<T> made_;
};

/// One argument that is known by its place.
struct PlacedArgument {
    std::string name = {};
    std::string help = {};
    bool required = true;
    bool many = false; ///< any number of arguments; of one place only
};

/// Another word for a command with some of its flags: "dilate" is morphology --do dilate.
struct Shorthand {
    std::string word;
    std::vector<std::string> flags;
};

struct Command {
    std::string name = {};
    std::vector<std::string> aliases = {};
    std::vector<Shorthand> shorthands = {};
    std::string summary = {};
    std::string heading = {}; ///< that lists of commands have above it
    std::string example = {}; ///< arguments of a typical call
    std::vector<ExampleCall> examples = {}; ///< less obvious ones
    std::vector<PlacedArgument> places = {};
    LateList<Flag> flags = {};
    OpCost cost = {};
    const OpInfo* op = nullptr;         ///< null for the program's own commands
    bool measures = false;              ///< `op` is to be measured
    bool is_step = false;               ///< of a chain: `op` makes an image
    LateList<Command> commands = {};    ///< one of which may follow this one
    bool takes_steps = false;           ///< operations come after its files: the last place is theirs
    std::string program = {};           ///< that does it, where that is not glproc itself; see companion.hpp

    bool takes_many() const;
    /// Whether the last file of a call is what it writes, or may be.
    bool has_output() const;
    /// Whether it must be.
    bool needs_output() const;

    /// Of one that takes steps: how many files may come before them, and how many must.
    std::size_t most_files() const { return places.size() - 1; }
    std::size_t least_files() const;

    /// What is typed: the last word of the name.
    std::string word() const { return name.substr(name.rfind(' ') + 1); }

    /// A call as it would be typed.
    std::string example_call() const;
};

/// All commands, in the order in which help lists them.
const std::vector<Command>& commands();

/// By word, alias or shorthand; nullptr where there is none.
const Command* find_command(std::string_view word, const std::vector<Command>& among = commands());

/// The flags that `word` stands for beside the command; none where it is a plain name of it.
std::vector<std::string> flags_in_word(const Command& command, std::string_view word);

/// The operations that a pipe may consist of, as commands whose places and flags are the operation's alone.
const std::vector<Command>& pipe_steps();

/// The same for a video, whose frames may also be joined with those around them.
const std::vector<Command>& video_steps();

/// The flag that `word` spells, "--name", "--name=value" or "-n"; nullptr where there is none.
const Flag* find_flag(const std::vector<Flag>& flags, std::string_view word);

/// Whether a word is a flag: "-0.5" and "-10,5" are numbers.
bool is_flag(std::string_view word);

/// Whether the value is the word after the flag.
bool takes_next_word(const Flag& flag);

/// The flag of `bench` that chooses a variant of the operation: "method", or "variant" where the first is a
/// parameter.
std::string variant_flag(const OpInfo& op);

/// The group of the flags for several files: no result depends on them.
inline constexpr const char* many_group = "Several files";

/// The group of the flags that every command takes.
inline constexpr const char* global_group = "Every command";

/// The flags that every command takes, and that may stand before it.
const std::vector<Flag>& global_flags();

} // namespace glproc::cli
