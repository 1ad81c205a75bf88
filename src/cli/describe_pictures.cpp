#include "cli/describe_pictures.hpp"

#include "cli/files/input.hpp"
#include "cli/json.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/error.hpp"
#include "glproc/image/inspect.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

PictureInfo inspect_input(const std::string& path, const DecodeOptions& options) {
    return path == "-" ? inspect(read_input(path, "picture"), input_name(path), options)
                       : inspect(std::filesystem::path(path), options);
}

std::string_view channels_text(int channels) {
    constexpr std::array<std::string_view, 4> texts{"grey", "grey and alpha", "RGB", "RGBA"};
    return texts.at(static_cast<std::size_t>(channels) - 1);
}

/// How the file is stored, as EXIF numbers it; decoding makes it upright.
std::string_view orientation_text(int orientation) {
    constexpr std::array<std::string_view, 8> texts{
        "upright",
        "mirrored left to right",
        "upside down",
        "mirrored top to bottom",
        "mirrored along the main diagonal",
        "to be turned right by 90 degrees",
        "mirrored along the other diagonal",
        "to be turned left by 90 degrees",
    };
    return texts.at(static_cast<std::size_t>(orientation) - 1);
}

std::string density_text(const Density& density) {
    if (density.unit == Density::Unit::none) {
        return fmt::format("{:.6g}:{:.6g}, as a proportion", density.x, density.y);
    }
    const bool metric = density.unit == Density::Unit::centimetre;
    const Density told = metric ? density : density.in(Density::Unit::inch);
    const std::string across = fmt::format("{:.6g}", told.x);
    const std::string down = fmt::format("{:.6g}", told.y);
    return fmt::format("{} pixels per {}", across == down ? across : fmt::format("{}x{}", across, down),
                       metric ? "cm" : "inch");
}

Json density_json(const std::optional<Density>& density) {
    if (!density) {
        return nullptr;
    }
    const bool metric = density->unit == Density::Unit::centimetre;
    const Density told = metric ? *density : density->in(Density::Unit::inch);
    const bool proportion = density->unit == Density::Unit::none;
    return {{"x", json_number(told.x)},
            {"y", json_number(told.y)},
            {"unit", proportion ? Json(nullptr) : Json(metric ? "cm" : "inch")}};
}

std::string picture_text(const std::string& name, const PictureInfo& info) {
    const Form& form = info.form;
    std::string text = fmt::format("{}: {}, {}x{}, {}-bit{} {}\n", printable_name(name), info.title,
                                   form.width, form.height, static_cast<int>(form.depth),
                                   form.depth == Depth::f32 ? " float" : "", channels_text(form.channels));
    const auto line = [&](std::string_view what, const std::string& value) {
        text += fmt::format("  {:<12} {}\n", what, value);
    };
    if (info.metadata.density) {
        line("resolution", density_text(*info.metadata.density));
    }
    if (!info.metadata.icc.empty()) {
        const std::string profile = profile_name(info.metadata.icc);
        line("profile", fmt::format("{} ({} bytes)", profile.empty() ? "without a name" : profile,
                                    info.metadata.icc.size()));
    }
    if (info.orientation != 1) {
        line("orientation", fmt::format("{}, {}", info.orientation, orientation_text(info.orientation)));
    }
    if (info.frames != 1) {
        line("frames", fmt::format("{}, of which the first is read", info.frames));
    }
    if (!info.metadata.exif.empty()) {
        line("EXIF", fmt::format("{} bytes", info.metadata.exif.size()));
    }
    if (!info.metadata.xmp.empty()) {
        line("XMP", fmt::format("{} bytes", info.metadata.xmp.size()));
    }
    return text;
}

Json picture_json(const std::string& name, const PictureInfo& info) {
    const Form& form = info.form;
    const std::string profile = profile_name(info.metadata.icc);
    return {{"schema", "glproc.picture/1"},
            {"input", name},
            {"format", info.title},
            {"width", form.width},
            {"height", form.height},
            {"depth", static_cast<int>(form.depth)},
            {"float", form.depth == Depth::f32},
            {"channels", form.channels},
            {"alpha", form.has_alpha()},
            {"resolution", density_json(info.metadata.density)},
            {"profile", info.metadata.icc.empty() ? Json(nullptr) : Json(profile)},
            {"orientation", info.orientation},
            {"frames", info.frames},
            {"bytes",
             {{"icc", info.metadata.icc.size()},
              {"exif", info.metadata.exif.size()},
              {"xmp", info.metadata.xmp.size()}}}};
}

} // namespace

int describe_pictures(const Arguments& arguments, const Settings& settings) {
    int status = 0;
    for (const std::string& path : arguments.places) {
        try {
            Notes notes;
            DecodeOptions options = decode_options(arguments, &notes);
            options.alone = false; // what follows the picture is not asked for
            const PictureInfo info = inspect_input(path, options);
            const std::string name = input_name(path);
            print_product(arguments.has("json") ? json_line(picture_json(name, info))
                                                : picture_text(name, info));
            for (const std::string& note : settings.silent ? Notes{} : notes) {
                print_warning(note);
            }
        } catch (const Error& error) {
            if (error.code() == ErrorCode::output) {
                throw;
            }
            print_error(error.what(), error.hint());
            status = status == 0 ? static_cast<int>(error.code()) : status;
        }
    }
    return status;
}

} // namespace glproc::cli
