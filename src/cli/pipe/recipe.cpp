#include "cli/pipe/recipe.hpp"

#include "cli/files/input.hpp"
#include "cli/pipe/changes.hpp"
#include "glproc/base/error.hpp"

#include <filesystem>
#include <iomanip>
#include <istream>
#include <iterator>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 20U;

void refuse_enormous(const std::string& path) {
    std::error_code unknown; // of stdin, and of what reading will fail at
    const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
    if (!unknown && bytes > most_bytes) {
        throw Error(ErrorCode::input, fmt::format("{}: too large for a recipe: {} bytes", path, bytes));
    }
}

/// The words of a line as a shell would see them. Nothing is expanded.
std::vector<std::string> words_of(const std::string& line, const std::string& origin) {
    std::vector<std::string> words;
    std::istringstream in(line);
    while (!(in >> std::ws).eof() && in.peek() != '#') {
        std::string word;
        in >> std::quoted(word, in.peek() == '\'' ? '\'' : '"');
        if (in.fail()) {
            throw Error(ErrorCode::usage, origin + "a quote that is never closed");
        }
        words.push_back(word);
    }
    return words;
}

} // namespace

std::vector<PipeStep> read_recipe(const std::string& path) {
    refuse_enormous(path);
    const std::vector<std::byte> bytes = read_input(path, "recipe");
    std::istringstream text(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    std::vector<PipeStep> steps;
    int number = 0;
    for (std::string line; std::getline(text, line);) {
        const std::string origin = fmt::format("{}:{}: ", input_name(path), ++number);
        const std::vector<std::string> words = words_of(line, origin);
        if (!words.empty() && words.front() == time_word && !steps.empty()) { // of the operation above
            std::vector<std::string>& step = steps.back().words;
            step.insert(step.end(), words.begin(), words.end());
        } else if (!words.empty()) {
            const std::vector<PipeStep> more = split_steps(words, origin);
            steps.insert(steps.end(), more.begin(), more.end());
        }
    }
    if (steps.empty()) {
        throw Error(ErrorCode::usage, fmt::format("{}: no operation in the recipe", input_name(path)),
                    "one operation per line: blur --sigma 2");
    }
    return steps;
}

} // namespace glproc::cli
