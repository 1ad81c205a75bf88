#include "cli/files/replacing.hpp"

#include "cli/files/video_command.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/npy.hpp"
#include "glproc/image/exif.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <span>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace glproc::cli {

namespace fs = std::filesystem;

namespace {

/// Whether a camera wrote it: nothing that glproc writes has a small version of the image in EXIF.
bool is_from_camera(const std::string& path) {
    try {
        return has_small_picture(inspect(fs::path(path)).metadata.exif);
    } catch (const Error&) { // no image, or none that may be read here
        return false;
    }
}

bool is_array(const fs::path& path) {
    std::array<char, 16> start{};
    std::ifstream(path, std::ios::binary).read(start.data(), start.size());
    return is_npy(std::as_bytes(std::span(start)));
}

/// Or a video, or an array. An empty file that a script has made is none.
bool is_picture(const fs::path& path) {
    std::error_code missing;
    if (fs::file_size(path, missing) == 0 || missing) {
        return false;
    }
    try {
        return names_video(path) || is_array(path) || inspect(path).form.width > 0;
    } catch (const Error&) { // none, or none that may be read here
        return false;
    }
}

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Whether all of these may be inputs: files, none of which is OUT by another name. One that is to be
/// converted lies elsewhere, or has the name of OUT.
bool are_of_a_kind(const std::vector<std::string>& files, bool joins) {
    const fs::path out(files.back());
    std::error_code missing;
    return std::all_of(files.begin(), files.end() - 1, [&](const std::string& file) {
        const fs::path in(file_of(file));
        const bool is_converted =
            !fs::equivalent(folder_of(in), folder_of(out), missing) || in.stem() == out.stem();
        return (joins || !is_converted) && fs::is_regular_file(in, missing) &&
               fs::is_regular_file(out, missing) && !fs::equivalent(in, out, missing);
    });
}

/// A pattern of the shell that stands for two pictures makes the second one the output. What a camera wrote
/// is none, nor is a picture beside the inputs that glproc has not written.
void refuse_last_picture(const Arguments& arguments, const std::string& path) {
    const std::vector<std::string>& files = arguments.places;
    const bool joins = arguments.command->op != nullptr && arguments.command->op->joins;
    if (files.size() < 2 || (files.size() > 2 && !joins) || !are_of_a_kind(files, joins)) {
        return;
    }
    const bool are_photos = std::ranges::all_of(files, is_from_camera);
    if (!are_photos && (was_written_here(path).value_or(true) || !is_picture(path))) {
        return;
    }
    throw Error(ErrorCode::usage,
                are_photos
                    ? fmt::format("{}: a photo that a camera wrote would be replaced", path)
                    : fmt::format("{}: would be replaced, and is not known to be written by glproc", path),
                names_video(path) ? "to replace it add --force; --append FILE joins videos"
                : joins ? "to replace it add --force; if all are inputs, name another file behind them"
                        : "to replace it add --force; if both are inputs, name a folder behind them: out/");
}

/// Pages that are named, and go to their own file, would be all that is left of it. Joined pages would be one
/// image.
void refuse_lost_pages(const Arguments& arguments, const std::string& path) {
    const bool joins = arguments.command->op != nullptr && arguments.command->op->joins;
    for (const std::string& input : arguments.inputs()) {
        const NamedPages named = named_pages(input);
        std::error_code missing;
        if ((!named.is_named() && !joins) || !fs::equivalent(named.path, path, missing)) {
            continue;
        }
        int images = 1;
        try {
            images = inspect(fs::path(path)).frames;
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): decoding will say it
        }
        if (images > (joins ? 1 : static_cast<int>(arguments.inputs().size()) * named.count())) {
            throw Error(ErrorCode::usage,
                        fmt::format("{}: has {} images, and only {} would be left", path, images,
                                    joins ? "what is made of them" : input),
                        "give the output another name; to replace the file add --force");
        }
    }
}

} // namespace

void check_place(const OutputPlace& place, const Arguments& arguments, std::string_view product) {
    const std::string& path = place.path();
    std::error_code ignored; // check() knows better words for it
    if (!place.is_stdout() && arguments.has("no-clobber") && fs::exists(fs::symlink_status(path, ignored))) {
        throw Error(ErrorCode::output, path + ": exists already", "leave out --no-clobber to replace it");
    }
    const bool is_output =
        arguments.has_output() && !arguments.places.empty() && arguments.places.back() == path;
    if (!place.is_stdout() && is_output && !arguments.has("force") && !arguments.has("files-from")) {
        refuse_last_picture(arguments, path);
        refuse_lost_pages(arguments, path);
    }
    place.check(product);
}

} // namespace glproc::cli
