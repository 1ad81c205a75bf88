#include "cli/files/output_flags.hpp"

#include "cli/amount.hpp"
#include "cli/files/video_command.hpp"
#include "cli/files/replacing.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/usable.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// The extension that --to names, with or without a dot, in any case.
std::string read_extension(std::string text) {
    text.erase(0, text.starts_with('.') ? 1 : 0);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (is_lacking(text)) {
        check_encodable(text); // says which module
    }
    const std::vector<std::string> known = writable_extensions();
    return known[parse_choice("to", text, known)];
}

std::optional<int> read_integer(const Arguments& arguments, const std::string& flag, const Limit& limit) {
    if (!arguments.has(flag)) {
        return std::nullopt;
    }
    return parse_integer({flag, "", limit}, arguments.value(flag));
}

/// What a flag says; nothing without it.
template <class T>
std::optional<T> read_value(const Arguments& arguments, const std::string& flag) {
    return arguments.has(flag) ? std::optional<T>(FieldText<T>::parse({flag, "", {}}, arguments.value(flag)))
                               : std::nullopt;
}

/// "300K", "1.5M" or bytes.
std::size_t parse_size_limit(const std::string& text) {
    constexpr double most = 1e12;
    return parse_amount({"max-size", Counted::bytes, 1, {1, most}, "bytes"}, text);
}

/// Operations with a background of their own need it for the file only where that cannot hold alpha.
void read_background(const Arguments& arguments, Encoding& told) {
    const Flag* flag = find_flag(arguments.command->flags, "--background");
    const bool is_own = flag != nullptr && flag->group.empty();
    const std::string name = arguments.has("flatten") ? "flatten" : "background";
    const std::optional<Colour> colour = read_value<Colour>(arguments, name);
    if (!colour) {
        return;
    }
    if (is_own && name == "background") {
        told.background_at_need = colour->alpha == 1 ? colour : std::nullopt;
        return;
    }
    if (colour->alpha != 1) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} {} is transparent itself", name, arguments.value(name)),
                    fmt::format("choose an opaque colour, such as --{} white", name));
    }
    told.background = colour;
}

} // namespace

Encoding read_encoding(const Arguments& arguments) {
    Encoding told;
    told.fits_format = arguments.has("fit-format");
    told.depth = read_value<Depth>(arguments, "depth");
    told.quality = read_integer(arguments, "quality", quality_limit);
    told.png_level = read_integer(arguments, "png-level", png_level_limit);
    told.colours = read_integer(arguments, "colors", colours_limit);
    told.compression = read_value<TiffCompression>(arguments, "compression");
    told.subsampling = read_value<Subsampling>(arguments, "subsampling");
    told.progressive = arguments.has("progressive");
    told.keeps_tables = arguments.has("no-optimize");
    told.lossless = arguments.has("lossless");
    if (arguments.has("max-size")) {
        told.max_size = parse_size_limit(arguments.value("max-size"));
        if (told.quality || told.lossless) {
            throw Error(ErrorCode::usage, fmt::format("--max-size and --{} cannot be given together",
                                                      told.quality ? "quality" : "lossless"));
        }
    }
    read_background(arguments, told);
    told.is_grey = arguments.has("gray");
    if (arguments.command->op != nullptr && arguments.command->op->strips) {
        told.strip = Strip::profile_stays;
    }
    if (arguments.has("strip")) {
        told.strip = read_value<Strip>(arguments, "strip");
    }
    told.transfer = read_value<TransferRule>(arguments, "transfer").value_or(TransferRule::automatic);
    if (const std::optional<std::string> format = arguments.format()) {
        told.format = read_extension(*format);
    }
    return told;
}

std::optional<ArrayFormat> read_array_format(const Arguments& arguments) {
    return arguments.format() ? read_value<ArrayFormat>(arguments, "to") : std::nullopt;
}

PictureOutput unchecked_output(const Arguments& arguments, const std::string& path, FormatFlags flags) {
    Encoding told = read_encoding(arguments);
    const bool is_video = told.format.empty() && names_video(path);
    try {
        return {std::move(told), OutputPlace(path), flags};
    } catch (const Error& error) {
        throw is_video ? Error(error.code(), fmt::format("{}: a video, not an image", path),
                              video_hint(arguments.command->name))
                      : error;
    }
}

PictureOutput picture_output(const Arguments& arguments, const std::string& path, FormatFlags flags) {
    PictureOutput output = unchecked_output(arguments, path, flags);
    check_place(OutputPlace(path), arguments, "image");
    return output;
}

ArrayOutput array_output(const Arguments& arguments, const std::string& path) {
    ArrayOutput output(read_array_format(arguments), OutputPlace(path));
    check_place(OutputPlace(path), arguments, "array");
    return output;
}

} // namespace glproc::cli
