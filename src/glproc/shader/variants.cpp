#include "glproc/shader/variants.hpp"

#include "glproc/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace glproc {

namespace {

/// One `// @word rest` line.
struct Annotation {
    std::string place; ///< file:line
    std::string word;
    std::string rest;
};

[[noreturn]] void fail_at(const Annotation& line, std::string_view what) {
    throw Error(ErrorCode::operation, fmt::format("{}: {}", line.place, what),
                R"(the forms are "// @define NAME 0|1|2 meaning" and "// @skip NAME=1 OTHER=2")");
}

constexpr std::string_view blanks = " \t\r\v\f";
constexpr std::string_view word_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

/// Removes all leading characters that are in `set`, and returns them.
std::string_view take(std::string_view& text, std::string_view set) {
    const std::string_view taken = text.substr(0, text.find_first_not_of(set));
    text.remove_prefix(taken.size());
    return taken;
}

std::vector<Annotation> annotations(std::string_view source, std::string_view file) {
    std::vector<Annotation> result;
    std::istringstream in{std::string(source)};
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        std::string_view rest = line;
        take(rest, blanks);
        if (!rest.starts_with("//")) {
            continue;
        }
        rest.remove_prefix(2);
        take(rest, blanks);
        if (!rest.starts_with('@')) {
            continue;
        }
        rest.remove_prefix(1);
        const std::string word(take(rest, word_characters));
        result.push_back({fmt::format("{}:{}", file, number), word, std::string(rest)});
        if (word != "define" && word != "skip" && word != "twin") {
            fail_at(result.back(), fmt::format("unknown annotation @{}", word));
        }
    }
    return result;
}

bool is_identifier(std::string_view text) {
    return !text.empty() && (text.front() < '0' || text.front() > '9') &&
           text.find_first_not_of(word_characters) == std::string_view::npos;
}

bool is_value(std::string_view text) {
    return !text.empty() &&
           text.find_first_not_of(std::string(word_characters) + ".+-") == std::string_view::npos;
}

std::vector<std::string> split_values(const Annotation& line, const std::string& list) {
    std::vector<std::string> values;
    std::istringstream in(list + '|');
    for (std::string value; std::getline(in, value, '|');) {
        if (!is_value(value)) {
            fail_at(line, fmt::format(R"("{}" in "{}" is not a value)", value, list));
        }
        if (std::find(values.begin(), values.end(), value) != values.end()) {
            fail_at(line, fmt::format("value {} is listed twice", value));
        }
        values.push_back(value);
    }
    return values;
}

const DefineRange* find_range(const std::vector<DefineRange>& ranges, const std::string& name) {
    const auto found = std::find_if(ranges.begin(), ranges.end(),
                                    [&](const DefineRange& range) { return range.name == name; });
    return found == ranges.end() ? nullptr : &*found;
}

std::vector<DefineRange> parse_defines(const std::vector<Annotation>& lines) {
    std::vector<DefineRange> ranges;
    for (const Annotation& line : lines) {
        if (line.word != "define") {
            continue;
        }
        std::istringstream in(line.rest);
        std::string name;
        std::string list;
        std::string meaning;
        in >> name >> list >> meaning;
        if (!is_identifier(name)) {
            fail_at(line, fmt::format("\"{}\" is not an identifier", name));
        }
        if (find_range(ranges, name) != nullptr) {
            fail_at(line, fmt::format("{} is declared twice", name));
        }
        if (list.empty()) {
            fail_at(line, fmt::format("{} has no values", name));
        }
        // "0 | 1" would otherwise pass as the one value 0 with an odd meaning.
        if (meaning.starts_with('|')) {
            fail_at(line, fmt::format("there is a blank in the list of the values of {}", name));
        }
        ranges.push_back({name, split_values(line, list)});
    }
    return ranges;
}

Defines parse_skip(const Annotation& line, const std::vector<DefineRange>& ranges) {
    Defines skip;
    std::istringstream in(line.rest);
    for (std::string pair; in >> pair;) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos) {
            fail_at(line, fmt::format("\"{}\" is not NAME=VALUE", pair));
        }
        const std::string name = pair.substr(0, equals);
        const std::string value = pair.substr(equals + 1);
        const DefineRange* range = find_range(ranges, name);
        if (range == nullptr) {
            fail_at(line, fmt::format("{} is not declared", name));
        }
        if (std::find(range->values.begin(), range->values.end(), value) == range->values.end()) {
            fail_at(line, fmt::format("\"{}\" is no declared value of {}", value, name));
        }
        if (!skip.emplace(name, value).second) {
            fail_at(line, fmt::format("{} occurs twice", name));
        }
    }
    if (skip.empty()) {
        fail_at(line, "@skip names no combination");
    }
    return skip;
}

/// Walks the cross product and leaves out each part of it as soon as a skip covers that part.
class Enumeration {
  public:
    Enumeration(const std::vector<DefineRange>& ranges, const std::vector<Defines>& skips,
                std::string_view file)
        : ranges_(ranges), skips_(skips), file_(file) {}

    std::vector<Defines> run() {
        walk({}, 0);
        return std::move(variants_);
    }

  private:
    void walk(const Defines& chosen, std::size_t depth) {
        const auto covers = [&](const Defines& skip) {
            return std::includes(chosen.begin(), chosen.end(), skip.begin(), skip.end());
        };
        if (std::any_of(skips_.begin(), skips_.end(), covers)) {
            return;
        }
        if (depth < ranges_.size()) {
            for (const std::string& value : ranges_[depth].values) {
                Defines extended = chosen;
                extended.emplace(ranges_[depth].name, value);
                walk(extended, depth + 1);
            }
            return;
        }
        if (variants_.size() == max_variants) {
            throw Error(ErrorCode::operation, fmt::format("{}: more than {} variants", file_, max_variants),
                        "declare fewer defines or values, or @skip the combinations that never occur");
        }
        variants_.push_back(chosen);
    }

    const std::vector<DefineRange>& ranges_;
    const std::vector<Defines>& skips_;
    std::string_view file_;
    std::vector<Defines> variants_;
};

} // namespace

std::vector<DefineRange> declared_defines(std::string_view source, std::string_view file) {
    return parse_defines(annotations(source, file));
}

std::vector<Defines> all_variants(std::string_view source, std::string_view file) {
    const std::vector<Annotation> lines = annotations(source, file);
    const std::vector<DefineRange> ranges = parse_defines(lines);
    std::vector<Defines> skips;
    for (const Annotation& line : lines) {
        if (line.word == "skip") {
            skips.push_back(parse_skip(line, ranges));
        }
    }
    std::vector<Defines> variants = Enumeration(ranges, skips, file).run();
    if (variants.empty()) {
        throw Error(ErrorCode::operation, fmt::format("{}: every variant is skipped", file));
    }
    return variants;
}

TwinRules twin_rules(std::string_view source, std::string_view file) {
    TwinRules rules;
    for (const Annotation& line : annotations(source, file)) {
        if (line.word != "twin") {
            continue;
        }
        std::istringstream in(line.rest);
        for (std::string word; in >> word;) {
            if (!is_identifier(word.substr(0, word.find('=')))) {
                fail_at(line, fmt::format("\"{}\" is neither NAME nor NAME=VALUE", word));
            }
            if (const std::size_t equals = word.find('='); equals != std::string::npos) {
                rules.fixed[word.substr(0, equals)] = word.substr(equals + 1);
            } else {
                rules.numbers.push_back(word);
            }
        }
    }
    return rules;
}

std::vector<Defines> covering_pairs(const std::vector<Defines>& variants) {
    std::map<std::pair<std::string, std::string>, std::size_t> numbers; // of a define with a value
    std::set<std::pair<std::size_t, std::size_t>> met;
    std::vector<Defines> chosen;
    // Neighbours differ in one define only, so they are visited in leaps of the golden ratio. A leap has no
    // divisor in common with their number, so that each is visited once.
    const std::size_t count = variants.size();
    std::size_t leap = static_cast<std::size_t>(static_cast<double>(count) * 0.618) + 1;
    while (std::gcd(leap, count) > 1) {
        ++leap;
    }
    for (std::size_t visit = 0; visit < count; ++visit) {
        const Defines& variant = variants[visit * leap % count];
        std::vector<std::size_t> values;
        for (const auto& define : variant) {
            values.push_back(numbers.emplace(define, numbers.size()).first->second);
        }
        bool has_new = chosen.empty();
        for (const std::size_t one : values) {
            for (const std::size_t other : values) { // itself, too: a define may be alone
                has_new = met.emplace(std::min(one, other), std::max(one, other)).second || has_new;
            }
        }
        if (has_new) {
            chosen.push_back(variant);
        }
    }
    return chosen;
}

} // namespace glproc
