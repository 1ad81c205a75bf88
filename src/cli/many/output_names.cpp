#include "cli/many/output_names.hpp"

#include "cli/files/name_pattern.hpp"
#include "cli/files/output_flags.hpp"
#include "cli/files/report_output.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace glproc::cli {

namespace fs = std::filesystem;

namespace {

/// What --name describes.
class NamePattern {
  public:
    NamePattern(const Arguments& arguments, std::size_t count) : digits_(fmt::format("{}", count).size()) {
        if (arguments.has("name")) {
            pattern_ = arguments.value("name");
        }
        if (arguments.format()) {
            extension_ = arguments.format();
            extension_->erase(0, extension_->starts_with('.') ? 1 : 0);
        } else if (arguments.op().product == Product::array) {
            extension_ = "npy";
        } else if (!arguments.op().files.empty()) {
            extension_ = arguments.op().files.front().name;
        }
        static_cast<void>(name({.path = "x.png"}, 1)); // finds what is wrong with the pattern
    }

    /// The path below the folder of outputs; the input is the `number`-th.
    std::string name(const ListedInput& input, std::size_t number) const {
        const NamedPage named = named_page(input.path);
        const fs::path path(named.path);
        std::string extension = path.extension().native();
        extension.erase(0, extension.empty() ? 0 : 1);
        const std::map<std::string_view, std::string> values{
            {"stem", path.stem().native()},
            {"ext", extension_.value_or(extension)},
            {"dir", input.found ? input.below : path.parent_path().relative_path().native()},
            {"n", padded(number, digits_)},
            {"page", fmt::format("{}", std::max(named.page, 1))}};
        const std::string& pattern = pattern_ ? *pattern_ : named.page == 0 ? of_files : of_pages;
        std::string name =
            filled_name(pattern, values, "--name " + pattern, "{stem}, {ext}, {dir}, {page}, {n} and {n:04}");
        if (extension.empty() && !extension_ && name.ends_with('.')) {
            name.pop_back(); // as the input has none
        }
        const bool says_folder = pattern.find("{dir}") != std::string::npos;
        return says_folder || input.below.empty() ? name : input.below + "/" + name;
    }

  private:
    static std::string padded(std::size_t number, std::size_t digits) {
        return fmt::format("{:0{}}", number, digits);
    }

    inline static const std::string of_files = "{stem}.{ext}";
    inline static const std::string of_pages = "{stem}-{page}.{ext}"; ///< where they are named
    std::optional<std::string> pattern_;
    std::optional<std::string> extension_;
    std::size_t digits_;
};

/// Throws where the folder that several outputs go to is none, or cannot be made or written to.
void check_folder(const std::string& folder) {
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (fs::exists(status) && !fs::is_directory(status)) {
        throw Error(ErrorCode::output, fmt::format("{}: not a folder, which several inputs need", folder),
                    "glproc COMMAND INPUT... FOLDER/");
    }
    if (!fs::exists(status) && !folder.ends_with('/')) {
        throw Error(ErrorCode::usage, fmt::format("{}: no such folder, which several inputs need", folder),
                    fmt::format("{}/ creates it", folder));
    }
    // The nearest folder that is there decides whether others can be made.
    fs::path nearest = fs::absolute(folder, error).lexically_normal();
    while (!fs::exists(nearest, error) && nearest.has_relative_path()) {
        nearest = nearest.parent_path();
    }
    if (!fs::is_directory(nearest, error)) {
        throw Error(ErrorCode::output, fmt::format("{}: {} is not a folder", folder, nearest.native()));
    }
    if (::access(nearest.c_str(), W_OK | X_OK) != 0) {
        const std::error_code why(errno, std::generic_category());
        throw Error(ErrorCode::output, fmt::format("{}: {}", folder, why.message()));
    }
}

/// A folder whose name was mistyped, above all: nothing of the call can be done.
void refuse_missing(const std::vector<ListedInput>& inputs) {
    const bool is_any_there = std::any_of(inputs.begin(), inputs.end(), [](const ListedInput& input) {
        std::error_code unknown;
        return fs::exists(fs::symlink_status(file_of(input.path), unknown));
    });
    if (!is_any_there && inputs.size() == 1) {
        const bool is_file = fs::path(inputs.front().path).has_extension();
        throw Error(ErrorCode::input,
                    inputs.front().path + (is_file ? ": no such file" : ": no such file or folder"));
    }
}

/// One file, whatever its names.
using FileId = std::pair<dev_t, ino_t>;

std::optional<FileId> file_id(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(FileId(status.st_dev, status.st_ino))
                                              : std::nullopt;
}

void refuse_meeting(const Errand& a, const Errand& b) {
    throw Error(ErrorCode::usage, fmt::format("{} and {} would both be written to {}", a.in, b.in, b.out),
                "--name '{n}-{stem}.{ext}' keeps them apart");
}

void check_meetings(const std::vector<Errand>& errands) {
    std::unordered_map<std::string, std::size_t> places;
    std::map<FileId, std::size_t> inputs;
    for (std::size_t i = 0; i < errands.size(); ++i) {
        const auto [other, is_new] = places.emplace(fs::path(errands[i].out).lexically_normal().native(), i);
        if (!is_new) {
            refuse_meeting(errands[other->second], errands[i]);
        }
        if (const auto id = file_id(file_of(errands[i].in))) {
            inputs.emplace(*id, i);
        }
    }
    std::map<FileId, std::size_t> outputs;
    for (std::size_t i = 0; i < errands.size(); ++i) {
        const auto id = file_id(errands[i].out);
        if (!id) {
            continue;
        }
        const auto [other, is_new] = outputs.emplace(*id, i);
        if (!is_new) {
            refuse_meeting(errands[other->second], errands[i]);
        }
        if (const auto input = inputs.find(*id); input != inputs.end() && input->second != i) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} is an input, and the output of {} would replace it",
                                    errands[input->second].in, errands[i].in),
                        "write to another folder");
        }
    }
}

/// Throws where no output can be written as the flags ask: what some cannot have is theirs alone.
void check_formats(const Arguments& arguments, const std::vector<Errand>& errands) {
    if (arguments.op().product == Product::array) {
        static_cast<void>(read_array_format(arguments));
        return;
    }
    if (arguments.op().product == Product::report) {
        static_cast<void>(file_format(arguments, errands.empty() ? "-" : errands.front().out));
        return;
    }
    std::set<std::string> checked;
    std::optional<Error> refusal;
    for (const Errand& errand : errands) {
        if (checked.insert(fs::path(errand.out).extension().native()).second) {
            try {
                static_cast<void>(unchecked_output(arguments, errand.out));
                return;
            } catch (const Error& error) {
                refusal = refusal ? refusal : std::optional(error);
            }
        }
    }
    if (refusal) {
        throw Error(refusal->code(), refusal->what(),
                    arguments.format() ? refusal->hint()
                                       : "--to EXT gives all outputs one format, which its flags fit");
    }
}

/// Errand::below.
std::string below(const ListedInput& input) {
    const std::string name = fs::path(input.path).filename().native();
    return input.below.empty() ? name : input.below + "/" + name;
}

} // namespace

void refuse_what_is_for_one(const Arguments& arguments) {
    for (const FieldInfo& field : arguments.command->op->fields) {
        if ((field.names_picture || field.names_array) && arguments.has(field.name)) {
            throw Error(ErrorCode::usage,
                        fmt::format("--{} writes one {}, but there are several inputs", field.name,
                                    field.names_picture ? "image" : "array"),
                        "call glproc for one input at a time");
        }
    }
}

std::vector<Errand> plan_errands(const Arguments& arguments, const std::vector<ListedInput>& inputs) {
    std::vector<Errand> errands;
    if (!arguments.has_output()) {
        std::transform(inputs.begin(), inputs.end(), std::back_inserter(errands),
                       [](const ListedInput& input) {
                           return Errand{input.path, "", input.found, below(input)};
                       });
        return errands;
    }
    const std::string folder = arguments.output();
    if (inputs.size() == 1 && !inputs[0].found && !names_folder(folder) && !arguments.has("name")) {
        return {{inputs[0].path, folder, false, below(inputs[0])}};
    }
    refuse_missing(inputs);
    check_folder(folder);
    const NamePattern pattern(arguments, inputs.size());
    for (const ListedInput& input : inputs) {
        const fs::path name = pattern.name(input, errands.size() + 1);
        const bool leaves = std::find(name.begin(), name.end(), "..") != name.end() || name.is_absolute();
        if (leaves || !name.has_filename()) {
            throw Error(
                ErrorCode::usage,
                fmt::format("{}: its output {} would lie outside {}", input.path, name.native(), folder),
                "choose another --name");
        }
        errands.push_back({input.path, (fs::path(folder) / name).native(), input.found, below(input)});
    }
    check_formats(arguments, errands);
    check_meetings(errands);
    return errands;
}

std::vector<Errand> part_of(std::vector<Errand> errands, const Shard& shard) {
    std::vector<Errand> part;
    for (std::size_t i = 0; i < errands.size(); ++i) {
        if (shard.has(i)) {
            part.push_back(std::move(errands[i]));
        }
    }
    return part;
}

bool replaces_inputs(const std::vector<Errand>& errands) {
    return std::any_of(errands.begin(), errands.end(), [](const Errand& errand) {
        const auto in = file_id(file_of(errand.in));
        return in && in == file_id(errand.out);
    });
}

void make_folder_of(const std::string& out) {
    std::error_code error;
    const fs::path folder = fs::path(out).parent_path();
    if (!folder.empty()) {
        fs::create_directories(folder, error);
    }
    if (error && !fs::is_directory(folder)) {
        throw Error(ErrorCode::output, fmt::format("{}: {}", folder.native(), error.message()));
    }
}

} // namespace glproc::cli
