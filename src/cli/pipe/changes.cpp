#include "cli/pipe/changes.hpp"

#include "cli/files/video_time.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/number.hpp"
#include "glproc/op/field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr std::string_view dots = "..";

/// A number with what is written behind it: "50%", "128/255".
struct Amount {
    double number = 0;
    std::string unit;
};

/// "1,2,50%" as amounts; nothing where something else stands there.
std::optional<std::vector<Amount>> amounts_of(std::string_view text) {
    std::vector<Amount> amounts;
    for (const std::string_view part : split_list(text)) {
        Amount amount;
        const auto [end, error] = read_number(part, amount.number);
        amount.unit = std::string(end, part.data() + part.size());
        const bool is_unit = amount.unit.empty() || amount.unit == "%" || amount.unit.starts_with('/');
        if (error != std::errc{} || !is_unit || !std::isfinite(amount.number)) {
            return std::nullopt;
        }
        amounts.push_back(std::move(amount));
    }
    return amounts.empty() ? std::nullopt : std::optional(std::move(amounts));
}

bool are_alike(const std::vector<Amount>& a, const std::vector<Amount>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Amount& x, const Amount& y) { return x.unit == y.unit; });
}

/// Between two texts of numbers; nothing where there is no way from one to the other.
std::optional<std::string> between(const std::string& from, const std::string& to, double share, bool whole) {
    const auto a = amounts_of(from);
    const auto b = amounts_of(to);
    if (!a || !b || !are_alike(*a, *b)) {
        return std::nullopt;
    }
    std::string text;
    for (std::size_t i = 0; i < a->size(); ++i) {
        const double exact = (*a)[i].number + share * ((*b)[i].number - (*a)[i].number);
        text += fmt::format("{}{}{}", i > 0 ? "," : "", whole ? std::round(exact) : exact, (*a)[i].unit);
    }
    return text;
}

/// "0..8"
std::optional<std::pair<std::string, std::string>> ends_of(const std::string& text) {
    const std::size_t at = text.find(dots);
    if (at == std::string::npos) {
        return std::nullopt;
    }
    std::pair ends(text.substr(0, at), text.substr(at + dots.size()));
    return amounts_of(ends.first) && amounts_of(ends.second) ? std::optional(std::move(ends)) : std::nullopt;
}

/// "1:02:03.480"
std::string clock_of(double seconds) {
    const auto thousandths = std::llround(seconds * 1000);
    return fmt::format("{}:{:02}:{:02}.{:03}", thousandths / 3600000, thousandths / 60000 % 60, thousandths / 1000 % 60,
                       thousandths % 1000);
}

/// With values for {frame} and {time}. Two braces are one brace, whatever follows, which is left to the operation.
std::string filled(const std::string& text, const VideoMoment& at) {
    const std::array<std::pair<std::string_view, std::string>, 3> words{
        {{"{{", "{{"}, {"{frame}", std::to_string(at.frame)}, {"{time}", clock_of(at.seconds)}}};
    std::string made;
    for (std::size_t i = 0; i < text.size();) {
        const auto word = std::find_if(words.begin(), words.end(), [&](const auto& one) {
            return std::string_view(text).substr(i).starts_with(one.first);
        });
        made += word == words.end() ? text.substr(i, 1) : word->second;
        i += word == words.end() ? 1 : word->first.size();
    }
    return made;
}

/// A value of a step as it was typed.
struct Typed {
    const Flag* flag = nullptr;
    std::string text;
    std::size_t count = 0; ///< words
    bool bare = false;     ///< without the flag
};

/// The value that stands here; nothing at other words.
std::optional<Typed> value_at(const std::vector<std::string>& words, std::size_t at, const Command& command) {
    const Flag* flag = find_any_flag(command.flags, words[at]);
    if (flag == nullptr || !flag->takes_value()) {
        return std::nullopt;
    }
    if (const std::size_t equals = words[at].find('='); equals != std::string::npos) {
        return Typed{flag, words[at].substr(equals + 1), 1};
    }
    return takes_next_word(*flag) && at + 1 < words.size() ? std::optional(Typed{flag, words[at + 1], 2}) : std::nullopt;
}

/// The same after a time, where names may stand without dashes.
Typed value_after_time(const PipeStep& step, std::size_t at, const Command& command) {
    std::vector<std::string> words(step.words.begin() + static_cast<std::ptrdiff_t>(at), step.words.end());
    if (!words.front().starts_with('-')) {
        words.front().insert(0, "--");
    }
    const std::optional<Typed> value = value_at(words, 0, command);
    if (!value) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}'{}' after {} TIME is no value of {}", step.origin, step.words[at], time_word, command.name),
                    fmt::format("as {} at 2s --NAME VALUE", command.name));
    }
    return *value;
}

/// Reads the words of one step.
class Reader {
  public:
    Reader(PipeStep& step, const Command& command) : step_(step), command_(command) {}

    std::vector<Change> read() {
        std::size_t at = 1;
        while (at < step_.words.size() && step_.words[at] != time_word) {
            at += read_value(at);
        }
        const std::size_t begin = at;
        while (at < step_.words.size()) {
            at = read_time(at);
        }
        step_.words.resize(begin);
        std::vector<Change> changes;
        for (auto& [flag, keys] : keys_) {
            const bool is_written = flag->info.kind == FieldKind::text && filled(keys.front().text, {}) != keys.front().text;
            if (keys.size() > 1 || keys.front().seconds != 0.0 || is_written) {
                add_first(*flag, keys.front());
                changes.emplace_back(flag->info, std::move(keys));
            }
        }
        return changes;
    }

  private:
    using Keys = std::vector<Change::Key>;

    Keys& keys_of(const Flag* flag) {
        const auto found = std::find_if(keys_.begin(), keys_.end(), [&](const auto& one) { return one.first == flag; });
        return found == keys_.end() ? keys_.emplace_back(flag, Keys{}).second : found->second;
    }

    /// Of all times. Returns how many words it has.
    std::size_t read_value(std::size_t at) {
        std::optional<Typed> value = value_at(step_.words, at, command_);
        if (!value && ends_of(step_.words[at]) && !command_.places.empty()) {
            const auto field = std::find_if(command_.flags.begin(), command_.flags.end(),
                                            [](const Flag& flag) { return flag.info.is_place; });
            value = Typed{&*field, step_.words[at], 1, true};
        }
        if (!value) {
            return 1;
        }
        Keys& keys = keys_of(value->flag);
        keys = {{0, value->text}};
        if (const auto ends = ends_of(value->text)) {
            keys = {{0, ends->first}, {std::nullopt, ends->second}};
            std::string& word = step_.words[at + value->count - 1];
            word.replace(word.size() - value->text.size(), value->text.size(), ends->first);
        }
        return value->count;
    }

    /// The values at one time. Returns where they end.
    std::size_t read_time(std::size_t at) {
        const std::optional<double> seconds =
            at + 1 < step_.words.size() ? seconds_of(step_.words[at + 1]) : std::nullopt;
        if (!seconds || at + 2 >= step_.words.size()) {
            throw Error(ErrorCode::usage, fmt::format("{}{} needs a time and values", step_.origin, time_word),
                        fmt::format("as {} at 2s --NAME VALUE, at 0:02 or at 0:00:02", command_.name));
        }
        const std::string when = step_.words[at + 1];
        for (at += 2; at < step_.words.size() && step_.words[at] != time_word;) {
            const Typed value = value_after_time(step_, at, command_);
            Keys& keys = keys_of(value.flag);
            if (!keys.empty() && (!keys.back().seconds || *keys.back().seconds > *seconds)) {
                throw Error(ErrorCode::usage,
                            fmt::format("{}--{} at {}: times must grow, and none fits a value from A to B", step_.origin,
                                        value.flag->info.name, when));
            }
            keys.push_back({seconds, value.text});
            at += value.count;
        }
        return at;
    }

    /// Of a value that is given at times alone, so that the operation has one.
    void add_first(const Flag& flag, const Change::Key& key) {
        if (key.seconds != 0.0) {
            step_.words.push_back(fmt::format("--{}={}", flag.info.name, key.text));
        }
    }

    PipeStep& step_;
    const Command& command_;
    std::vector<std::pair<const Flag*, Keys>> keys_;
};

} // namespace

bool Change::needs_length() const {
    return std::any_of(keys_.begin(), keys_.end(), [](const Key& key) { return !key.seconds; });
}

std::vector<std::string> Change::texts() const {
    std::vector<std::string> texts;
    std::transform(keys_.begin(), keys_.end(), std::back_inserter(texts),
                   [&](const Key& key) { return field_.kind == FieldKind::text ? filled(key.text, {}) : key.text; });
    return texts;
}

std::string Change::text_at(const VideoMoment& at) const {
    const auto time_of = [&](const Key& key) { return key.seconds.value_or(at.length); };
    const auto next = std::find_if(keys_.begin(), keys_.end(), [&](const Key& key) { return time_of(key) > at.seconds; });
    if (next == keys_.begin()) {
        return keys_.front().text;
    }
    const Key& before = *(next - 1);
    if (next == keys_.end() || time_of(before) == at.seconds) {
        return before.text;
    }
    const double share = (at.seconds - time_of(before)) / (time_of(*next) - time_of(before));
    return between(before.text, next->text, share, whole_).value_or(before.text);
}

void Change::apply(Operation& to, const VideoMoment& at) const {
    const std::string text = text_at(at);
    to.set(field_.name, field_.kind == FieldKind::text ? filled(text, at) : text);
}

void Change::check(Operation& on) {
    for (const std::string& text : texts()) {
        on.set(field_.name, text);
    }
    for (std::size_t i = 0; i + 1 < keys_.size(); ++i) {
        constexpr double anywhere = 0.4375;
        const auto middle = between(keys_[i].text, keys_[i + 1].text, anywhere, false);
        if (!middle) {
            throw Error(ErrorCode::usage,
                        fmt::format("--{} cannot go from {} to {}: only numbers change evenly", field_.name, keys_[i].text,
                                    keys_[i + 1].text));
        }
        try {
            on.set(field_.name, *middle);
        } catch (const Error&) { // so it takes whole numbers alone
            whole_ = true;
            on.set(field_.name, *between(keys_[i].text, keys_[i + 1].text, anywhere, true));
        }
    }
    on.set(field_.name, texts().front());
}

std::vector<Change> take_changes(PipeStep& step, const Command& command) {
    return Reader(step, command).read();
}

} // namespace glproc::cli
