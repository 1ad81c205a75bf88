#include "cli/picture_output.hpp"

#include "glproc/error.hpp"
#include "glproc/image/codec.hpp"
#include "glproc/ops/field.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// The extension that --to names, with or without a dot, in any case.
std::string read_extension(std::string text) {
    text.erase(0, text.starts_with('.') ? 1 : 0);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::vector<std::string> known = writable_extensions();
    return known[parse_choice("to", text, known)];
}

} // namespace

PictureOutput::PictureOutput(const Arguments& arguments, std::string path) : place_(std::move(path)) {
    if (arguments.has("to")) {
        format_ = read_extension(arguments.value("to"));
    } else if (!place_.is_stdout()) {
        check_encodable(place_.path());
        format_ = place_.path();
    }
    place_.check(arguments, "picture");
}

void PictureOutput::follow_input(const std::string& path, std::span<const std::byte> bytes) {
    if (!format_.empty()) {
        return;
    }
    const std::optional<Format> told = sniff(bytes);
    format_ = extension_of(told ? *told : format_of(path).value()); // decode() has found one or the other
    const std::vector<std::string> known = writable_extensions();
    if (std::find(known.begin(), known.end(), format_) == known.end()) {
        throw Error(ErrorCode::usage,
                    fmt::format("stdout gets the format of the input, and no {} can be written", format_),
                    fmt::format("name another format: --to {}", known.front()));
    }
}

void PictureOutput::check(int channels, Depth depth) const {
    check_encodable(format_, channels, depth);
}

void PictureOutput::write(const Image& image) const {
    place_.write(encode(image, format_));
}

} // namespace glproc::cli
