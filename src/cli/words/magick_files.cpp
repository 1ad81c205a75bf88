#include "cli/words/magick_files.hpp"

#include "cli/files/video_command.hpp"
#include "cli/words/magick_names.hpp"
#include "glproc/base/number.hpp"
#include "glproc/files/codec.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

bool is_there(const std::string& path) {
    std::error_code missing;
    return std::filesystem::exists(path, missing);
}

std::string extension_of(const std::string& path) {
    const std::string extension = lower(std::filesystem::path(path).extension().string());
    return extension.substr(std::min<std::size_t>(1, extension.size()));
}

constexpr std::array<std::string_view, 9> only_there{"pdf",  "png8", "png24", "png32", "histogram",
                                                     "info", "show", "null",  "miff"};

/// "png8:", and no name that holds a colon.
std::size_t prefix_of(const std::string& word) {
    const std::size_t colon = word.find(':');
    const std::string format = lower(word.substr(0, std::min(colon, word.size())));
    const bool is_known = format_of(format).has_value() ||
                          std::find(only_there.begin(), only_there.end(), format) != only_there.end();
    return colon != std::string::npos && is_known && !is_there(word) ? colon + 1 : 0;
}

/// "pdf" as it is written in a sentence.
std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

} // namespace

MagickFile magick_file(const std::string& word) {
    const std::size_t start = prefix_of(word);
    MagickFile file{.path = word.substr(start), .format = lower(word.substr(0, start == 0 ? 0 : start - 1))};
    const std::size_t open = file.path.rfind('[');
    if (is_there(file.path) || open == std::string::npos || open == 0 || !file.path.ends_with(']')) {
        return file;
    }
    const std::string inside = file.path.substr(open + 1, file.path.size() - open - 2);
    int page = 0;
    const char* const end = read_number(inside, page).ptr;
    if (end == inside.data() + inside.size() && page >= 0 && !inside.empty()) {
        file.path = fmt::format("{}#{}", file.path.substr(0, open), page + 1);
    } else if (const std::optional<MagickPlace> place = place_in(inside); place && place->has_height) {
        file.part = inside;
        file.path.resize(open);
    }
    return file;
}

std::optional<std::string> output_settings(MagickState& state) {
    constexpr std::array<MagickName, 2> topics{{{"histogram", "histogram"}, {"info", "info"}}};
    const std::string extension = extension_of(state.output);
    const std::string format = state.target.empty() ? extension : state.target;
    if (const std::string_view topic = named(topics, state.target); !topic.empty()) {
        state.difference =
            fmt::format("{}: has no equal in glproc; see: glproc help {}", state.target, topic);
        return std::nullopt;
    }
    if (state.target == "png8") {
        return " --colors 256";
    }
    const bool is_known = format_of(format) || find_video_container(format) != nullptr || format == "npy";
    const bool is_name = !format.empty() && std::isalpha(static_cast<unsigned char>(format[0])) != 0;
    if (!is_known && (is_name || !state.target.empty())) {
        state.difference = fmt::format(
            "glproc writes no {} files; docs/formats.md lists those that it writes", upper(format));
        return std::nullopt;
    }
    const bool is_same = state.target.empty() || format_of(extension) == format_of(format);
    return is_same ? "" : " --to " + format;
}

std::string why_not_one_file(const MagickState& state) {
    const std::string extension = extension_of(state.output);
    return is_animation(state.output) ? "ImageMagick makes one animation of all there; here it is made of "
                                     "numbered images, see: glproc help video"
           : extension == "tif" || extension == "tiff"
               ? "ImageMagick makes pages of one file there; glproc writes one image into each file"
               : "";
}

bool is_animation(const std::string& path) {
    const std::string extension = extension_of(path);
    return extension == "gif" || extension == "webp" || extension == "apng";
}

bool is_numbered(const std::string& path) {
    const std::size_t mark = path.find('%');
    const std::size_t end = mark == std::string::npos ? mark : path.find_first_not_of("0123456789", mark + 1);
    return end != std::string::npos && path[end] == 'd';
}

bool takes_apart(const std::string& in, const std::string& out) {
    return is_numbered(out) && is_animation(in);
}

std::vector<std::string> composite_as_convert(const std::vector<std::string>& words) {
    std::vector<std::string> files;
    std::vector<std::string> flags;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (!words[i].starts_with('-') || i + 1 == words.size()) {
            files.push_back(words[i]);
        } else if (words[i] == "-blend" || words[i] == "-dissolve") {
            flags.insert(flags.end(),
                         {"-compose", words[i].substr(1), "-define", "compose:args=" + words[i + 1]});
            ++i;
        } else {
            const MagickFlag* flag = find_magick(std::string_view(words[i]).substr(1));
            const auto last =
                std::min(i + static_cast<std::size_t>(flag == nullptr ? 0 : flag->values), words.size() - 1);
            flags.insert(flags.end(), words.begin() + static_cast<std::ptrdiff_t>(i),
                         words.begin() + static_cast<std::ptrdiff_t>(last) + 1);
            i = last;
        }
    }
    if (files.size() > 2) { // the image on top is the first
        std::swap(files[0], files[1]);
    }
    std::vector<std::string> call{"convert"};
    call.insert(call.end(), files.begin(), files.end() - (files.empty() ? 0 : 1));
    call.insert(call.end(), flags.begin(), flags.end());
    call.emplace_back("-composite");
    call.insert(call.end(), files.end() - (files.empty() ? 0 : 1), files.end());
    return call;
}

} // namespace glproc::cli
