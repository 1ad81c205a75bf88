#include "glproc/shader/as_cpp.hpp"

#include <array>
#include <regex>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// Spellings that differ, line by line.
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

/// Structs are made as GLSL makes them: Share(1.0, 2.0).
std::string with_constructors(const std::string& text) {
    static const std::regex structs(R"(struct (\w+) \{\n([^}]*)\};)");
    static const std::regex members(R"((\w+) (\w+);)");
    std::string result;
    auto rest = text.begin();
    for (std::sregex_iterator i(text.begin(), text.end(), structs); i != std::sregex_iterator(); ++i) {
        const std::string body = (*i)[2];
        std::string taken;
        std::string kept;
        for (std::sregex_iterator member(body.begin(), body.end(), members); member != std::sregex_iterator(); ++member) {
            taken += fmt::format("{}{} {}_", taken.empty() ? "" : ", ", (*member)[1].str(), (*member)[2].str());
            kept += fmt::format("{}{}({}_)", kept.empty() ? "" : ", ", (*member)[2].str(), (*member)[2].str());
        }
        result.append(rest, (*i)[0].first);
        result += fmt::format("struct {0} {{ {0}() = default; {0}({1}) : {2} {{}}\n{3}}};", (*i)[1].str(), taken, kept, body);
        rest = (*i)[0].second;
    }
    return result.append(rest, text.end());
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
    return with_constructors(result);
}

} // namespace glproc
