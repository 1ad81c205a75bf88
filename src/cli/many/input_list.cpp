#include "cli/many/input_list.hpp"

#include "cli/files/call.hpp"
#include "cli/files/input.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace glproc::cli {

namespace fs = std::filesystem;

namespace {

/// By its name alone; hidden files are none.
bool is_picture(const fs::path& path) {
    return !path.filename().native().starts_with('.') && format_of(path.extension().native()).has_value();
}

/// The pictures in a folder, sorted by path; `output` is left out.
class FolderSearch {
  public:
    FolderSearch(std::string folder, std::string output, bool recursive)
        : folder_(std::move(folder)), output_(std::move(output)), recursive_(recursive) {}

    std::vector<ListedInput> run() {
        search(folder_, "");
        if (found_.empty()) {
            throw Error(ErrorCode::input, fmt::format("{}: no images in this folder", folder_),
                        has_folders_ && !recursive_ ? "-r also looks into its subfolders" : "");
        }
        return std::move(found_);
    }

  private:
    void search(const fs::path& folder, const std::string& below) {
        std::error_code error;
        std::vector<fs::path> entries;
        for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
             at.increment(error)) {
            entries.push_back(at->path());
        }
        if (error) {
            throw Error(ErrorCode::input, fmt::format("{}: {}", folder.native(), error.message()));
        }
        std::sort(entries.begin(), entries.end());
        for (const fs::path& entry : entries) {
            if (fs::is_directory(entry, error)) {
                enter(entry, below);
            } else if (is_picture(entry)) {
                found_.push_back({entry.native(), below, true});
            }
        }
    }

    void enter(const fs::path& folder, const std::string& below) {
        std::error_code error;
        has_folders_ = true;
        const bool is_output = !output_.empty() && fs::equivalent(folder, output_, error);
        const std::string name = folder.filename().native();
        if (recursive_ && !is_output && !name.starts_with('.') && !fs::is_symlink(folder, error)) {
            search(folder, below.empty() ? name : below + "/" + name);
        }
    }

    std::string folder_;
    std::string output_;
    bool recursive_;
    bool has_folders_ = false;
    std::vector<ListedInput> found_;
};

std::vector<std::string> names_in_list(const Arguments& arguments) {
    const std::vector<std::byte> bytes = read_input(arguments.value("files-from"), "list of files");
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const char end = arguments.has("null") ? '\0' : '\n';
    std::vector<std::string> names;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t next = std::min(text.find(end, at), text.size());
        std::string_view name = text.substr(at, next - at);
        if (end == '\n' && name.ends_with('\r')) { // a list that was written on Windows
            name.remove_suffix(1);
        }
        if (!name.empty()) {
            names.emplace_back(name);
        }
        at = next + 1;
    }
    return names;
}

} // namespace

void refuse_special(const std::string& path, bool found) {
    std::error_code missing;
    const fs::file_status status = fs::status(path, missing);
    if (found && fs::exists(status) && !fs::is_regular_file(status)) {
        throw Error(ErrorCode::input, fmt::format("{}: a pipe, socket or device, not a file", path));
    }
}

std::vector<ListedInput> pictures_in(const std::string& folder, bool recursive) {
    return FolderSearch(folder, "", recursive).run();
}

std::vector<ListedInput> list_inputs(const Arguments& arguments) {
    std::vector<std::string> names = arguments.inputs();
    if (arguments.has("files-from")) {
        const std::vector<std::string> listed = names_in_list(arguments);
        names.insert(names.end(), listed.begin(), listed.end());
    } else if (arguments.has("null")) {
        throw Error(ErrorCode::usage, "--null has no effect without --files-from");
    }
    std::vector<ListedInput> inputs;
    for (const std::string& name : names) {
        std::error_code missing; // decoding will say it
        if (name == "-") {
            throw Error(ErrorCode::usage, "stdin cannot be one of several inputs", "name files instead of -");
        }
        if (fs::is_directory(name, missing)) {
            const std::vector<ListedInput> found =
                FolderSearch(name, arguments.output(), arguments.has("recursive")).run();
            inputs.insert(inputs.end(), found.begin(), found.end());
        } else {
            for (std::string& page : named_in(name, arguments)) {
                inputs.push_back({std::move(page)});
            }
        }
    }
    if (inputs.empty()) {
        throw Error(ErrorCode::input,
                    fmt::format("{}: no names in this list", input_name(arguments.value("files-from"))));
    }
    return inputs;
}

namespace {

/// All of `text` as a number.
std::optional<std::size_t> whole(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

Shard read_shard(const Arguments& arguments) {
    if (!arguments.has("shard")) {
        return {};
    }
    const std::string_view text = arguments.value("shard");
    const std::size_t slash = text.find('/');
    const auto index = whole(text.substr(0, slash));
    const auto count = slash == std::string_view::npos ? std::nullopt : whole(text.substr(slash + 1));
    if (!index || !count) {
        throw Error(ErrorCode::usage, fmt::format("--shard {} is not of the form I/N", text),
                    "the first of 8 machines takes --shard 1/8, the last --shard 8/8");
    }
    if (*count == 0 || *index == 0 || *index > *count) {
        throw Error(ErrorCode::usage, fmt::format("--shard {}: there is no such part", text),
                    *count == 0 ? "N is at least 1"
                                : fmt::format("parts are counted from 1/{0} to {0}/{0}", *count));
    }
    return {*index - 1, *count};
}

} // namespace glproc::cli
