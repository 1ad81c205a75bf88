#include "job/output/output_place.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"

#include <filesystem>
#include <span>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::job {

namespace fs = std::filesystem;

void OutputPlace::check(std::string_view product) const {
    if (!is_stdout()) {
        return check_writable(path_);
    }
    if (::isatty(STDOUT_FILENO) != 0) {
        throw Error(ErrorCode::usage, fmt::format("stdout is a terminal: it gets no {}", product),
                    "name a file, or redirect stdout");
    }
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

} // namespace glproc::job
