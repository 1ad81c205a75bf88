#include "cli/help/flag_text.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

/// Adds what `groups` does not have yet.
void add_shared(std::vector<FlagGroup>& groups, const std::vector<Flag>& flags) {
    for (const Flag& flag : flags) {
        if (flag.group.empty()) {
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
    if (info.range.empty() || info.range == info.value) {
        return {};
    }
    return info.unit.empty() ? info.range : info.range + " " + info.unit;
}

std::string meaning(const Flag& flag) {
    std::vector<std::string> facts;
    if (const std::string range = range_text(flag.info); !range.empty()) {
        facts.push_back(range);
    }
    if (flag.info.required) {
        facts.emplace_back("required");
    }
    if (!flag.info.default_value.empty()) {
        facts.push_back("default " + flag.info.default_value);
    }
    if (!flag.info.alias.empty()) {
        facts.push_back("also --" + flag.info.alias);
    }
    return facts.empty() ? flag.info.help : fmt::format("{} ({})", flag.info.help, fmt::join(facts, "; "));
}

std::string usage_line(const Command& command) {
    std::string line = fmt::format("glproc {}", command.name);
    const auto is_needed = [&](const Place& place) { // a field may stand bare, and be needed
        return place.required ||
               std::any_of(command.flags.begin(), command.flags.end(), [&](const Flag& flag) {
                   return flag.info.is_place && flag.info.required && flag.info.value == place.name;
               });
    };
    for (const Place& place : command.places) {
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
                 [](const Flag& flag) { return flag.group.empty(); });
    return own;
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
