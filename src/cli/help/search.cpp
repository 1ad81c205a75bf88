#include "cli/help/search.hpp"

#include "cli/help/describe.hpp"
#include "cli/help/flag_text.hpp"
#include "cli/help/text_table.hpp"
#include "cli/help/topics.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/words/thesaurus.hpp"
#include "cli/words/unknown.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

using Words = std::vector<std::string>;

constexpr std::size_t most_shown = 12;

/// In lower case, cut at all that is neither a letter, a digit nor within "16:9" and "c++".
Words words_in(std::string_view text) {
    Words words(1);
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || byte > 127 || c == ':' || c == '+') {
            words.back() += static_cast<char>(std::tolower(byte));
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    for (std::string& word : words) {
        word.erase(word.find_last_not_of(':') + 1);
    }
    std::erase(words, "");
    return words;
}

bool is_filler(const std::string& word) {
    constexpr std::array<std::string_view, 38> fillers{
        "how",  "do",    "does", "i",    "to",    "a",      "an",      "the",   "my",       "is",
        "are",  "in",    "of",   "on",   "it",    "for",    "with",    "and",   "or",       "why",
        "what", "which", "can",  "make", "image", "images", "picture", "photo", "pictures", "photos",
        "file", "files", "get",  "use",  "run",   "than",   "glproc",  "be"};
    return std::find(fillers.begin(), fillers.end(), word) != fillers.end();
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

/// "sharpening", "sharpened" and "sharpens" begin as "sharpen" does, "cropping" as "crop", "sums" as "sum"
/// and "distortion" as "distort"; "colour", "grey" and "equalize" are "color", "gray" and "equalise".
std::string stem(std::string word) {
    replace_all(word, "our", "or");
    replace_all(word, "grey", "gray");
    replace_all(word, "iz", "is");
    replace_all(word, "centre", "center");
    for (const std::string_view ending :
         {"ening", "ings", "ing", "ers", "er", "ed", "ions", "ion", "es", "s", "e"}) {
        const bool is_plural = ending == "s" && !word.ends_with("ss");
        if (word.ends_with(ending) && word.size() >= ending.size() + (is_plural ? 3 : 4)) {
            word.erase(word.size() - ending.size());
            const bool is_doubled = word.size() > 3 && word.back() == word[word.size() - 2];
            if (is_doubled && std::string_view("bdgmnprt").find(word.back()) != std::string_view::npos) {
                word.pop_back();
            }
            return word;
        }
    }
    return word;
}

/// Something that can be found.
struct Entry {
    std::string where;
    std::string text;  ///< what is shown
    Words names;       ///< words that stand for it
    Words body;        ///< words that occur in it
    int weight = 0;    ///< among those that match alike
    Words owners = {}; ///< of a flag: the commands that have it, of which `where` names the first
};

int match(const std::string& word, const Words& among, int whole, int part) {
    const std::string begin = stem(word);
    int best = 0;
    for (const std::string& other : among) {
        const std::string known = stem(other);
        const bool is_like = known == begin || (begin.size() > 3 && other.starts_with(begin)) ||
                             (known.size() > 5 && begin.starts_with(known)); // "equalisation"
        best = std::max(best, other == word ? whole : is_like ? part : 0);
    }
    return best;
}

int score_of(const Entry& entry, const std::string& word) {
    const int by_name = match(word, entry.names, 100, 70);
    return by_name > 0 ? by_name : match(word, entry.body, 30, 20);
}

void add_command(std::vector<Entry>& all, const Command& command) {
    Entry entry{.where = "glproc " + command.name,
                .text = sentence(command.summary),
                .names = words_in(command.name),
                .body = words_in(command.summary),
                .weight = 9};
    for (const std::string& alias : command.aliases) {
        entry.names.push_back(alias);
    }
    for (const Shorthand& shorthand : command.shorthands) {
        entry.names.push_back(shorthand.word);
    }
    all.push_back(std::move(entry));
}

Entry entry_of(const Flag& flag) {
    Entry entry{.where = {},
                .text = sentence(flag.info.help),
                .names = words_in(flag.info.name),
                .body = words_in(flag.info.help)};
    entry.names.push_back(flag.info.name);
    if (!flag.info.alias.empty()) {
        entry.names.push_back(flag.info.alias);
    }
    for (const Choice& choice : flag.info.choices) {
        entry.names.push_back(choice.name);
        const Words when = words_in(choice.when);
        entry.body.insert(entry.body.end(), when.begin(), when.end());
    }
    return entry;
}

/// A flag that several commands explain alike is one entry.
void add_flags(std::vector<Entry>& all) {
    std::vector<std::pair<Flag, Words>> known;
    for (const Command& command : commands()) {
        for (const Flag& flag : own_flags(command)) {
            const auto same = std::find_if(known.begin(), known.end(), [&](const auto& other) {
                return other.first.info.name == flag.info.name && other.first.info.help == flag.info.help;
            });
            if (same == known.end()) {
                known.push_back({flag, {command.name}});
            } else {
                same->second.push_back(command.name);
            }
        }
    }
    for (const auto& [flag, owners] : known) {
        Entry entry = entry_of(flag);
        entry.where = fmt::format("glproc {} --{}", owners.front(), flag.info.name);
        entry.body.insert(entry.body.end(), owners.begin(), owners.end());
        entry.owners = owners;
        if (owners.size() > 1) {
            entry.text += fmt::format(" For {}.", fmt::join(owners, ", "));
        }
        all.push_back(std::move(entry));
    }
    for (const auto& [group, flags] : shared_flags_of_all()) {
        for (const Flag& flag : flags) {
            Entry entry = entry_of(flag);
            entry.where = fmt::format("--{} (glproc help flags)", flag.info.name);
            all.push_back(std::move(entry));
        }
    }
}

void add_words(std::vector<Entry>& all) {
    for (const ForeignWord& word : foreign_commands()) {
        const std::string call = call_with(word.call, {});
        all.push_back({.where = call,
                       .text = fmt::format("What other tools call '{}'.", word.word),
                       .names = {std::string(word.word)},
                       .body = {},
                       .weight = 8});
    }
    for (const FlagSynonym& synonym : flag_synonyms()) {
        all.push_back({.where = fmt::format("--{}", synonym.meant),
                       .text = fmt::format("Another name: --{}.", synonym.said),
                       .names = {std::string(synonym.said)},
                       .body = {}});
    }
}

void add_topics(std::vector<Entry>& all) {
    for (const Topic& topic : topics()) {
        all.push_back({.where = std::string(topic.where),
                       .text = sentence(std::string(topic.answer)),
                       .names = words_in(topic.words),
                       .body = words_in(topic.answer),
                       .weight = 10});
    }
    for (const Fact& variable : environment_variables) {
        all.push_back({.where = std::string(variable.name),
                       .text = sentence(std::string(variable.meaning)),
                       .names = {words_in(variable.name).back()},
                       .body = words_in(variable.meaning)});
    }
    for (const Fact& status : exit_statuses) {
        all.push_back({.where = fmt::format("exit status {}", status.name),
                       .text = sentence(std::string(status.meaning)),
                       .names = {},
                       .body = words_in(status.meaning)});
    }
}

std::vector<Entry> entries() {
    std::vector<Entry> all;
    for (const Command& command : commands()) {
        add_command(all, command);
    }
    add_topics(all);
    add_words(all);
    add_flags(all);
    return all;
}

/// The words that matter; all of them where none does.
Words asked(const Words& typed) {
    const Words all = words_in(fmt::format("{}", fmt::join(typed, " ")));
    Words words;
    std::copy_if(all.begin(), all.end(), std::back_inserter(words),
                 [](const std::string& word) { return !is_filler(word); });
    return words.empty() ? all : words;
}

/// Where the entry is found: with the command that was asked for, if it is one of several.
std::string place_of(const Entry& entry, const Words& words) {
    const auto asked_for =
        std::find_if(entry.owners.begin(), entry.owners.end(), [&](const std::string& owner) {
            return std::find(words.begin(), words.end(), owner) != words.end();
        });
    return asked_for == entry.owners.end()
               ? entry.where
               : fmt::format("glproc {}{}", *asked_for, entry.where.substr(entry.where.find(" --")));
}

std::vector<Finding> matching(const std::vector<Entry>& among, const Words& words, bool needs_all) {
    std::vector<Finding> found;
    for (const Entry& entry : among) {
        int score = 0;
        std::size_t matched = 0;
        for (const std::string& word : words) {
            const int one = score_of(entry, word);
            score += one;
            matched += one > 0 ? 1 : 0;
        }
        if (matched > 0 && (!needs_all || matched == words.size())) {
            found.push_back({place_of(entry, words), entry.text, score + entry.weight});
        }
    }
    return found;
}

void keep_first_of_each_place(std::vector<Finding>& found) {
    std::set<std::string> known;
    std::erase_if(found, [&](const Finding& one) { return !known.insert(one.where).second; });
}

} // namespace

std::vector<Finding> search(const std::vector<std::string>& typed) {
    const std::vector<Entry> all = entries();
    const Words words = asked(typed);
    std::vector<Finding> found = matching(all, words, true);
    if (found.empty()) {
        found = matching(all, words, false);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Finding& a, const Finding& b) { return a.score > b.score; });
    keep_first_of_each_place(found);
    return found;
}

std::string videos_text(const std::string& word, int columns) {
    std::string text;
    for (const Topic& topic : topics()) {
        const Words words = words_in(topic.words);
        if (topic.where.starts_with("glproc video --") &&
            std::find(words.begin(), words.end(), word) != words.end()) {
            const std::string line = fmt::format("For videos: {}: {}", topic.where, topic.answer);
            text += wrapped(line, static_cast<std::size_t>(columns), 2) + "\n";
        }
    }
    return text.empty() ? text : "\n" + text;
}

std::string search_text(const std::vector<std::string>& typed, int columns) {
    const std::string query = printable_name(fmt::format("{}", fmt::join(typed, " ")));
    const std::vector<Finding> found = search(typed);
    if (found.empty()) {
        const std::string nearest = suggestion(typed.front(), "", words_of(commands()));
        throw Error(ErrorCode::usage,
                    fmt::format("nothing about '{}' in commands, flags and pages{}", query, nearest),
                    nearest.empty() ? "glproc help lists the commands" : "");
    }
    const auto width = static_cast<std::size_t>(columns);
    std::string text = fmt::format("Found for '{}', best first:\n\n", query);
    for (std::size_t i = 0; i < std::min(found.size(), most_shown); ++i) {
        text += fmt::format("  {}\n      {}\n", wrapped_call(found[i].where, width - 2, 6),
                            wrapped(found[i].text, width, 6));
    }
    if (found.size() > most_shown) {
        text += fmt::format("\n{} more; another word narrows the search.\n", found.size() - most_shown);
    }
    return text;
}

} // namespace glproc::cli
