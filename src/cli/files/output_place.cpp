#include "cli/files/output_place.hpp"

#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/image/exif.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>
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

/// A pattern of the shell that stands for two photos makes the second of them the output.
void refuse_second_photo(const Arguments& arguments, const std::string& path) {
    const std::vector<std::string>& places = arguments.places;
    if (places.size() != 2 || places.back() != path || arguments.has("force") || arguments.has("files-from") ||
        !arguments.has_output()) {
        return;
    }
    std::error_code missing;
    const fs::path in(places.front());
    const fs::path out(path);
    if (in.parent_path() != out.parent_path() || in.extension() != out.extension() || !fs::is_regular_file(in, missing) ||
        !fs::is_regular_file(out, missing) || fs::equivalent(in, out, missing) || !is_from_camera(places.front()) ||
        !is_from_camera(path)) {
        return;
    }
    throw Error(ErrorCode::usage, fmt::format("{}: a photo that a camera wrote would be replaced", path),
                fmt::format("for both photos name a folder: glproc {0} {1} {2} out/; to replace it add --force",
                            arguments.command->name, in.native(), path));
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
    refuse_second_photo(arguments, path_);
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
