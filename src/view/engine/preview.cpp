#include "view/engine/preview.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace glproc::view {

namespace {

/// The numbers of a text times `factor`. Whole ones stay whole, and at least 1 if they were; those of percent
/// stay.
std::string scaled(const std::string& text, double factor) {
    std::string result;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end;) {
        double value = 0;
        const auto [next, error] = std::from_chars(at, end, value, std::chars_format::fixed);
        if (error != std::errc{} || next == at) {
            result += *at++;
            continue;
        }
        const std::string word(at, next);
        const bool is_percent = next < end && *next == '%';
        const bool is_whole = word.find('.') == std::string::npos;
        if (is_percent || value == 0) {
            result += word;
        } else if (is_whole) {
            const double least = value > 0 ? 1 : -std::numeric_limits<double>::infinity();
            result += fmt::format("{:.0f}", std::max(least, std::round(value * factor)));
        } else {
            result += fmt::format("{:.6f}", value * factor);
        }
        at = next;
    }
    return result;
}

/// Numbers that change with the picture's size by other powers of it than 1, which is that of lengths.
struct Growth {
    std::string_view op;
    std::string_view field;
    std::array<int, 9> powers;
    std::string_view end = {}; ///< of the texts that it is for
};

// A matrix M becomes S M S^-1, where S scales x and y. A pixel is as long as several of the larger picture.
constexpr std::array growths{Growth{"warp", "affine", {0, 0, 1, 0, 0, 1}},
                             Growth{"warp", "perspective", {0, 0, 1, 0, 0, 1, -1, -1, 0}},
                             Growth{"components", "min-area", {2}},
                             Growth{"components", "max-area", {2}},
                             Growth{"draw", "scale-bar", {1}, "px"},
                             Growth{"draw", "pixel-size", {-1}}};

const Growth* growth_of(const OpInfo& op, const FieldInfo& field, const std::string& text) {
    const auto found = std::find_if(growths.begin(), growths.end(), [&](const Growth& growth) {
        return growth.op == op.name && growth.field == field.name && text.ends_with(growth.end);
    });
    return found == growths.end() ? nullptr : &*found;
}

/// The numbers of a list, each times its power of `factor`. What is no number stays, such as a unit.
std::string grown(const std::string& text, const Growth& growth, FieldKind kind, double factor) {
    std::string result;
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size();) {
        double value = 0;
        const auto [stop, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
        const bool is_in_word = at > 0 && std::isalpha(static_cast<unsigned char>(text[at - 1])) != 0;
        if (error != std::errc{} || is_in_word) {
            result += text[at++];
            continue;
        }
        const double now = value * std::pow(factor, count < growth.powers.size() ? growth.powers[count] : 0);
        result += kind != FieldKind::whole ? fmt::format("{}", now)
                                           : fmt::format("{:.0f}", value > 0 ? std::max(1.0, std::round(now)) : now);
        at = static_cast<std::size_t>(stop - text.data());
        ++count;
    }
    return result;
}

} // namespace

Steps scaled(const Steps& steps, double factor) {
    Steps result = steps;
    for (Step& step : result) {
        for (const FieldInfo& field : step.op->fields) {
            const std::string text = step.value_of(field);
            if (const Growth* growth = growth_of(*step.op, field, text)) {
                if (step.has(field)) {
                    step.given[field.name] = grown(text, *growth, field.kind, factor);
                }
                continue;
            }
            if (field.unit != "pixels" || text.empty() ||
                (!step.has(field) && field.kind == FieldKind::text)) {
                continue;
            }
            // A number with a fraction may get one: sigma 2 at a quarter is 0.5.
            const bool broken = field.kind == FieldKind::number && text.find_first_of(".%") == std::string::npos;
            std::string exact;
            for (std::size_t i = 0; broken && i < text.size(); ++i) {
                exact += text[i] == ',' ? ".0," : std::string(1, text[i]);
            }
            step.given[field.name] = scaled(broken ? exact + ".0" : text, factor);
        }
    }
    return result;
}

bool can_scale(const Steps& steps) {
    return std::none_of(steps.begin(), steps.end(), [](const Step& step) {
        return step.op->name == "draw" && step.given.contains("from"); // places in a file
    });
}

int halvings(double megapixels, double rate, double budget) {
    constexpr double least = 0.25;
    int count = 0;
    while (megapixels * rate > budget && megapixels / 4 >= least) {
        megapixels /= 4;
        ++count;
    }
    return count;
}

std::string Pace::key(const Steps& steps) {
    std::string words;
    for (const Step& step : steps) {
        if (step.on) {
            words += step.op->name + " ";
            for (const auto& [name, text] :
                 step.given) { // choices make other kernels; numbers cost about the same
                const auto field =
                    std::find_if(step.op->fields.begin(), step.op->fields.end(),
                                 [&name = name](const FieldInfo& info) { return info.name == name; });
                words += field->kind == FieldKind::choice ? text + " " : "";
            }
        }
    }
    return words;
}

void Pace::note(const Steps& steps, double megapixels, double milliseconds) {
    const double rate = milliseconds / std::max(megapixels, 0.01);
    const auto [known, is_new] = rates_.emplace(key(steps), rate);
    known->second = is_new ? rate : (known->second + rate) / 2;
}

double Pace::rate(const Steps& steps) const {
    const auto known = rates_.find(key(steps));
    const auto count = std::count_if(steps.begin(), steps.end(), [](const Step& step) { return step.on; });
    return known != rates_.end() ? known->second : first_rate_ * static_cast<double>(count);
}

} // namespace glproc::view
