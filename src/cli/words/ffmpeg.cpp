#include "cli/words/ffmpeg.hpp"

#include "cli/files/video_command.hpp"
#include "cli/words/magick_files.hpp"
#include "cli/words/magick_names.hpp"
#include "cli/words/thesaurus.hpp"

#include <array>
#include <filesystem>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

/// Those whose options are numbers, which stand behind these words, and those that have none.
constexpr std::array<MagickName, 10> filters{{{"hflip", "flip --axis x"},
                                              {"vflip", "flip --axis y"},
                                              {"negate", "invert"},
                                              {"format=gray", "gray --luma rec601"},
                                              {"hue=s=0", "gray --luma rec601"},
                                              {"transpose=1", "rotate --angle 90"},
                                              {"transpose=clock", "rotate --angle 90"},
                                              {"transpose=2", "rotate --angle 270"},
                                              {"gblur=sigma=", "blur --sigma "},
                                              {"eq=brightness=", "adjust --brightness="}}};

std::vector<std::string> split_at(const std::string& text, char mark) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, mark);) {
        parts.push_back(part);
    }
    return parts;
}

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789.-") == std::string::npos;
}

/// "320:-1": what is negative follows from the other side.
Text scale_to(const std::vector<std::string>& sides) {
    if (sides.size() != 2 || !is_number(sides[0]) || !is_number(sides[1])) {
        return std::nullopt;
    }
    const auto side = [](const std::string& text) { return text.starts_with('-') ? "" : text; };
    return fmt::format("resize {}x{}", side(sides[0]), side(sides[1]));
}

Text filter_call(const std::string& filter) {
    if (filter.starts_with("scale=")) {
        return scale_to(split_at(filter.substr(6), ':'));
    }
    if (filter.starts_with("crop=")) {
        const std::vector<std::string> n = split_at(filter.substr(5), ':');
        for (const std::string& part : n) {
            if (!is_number(part)) {
                return std::nullopt;
            }
        }
        return n.size() == 4   ? Text(fmt::format("crop {}x{}+{}+{}", n[0], n[1], n[2], n[3]))
               : n.size() == 2 ? Text(fmt::format("crop {}x{}", n[0], n[1]))
                               : std::nullopt;
    }
    const std::size_t value = filter.rfind('=') + 1;
    const std::string_view call = named(filters, filter);
    const std::string_view with_value = named(filters, filter.substr(0, value));
    return !call.empty() ? Text(call)
           : !with_value.empty() && is_number(filter.substr(value))
               ? Text(fmt::format("{}{}", with_value, filter.substr(value)))
               : std::nullopt;
}

/// Never the input, which ffmpeg refuses to overwrite while it reads it.
std::string other_name(const std::string& in, const std::string& out) {
    const std::filesystem::path path(out);
    return in == out ? (path.parent_path() / path.stem()).string() + "-2" + path.extension().string() : out;
}

std::string call_with_steps(const std::string& in, const std::string& named_out,
                            const std::vector<std::string>& steps) {
    const std::string out = other_name(in, named_out);
    const std::string extension = std::filesystem::path(in).extension().string();
    const bool is_video = is_numbered(in) || takes_apart(in, out) ||
                         (!extension.empty() && find_video_container(extension.substr(1)) != nullptr);
    const std::string files = shell_word(in) + " " + shell_word(out);
    if (is_video || steps.size() > 1) {
        return fmt::format("glproc {} {}{}{}", is_video ? "video" : "pipe", files, steps.empty() ? "" : " ",
                           fmt::join(steps, " then "));
    }
    const std::string step = steps.empty() ? "convert" : steps.front();
    const std::size_t end = std::min(step.find(' '), step.size());
    return fmt::format("glproc {} {}{}", step.substr(0, end), files, step.substr(end));
}

} // namespace

Text ffmpeg_call(const std::vector<std::string>& words) {
    std::vector<std::string> files;
    std::vector<std::string> steps;
    bool has_own = false; // a flag that only ffmpeg writes so
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool has_value = i + 1 < words.size();
        if (words[i] == "-i" || words[i] == "-y") {
            has_own = true;
        } else if ((words[i] == "-vf" || words[i] == "-filter:v") && has_value) {
            for (const std::string& filter : split_at(words[++i], ',')) {
                const Text step = filter_call(filter);
                if (!step) {
                    return std::nullopt;
                }
                steps.push_back(*step);
            }
            has_own = true;
        } else if (words[i] == "-s" && has_value) {
            steps.push_back("resize " + words[++i]);
            has_own = true;
        } else if (words[i].size() > 1 && words[i][0] == '-') {
            return std::nullopt;
        } else {
            files.push_back(words[i]);
        }
    }
    return has_own && files.size() == 2 ? Text(call_with_steps(files[0], files[1], steps)) : std::nullopt;
}

} // namespace glproc::cli
