#include "glproc/shader/as_cpp.hpp"

#include <array>
#include <regex>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// What is spelled otherwise, line by line.
const std::array<std::pair<std::regex, const char*>, 9>& spellings() {
    static const std::array<std::pair<std::regex, const char*>, 9> all{{
        {std::regex(R"(//.*)"), ""},
        {std::regex(R"(^#(version|pragma|extension).*)"), ""},
        {std::regex(R"(\b(inout|out) (\w+) (\w+)(\[[^,)]*))"), "$2 (&$3)$4"},
        {std::regex(R"(\b(inout|out) (\w+) )"), "$2& "},
        {std::regex(R"(\b(\d+\.\d+([eE][-+]?\d+)?)(?![\dlLfF.eE]))"), "$1F"},
        {std::regex(R"((\d)(lf|LF)\b)"), "$1"},
        {std::regex(R"(^layout\(\w+\) readonly buffer \w+ \{ (\w+) (\w+)\[\]; \};)"), "const $1* $2 = nullptr;"},
        {std::regex(R"(^uniform )"), ""},
        // Members see each other without being declared first.
        {std::regex(R"(^\w+ \w+\([^)]*\);)"), ""},
    }};
    return all;
}

/// `#line N I` with the name of file I.
std::string named_line(const std::string& line, const ShaderSource& source, const std::string& folder) {
    std::istringstream words(line.substr(5));
    int number = 0;
    std::size_t file = 0;
    words >> number >> file;
    return fmt::format("#line {} \"{}/{}\"", number, folder, source.files.at(file));
}

} // namespace

std::string as_cpp(const ShaderSource& source, const std::string& folder) {
    std::string result;
    std::istringstream lines(source.text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("#line")) {
            line = named_line(line, source, folder);
        } else {
            for (const auto& [from, to] : spellings()) {
                line = std::regex_replace(line, from, to);
            }
        }
        result += line + '\n';
    }
    return result;
}

} // namespace glproc
