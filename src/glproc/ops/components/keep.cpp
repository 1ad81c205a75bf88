#include "glproc/ops/components/keep.hpp"

#include "glproc/base/number.hpp"
#include "glproc/ops/components/columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>

#include <fmt/ranges.h>

namespace glproc {

namespace {

using Step = ComponentFilter::Step;

constexpr std::size_t longest_filter = 1000; ///< characters of a filter
constexpr int deepest_filter = 50;           ///< parentheses and nots in each other

/// In the order of the steps.
constexpr std::array<std::string_view, 6> relations{"<", "<=", ">", ">=", "==", "!="};

/// Words of other languages, each before the one that it means.
constexpr std::array<std::string_view, 14> words_meant{"=",  "==", "=>",  ">=", "=<", "<=", "<>",
                                                       "!=", "&&", "and", "||", "or", "!",  "not "};

class FilterParser {
  public:
    FilterParser(std::string_view name, std::string_view text, bool gives_hints = true)
        : name_(name), text_(text), gives_hints_(gives_hints) {
        next();
    }

    ComponentFilter parse() {
        if (text_.size() > longest_filter) {
            refuse(fmt::format("a filter has at most {} characters", longest_filter));
        }
        either();
        expect(word_.empty(), "'and' or 'or'");
        return {std::string(text_), parts_};
    }

  private:
    /// Takes the next word; an empty one at the end.
    void next() {
        begin_ = std::min(text_.find_first_not_of(" \t\r\n", begin_ + word_.size()), text_.size());
        const std::string_view rest = text_.substr(begin_);
        const bool is_single = rest.starts_with('(') || rest.starts_with(')');
        const std::size_t signs = std::min(rest.find_first_not_of("<>=!&|"), rest.size());
        word_ = rest.substr(0, is_single ? 1 : signs > 0 ? signs : rest.find_first_of("<>=!&|() \t\r\n"));
    }

    void either() { join("or", Step::either, &FilterParser::both); }
    void both() { join("and", Step::both, &FilterParser::one); }

    void join(std::string_view word, Step step, void (FilterParser::*part)()) {
        (this->*part)();
        while (word_ == word) {
            next();
            (this->*part)();
            parts_.push_back({step});
        }
    }

    void one() {
        if (++depth_ > deepest_filter) {
            refuse(fmt::format("more than {} parentheses in each other", deepest_filter));
        }
        if (word_ == "not") {
            next();
            one();
            parts_.push_back({Step::opposite});
        } else if (word_ == "(") {
            next();
            either();
            expect(word_ == ")", "a )");
            next();
        } else {
            comparison();
        }
        --depth_;
    }

    void comparison() {
        if (const auto near = columns_like(word_); !measure_of_column(word_) && !near.empty()) {
            refuse(fmt::format("'{}' is no measure (did you mean {}?)", word_, fmt::join(near, ", ")),
                   near[0]);
        }
        expect(measure_of_column(word_).has_value(), "a measure");
        ComponentFilter::Part part{.measure = std::string(word_)};
        next();
        const auto* relation = std::find(relations.begin(), relations.end(), word_);
        expect(relation != relations.end(), "a comparison, such as >,");
        part.step = static_cast<Step>(relation - relations.begin());
        next();
        const auto [end, error] = read_number(word_, part.number);
        expect(error == std::errc{} && end == word_.data() + word_.size() && std::isfinite(part.number),
               "a number");
        next();
        parts_.push_back(part);
    }

    /// Refuses the word unless it is as it should be.
    void expect(bool is_right, const char* what) const {
        if (!is_right) {
            refuse(word_.empty() ? fmt::format("{} is missing at the end", what)
                                 : fmt::format("'{:.40}' stands where {} should", word_, what));
        }
    }

    /// The hint has the text with another word, if that is a filter, else an example.
    [[noreturn]] void refuse(const std::string& why, std::string_view other = {}) const {
        std::string hint = "area > 50 and circularity > 0.8";
        for (std::size_t i = 0; i < words_meant.size(); i += 2) {
            other = word_ == words_meant.at(i) ? words_meant.at(i + 1) : other;
        }
        if (gives_hints_ && !other.empty()) {
            const std::string corrected =
                fmt::format("{}{}{}", text_.substr(0, begin_), other, text_.substr(begin_ + word_.size()));
            try {
                FilterParser(name_, corrected, false).parse();
                hint = corrected;
            } catch (const Error&) { // has another fault
            }
        }
        throw Error(ErrorCode::usage, fmt::format("--{}: {}", name_, why),
                    fmt::format("--{} '{}'", name_, hint));
    }

    std::string_view name_;
    std::string_view text_;
    bool gives_hints_;
    std::size_t begin_ = 0; ///< of the word
    std::string_view word_;
    int depth_ = 0;
    std::vector<ComponentFilter::Part> parts_;
};

} // namespace

ComponentFilter FieldText<ComponentFilter>::parse(const FieldContext& c, std::string_view text) {
    return FilterParser(c.name, text).parse();
}

} // namespace glproc
