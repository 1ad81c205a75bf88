#include "cli/words/magick.hpp"

#include "cli/commands.hpp"
#include "cli/words/magick_files.hpp"
#include "cli/words/magick_flags.hpp"
#include "cli/words/magick_layers.hpp"
#include "cli/words/magick_resize.hpp"
#include "cli/words/magick_sizes.hpp"
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

/// "-resize", "+append": whether ImageMagick has such a flag. With + some are other ones.
const MagickFlag* flag_in(const std::string& word) {
    if (word.size() < 2 || (word[0] != '-' && word[0] != '+')) {
        return nullptr;
    }
    const MagickFlag* own = word[0] == '+' ? find_magick(word) : nullptr;
    return own != nullptr ? own : find_magick(std::string_view(word).substr(1));
}

/// A flag with its value, or a file.
struct MagickWord {
    const MagickFlag* flag = nullptr;
    bool is_plus = false;
    std::string text = {};
};

/// A call of ImageMagick, as far as it was read.
struct MagickCall {
    std::vector<std::string> operations = {};
    std::string settings = {}; ///< of the file that is written
    bool joins = false;        ///< the first operation makes one image of all
    bool is_mogrify = false;
    MagickState state = {};
};

/// Those that make one image of any number.
bool joins(const std::string& operation) {
    return operation.starts_with("append") || operation.starts_with("stack") ||
           operation.starts_with("merge");
}

/// Of operations whose result has a size that nobody knows before.
bool has_open_size(const std::string& operation) {
    return operation.starts_with("trim") || joins(operation);
}

/// Nothing where a word is a flag that is not known here, or lacks its value.
std::optional<std::vector<MagickWord>> words_in(const std::vector<std::string>& words) {
    std::vector<MagickWord> found;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "(" || words[i] == ")") { // of -composite, which counts what stands between its files
            continue;
        }
        const MagickFlag* flag = flag_in(words[i]);
        const auto count = static_cast<std::size_t>(flag == nullptr ? 0 : flag->values);
        if ((flag == nullptr && words[i].size() > 1 && words[i][0] == '-') || i + count >= words.size()) {
            return std::nullopt;
        }
        MagickWord word{flag, words[i][0] == '+', flag == nullptr ? words[i] : ""};
        for (std::size_t value = 0; value < count; ++value) {
            word.text += (value == 0 ? "" : " ") + words[++i];
        }
        found.push_back(std::move(word));
    }
    return found;
}

/// The files of the call: all that mogrify has are inputs.
void take_files(const std::vector<MagickWord>& words, MagickCall& call) {
    MagickState& state = call.state;
    MagickFile file;
    for (const MagickWord& word : words) {
        if (word.flag == nullptr) {
            state.part = file.part.empty() ? state.part : file.part;
            file = magick_file(word.text);
            state.inputs.push_back(file.path);
        }
        state.composes = state.composes || (word.flag != nullptr && word.flag->name == "composite");
    }
    if (state.inputs.size() > 1 && !call.is_mogrify) {
        state.output = file.path;
        state.target = file.format;
        state.inputs.pop_back();
    }
}

/// The form of the first file, and the format of the last.
void look_at_files(MagickState& state) {
    const std::string& last =
        state.output.empty() && !state.inputs.empty() ? state.inputs.back() : state.output;
    state.format = std::filesystem::path(last).extension().string();
    state.format.erase(0, 1);
    state.format = state.target.empty() || state.target == "png8" ? state.format : state.target;
    const std::filesystem::path first(state.inputs.empty() ? "" : state.inputs.front());
    std::error_code missing;
    if (!std::filesystem::is_regular_file(first, missing)) {
        return;
    }
    try {
        const Form form = inspect(first).form;
        state.size = PixelSize{form.width, form.height};
        state.has_alpha = form.channels == 2 || form.channels == 4;
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): the call itself will say it
    }
}

/// An operation on some channels is one of `levels` here, which has a flag for them.
std::optional<std::string> on_channels(const std::string& operation, const std::string& channels) {
    if (channels.empty() || operation.empty() || operation.starts_with("--") ||
        operation.starts_with("channels")) {
        return operation;
    }
    if (operation == "invert") {
        return fmt::format("levels --out-black 1 --out-white 0 --channels {}", channels);
    }
    const bool is_levels = operation.starts_with("levels ") && operation.find("--auto") == std::string::npos;
    return is_levels ? std::optional(fmt::format("{} --channels {}", operation, channels)) : std::nullopt;
}

/// The operation with what settings before it say of edges and light; nothing where it has no such flags.
std::optional<std::string> with_surroundings(const std::string& operation, const MagickState& state) {
    const auto begins = [&](std::initializer_list<std::string_view> names) {
        return operation.find(" then ") == std::string::npos &&
               std::any_of(names.begin(), names.end(),
                           [&](std::string_view name) { return operation.starts_with(name); });
    };
    if (operation.empty() || operation.starts_with("--")) {
        return operation;
    }
    if (state.is_linear && !begins({"resize ", "blur "})) {
        return std::nullopt;
    }
    const bool has_edges =
        !state.edges.empty() && begins({"blur ", "unsharp ", "convolve ", "median ", "box "});
    return fmt::format("{}{}{}", operation, state.is_linear ? " --linear" : "",
                       has_edges ? " --border " + state.edges : "");
}

/// The first flag that nothing here equals; null if all were read.
const MagickWord* read(const std::vector<MagickWord>& words, MagickCall& call) {
    MagickState& state = call.state;
    std::size_t before_second = 0; // operations that the first file alone has seen
    std::size_t files = 0;
    for (const MagickWord& word : words) {
        if (word.flag == nullptr) {
            before_second = ++files == 2 ? call.operations.size() : before_second;
            continue;
        }
        state.is_plus = word.is_plus;
        state.is_first = call.operations.empty();
        std::optional<std::string> text =
            word.flag->convert == nullptr ? std::nullopt : word.flag->convert(word.text, state);
        if (text && word.flag->name == "composite") { // operations on both files are none of a chain
            const bool can = (state.inputs.size() == 2 || state.inputs.size() == 3) &&
                             call.operations.size() == before_second;
            text = can ? blend_of(call.state.inputs[1], state) : std::nullopt;
        }
        if (text && !(text = on_channels(*text, state.channel))) {
            state.difference =
                fmt::format("-{} on some channels alone has no equal in glproc; see: glproc help channels",
                            word.flag->name);
        }
        if (text && !(text = with_surroundings(*text, state))) {
            state.difference = fmt::format("-{} in linear light has no equal in glproc", word.flag->name);
        }
        if (!text) {
            return &word;
        }
        if (text->find("--background transparent") != std::string::npos && !state.has_alpha) {
            *text = "convert --alpha add then " + *text;
        }
        state.has_alpha = state.has_alpha || text->starts_with("convert --alpha add");
        if (text->starts_with("--")) {
            call.settings += fmt::format(" {}", *text);
        } else if (!text->empty()) {
            call.joins = call.joins || (call.operations.empty() && joins(*text));
            call.operations.push_back(*text);
            if (has_open_size(*text)) {
                state.size.reset();
                state.covers.clear();
            }
        }
    }
    return nullptr;
}

/// "out_{channel}.png", a file for each channel.
std::string name_for_channels(const std::string& output) {
    const std::size_t number = output.find("%d");
    if (number != std::string::npos) {
        return output.substr(0, number) + "{channel}" + output.substr(number + 2);
    }
    const std::size_t dot = std::min(output.rfind('.'), output.size());
    return output.substr(0, dot) + "_{channel}" + output.substr(dot);
}

/// Several inputs keep their names, in a folder.
std::string folder_for(const MagickCall& call, std::string& settings) {
    const MagickState& state = call.state;
    const std::filesystem::path out(call.is_mogrify ? state.path + "/" : state.output);
    const bool is_same = std::all_of(state.inputs.begin(), state.inputs.end(), [&](const std::string& input) {
        return std::filesystem::path(input).extension() == out.extension();
    });
    if (!out.extension().empty() && !is_same) {
        settings += " --to " + out.extension().string().substr(1);
    }
    return call.is_mogrify ? (state.path.empty() ? "out/" : out.string())
                           : (out.parent_path() / out.stem()).string() + "/";
}

std::string call_of(MagickCall call) {
    std::vector<std::string> files;
    std::transform(call.state.inputs.begin(), call.state.inputs.end(), std::back_inserter(files), shell_word);
    const std::string in = files.empty() ? "in.png" : fmt::format("{}", fmt::join(files, " "));
    const std::string chain =
        call.operations.empty() ? "convert" : fmt::format("{}", fmt::join(call.operations, " then "));
    std::string out = call.state.output.empty() ? "out.png" : call.state.output;
    if (call.is_mogrify || (files.size() > 1 && !call.joins)) {
        if (call.state.path.empty()) {
            call.state.say(
                call.is_mogrify
                    ? "ImageMagick overwrites its files there; this leaves them as they are"
                    : "ImageMagick numbers the results there; here each keeps its name in a folder");
        }
        out = folder_for(call, call.settings);
    } else if (chain == "split") {
        out = name_for_channels(out);
    }
    call.settings += call.state.settings;
    const std::string remark = call.state.remark.empty() ? "" : call.state.remark + ": ";
    if (files.size() == 1 && takes_apart(call.state.inputs.front(), out)) {
        return fmt::format("ImageMagick numbers from 0 there, video from 1{}: glproc video {} {}{}",
                           call.settings.empty() ? "" : ", without" + call.settings, in, shell_word(out),
                           call.operations.empty() ? "" : " " + chain);
    }
    if (chain.find(" then ") != std::string::npos) {
        return remark + fmt::format("glproc pipe {} {} {}{}", in, shell_word(out), chain, call.settings);
    }
    const std::size_t end = std::min(chain.find(' '), chain.size());
    return remark + fmt::format("glproc {} {} {}{}{}", chain.substr(0, end), in, shell_word(out),
                                chain.substr(end), call.settings);
}

/// What the call is answered with before its flags are read, by its files alone.
std::optional<std::string> call_of_files(MagickCall& call, bool has_steps) {
    MagickState& state = call.state;
    if (state.target == "info" && !has_steps && !state.inputs.empty()) {
        return fmt::format("glproc info {}", shell_word(state.inputs.front()));
    }
    const std::optional<std::string> settings = call.is_mogrify ? "" : output_settings(state);
    if (!settings) {
        return state.difference;
    }
    call.settings += *settings;
    if (state.part.empty()) {
        return std::nullopt;
    }
    const bool is_crop = state.part.find('+') != std::string::npos;
    const std::optional<std::string> part =
        state.inputs.size() == 1 ? (is_crop ? crop_of(state.part, state) : resize_of(state.part, state))
                                 : std::nullopt;
    if (!part) {
        return fmt::format("[{}] of a file has no equal in glproc; see: glproc help crop", state.part);
    }
    call.operations.push_back(*part);
    return std::nullopt;
}

} // namespace

bool is_magick_flag(const std::string& word) {
    std::error_code missing;
    return flag_in(word) != nullptr && !std::filesystem::exists(word, missing);
}

std::optional<std::string> magick_call(const std::vector<std::string>& words) {
    // `convert`, or no command: those of mogrify and of `magick` name a file or a flag first.
    const bool has_command = !words.empty() && words.front().find_first_of("-./:") == std::string::npos;
    const std::string command = has_command ? words.front() : "";
    if (command == "composite") {
        const bool is_ours = std::any_of(words.begin(), words.end(),
                                         [](const std::string& word) { return word.starts_with("--"); });
        return is_ours
                   ? std::nullopt
                   : std::optional(
                         magick_call(composite_as_convert(words))
                             .value_or("ImageMagick's flag has no equal in glproc; see: glproc help blend"));
    }
    if (has_command && command != "convert" && command != "mogrify" && command != "magick") {
        return std::nullopt;
    }
    const std::optional<std::vector<MagickWord>> read_words =
        words_in({words.begin() + (has_command ? 1 : 0), words.end()});
    if (!read_words) {
        return std::nullopt;
    }
    MagickCall call;
    call.is_mogrify = command == "mogrify";
    take_files(*read_words, call);
    look_at_files(call.state);
    const bool has_steps = std::any_of(read_words->begin(), read_words->end(), [](const MagickWord& word) {
        return word.flag != nullptr && word.flag->name != "format";
    });
    if (std::optional<std::string> answer = call_of_files(call, has_steps)) {
        return answer;
    }
    if (const MagickWord* word = read(*read_words, call)) {
        const bool is_ours =
            command == "convert" &&
            find_flag(find_command(command)->flags, fmt::format("--{}", word->flag->name)) != nullptr;
        return !call.state.difference.empty() ? std::optional(call.state.difference)
               : is_ours                      ? std::nullopt
                                              : std::optional(no_equal(*word->flag, word->text));
    }
    if (call.state.composes) {
        call.state.inputs.resize(1);
    }
    if (call.state.is_linear) {
        return no_equal(*find_magick("colorspace"), "RGB");
    }
    if (const std::string why = why_not_one_file(call.state);
        !why.empty() && call.state.inputs.size() > 1 && !call.joins && !call.is_mogrify) {
        return why;
    }
    const bool splits = std::any_of(call.operations.begin(), call.operations.end(),
                                    [](const std::string& step) { return step == "split"; });
    const bool is_wrong = (call.joins && call.operations.size() > 1) ||
                          (splits && call.operations.size() > 1) ||
                          (!call.joins && std::any_of(call.operations.begin(), call.operations.end(), joins));
    return is_wrong ? std::optional<std::string>(
                          "no single command of glproc does all of this; see: glproc help pipe")
                    : call_of(std::move(call));
}

std::optional<std::string> magick_arguments(const std::string& operation, const std::string& value) {
    const bool is_geometry = value.find_first_of("x+%") != std::string::npos &&
                             value.find_first_not_of("0123456789.x+%!") == std::string::npos;
    const MagickFlag* flag = is_geometry ? find_magick(operation) : nullptr;
    if (flag == nullptr || flag->values != 1 || flag->convert == nullptr) {
        return std::nullopt;
    }
    MagickState alone;
    const std::optional<std::string> text = flag->convert(value, alone);
    return text && text->starts_with(operation + " ") && text->find(" then ") == std::string::npos
               ? std::optional(text->substr(operation.size() + 1))
               : std::nullopt;
}

} // namespace glproc::cli
