// JSON, written and read. Only json.cpp knows the library that does it, which compiles slowly.
#pragma once

#include "glproc/op/op.hpp"
#include "glproc/op/table.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace glproc::cli {

/// What Json::text_at() and number_at() throw.
class JsonError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A JSON value. Objects keep the order of their members.
class Json {
  public:
    using Member = std::pair<std::string, Json>;
    using List = std::vector<Json>;
    using Object = std::vector<Member>;
    using Data =
        std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, List, Object>;

    Json(std::nullptr_t = nullptr) {} // implicit, all of them, so that members read like JSON
    Json(bool value) : data_(value) {}
    Json(std::signed_integral auto value) : data_(std::int64_t{value}) {}
    Json(std::unsigned_integral auto value) : data_(std::uint64_t{value}) {}
    Json(double value) : data_(value) {}
    Json(const char* text) : data_(std::string(text)) {}
    Json(std::string_view text) : data_(std::string(text)) {}
    Json(std::string text) : data_(std::move(text)) {}
    Json(List list) : data_(std::move(list)) {}
    Json(const std::vector<std::string>& texts);
    static Json object(std::initializer_list<Member> members = {});

    /// One more member of an object.
    void add(std::string key, Json value);

    /// A member of an object. Throws JsonError where there is none or it is no text.
    const std::string& text_at(std::string_view key) const;
    /// The same, empty where there is none.
    std::string text_or_none(std::string_view key) const;
    /// The same of a whole number.
    std::int64_t whole_at(std::string_view key) const;
    /// The same, 0 where there is none.
    std::int64_t whole_or_none(std::string_view key) const;

    const Data& data() const { return data_; }

  private:
    const Json* find(std::string_view key) const;

    Data data_;
};

/// Numbers are as json_number() has them.
Json to_json(const Value& value);

/// Whole numbers without a point, others with six decimals at most; null for NaN and infinities, which JSON
/// lacks.
Json json_number(double value);

/// Of values that may all be small: those of floats as short as reads back equal, others with nine digits.
Json json_number(FloatMeasure measure);

/// One line. Bytes that are no UTF-8 (file names may hold any) become U+FFFD.
std::string json_line(const Json& json);

/// The same of an object with the rows of a table as one more member: a list of objects, whose numbers are as
/// json_number() has them.
std::string json_line(const Json& facts, const std::string& key, const Table& table);

/// An object of texts and numbers: lists and objects in it become null, however deep they are. Nothing where
/// the text is no JSON.
std::optional<Json> parse_json_object(std::string_view text);

} // namespace glproc::cli
