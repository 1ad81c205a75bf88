#include "cli/words/magick.hpp"

#include "cli/words/magick_flags.hpp"
#include "cli/words/own_files.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/inspect.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

/// "-resize", "+append": whether ImageMagick has such a flag.
const MagickFlag* flag_in(const std::string& word) {
    const bool is_flag = word.size() > 1 && (word[0] == '-' || word[0] == '+');
    return is_flag ? find_magick(std::string_view(word).substr(1)) : nullptr;
}

/// A call of ImageMagick, as far as it was read.
struct MagickCall {
    std::vector<std::string> files = {};
    std::vector<std::string> operations = {};
    std::string settings = {}; ///< of the file that is written
    MagickState state = {};
};

/// How many files the first operation reads: blend has a second one, and some join any number.
bool joins(const std::string& operation) {
    return operation.starts_with("append") || operation.starts_with("stack");
}

/// Of operations whose result has a size that nobody knows before.
bool has_open_size(const std::string& operation) {
    return operation.starts_with("trim") || joins(operation);
}

/// The size of the first file, and the format of the last.
void look_at_files(const std::vector<std::string>& words, MagickState& state) {
    const auto is_file = [](const std::string& word) { return looks_like_file(word); };
    const auto first = std::find_if(words.begin(), words.end(), is_file);
    const auto last = std::find_if(words.rbegin(), words.rend(), is_file);
    if (first == words.end()) {
        return;
    }
    state.format = std::filesystem::path(*last).extension().string();
    state.format.erase(0, 1);
    std::error_code missing;
    if (!std::filesystem::is_regular_file(*first, missing)) {
        return;
    }
    try {
        const Form form = inspect(std::filesystem::path(*first)).form;
        state.size = PixelSize{form.width, form.height};
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): the call itself will say it
    }
}

/// Whether all words of a call are files, or flags that are known here.
bool read(const std::vector<std::string>& words, MagickCall& call) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const MagickFlag* flag = flag_in(words[i]);
        if (flag == nullptr) {
            if (words[i].size() > 1 && words[i][0] == '-') {
                return false;
            }
            call.files.push_back(words[i]);
            continue;
        }
        if (flag->takes_value && i + 1 == words.size()) {
            return false;
        }
        call.state.is_plus = words[i][0] == '+';
        const std::optional<std::string> text =
            flag->convert(flag->takes_value ? words[++i] : "", call.state);
        if (!text) {
            return false;
        }
        if (text->starts_with("--")) {
            call.settings += fmt::format(" {}", *text);
        } else if (!text->empty()) {
            call.operations.push_back(*text);
            if (has_open_size(*text)) {
                call.state.size.reset();
                call.state.covers.clear();
            }
        }
    }
    return true;
}

std::string call_of(MagickCall call) {
    std::vector<std::string> files;
    std::transform(call.files.begin(), call.files.end(), std::back_inserter(files), shell_word);
    const std::string out = files.size() < 2 ? "out.png" : files.back();
    files.resize(files.size() < 2 ? files.size() : files.size() - 1);
    const std::string in = files.empty() ? "in.png" : fmt::format("{}", fmt::join(files, " "));
    const std::string chain =
        call.operations.empty() ? "convert" : fmt::format("{}", fmt::join(call.operations, " then "));
    const std::string remark = call.state.remark.empty() ? "" : call.state.remark + ": ";
    if (chain.find(" then ") != std::string::npos) {
        return remark + fmt::format("glproc pipe {} {} {}{}", in, out, chain, call.settings);
    }
    const std::size_t end = std::min(chain.find(' '), chain.size());
    return remark + fmt::format("glproc {} {} {}{}{}", chain.substr(0, end), in, out, chain.substr(end),
                                call.settings);
}

} // namespace

bool is_magick_flag(const std::string& word) {
    std::error_code missing;
    return flag_in(word) != nullptr && !std::filesystem::exists(word, missing);
}

std::optional<std::string> magick_call(const std::vector<std::string>& words) {
    // `convert`, or no command: those of mogrify and of `magick` name a file or a flag first.
    const bool has_command = !words.empty() && words.front().find_first_of("-./") == std::string::npos;
    if (has_command && words.front() != "convert" && words.front() != "mogrify" &&
        words.front() != "magick") {
        return std::nullopt;
    }
    MagickCall call;
    look_at_files(words, call.state);
    if (!read({words.begin() + (has_command ? 1 : 0), words.end()}, call)) {
        return call.state.difference.empty() ? std::nullopt : std::optional(call.state.difference);
    }
    if (call.state.composes) { // the second file is laid on the first one
        if (call.files.size() != 3) {
            return std::nullopt;
        }
        const std::string place =
            call.state.gravity.empty() ? "" : fmt::format(" --gravity {}", call.state.gravity);
        call.operations.insert(call.operations.begin(),
                               fmt::format("blend --with {}{}", shell_word(call.files[1]), place));
        call.files.erase(call.files.begin() + 1);
    }
    const bool is_one = !call.operations.empty() && joins(call.operations.front());
    if ((call.files.size() > 2) != is_one || (is_one && call.operations.size() > 1)) {
        return std::nullopt; // several results, or one of several files and then more
    }
    return call_of(std::move(call));
}

std::optional<std::string> magick_arguments(const std::string& operation, const std::string& value) {
    const bool is_geometry = value.find_first_of("x+%") != std::string::npos &&
                             value.find_first_not_of("0123456789.x+%!") == std::string::npos;
    const MagickFlag* flag = is_geometry ? find_magick(operation) : nullptr;
    if (flag == nullptr || !flag->takes_value) {
        return std::nullopt;
    }
    MagickState alone;
    const std::optional<std::string> text = flag->convert(value, alone);
    return text && text->starts_with(operation + " ") && text->find(" then ") == std::string::npos
               ? std::optional(text->substr(operation.size() + 1))
               : std::nullopt;
}

} // namespace glproc::cli
