#include "glproc/ops/profile/icc_choice.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/colour_management.hpp"
#include "glproc/files/file.hpp"
#include "glproc/op/value_words.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

using Kind = IccChoice::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 3> names{
    {{"own", Kind::own}, {"srgb", Kind::srgb}, {"display-p3", Kind::display_p3}}};

} // namespace

std::vector<std::byte> read_icc(const std::string& path) {
    constexpr std::uint64_t most_bytes = std::uint64_t{32} << 20U; // profiles of presses have up to 3 MB
    if (const OpenFile file(path); file.regular() && file.size() > most_bytes) {
        throw Error(ErrorCode::input, fmt::format("{}: {} bytes are more than any ICC profile has", path, file.size()));
    }
    std::vector<std::byte> bytes = read_file(path, most_bytes);
    if (bytes.empty()) {
        throw Error(ErrorCode::input, fmt::format("{}: an empty file, not an ICC profile", path));
    }
    return bytes;
}

std::string IccChoice::name() const {
    for (const auto& [name, kind] : names) {
        if (kind == kind_) {
            return std::string(name);
        }
    }
    return file_ ? file_->path : std::string();
}

std::vector<std::byte> IccChoice::bytes(bool is_grey, bool is_linear, const std::vector<std::byte>& own) const {
    using modules::StandardColours;
    if (kind_ == Kind::file) {
        const std::lock_guard lock(file_->mutex);
        if (file_->bytes.empty()) {
            file_->bytes = read_icc(file_->path);
        }
        return file_->bytes;
    }
    if (kind_ == Kind::own && !own.empty()) {
        return own;
    }
    return colour_management().standard(
        {kind_ == Kind::display_p3 ? StandardColours::display_p3 : StandardColours::srgb, is_grey, is_linear});
}

IccChoice FieldText<IccChoice>::parse(const FieldContext& c, std::string_view text) {
    std::vector<std::string> known;
    for (const auto& [name, kind] : names) {
        if (kind != Kind::own || c.name == "from") {
            known.emplace_back(name);
        }
    }
    const std::string meant = choice_called(text, known);
    for (const auto& [name, kind] : names) {
        if (name == meant) {
            return kind;
        }
    }
    std::error_code ignored;
    const bool is_path = text.find_first_of("./") != std::string_view::npos;
    if (!is_path && !std::filesystem::exists(std::filesystem::path(text), ignored)) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is neither srgb nor display-p3, nor a file", c.name, text),
                    "name a file with an ICC profile, such as AdobeRGB.icc");
    }
    return IccChoice(std::string(text));
}

} // namespace glproc
