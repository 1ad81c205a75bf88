// The values of draw that no other operation has.
#pragma once

#include "glproc/op/field.hpp"
#include "glproc/op/picture_facts.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glproc {

template <>
struct FieldText<std::string> {
    static std::string parse(const FieldContext&, std::string_view text) { return std::string(text); }
    static std::string print(const std::string& text) { return text; }
    static std::string range(const Limit&) { return "text"; }
};

/// The longest text, and the longest value of a list.
inline constexpr std::size_t most_text_bytes = 65536;

/// "X,Y,X,Y": numbers in pixels, or percent of the image.
struct Points {
    std::vector<double> numbers;
    std::vector<double> shares = {}; ///< where one is not 0, the number is this part of the width, or of the height for each second

    Points() = default;
    Points(std::vector<double> pixels) : numbers(std::move(pixels)) {} // implicit: Draw{.line = Points{{0, 0, 9, 9}}}

    /// In pixels of such an image.
    Points in(int width, int height) const;
    bool operator==(const Points&) const = default;
};

template <>
struct FieldText<Points> {
    static Points parse(const FieldContext& c, std::string_view text);
    static std::string print(const Points& points);
    static std::string range(const Limit& limit) { return print_limit(limit); }
};

/// "50,um", also "50um" and "50": a number with its unit.
struct Length {
    double number = 0;
    std::string unit = {};
    bool operator==(const Length&) const = default;
};

template <>
struct FieldText<Length> {
    static Length parse(const FieldContext& c, std::string_view text);
    static std::string print(const Length& length);
    static std::string range(const Limit&) { return "a number and px, in, nm, um, mm, cm, m or km"; }
};

/// How many of the one are the other. Throws Error(usage) for units that do not measure the same.
double ratio_of(const Length& length, const Length& by);

/// A JSON file with a list of objects. It is read when it is first needed; copies share it.
class DrawList {
  public:
    struct Member {
        std::string key;
        std::string value; ///< a list as its numbers with commas
        int line = 0;
    };
    using Object = std::vector<Member>;

    DrawList() = default;
    DrawList(std::string path) : shared_(std::make_shared<Shared>()) { shared_->path = std::move(path); }

    std::string path() const { return shared_ ? shared_->path : std::string(); }
    /// Throws Error(usage), "marks.json:3: …", for anything that is no such list.
    const std::vector<Object>& objects() const;

  private:
    struct Shared {
        std::string path;
        std::mutex mutex = {};
        std::shared_ptr<const std::vector<Object>> objects = {};
    };
    std::shared_ptr<Shared> shared_;
};

template <>
struct FieldText<DrawList> {
    static DrawList parse(const FieldContext&, std::string_view text) { return std::string(text); }
    static std::string print(const DrawList& list) { return list.path(); }
    static std::string range(const Limit&) { return "a JSON file"; }
};

template <>
struct ValueKind<DrawList> {
    static constexpr FieldKind kind = FieldKind::file;
    static constexpr int values = 1;
};

} // namespace glproc
