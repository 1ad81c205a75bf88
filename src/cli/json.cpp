#include "cli/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace glproc::cli {

namespace {

using Text = nlohmann::ordered_json;
using Parsed = nlohmann::json; // finds a member at once: a line of many takes no quadratic time

struct ToJson {
    Json operator()(std::int64_t value) const { return value; }
    Json operator()(double value) const { return json_number(value); }
    Json operator()(FloatMeasure measure) const { return json_number(measure); }
    Json operator()(const std::string& value) const { return value; }

    Json operator()(const Value::List& list) const {
        Json::List result;
        std::transform(list.begin(), list.end(), std::back_inserter(result), to_json);
        return result;
    }

    Json operator()(const Value::Object& object) const {
        Json result = Json::object();
        for (const auto& [key, item] : object) {
            result.add(key, to_json(item));
        }
        return result;
    }
};

struct ToText {
    Text operator()(const auto& value) const { return value; }

    Text operator()(const Json::List& list) const {
        Text result = Text::array();
        for (const Json& item : list) {
            result.push_back(std::visit(*this, item.data()));
        }
        return result;
    }

    Text operator()(const Json::Object& object) const {
        Text result = Text::object();
        for (const auto& [key, item] : object) {
            result[key] = std::visit(*this, item.data());
        }
        return result;
    }
};

/// A value in an object.
Json from_text(const Parsed& text) {
    switch (text.type()) {
    case Parsed::value_t::boolean:
        return text.get<bool>();
    case Parsed::value_t::number_integer:
        return text.get<std::int64_t>();
    case Parsed::value_t::number_unsigned:
        return text.get<std::uint64_t>();
    case Parsed::value_t::number_float:
        return text.get<double>();
    case Parsed::value_t::string:
        return text.get<std::string>();
    default:
        return nullptr;
    }
}

/// The control codes U+0080 to U+009F as \u0080 to \u009f: JSON allows them as they are, but a terminal obeys
/// them.
std::string escape_c1(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : 0);
        if (text[at] == '\xc2' && next >= 0x80 && next <= 0x9f) {
            constexpr std::string_view digits = "0123456789abcdef";
            result.append("\\u00").append({digits[next >> 4], digits[next & 15]});
            ++at;
        } else {
            result += text[at];
        }
    }
    return result;
}

std::string escaped(const std::string& text) {
    return escape_c1(Text(text).dump(-1, ' ', false, Text::error_handler_t::replace));
}

/// A cell of a table, as ToJson and ToText would write it.
struct AppendCell {
    std::string& to;
    bool is_float_measure = false; ///< of its column

    void operator()(std::int64_t value) const {
        std::array<char, 24> digits{};
        to.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    }
    void operator()(double value) const {
        const Json number = is_float_measure ? json_number(FloatMeasure{value}) : json_number(value);
        if (const auto* whole = std::get_if<std::int64_t>(&number.data())) {
            return (*this)(*whole);
        }
        if (const auto* real = std::get_if<double>(&number.data())) {
            std::array<char, 64> digits{};
            to.append(digits.data(),
                      nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), *real));
        } else {
            to += "null";
        }
    }
    void operator()(const std::string& value) const { to += escaped(value); }
};

} // namespace

Json::Json(const std::vector<std::string>& texts) : data_(List(texts.begin(), texts.end())) {}

Json Json::object(std::initializer_list<Member> members) {
    Json result;
    result.data_ = Object(members);
    return result;
}

void Json::add(std::string key, Json value) {
    std::get<Object>(data_).emplace_back(std::move(key), std::move(value));
}

const Json* Json::find(std::string_view key) const {
    const auto* members = std::get_if<Object>(&data_);
    if (members == nullptr) {
        return nullptr;
    }
    const auto found = std::find_if(members->begin(), members->end(),
                                    [&](const Member& member) { return member.first == key; });
    return found == members->end() ? nullptr : &found->second;
}

const std::string& Json::text_at(std::string_view key) const {
    const Json* value = find(key);
    const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(&value->data_);
    if (text == nullptr) {
        throw JsonError(std::string(key) + " is no text");
    }
    return *text;
}

std::string Json::text_or_none(std::string_view key) const {
    return find(key) == nullptr ? std::string() : text_at(key);
}

std::int64_t Json::whole_at(std::string_view key) const {
    if (const Json* value = find(key)) {
        if (const auto* number = std::get_if<std::int64_t>(&value->data_)) {
            return *number;
        }
        if (const auto* number = std::get_if<std::uint64_t>(&value->data_)) {
            return static_cast<std::int64_t>(*number);
        }
    }
    throw JsonError(std::string(key) + " is no whole number");
}

std::int64_t Json::whole_or_none(std::string_view key) const {
    return find(key) == nullptr ? 0 : whole_at(key);
}

Json to_json(const Value& value) {
    return std::visit(ToJson{}, value.data);
}

Json json_number(double value) {
    constexpr double exact = 9007199254740992.0; // 2^53: up to here a double holds every whole number
    constexpr double millionth = 1e6;
    if (!std::isfinite(value)) {
        return nullptr;
    }
    const double rounded =
        std::abs(value) < exact / millionth ? std::round(value * millionth) / millionth : value;
    if (rounded == std::floor(rounded) && std::abs(rounded) < exact) {
        return static_cast<std::int64_t>(rounded);
    }
    return rounded;
}

Json json_number(FloatMeasure measure) {
    const double value = measure.value;
    const auto single = static_cast<float>(value);
    if (!std::isfinite(value) || value == std::floor(value)) {
        return json_number(value);
    }
    const std::string text =
        double{single} == value ? fmt::format("{}", single) : fmt::format("{:.9g}", value);
    return std::strtod(text.c_str(), nullptr);
}

std::string json_line(const Json& json) {
    const Text text = std::visit(ToText{}, json.data());
    return escape_c1(text.dump(-1, ' ', false, Text::error_handler_t::replace)) + "\n";
}

std::string json_line(const Json& facts, const std::string& key, const Table& table) {
    std::vector<std::string> keys;
    for (const TableColumn& column : table.columns) {
        keys.push_back(fmt::format("{}{}:", keys.empty() ? '{' : ',', escaped(column.name)));
    }
    std::string line = json_line(facts);
    line.resize(line.size() - 2); // the end of the object and of the line
    line += fmt::format("{}{}:[", line == "{" ? "" : ",", escaped(key));
    bool is_first = true;
    table.rows([&](std::span<const TableCell> cells) {
        line += std::exchange(is_first, false) ? "" : ",";
        for (std::size_t i = 0; i < cells.size(); ++i) {
            line += keys[i];
            std::visit(AppendCell{line, table.columns[i].is_float_measure}, cells[i]);
        }
        line += '}';
    });
    return line + "]}\n";
}

std::optional<Json> parse_json_object(std::string_view text) {
    const Parsed parsed = Parsed::parse(text, nullptr, false);
    if (parsed.is_discarded()) {
        return std::nullopt;
    }
    Json result;
    if (parsed.is_object()) {
        result = Json::object();
        for (const auto& [key, value] : parsed.items()) {
            result.add(key, from_text(value));
        }
    }
    return result;
}

} // namespace glproc::cli
