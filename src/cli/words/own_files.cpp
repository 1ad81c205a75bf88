#include "cli/words/own_files.hpp"

#include "cli/arguments.hpp"
#include "cli/files/video_command.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/words/magick_files.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/op/op.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

/// The files of examples that a user's own may stand for: a call of videos is no place for images, and the
/// other way round.
bool is_example_input(std::string_view word, bool of_videos) {
    return of_videos ? word == "in.mp4" : word == "in.png" || word == "in.jpg";
}
bool is_example_output(std::string_view word, bool of_videos) {
    return word == (of_videos ? "out.mp4" : "out.png");
}

bool is_video(const std::string& file) {
    return find_video_container(file.substr(std::min(file.rfind('.'), file.size() - 1) + 1)) != nullptr;
}

using Files = std::vector<std::string>::const_iterator;

bool is_among(Files begin, Files end, std::string_view word) {
    return std::find(begin, end, word) != end;
}

} // namespace

bool looks_like_file(const std::string& word) {
    const std::string path = word.substr(0, word.find('#'));
    const std::size_t dot = path.rfind('.');
    const bool has_extension = dot != std::string::npos && dot + 1 < path.size() &&
                               std::isalpha(static_cast<unsigned char>(path[dot + 1])) != 0 &&
                               path.find_first_of("=,") == std::string::npos;
    std::error_code missing;
    return (has_extension && !word.starts_with("cv2.")) || path.ends_with('/') ||
           std::filesystem::exists(path, missing);
}

std::vector<std::string> files_of(const std::string& word) {
    std::error_code missing;
    std::istringstream stream(word);
    std::vector<std::string> parts{std::istream_iterator<std::string>(stream), {}};
    const bool is_list = parts.size() > 1 && !std::filesystem::exists(word, missing) &&
                         std::all_of(parts.begin(), parts.end(), looks_like_file);
    return is_list ? parts : std::vector<std::string>{magick_file(word).path};
}

std::vector<std::string> files_in(const std::vector<std::string>& words) {
    const std::size_t at = find_command_word(words);
    const Command* command = at < words.size() ? find_command(words[at]) : nullptr;
    std::vector<std::string> files;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const bool has_all =
            files.size() >= 2; // IN and OUT; after them a flag that nobody knows may take a file
        if (command != nullptr && command->takes_steps && i != at && find_operation(word) != nullptr) {
            break; // what follows is of its operations
        }
        const Flag* flag = command == nullptr ? nullptr : find_any_flag(command->flags, word);
        flag = flag == nullptr ? find_any_flag(global_flags(), word) : flag;
        const bool takes_next = flag == nullptr ? word.starts_with("--") && has_all : takes_next_word(*flag);
        if (takes_next && word.find('=') == std::string::npos) {
            ++i;
        } else if ((i != at || command == nullptr) && !word.starts_with('-') && looks_like_file(word)) {
            std::ranges::move(files_of(word), std::back_inserter(files));
        }
    }
    if (command != nullptr && !command->has_output() && !command->is_step && files.size() > 1) {
        files.emplace_back("out.png"); // all of them are inputs, none of which must become OUT
    }
    return files;
}

namespace {

/// The files of a call, for an example with IN, OUT and perhaps a second picture.
struct ExampleFiles {
    std::vector<std::string> places; ///< as a shell takes them
    std::string second;
};

std::vector<std::string> quoted(const std::vector<std::string>& files) {
    std::vector<std::string> words;
    std::ranges::transform(files, std::back_inserter(words), shell_word);
    return words;
}

/// Without numbers, which are no files: "scan 1,2,3", "blur 2 IN OUT".
std::vector<std::string> without_numbers(std::vector<std::string> places) {
    std::erase_if(places, [](const std::string& place) {
        return !place.empty() && std::isdigit(static_cast<unsigned char>(place.front())) != 0 && !looks_like_file(place);
    });
    return places;
}

/// Of IN OUT SECOND, IN SECOND OUT, IN OUT and a word that is no picture, or IN... FOLDER. Pictures that exist may all be inputs:
/// none of them becomes OUT.
ExampleFiles example_files(const std::vector<std::string>& places) {
    if (places.size() < 3) {
        return {quoted(places), {}};
    }
    const std::string& last = places.back();
    const std::string& next = places[1];
    const std::string extension = std::filesystem::path(last).extension();
    const std::vector<std::string> others(places.begin(), places.end() - 1);
    std::error_code missing;
    if (names_folder(last)) {
        return {{fmt::format("{}", fmt::join(quoted(others), " ")), shell_word(last)}, {}};
    }
    if (extension.empty() || !format_of(std::string_view(extension).substr(1))) {
        return {example_files(others).places, extension.empty() ? "" : last};
    }
    if (!std::filesystem::exists(last, missing)) {
        return {quoted({places.front(), last}), next};
    }
    return std::filesystem::exists(next, missing) ? ExampleFiles{quoted({places.front(), "result" + extension}), next}
                                                  : ExampleFiles{quoted({places.front(), next}), last};
}

/// Whether a file of the user's own may stand behind this flag, for that of the example.
bool is_second_file(const std::string& own, const std::string& flag, const std::string& example) {
    const auto extension = [](const std::string& file) { return std::filesystem::path(file).extension(); };
    return !own.empty() && (flag == "--with" || extension(own) == extension(example)); // "--cube look.cube"
}

} // namespace

std::string example_with_files(const Arguments& arguments) {
    const Command& command = *arguments.command;
    const bool has_files = !command.places.empty() && command.places.front().name == "IN" &&
                           command.op != nullptr && !command.op->joins && !command.takes_steps &&
                           !command.is_step;
    std::string call = "glproc " + command.name;
    std::istringstream words(command.example);
    const std::vector<std::string> places = without_numbers(arguments.places);
    auto [files, second] = has_files ? example_files(places) : ExampleFiles{quoted(places), {}};
    if (command.name == "blend" && !second.empty() && second == places[1]) {
        files[0] = shell_word(std::exchange(second, places[0])); // as ImageMagick's composite: the image on top is the first
    }
    bool is_file = has_files;
    std::string before;
    std::size_t at = 0;
    for (std::string word; words >> word;) {
        is_file = is_file && !is_flag(word) && at < command.places.size() &&
                  (command.places[at].name == "IN" || command.places[at].name == "OUT");
        const bool is_second = is_flag(before) && is_second_file(second, before, word);
        call += " " + (is_second ? shell_word(second) : is_file && at < files.size() ? files[at] : word);
        before = word;
        ++at;
    }
    return call;
}

std::string with_own_files(const std::string& hint, const std::vector<std::string>& files) {
    if (files.empty()) {
        return hint;
    }
    const bool of_videos =
        is_video(files.front()) || (hint.starts_with("glproc video ") && is_animation(files.front()));
    std::string text;
    bool in_example = false; // the word before is the first of the two files of an example
    for (std::size_t at = 0; at < hint.size();) {
        const std::size_t end = std::min(hint.find_first_of(" \n;,", at), hint.size());
        const std::string word = hint.substr(at, end - at);
        const std::string next =
            hint.substr(std::min(end + 1, hint.size()), hint.find_first_of(" \n;,", end + 1) - (end + 1));
        // A file of the user's own may have such a name, but hardly both.
        const bool begins_example = is_example_input(word, of_videos) && is_example_output(next, of_videos);
        const bool is_input = is_example_input(word, of_videos) &&
                              (begins_example || !is_among(files.begin() + 1, files.end(), word));
        const bool is_output = files.size() > 1 && is_example_output(word, of_videos) &&
                               (in_example || !is_among(files.begin(), files.end() - 1, word));
        text += is_input ? shell_word(files.front()) : is_output ? shell_word(files.back()) : word;
        text += end < hint.size() ? hint.substr(end, 1) : "";
        in_example = begins_example;
        at = end + 1;
    }
    return text;
}

} // namespace glproc::cli
