#include "cli/help/flag_text.hpp"

#include "glproc/op/field.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// Adds what `groups` does not have yet.
void add_shared(std::vector<FlagGroup>& groups, const std::vector<Flag>& flags) {
    for (const Flag& flag : flags) {
        if (flag.group.empty() || flag.hidden) {
            continue;
        }
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const FlagGroup& known) { return known.first == flag.group; });
        if (group == groups.end()) {
            group = groups.insert(group, {flag.group, {}});
        }
        const bool known = std::any_of(group->second.begin(), group->second.end(),
                                       [&](const Flag& other) { return other.info.name == flag.info.name; });
        if (!known) {
            group->second.push_back(flag);
        }
    }
}

/// A flag of operations that serves a task of its own; a name ending in * stands for all that begin so.
struct Task {
    std::string_view flag;
    std::string_view heading;
};

constexpr std::string_view first_heading = "Options";
constexpr std::string_view edges = "Edges, transparency and light";
constexpr std::string_view speed = "Method";

constexpr std::array<Task, 10> tasks{{{"border", edges},
                                      {"alpha", edges},
                                      {"linear", edges},
                                      {"floats", edges},
                                      {"nan", edges},
                                      {"map-*", "Map of the differences"},
                                      {"min-psnr", "Pass or fail"},
                                      {"min-ssim", "Pass or fail"},
                                      {"max-diff", "Pass or fail"},
                                      {"plot*", "Plot"}}};

std::string task_of(const Command& command, const Flag& flag) {
    if (!flag.task.empty() || command.op == nullptr) {
        return flag.task.empty() ? std::string(first_heading) : flag.task;
    }
    if (flag.info.name == variant_flag(*command.op) && !command.measures) {
        return std::string(speed);
    }
    const auto is_of = [&](const Task& task) {
        return task.flag.ends_with('*')
                   ? flag.info.name.starts_with(task.flag.substr(0, task.flag.size() - 1))
                   : flag.info.name == task.flag;
    };
    const auto found = std::find_if(tasks.begin(), tasks.end(), is_of);
    return std::string(found == tasks.end() ? first_heading : found->heading);
}

/// Moves those of a heading with a single flag to the first one.
void join_single(std::vector<FlagGroup>& groups, std::string_view heading) {
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const FlagGroup& group) { return group.first == heading; });
    if (found == groups.end() || found->second.size() > 1) {
        return;
    }
    const Flag flag = found->second.front();
    groups.erase(found);
    if (groups.empty() || groups.front().first != first_heading) {
        groups.insert(groups.begin(), {std::string(first_heading), {}});
    }
    groups.front().second.push_back(flag);
}

} // namespace

std::string sentence(std::string text) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text + ".";
}

std::string spelling(const Flag& flag) {
    if (!flag.takes_value()) {
        return fmt::format("--{}", flag.info.name);
    }
    return flag.implied.empty() ? fmt::format("--{} {}", flag.info.name, flag.info.value)
                                : fmt::format("--{}[={}]", flag.info.name, flag.info.value);
}

std::string spelling_with_letter(const Flag& flag) {
    return flag.letter == 0 ? spelling(flag) : fmt::format("-{}, {}", flag.letter, spelling(flag));
}

std::string range_text(const FieldInfo& info) {
    if (info.range.empty() || info.range == info.value || info.reads_picture || info.names_picture ||
        info.names_array) {
        return {};
    }
    if (info.range == print_limit({})) { // any number: nothing to say
        return info.unit;
    }
    return info.unit.empty() ? info.range : info.range + " " + info.unit;
}

std::string meaning(const Flag& flag) {
    std::string text = flag.info.help;
    if (const std::string range = range_text(flag.info); !range.empty()) {
        text += fmt::format(" ({})", range);
    }
    if (flag.info.required || !flag.info.default_value.empty()) {
        text += fmt::format(" [{}]", flag.info.required ? "required" : flag.info.default_value);
    }
    return text;
}

std::string usage_line(const Command& command) {
    std::string line = fmt::format("glproc {}", command.name);
    const auto is_needed = [&](const PlacedArgument& place) { // a field may stand bare, and be needed
        return place.required ||
               std::any_of(command.flags.begin(), command.flags.end(), [&](const Flag& flag) {
                   return flag.info.is_place && flag.info.required && flag.info.value == place.name;
               });
    };
    for (const PlacedArgument& place : command.places) {
        const std::string name = place.name + (place.many ? "..." : "");
        line += is_needed(place) ? " " + name : fmt::format(" [{}]", name);
    }
    for (const Flag& flag : command.flags) {
        line += flag.info.required && !flag.info.is_place ? fmt::format(" {}", spelling(flag)) : "";
    }
    return line + " [flags]";
}

std::string names_of(const Command& command) {
    std::string names = command.name;
    for (const std::string& alias : command.aliases) {
        names += ", " + alias;
    }
    return names;
}

std::vector<Flag> own_flags(const Command& command) {
    std::vector<Flag> own;
    std::copy_if(command.flags.begin(), command.flags.end(), std::back_inserter(own),
                 [](const Flag& flag) { return flag.group.empty() && !flag.hidden; });
    return own;
}

std::vector<FlagGroup> task_groups(const Command& command) {
    std::vector<FlagGroup> groups;
    for (const Flag& flag : own_flags(command)) {
        const std::string task = task_of(command, flag);
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const FlagGroup& known) { return known.first == task; });
        if (group == groups.end()) {
            group = groups.insert(groups.end(), {task, {}});
        }
        group->second.push_back(flag);
    }
    join_single(groups, edges);
    join_single(groups, speed);
    return groups;
}

std::vector<FlagGroup> shared_flags(const Command& command) {
    std::vector<FlagGroup> groups;
    add_shared(groups, command.flags);
    add_shared(groups, global_flags());
    return groups;
}

std::vector<FlagGroup> shared_flags_of_all() {
    std::vector<FlagGroup> groups;
    for (const Command& command : commands()) {
        add_shared(groups, command.flags);
    }
    add_shared(groups, global_flags());
    return groups;
}

} // namespace glproc::cli
