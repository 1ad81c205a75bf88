#include "cli/output_place.hpp"

#include "cli/terminal.hpp"
#include "glproc/error.hpp"
#include "glproc/image/file.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace fs = std::filesystem;

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
    check_writable(path_);
}

void OutputPlace::write(std::span<const std::byte> bytes) const {
    if (is_stdout()) {
        write_descriptor(STDOUT_FILENO, bytes, name());
    } else {
        write_file(path_, bytes);
    }
}

} // namespace glproc::cli
