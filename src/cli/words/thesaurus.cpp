#include "cli/words/thesaurus.hpp"

#include "cli/arguments.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace glproc::cli {

const std::vector<FlagSynonym>& flag_synonyms() {
    static const std::vector<FlagSynonym> all{
        {"threads", "jobs"},
        {"workers", "jobs"},
        {"interpolation", "filter"},
        {"kernel", "filter"},
        {"bits", "depth"},
        {"bit-depth", "depth"},
        {"grayscale", "gray"},
        {"greyscale", "gray"},
        {"format", "to"},
        {"recurse", "recursive"},
        {"silent", "quiet"},
        {"degrees", "angle"},
        {"std", "sigma"},
        {"stddev", "sigma"},
        {"strip-metadata", "strip"},
        {"no-metadata", "strip"},
        {"nbins", "bins"},
        {"sampling-factor", "subsampling"},
        {"interlace", "progressive"},
        {"no-overwrite", "no-clobber"},
        {"overwrite", "force"},
        {"yes", "force"},
        {"stop-on-error", "fail-fast"},
        {"verbosity", "verbose"},
    };
    return all;
}

WordKind kind_of(std::string_view word) {
    return word.find("--") != std::string_view::npos        ? WordKind::flag
           : word.starts_with('-') || word.starts_with('+') ? WordKind::magick_flag
                                                            : WordKind::command;
}

namespace {

/// Those of operations, and those of other commands.
std::vector<ForeignWord> words_of(WordKind kind) {
    std::vector<ForeignWord> all;
    for (const OpInfo* op : operations()) {
        for (const auto& [word, arguments] : op->found_by) {
            all.push_back(
                {word, arguments.empty() ? "help " + op->name : fmt::format("{} {}", op->name, arguments)});
        }
    }
    all.insert(all.end(), {{"separate", "split IN out_{channel}.png"},
                           {"benchmark", "bench blur --sigma 2"},
                           {"devices", "info"},
                           {"chain", "pipe IN OUT blur --sigma 2 then resize 50%"},
                           {"header", "info IN"},
                           {"info --format", "info IN --json"}});
    std::erase_if(all, [&](const ForeignWord& one) { return kind_of(one.word) != kind; });
    return all;
}

} // namespace

const std::vector<ForeignWord>& foreign_commands() {
    static const std::vector<ForeignWord> all = words_of(WordKind::command);
    return all;
}

const std::vector<ForeignWord>& foreign_flags() {
    static const std::vector<ForeignWord> all = words_of(WordKind::flag);
    return all;
}

std::string known_words() {
    std::string text;
    for (const FlagSynonym& synonym : flag_synonyms()) {
        text += fmt::format("--{}\t--{}\n", synonym.said, synonym.meant);
    }
    for (const auto* words : {&foreign_commands(), &foreign_flags()}) {
        for (const ForeignWord& word : *words) {
            text += fmt::format("{}\t{}\n", word.word, call_with(word.call, {}));
        }
    }
    return text;
}

namespace {

/// What stands for a place of a call, with the files of the user's own call. OTHER is the second file, but
/// never the one that is written.
std::string files_for(std::string_view place, const std::vector<std::string>& files, bool has_output) {
    const auto file = [&](std::size_t i, const char* otherwise) {
        return i < files.size() ? shell_word(files[i]) : otherwise;
    };
    const bool has_folder = has_output && files.size() > 2 && names_folder(files.back());
    if (place == "IN" && !has_folder) {
        return file(0, "in.png");
    }
    if (place == "OTHER") {
        return has_output && files.size() == 2 ? "other.png" : file(1, "other.png");
    }
    if (place == "OUT") {
        return files.size() > 1 ? shell_word(files.back()) : "out.png";
    }
    std::string inputs = file(0, "a.png b.png");
    for (std::size_t i = 1; i + 1 < files.size(); ++i) {
        inputs += " " + shell_word(files[i]);
    }
    return inputs;
}

} // namespace

namespace {

/// "800x" of "{640}x" and 800; of a value that is no size, "640x".
std::string word_with(std::string_view word, std::string_view value) {
    const std::size_t open = word.find('{');
    const std::size_t close = word.find('}');
    const bool has_size =
        close != std::string_view::npos && std::isdigit(static_cast<unsigned char>(word[open + 1])) != 0;
    if (!has_size) { // "out_{channel}.png"
        return std::string(word);
    }
    const bool is_number = word.find('x') == std::string_view::npos; // and no size
    std::size_t end =
        std::min(value.find_first_not_of(is_number ? "0123456789." : "0123456789x"), value.size());
    const bool is_percent = word.ends_with('}') && end > 0 && value.substr(end) == "%";
    end += is_percent ? 1 : 0;
    const bool is_size =
        end > 0 && value.substr(0, end) != "x" &&
        (end == value.size() || std::string_view("+!^<>").find(value[end]) != std::string_view::npos);
    return fmt::format("{}{}{}", word.substr(0, open),
                       is_size ? value.substr(0, end) : word.substr(open + 1, close - open - 1),
                       word.substr(close + 1));
}

} // namespace

std::string call_with(std::string_view call, const std::vector<std::string>& files, std::string_view value) {
    std::string text = "glproc";
    const bool has_output = call.find(" OUT") != std::string_view::npos;
    while (!call.empty()) {
        const std::string_view word = call.substr(0, call.find(' '));
        call.remove_prefix(std::min(word.size() + 1, call.size()));
        const bool is_place = word == "IN" || word == "INS" || word == "OTHER" || word == "OUT";
        text += fmt::format(" {}", is_place ? files_for(word, files, has_output) : word_with(word, value));
    }
    return text;
}

const Flag* find_any_flag(const std::vector<Flag>& flags, std::string_view word) {
    if (const Flag* flag = find_flag(flags, word)) {
        return flag;
    }
    const std::size_t end = std::min(word.find('='), word.size());
    for (const FlagSynonym& synonym : flag_synonyms()) {
        if (word.starts_with("--") && word.substr(2, end - 2) == synonym.said) {
            return find_flag(flags, fmt::format("--{}", synonym.meant));
        }
    }
    return nullptr;
}

} // namespace glproc::cli
