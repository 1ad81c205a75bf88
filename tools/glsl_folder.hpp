// The files of glsl/, as the tools read them.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/shader/loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace glproc::tools {

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    if (!in) {
        throw Error(ErrorCode::input, fmt::format("cannot read {}", path.string()));
    }
    return text;
}

/// Files are looked for in each folder in turn.
inline GlslReader folder_reader(std::vector<std::filesystem::path> folders) {
    return [folders = std::move(folders)](std::string_view name) -> std::optional<std::string> {
        for (const std::filesystem::path& folder : folders) {
            if (std::filesystem::is_regular_file(folder / name)) {
                return read_file(folder / name);
            }
        }
        return std::nullopt;
    };
}

/// What a file defines if it is an operation's, by kind.
inline std::string kind_by_function(const std::string& text) {
    static const std::regex function(R"((^|\n)(?:vec4 (point|window)\(|float (stencil)\())");
    std::smatch found;
    return std::regex_search(text, found, function) ? found[2].str() + found[3].str() : "";
}

/// The files of glsl/ that a kernel of this kind may be given: their headers say "// Kind: point" on a line of its own. Throws
/// where one defines the function of the kind and does not say so, since nothing would be checked of it; but for parts, whose
/// headers say "for operations of the kind".
inline std::vector<std::string> operations_of(const std::filesystem::path& glsl_dir, const std::string& kind) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(glsl_dir)) {
        if (entry.path().extension() != ".glsl") {
            continue;
        }
        const std::string text = read_file(entry.path());
        const std::string name = entry.path().lexically_relative(glsl_dir).generic_string();
        if (text.find(fmt::format("\n// Kind: {}\n", kind)) != std::string::npos) {
            names.push_back(name);
        } else if (kind_by_function(text) == kind && text.find("for operations of the kind " + kind) == std::string::npos) {
            throw Error(ErrorCode::input, fmt::format("{}: its header lacks the line \"// Kind: {}\"", name, kind));
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace glproc::tools
