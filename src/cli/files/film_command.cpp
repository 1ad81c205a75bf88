#include "cli/files/film_command.hpp"

#include "cli/files/file_flags.hpp"
#include "cli/pipe/pipe.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace glproc::cli {

const FilmContainer* film_container_of(const std::string& path) {
    std::string end = std::filesystem::path(path).extension().string();
    std::transform(end.begin(), end.end(), end.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const std::string_view name = std::string_view(end).substr(end.empty() ? 0 : 1);
    const auto found = std::find_if(film_containers.begin(), film_containers.end(),
                                    [&](const FilmContainer& one) { return one.end == name; });
    return found == film_containers.end() ? nullptr : &*found;
}

Command film_command() {
    Flag fps = with_value("fps", "N", "frames a second of pictures");
    fps.info.range = FieldText<double>::range(fps_limit);
    fps.info.default_value = "25";
    Command command{
        .name = "video",
        .summary = "operations on every frame of a film; sound, subtitles, times and metadata stay",
        .example = "in.mp4 out.mp4 blur --sigma 2 then unsharp",
        .places = {{"IN", "the film to read, or pictures by number: frame-%04d.png"},
                   {"OUT", "the film to write, pictures by number, or with --frame one picture"}},
        .flags = {optional_choice<FilmCodec>("codec", "by default vp9 in webm, else h264"),
                  number("crf", crf_limit, "", "quality; lower is better. By default 20 of h264"),
                  with_value("preset", "P", "the encoder's, by default medium of h264"),
                  with_value("frames", "A..B", "only these, counted from 0; either may be left out"),
                  number("every", every_limit, "1", "only every N-th frame"),
                  with_value(one_frame_flag, "N|TIME", "one picture: by number, or by time, as 12.5s or 1:02:03"),
                  fps,
                  optional_choice<YcbcrMatrix>("matrix", "of IN; by default what it says, else by its size"),
                  optional_choice<YcbcrRange>("range", "of IN; by default what it says, else limited"),
                  toggle("only-video", 0, "leave out sound, subtitles and all else"),
                  toggle("keep-partial", 0, "of a broken film keep what comes before"),
                  toggle("no-clobber", 'n', "do not replace an existing output")},
        .program = "glproc-video",
    };
    for (Flag& flag : input_flags(Input::image)) {
        command.flags.get().push_back(std::move(flag));
    }
    Flag playlists =
        toggle("allow-playlists", 0, "read a playlist (HLS, DASH, ffconcat) and the local files it names");
    playlists.group = command.flags.get().back().group;
    command.flags.get().push_back(std::move(playlists));
    return command;
}

bool names_film(const std::string& path) {
    static const std::array<std::string_view, 8> extensions{".mp4", ".mov", ".m4v", ".mkv",
                                                            ".webm", ".avi", ".mpg", ".ts"};
    const std::size_t dot = std::min(path.rfind('.'), path.size());
    std::string extension = path.substr(dot);
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

std::string film_hint(const std::string& command) {
    return fmt::format("films are for glproc video: glproc video in.mp4 out.mp4 {}", command);
}

} // namespace glproc::cli
