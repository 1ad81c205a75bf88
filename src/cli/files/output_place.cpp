#include "cli/files/output_place.hpp"

#include "cli/files/pages.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/image/exif.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <strings.h>
#include <unistd.h>

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

/// An empty file that a script has made is none.
bool is_image(const fs::path& path) {
    try {
        return inspect(path).form.width > 0;
    } catch (const Error&) { // none, or none that may be read here
        return false;
    }
}

/// As shells sort them, by bytes or without regard to case.
bool sorts_before(const std::string& a, const std::string& b) {
    return a < b || ::strcasecmp(a.c_str(), b.c_str()) < 0;
}

/// Whether a pattern with one star can stand for these two files and no other of their folder.
bool are_all_of_a_pattern(const fs::path& in, const fs::path& out) {
    const std::string a = in.filename().native();
    const std::string b = out.filename().native();
    const auto [split_a, split_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const std::string prefix(a.begin(), split_a);
    const auto ends = std::mismatch(a.rbegin(), std::make_reverse_iterator(split_a), b.rbegin(), std::make_reverse_iterator(split_b));
    const std::string suffix(ends.first.base(), a.end());
    std::error_code error;
    int matches = 0;
    for (fs::directory_iterator at(in.has_parent_path() ? in.parent_path() : ".", error); !error && at != fs::directory_iterator();
         at.increment(error)) {
        const std::string name = at->path().filename().native();
        const bool is_hidden = prefix.empty() && name.starts_with('.');
        matches += !is_hidden && name.size() >= prefix.size() + suffix.size() && name.starts_with(prefix) && name.ends_with(suffix) ? 1 : 0;
    }
    return sorts_before(a, b) && matches == 2;
}

/// A pattern of the shell that stands for two photos makes the second of them the output. What a camera wrote is none, nor is what
/// a pattern can stand for that glproc has not written.
void refuse_second_photo(const Arguments& arguments, const std::string& path) {
    std::error_code missing;
    const fs::path in(arguments.places.front());
    const fs::path out(path);
    if (arguments.places.size() != 2 || in.parent_path() != out.parent_path() || in.extension() != out.extension() ||
        !fs::is_regular_file(in, missing) || !fs::is_regular_file(out, missing) || fs::equivalent(in, out, missing)) {
        return;
    }
    const bool are_photos = is_from_camera(in.native()) && is_from_camera(path);
    if (!are_photos && (was_written_here(out).value_or(true) || !are_all_of_a_pattern(in, out) || !is_image(out))) {
        return;
    }
    throw Error(ErrorCode::usage,
                are_photos ? fmt::format("{}: a photo that a camera wrote would be replaced", path)
                           : fmt::format("{}: would be replaced, which glproc did not write", path),
                fmt::format("for both files name a folder: glproc {0} {1} {2} out/; to replace it add --force",
                            arguments.command->name, in.native(), path));
}

/// Pages that are named, and go to their own file, would be all that is left of it.
void refuse_lost_pages(const Arguments& arguments, const std::string& path) {
    for (const std::string& input : arguments.inputs()) {
        const NamedPages named = named_pages(input);
        std::error_code missing;
        if (named.first == 0 || !fs::equivalent(named.path, path, missing)) {
            continue;
        }
        int images = 1;
        try {
            images = inspect(fs::path(path)).frames;
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): decoding will say it
        }
        if (images > static_cast<int>(arguments.inputs().size()) * named.count()) {
            throw Error(ErrorCode::usage, fmt::format("{}: has {} images, and only {} would be left", path, images, input),
                        "give the output another name; to replace the file add --force");
        }
    }
}

} // namespace

void OutputPlace::check(const Arguments& arguments, std::string_view product) const {
    if (is_stdout()) {
        if (is_terminal(STDOUT_FILENO)) {
            throw Error(ErrorCode::usage, fmt::format("stdout is a terminal: it gets no {}", product),
                        "name a file, or redirect stdout");
        }
        return;
    }
    std::error_code ignored; // check_writable() knows better words for it
    if (arguments.has("no-clobber") && fs::exists(fs::symlink_status(path_, ignored))) {
        throw Error(ErrorCode::output, path_ + ": exists already", "leave out --no-clobber to replace it");
    }
    const bool is_output = arguments.has_output() && !arguments.places.empty() && arguments.places.back() == path_;
    if (is_output && !arguments.has("force") && !arguments.has("files-from")) {
        refuse_second_photo(arguments, path_);
        refuse_lost_pages(arguments, path_);
    }
    check_writable(path_);
}

void OutputPlace::refuse_inputs(std::string_view flag, const std::vector<std::string>& inputs) const {
    for (const std::string& input : inputs) {
        std::error_code missing; // a missing file is not an input that could be lost
        if (fs::equivalent(input == "-" ? "/dev/stdin" : input, path_, missing)) {
            throw Error(ErrorCode::usage, fmt::format("--{} {} would replace the input", flag, path_),
                        "give it another name");
        }
    }
}

namespace {

class FileBytes final : public RowWriter {
  public:
    explicit FileBytes(const std::string& path) : file_(path) {}
    void write(std::span<const std::byte> bytes) override { file_.write(bytes); }
    void finish() override { file_.commit(); }

  private:
    AtomicFile file_;
};

class StdoutBytes final : public RowWriter {
  public:
    void write(std::span<const std::byte> bytes) override {
        write_descriptor(STDOUT_FILENO, bytes, "stdout");
    }
    void finish() override {}
};

} // namespace

std::unique_ptr<RowWriter> OutputPlace::open() const {
    if (is_stdout()) {
        return std::make_unique<StdoutBytes>();
    }
    return std::make_unique<FileBytes>(path_);
}

void OutputPlace::write(std::span<const std::byte> bytes) const {
    if (shared_ != nullptr) {
        shared_->write(bytes);
    } else if (is_stdout()) {
        write_descriptor(STDOUT_FILENO, bytes, name());
    } else {
        write_file(path_, bytes);
    }
}

} // namespace glproc::cli
