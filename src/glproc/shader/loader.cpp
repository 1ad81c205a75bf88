#include "glproc/shader/loader.hpp"

#include "glproc/base/error.hpp"
#include "glproc/shader/embedded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glproc {

namespace {

std::string_view trim(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\f\v";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Takes the comments out of a file that is fed to it line by line.
class CommentFilter {
  public:
    /// The line with every comment as one blank, which is how GLSL sees it.
    std::string code(std::string_view line) {
        std::string result;
        for (std::size_t i = 0; i < line.size() && state_ != State::line;) {
            const std::string_view pair = line.substr(i, 2);
            if (state_ == State::block) {
                const bool closes = pair == "*/";
                state_ = closes ? State::code : State::block;
                i += closes ? 2 : 1;
            } else if (pair == "//" || pair == "/*") {
                state_ = pair == "//" ? State::line : State::block;
                result += ' ';
                i += 2;
            } else {
                result += line[i++];
            }
        }
        // A backslash at its end continues a line comment like any other line.
        if (state_ == State::line && !line.ends_with('\\')) {
            state_ = State::code;
        }
        return result;
    }

    /// Whether the next line starts inside a comment.
    bool open() const { return state_ != State::code; }

  private:
    enum class State { code, block, line };
    State state_ = State::code;
};

/// `#name argument`; the name is empty for a line that is no directive.
struct Directive {
    std::string name;
    std::string argument;
};

Directive parse_directive(std::string_view code) {
    std::string_view rest = trim(code);
    if (!rest.starts_with('#')) {
        return {};
    }
    rest = trim(rest.substr(1));
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_word_char);
    const auto length = static_cast<std::size_t>(end - rest.begin());
    return {std::string(rest.substr(0, length)), std::string(trim(rest.substr(length)))};
}

bool next_line(std::istream& in, std::string& line) {
    if (!std::getline(in, line)) {
        return false;
    }
    if (line.ends_with('\r')) {
        line.pop_back();
    }
    return true;
}

[[noreturn]] void fail_at(std::string_view file, std::size_t line, std::string_view what,
                          std::string hint = {}) {
    throw Error(ErrorCode::operation, fmt::format("{}:{}: {}", file, line, what), std::move(hint));
}

/// The number of the line with #version, which only blank lines and comments may precede.
std::size_t find_version_line(std::string_view name, const std::string& content) {
    CommentFilter comments;
    std::istringstream in(content);
    std::size_t number = 0;
    for (std::string line; next_line(in, line);) {
        ++number;
        const std::string code = comments.code(line);
        if (trim(code).empty()) {
            continue;
        }
        if (parse_directive(code).name != "version") {
            break;
        }
        if (comments.open()) {
            fail_at(name, number, "a comment that starts on the #version line must end there");
        }
        return number;
    }
    fail_at(name, std::max<std::size_t>(number, 1), "the first line of code is not #version");
}

std::string define_lines(const Defines& defines) {
    std::string text;
    for (const auto& [name, value] : defines) {
        const bool is_identifier = !name.empty() && std::all_of(name.begin(), name.end(), is_word_char) &&
                                   std::isdigit(static_cast<unsigned char>(name[0])) == 0;
        if (!is_identifier) {
            throw Error(ErrorCode::operation, fmt::format("define \"{}\" is not an identifier", name));
        }
        if (name.starts_with("GL_") || name.find("__") != std::string::npos) {
            throw Error(ErrorCode::operation,
                        fmt::format("define \"{}\" is a name that GLSL reserves", name));
        }
        if (value.find_first_of("\r\n") != std::string::npos || value.ends_with('\\')) {
            throw Error(ErrorCode::operation,
                        fmt::format("the value of define \"{}\" is not one line", name));
        }
        text += fmt::format("#define {} {}\n", name, value);
    }
    return text;
}

/// Builds one ShaderSource.
class Expansion {
  public:
    Expansion(const GlslReader& read, const Defines& defines) : read_(read), defines_(defines) {}

    ShaderSource kernel(std::string_view name) {
        const std::optional<std::string> content = read_(name);
        if (!content) {
            throw Error(ErrorCode::operation, fmt::format("there is no shader \"{}\"", name),
                        "shaders are those built in or, where GLPROC_GLSL_DIR is set, those in that folder");
        }
        const std::size_t version_line = find_version_line(name, *content);
        const std::string behind_version = define_lines(defines_) + line_directive(version_line + 1, 0);
        append(name, *content, version_line, behind_version);
        return std::move(result_);
    }

  private:
    // Since GLSL 3.30 #line numbers the line after it.
    static std::string line_directive(std::size_t next, std::size_t source) {
        return fmt::format("#line {} {}\n", next, source);
    }

    /// Appends a file, with `insertion` after its line `insert_after` (0: nowhere).
    void append(std::string_view name, const std::string& content, std::size_t insert_after = 0,
                std::string_view insertion = {}) {
        const std::size_t self = result_.files.size();
        result_.files.emplace_back(name);
        CommentFilter comments;
        std::istringstream in(content);
        std::size_t number = 0;
        bool has_expanded = false;
        for (std::string line; next_line(in, line);) {
            ++number;
            const bool starts_in_comment = comments.open();
            const Directive directive = parse_directive(comments.code(line));
            if (directive.name == "include") {
                if (starts_in_comment || comments.open()) {
                    fail_at(name, number, "a comment that spans lines cannot share a line with #include");
                }
                has_expanded |= include(directive.argument, name, number);
                result_.text += has_expanded ? line_directive(number + 1, self) : "\n";
                continue;
            }
            result_.text += line + '\n';
            if (number == insert_after) {
                result_.text += insertion;
            }
            // If the preprocessor skips a group, it also skips the #line after its includes.
            if (has_expanded && is_branch_end(directive.name)) {
                result_.text += line_directive(number + 1, self);
            }
        }
    }

    static bool is_branch_end(std::string_view directive) {
        return directive == "elif" || directive == "else" || directive == "endif";
    }

    /// Appends the file that an #include names; false if the shader has it already.
    bool include(std::string_view argument, std::string_view from, std::size_t line) {
        const auto define = defines_.find(std::string(argument));
        const bool is_quoted =
            argument.size() >= 3 && argument.starts_with('"') && argument.find('"', 1) == argument.size() - 1;
        if (!is_quoted && define == defines_.end()) {
            fail_at(from, line, "malformed #include", "write #include \"lib/name.glsl\"");
        }
        const std::string_view name =
            is_quoted ? argument.substr(1, argument.size() - 2) : std::string_view(define->second);
        if (std::find(result_.files.begin(), result_.files.end(), name) != result_.files.end()) {
            return false;
        }
        const std::optional<std::string> content = read_(name);
        if (!content) {
            fail_at(from, line, fmt::format("there is no file \"{}\"", name),
                    "the names in #include are relative to glsl/");
        }
        result_.text += line_directive(1, result_.files.size());
        append(name, *content);
        return true;
    }

    const GlslReader& read_;
    const Defines& defines_;
    ShaderSource result_;
};

std::optional<std::string> read_text_file(const std::filesystem::path& path) {
    if (!std::filesystem::is_regular_file(path)) {
        return std::nullopt;
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        return std::nullopt;
    }
    return std::string(std::istreambuf_iterator<char>(in), {});
}

/// A line of a log that begins like `form`, in which each # stands for a number of at most nine digits.
struct LocatedLine {
    std::vector<std::string_view> numbers;
    std::string_view message; ///< what follows
};

std::optional<LocatedLine> locate(std::string_view line, std::string_view form) {
    LocatedLine result{.numbers = {}, .message = line};
    std::string_view& rest = result.message;
    for (const char c : form) {
        std::size_t length = rest.starts_with(c) ? 1 : 0;
        if (c == '#') {
            length = std::min(rest.find_first_not_of("0123456789"), rest.size());
            result.numbers.push_back(rest.substr(0, length));
        }
        if (length == 0 || length > 9) {
            return std::nullopt;
        }
        rest.remove_prefix(length);
    }
    return result;
}

/// One line of a log with its location rewritten, or as it was.
std::string rewrite_log_line(std::string_view line, std::span<const std::string> files) {
    struct Format {
        std::string_view form;
        std::string_view severity;
    };
    constexpr std::array<Format, 4> formats{{
        {"ERROR: #:#: ", "error: "}, // AMD, Intel, glslang
        {"WARNING: #:#: ", "warning: "},
        {"#:#(#): ", ""}, // Mesa
        {"#(#) : ", ""},  // NVIDIA
    }};
    for (const Format& format : formats) {
        const std::optional<LocatedLine> located = locate(line, format.form);
        if (!located) {
            continue;
        }
        const std::vector<std::string_view>& numbers = located->numbers;
        const std::size_t source = std::stoul(std::string(numbers[0]));
        if (source >= files.size()) {
            break;
        }
        const std::string column = numbers.size() > 2 ? fmt::format(":{}", numbers[2]) : "";
        return fmt::format("{}:{}{}: {}{}", files[source], numbers[1], column, format.severity,
                           located->message);
    }
    return std::string(line);
}

/// Texts that users of the library added.
struct Registered {
    std::mutex mutex;
    std::map<std::string, std::string, std::less<>> texts;
};

Registered& registered() {
    static Registered all;
    return all;
}

std::optional<std::string> read_registered(std::string_view name) {
    Registered& all = registered();
    const std::lock_guard lock(all.mutex);
    const auto text = all.texts.find(name);
    return text == all.texts.end() ? std::nullopt : std::optional(text->second);
}

} // namespace

void register_glsl(const std::string& name, std::string text) {
    Registered& all = registered();
    const std::lock_guard lock(all.mutex);
    all.texts.insert_or_assign(name, std::move(text));
}

GlslReader default_glsl_reader() {
    const char* folder = std::getenv("GLPROC_GLSL_DIR");
    if (folder != nullptr && *folder != '\0') {
        return [root = std::filesystem::path(folder)](std::string_view name) {
            const std::optional<std::string> text = read_text_file(root / name);
            return text ? text : read_registered(name);
        };
    }
    return [](std::string_view name) -> std::optional<std::string> {
        const auto file = embedded_glsl().find(name);
        return file == embedded_glsl().end() ? read_registered(name)
                                             : std::optional<std::string>(file->second);
    };
}

ShaderSource load_shader(std::string_view name, const Defines& defines, const GlslReader& read) {
    return Expansion(read, defines).kernel(name);
}

std::string rewrite_log(std::string_view log, std::span<const std::string> files) {
    std::string result;
    while (!log.empty()) {
        const std::size_t length = std::min(log.find('\n'), log.size());
        result += rewrite_log_line(log.substr(0, length), files);
        result += log.substr(length, 1);
        log.remove_prefix(std::min(length + 1, log.size()));
    }
    return result;
}

} // namespace glproc
