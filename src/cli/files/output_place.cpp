#include "cli/files/output_place.hpp"

#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace fs = std::filesystem;

namespace {

std::string lower_extension(const std::string& path) {
    std::string extension = fs::path(path).extension().native();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

/// Whether a file looks as if it was meant as an input: it lies beside one, and is of its kind.
bool is_like(const std::string& output, const std::string& input) {
    std::error_code missing;
    const auto folder = [](const std::string& path) { return fs::absolute(path).lexically_normal().parent_path(); };
    return fs::is_regular_file(input, missing) && fs::is_regular_file(output, missing) &&
           !fs::equivalent(input, output, missing) && folder(input) == folder(output) &&
           lower_extension(input) == lower_extension(output);
}

/// A pattern of the shell that stands for existing files alone makes the last of them the output.
void refuse_last_input(const Arguments& arguments, const std::string& path) {
    const std::vector<std::string>& places = arguments.places;
    if (arguments.has("force") || arguments.has("files-from") || places.size() < 2 || places.back() != path ||
        !arguments.has_output()) {
        return;
    }
    if (std::all_of(places.begin(), places.end() - 1, [&](const std::string& in) { return is_like(path, in); })) {
        throw Error(ErrorCode::usage, path + ": exists already, beside " + places.front() + ", and would be replaced",
                    fmt::format("--force replaces it; {}",
                                arguments.command->op != nullptr && arguments.command->op->joins
                                    ? "if it is an input, name the output after it"
                                    : fmt::format("for both images name a folder: glproc {} {} {} out/",
                                                  arguments.command->name, places.front(), path)));
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
    refuse_last_input(arguments, path_);
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
