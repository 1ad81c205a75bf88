#include "cli/file_info.hpp"

#include "cli/terminal/printable.hpp"
#include "glproc/base/counted.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// "12, 1.2 s, played for ever"
std::string series_text(const PictureInfo& info, const std::optional<SeriesInfo>& series) {
    if (!series) {
        return fmt::format("{}; the first one is read", info.frames);
    }
    if (series->kind == SeriesKind::pages) {
        return fmt::format("{}", series->count);
    }
    const std::string plays = series->plays == 0   ? "for ever"
                              : series->plays == 1 ? "once"
                                                   : counted(series->plays, "time");
    return fmt::format("{}, {:.6g} s, played {}", series->count, series->seconds, plays);
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
        "to be rotated right by 90 degrees",
        "mirrored along the other diagonal",
        "to be rotated left by 90 degrees",
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
    return Json::object({{"x", json_number(told.x)},
                         {"y", json_number(told.y)},
                         {"unit", proportion ? Json() : Json(metric ? "cm" : "inch")}});
}

/// "12.3 MB", as shops count, and the bytes.
std::string size_text(std::uint64_t bytes) {
    constexpr std::array<std::string_view, 4> units{"kB", "MB", "GB", "TB"};
    if (bytes < 1000) {
        return counted(bytes, "byte");
    }
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    for (; value >= 1000 && unit + 1 < units.size(); ++unit) {
        value /= 1000;
    }
    return fmt::format("{:.3g} {} ({} bytes)", value, units.at(unit), bytes);
}

std::string place_text(double latitude, double longitude) {
    return fmt::format("{:.5f} {}, {:.5f} {}", std::abs(latitude), latitude < 0 ? "S" : "N",
                       std::abs(longitude), longitude < 0 ? "W" : "E");
}

/// "0.2 x 0.2 µm, slices 0.5 µm apart, every 2 s"
std::string pixel_text(const StackAxes& stack) {
    const std::string unit = printable_name(stack.unit);
    std::string text = stack.pixel_width > 0
                           ? fmt::format("{:.6g} x {:.6g} {}", stack.pixel_width, stack.pixel_height, unit)
                           : "";
    const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
    if (stack.spacing > 0) {
        add(fmt::format("slices {:.6g} {} apart", stack.spacing, unit.empty() ? "units" : unit));
    }
    if (stack.interval > 0) {
        add(fmt::format("every {:.6g} s", stack.interval));
    }
    return text;
}

/// "t 3, c 2 (dapi, gfp), z 4"
std::string axes_text(const StackAxes& stack) {
    std::vector<std::string> names;
    for (const StackAxis& axis : stack.axes) {
        const bool has_names = axis.name == 'c' && !stack.channels.empty();
        names.push_back(fmt::format(
            "{} {}{}", axis.name, axis.size,
            has_names
                ? fmt::format(" ({})", printable_name(fmt::format("{}", fmt::join(stack.channels, ", "))))
                : ""));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::string described_text(const Described& described) {
    const auto& [name, info, stored, taken, bytes, series, stack] = described;
    const Form& form = info.form;
    std::string text = fmt::format("{}: {}, {}x{}, {}-bit{} {}\n", printable_name(name), info.title,
                                   form.width, form.height, static_cast<int>(form.depth),
                                   form.depth == Depth::f32 ? " float" : "", channels_text(form.channels));
    const auto line = [&](std::string_view what, const std::string& value) {
        text += fmt::format("  {:<12} {}\n", what, value);
    };
    if (stack && !pixel_text(*stack).empty()) {
        line("pixel size", pixel_text(*stack));
    } else if (info.metadata.density) {
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
        line(series && series->kind == SeriesKind::pages ? "pages" : "frames", series_text(info, series));
    }
    if (stack && !stack->axes.empty()) {
        line("axes", axes_text(*stack));
    }
    if (!info.metadata.exif.empty()) {
        line("EXIF", counted(info.metadata.exif.size(), "byte"));
    }
    if (!info.metadata.xmp.empty()) {
        line("XMP", counted(info.metadata.xmp.size(), "byte"));
    }
    if (!info.metadata.iptc.empty()) {
        line("IPTC", counted(info.metadata.iptc.size(), "byte"));
    }
    if (bytes) {
        line("file", size_text(*bytes));
    }
    if (!stored.colours.empty()) {
        line("stored as", stored.colours);
    }
    if (!stored.compression.empty()) {
        line("compression", stored.compression);
    }
    if (info.metadata.jpeg) {
        line("quality", fmt::format("about {}{}{}", info.metadata.jpeg->quality,
                                    stored.sampling.empty() ? "" : ", sampling ", stored.sampling));
    }
    if (!taken.date.empty()) {
        line("date", printable_name(taken.date));
    }
    if (!taken.camera.empty()) {
        line("camera", printable_name(taken.camera));
    }
    if (taken.latitude && taken.longitude) {
        line("place", place_text(*taken.latitude, *taken.longitude));
    }
    return text;
}

namespace {

Json text_json(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

Json packing_json(const std::optional<JpegPacking>& packing, const std::string& sampling) {
    return packing ? Json::object({{"quality", packing->quality}, {"sampling", text_json(sampling)}})
                   : Json();
}

Json place_json(const ExifFacts& taken) {
    return taken.latitude && taken.longitude ? Json::object({{"latitude", json_number(*taken.latitude)},
                                                             {"longitude", json_number(*taken.longitude)}})
                                             : Json();
}

/// Zero is null: it is not told.
Json told_json(double value) {
    return value > 0 ? json_number(value) : Json();
}

Json stack_json(const std::optional<StackAxes>& stack) {
    if (!stack) {
        return Json();
    }
    Json axes = Json::object();
    for (const StackAxis& axis : stack->axes) {
        axes.add(std::string(1, axis.name), axis.size);
    }
    return Json::object({{"axes", axes},
                         {"channels", stack->channels},
                         {"pixel_width", told_json(stack->pixel_width)},
                         {"pixel_height", told_json(stack->pixel_height)},
                         {"spacing", told_json(stack->spacing)},
                         {"unit", text_json(stack->unit)},
                         {"interval", told_json(stack->interval)}});
}

} // namespace

Json described_json(const Described& described) {
    const auto& [name, info, stored, taken, bytes, series, stack] = described;
    const Form& form = info.form;
    const std::string profile = profile_name(info.metadata.icc);
    const bool is_animation = series && series->kind == SeriesKind::frames;
    return Json::object({{"schema", "glproc.picture/1"},
                         {"input", name},
                         {"format", info.title},
                         {"width", form.width},
                         {"height", form.height},
                         {"depth", static_cast<int>(form.depth)},
                         {"float", form.depth == Depth::f32},
                         {"channels", form.channels},
                         {"alpha", form.has_alpha()},
                         {"resolution", density_json(info.metadata.density)},
                         {"profile", info.metadata.icc.empty() ? Json() : Json(profile)},
                         {"orientation", info.orientation},
                         {"frames", info.frames},
                         {"seconds", is_animation ? json_number(series->seconds) : Json()},
                         {"plays", is_animation ? Json(series->plays) : Json()},
                         {"stack", stack_json(stack)},
                         {"size", bytes ? Json(*bytes) : Json()},
                         {"stored_as", text_json(stored.colours)},
                         {"compression", text_json(stored.compression)},
                         {"jpeg", packing_json(info.metadata.jpeg, stored.sampling)},
                         {"date", text_json(taken.date)},
                         {"camera", text_json(taken.camera)},
                         {"place", place_json(taken)},
                         {"bytes", Json::object({{"icc", info.metadata.icc.size()},
                                                 {"exif", info.metadata.exif.size()},
                                                 {"xmp", info.metadata.xmp.size()},
                                                 {"iptc", info.metadata.iptc.size()}})}});
}

} // namespace glproc::cli
