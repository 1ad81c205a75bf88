// An ICC profile as a parameter.
#pragma once

#include "glproc/files/modules/colour.hpp"
#include "glproc/op/field.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace glproc {

/// The image's own profile, one that needs no file, or a file, which is read when it is first needed. Copies share it.
class IccChoice {
  public:
    enum class Kind { none, own, srgb, display_p3, file };

    IccChoice() = default;
    IccChoice(Kind kind) : kind_(kind) {}
    explicit IccChoice(std::string path) : kind_(Kind::file), file_(std::make_shared<File>()) { file_->path = std::move(path); }

    Kind kind() const { return kind_; }
    bool is_given() const { return kind_ != Kind::none; }
    /// As it is typed.
    std::string name() const;

    /// The profile for grey or for colours; `own` is the image's. Throws Error(input) for a file that cannot be read.
    std::vector<std::byte> bytes(bool is_grey, bool is_linear, const std::vector<std::byte>& own) const;

  private:
    struct File {
        std::string path;
        std::mutex mutex;
        std::vector<std::byte> bytes; ///< empty until it is read
    };
    Kind kind_ = Kind::none;
    std::shared_ptr<File> file_;
};

/// Throws Error(input) for a file that is larger than any profile, or cannot be read.
std::vector<std::byte> read_icc(const std::string& path);

template <>
struct FieldText<IccChoice> {
    static IccChoice parse(const FieldContext& c, std::string_view text);
    static std::string print(const IccChoice& value) { return value.name(); }
    static std::string range(const Limit&) { return "srgb, display-p3 or an ICC profile"; }
};

template <>
struct ValueKind<IccChoice> {
    static constexpr FieldKind kind = FieldKind::file;
    static constexpr int values = 1;
};

} // namespace glproc
