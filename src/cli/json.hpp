// Reports as JSON.
#pragma once

#include "glproc/op/op.hpp"

#include <string>

#include <nlohmann/json.hpp>

namespace glproc::cli {

using Json = nlohmann::ordered_json;

/// Keeps the order. Numbers are as json_number() has them.
Json to_json(const Value& value);

/// Whole numbers without a point, others with six decimals at most; null for NaN and infinities, which JSON
/// lacks.
Json json_number(double value);

/// One line. Bytes that are no UTF-8 (file names may hold any) become U+FFFD.
std::string json_line(const Json& json);

} // namespace glproc::cli
