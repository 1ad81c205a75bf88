#include "cli/json.hpp"

#include <cmath>
#include <cstdint>

namespace glproc::cli {

namespace {

struct ToJson {
    Json operator()(std::int64_t value) const { return value; }
    Json operator()(double value) const { return json_number(value); }
    Json operator()(const std::string& value) const { return value; }

    Json operator()(const Value::List& list) const {
        Json result = Json::array();
        for (const Value& item : list) {
            result.push_back(to_json(item));
        }
        return result;
    }

    Json operator()(const Value::Object& object) const {
        Json result = Json::object();
        for (const auto& [key, item] : object) {
            result[key] = to_json(item);
        }
        return result;
    }
};

} // namespace

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

std::string json_line(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace glproc::cli
