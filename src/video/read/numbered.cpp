#include "video/read/numbered.hpp"

#include "cli/many/input_list.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/shell_word.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <system_error>

#include <fmt/format.h>

namespace glproc::video {

namespace fs = std::filesystem;

std::optional<NumberedName> NumberedName::parse(const std::string& pattern) {
    NumberedName name;
    name.pattern_ = pattern;
    int places = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        std::string& part = places == 0 ? name.before_ : name.after_;
        std::size_t end = i + 1;
        while (pattern[i] == '%' && end < pattern.size() && pattern[end] >= '0' && pattern[end] <= '9') {
            ++end;
        }
        if (pattern[i] == '%' && end < pattern.size() && pattern[end] == 'd' && end - i <= 3) {
            name.digits_ = end == i + 1 ? 1 : std::stoi(pattern.substr(i + 1, end - i - 1));
            ++places;
            i = end;
        } else {
            part += pattern[i];
            i += pattern[i] == '%' && end < pattern.size() && pattern[end] == '%' ? 1 : 0;
        }
    }
    if (places > 1) {
        throw Error(ErrorCode::usage, fmt::format("{}: a name can hold only one number", pattern));
    }
    return places == 1 ? std::optional(name) : std::nullopt;
}

std::string NumberedName::of(std::int64_t number) const {
    return fmt::format("{}{:0{}}{}", before_, number, digits_, after_);
}

std::string NumberedName::glob() const {
    const auto word = [](const std::string& text) { return text.empty() ? text : shell_word(text); };
    return word(before_) + "*" + word(after_);
}

std::map<std::int64_t, std::string> NumberedName::existing() const {
    const fs::path folder = fs::path(before_).parent_path();
    std::map<std::int64_t, std::string> found;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, missing)) {
        const std::string path = (folder / entry.path().filename()).string();
        constexpr std::size_t most_digits = 15;
        const std::size_t ends = before_.size() + after_.size();
        if (path.size() <= ends || path.size() > ends + most_digits || !path.starts_with(before_) ||
            !path.ends_with(after_)) {
            continue;
        }
        const std::string digits = path.substr(before_.size(), path.size() - ends);
        if (std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c) != 0; }) &&
            of(std::stoll(digits)) == path) {
            cli::refuse_special(path, true);
            found.emplace(std::stoll(digits), path);
        }
    }
    if (found.empty()) {
        throw Error(ErrorCode::input, fmt::format("{}: there are no such images", pattern_));
    }
    return found;
}

std::string NumberedName::gaps_in(std::span<const std::int64_t> numbers) const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        least = std::min(least, numbers[i] - numbers[i - 1]);
    }
    std::int64_t missing = 0;
    std::int64_t first = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        const std::int64_t lost = (numbers[i] - numbers[i - 1] - 1) / least;
        first = missing == 0 ? numbers[i - 1] + least : first;
        missing += lost;
    }
    return missing == 0 ? ""
                        : fmt::format("{} is missing{}: the frames around it follow each other", of(first),
                                      missing > 1 ? fmt::format(", and {} more", missing - 1) : "");
}

} // namespace glproc::video
