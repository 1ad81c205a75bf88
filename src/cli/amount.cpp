#include "cli/amount.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/number.hpp"
#include "glproc/op/field.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

std::string takes(const AmountFlag& flag) {
    const std::string_view examples = flag.counted == Counted::things ? "such as 200M"
                                      : flag.plain == 1               ? "such as 300K or 1.5M"
                                                                      : "such as 512M or 1.5G";
    const std::string range = print_limit(flag.limit);
    return fmt::format("--{} takes {}{}{}, or an amount {}", flag.name, range, flag.unit.empty() ? "" : " ",
                       flag.unit, examples);
}

[[noreturn]] void refuse(const AmountFlag& flag, const std::string& text, std::string_view why) {
    throw Error(ErrorCode::usage, fmt::format("--{} {} is {}", flag.name, text, why), takes(flag));
}

/// What a unit stands for; nothing of other words.
std::optional<double> factor_of(std::string unit, const AmountFlag& flag) {
    std::transform(unit.begin(), unit.end(), unit.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (unit.empty()) {
        return static_cast<double>(flag.plain);
    }
    constexpr std::string_view letters = "kmgt";
    const std::size_t power = letters.find(unit.front());
    const std::string_view rest = std::string_view(unit).substr(1);
    const bool is_known = rest.empty() || (flag.counted == Counted::bytes && (rest == "b" || rest == "ib"));
    if (power == std::string_view::npos || !is_known) {
        return std::nullopt;
    }
    return std::pow(flag.counted == Counted::bytes ? 1024.0 : 1000.0, static_cast<double>(power + 1));
}

} // namespace

std::uint64_t parse_amount(const AmountFlag& flag, const std::string& text) {
    double number = 0;
    const auto [end, error] = read_number(text, number);
    const std::optional<double> factor = factor_of(std::string(end, text.data() + text.size()), flag);
    if (error == std::errc::invalid_argument || !factor) {
        refuse(flag, text, flag.counted == Counted::bytes ? "no amount of bytes" : "no number");
    }
    const double amount = number * *factor;
    const double plain = static_cast<double>(flag.plain);
    if (error != std::errc{} || !(amount >= flag.limit.low * plain && amount <= flag.limit.high * plain)) {
        refuse(flag, text, "out of range");
    }
    const bool has_unit = end != text.data() + text.size();
    const bool may_have_part = has_unit && flag.counted == Counted::bytes; // 1.5G
    if (!may_have_part && amount / plain != std::floor(amount / plain)) {
        refuse(flag, text, "not a whole number");
    }
    return static_cast<std::uint64_t>(amount);
}

} // namespace glproc::cli
