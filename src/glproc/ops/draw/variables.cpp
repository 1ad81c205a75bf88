#include "glproc/ops/draw/variables.hpp"

#include "glproc/base/error.hpp"
#include "glproc/image/exif_facts.hpp"

#include <ctime>
#include <filesystem>

#include <fmt/format.h>

namespace glproc {

namespace {

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    return fmt::format("{:04}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

std::string value_of(std::string_view name, const PictureFacts& facts) {
    constexpr std::string_view exif = "exif:";
    const bool is_exif = name.starts_with(exif);
    if (name == "date") {
        return today();
    }
    if (name != "name" && name != "stem" && !is_exif) {
        throw Error(ErrorCode::usage, fmt::format("draw knows no {{{}}}", name),
                    "there are {name}, {stem}, {date} and {exif:KEY}; {{ is a brace");
    }
    if (facts.path.empty()) {
        throw Error(ErrorCode::usage, fmt::format("{{{}}} has no value: the image comes from no file", name));
    }
    const std::filesystem::path path(facts.path);
    return name == "name"   ? path.filename().string()
           : name == "stem" ? path.stem().string()
                            : exif_text(facts.exif, name.substr(exif.size()));
}

} // namespace

bool has_variables(std::string_view text) {
    return text.find('{') != std::string_view::npos;
}

std::string with_values(std::string_view text, const PictureFacts& facts) {
    std::string made;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        if (rest.starts_with("\\n")) {
            made += '\n';
            ++i;
        } else if (rest.starts_with("{{") || rest.starts_with("}}")) {
            made += rest[0];
            ++i;
        } else if (rest[0] == '{') {
            const std::size_t end = rest.find('}');
            if (end == std::string_view::npos) {
                throw Error(ErrorCode::usage, "draw --text has a { without a }", "{{ is a brace");
            }
            made += value_of(rest.substr(1, end - 1), facts);
            i += end;
        } else {
            made += rest[0];
        }
    }
    return made;
}

} // namespace glproc
