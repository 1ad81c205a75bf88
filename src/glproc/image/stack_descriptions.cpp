// https://docs.openmicroscopy.org/ome-model (OME-XML of 2016-06), ImageJ's TiffDecoder and FileInfo,
// tifffile's shaped series.
#include "glproc/image/stack_descriptions.hpp"

#include "glproc/image/descriptions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::string_view ome_namespace = "http://www.openmicroscopy.org/Schemas/OME/2016-06";
constexpr int most_images = 1 << 24;

/// A number that is all of a text; 0 for what is none, or not finite.
double number_of(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(number) ? number : 0;
}

/// Nothing for what is no size of an axis.
std::optional<int> size_of(std::string_view text) {
    const double number = number_of(text);
    return number >= 1 && number <= most_images && number == std::floor(number)
               ? std::optional(static_cast<int>(number))
               : std::nullopt;
}

/// Those of more than one image. Nothing where they are not as many as the file has.
std::optional<std::vector<StackAxis>> axes_for(const std::vector<StackAxis>& all, int images) {
    std::vector<StackAxis> axes;
    std::int64_t product = 1;
    for (const StackAxis& axis : all) {
        product *= axis.size;
        if (product > most_images) {
            return std::nullopt;
        }
        if (axis.size > 1) {
            axes.push_back(axis);
        }
    }
    return product == images ? std::optional(axes) : std::nullopt;
}

/// The value of a line "key=value".
std::string_view line_of(std::string_view text, std::string_view key) {
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        const std::size_t value = at + key.size();
        if ((at == 0 || text[at - 1] == '\n') && value < text.size() && text[value] == '=') {
            const std::string_view rest = text.substr(value + 1);
            return rest.substr(0, rest.find_first_of("\r\n"));
        }
    }
    return {};
}

/// As people write it.
std::string unit_of(std::string_view unit) {
    constexpr std::array<std::string_view, 4> microns{"um", "micron", "microns", "\\u00B5m"};
    return std::find(microns.begin(), microns.end(), unit) != microns.end() ? "µm" : std::string(unit);
}

std::optional<StackAxes> of_imagej(std::string_view text, const Metadata& metadata, int images) {
    const int told = size_of(line_of(text, "images")).value_or(1);
    const int channels = size_of(line_of(text, "channels")).value_or(1);
    const int frames = size_of(line_of(text, "frames")).value_or(1);
    const int rest = channels == 1 && frames == 1 ? told : 1;
    const int slices = size_of(line_of(text, "slices")).value_or(rest);
    StackAxes stack{.told = told};
    if (images > 1) {
        const auto axes = axes_for({{'t', frames}, {'z', slices}, {'c', channels}}, images);
        if (!axes) {
            return std::nullopt;
        }
        stack.axes = *axes;
    }
    stack.unit = unit_of(line_of(text, "unit"));
    stack.spacing = std::abs(number_of(line_of(text, "spacing")));
    stack.interval = std::max(number_of(line_of(text, "finterval")), 0.0);
    if (!stack.unit.empty() && metadata.density && metadata.density->possible()) {
        stack.pixel_width = 1 / metadata.density->x;
        stack.pixel_height = 1 / metadata.density->y;
    }
    return stack;
}

/// The value of an attribute in the tag that begins `text`.
std::string_view attribute(std::string_view text, std::string_view name) {
    const std::string_view tag = text.substr(0, text.find('>'));
    for (std::size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
        const std::size_t quote = at + name.size() + 1;
        const bool is_it =
            at > 0 && std::string_view(" \t\r\n").find(tag[at - 1]) != std::string_view::npos &&
            quote < tag.size() && tag[quote - 1] == '=' && (tag[quote] == '"' || tag[quote] == '\'');
        if (is_it) {
            const std::size_t end = tag.find(tag[quote], quote + 1);
            return end == std::string_view::npos ? std::string_view()
                                                 : tag.substr(quote + 1, end - quote - 1);
        }
    }
    return {};
}

/// What follows each "<name", to its end.
std::vector<std::string_view> tags(std::string_view xml, std::string_view name) {
    std::vector<std::string_view> found;
    const std::string start = fmt::format("<{}", name);
    for (std::size_t at = xml.find(start); at != std::string_view::npos; at = xml.find(start, at + 1)) {
        const std::string_view rest = xml.substr(at + start.size());
        if (rest.find_first_of(" \t\r\n/>") == 0) {
            found.push_back(rest);
        }
    }
    return found;
}

/// What stands for characters that XML needs itself.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> entities{
    {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}}};

std::string with_replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

std::string utf8_of_code(std::uint32_t code) {
    const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
    const auto more = [&](int shift) { return byte(0x80U | (code >> shift & 0x3fU)); };
    return code < 0x80      ? std::string{byte(code)}
           : code < 0x800   ? std::string{byte(0xc0U | code >> 6U), more(0)}
           : code < 0x10000 ? std::string{byte(0xe0U | code >> 12U), more(6), more(0)}
                            : std::string{byte(0xf0U | code >> 18U), more(12), more(6), more(0)};
}

/// With characters in place of "&#181;" and "&#xb5;".
std::string with_characters(std::string_view xml) {
    std::string text;
    for (std::size_t at = xml.find("&#"); at != std::string_view::npos; at = xml.find("&#")) {
        const std::size_t end = std::min(xml.find(';', at), xml.size());
        const bool is_hex = xml.substr(at + 2).starts_with('x');
        const std::string_view digits = xml.substr(at + 2, end - at - 2).substr(is_hex ? 1 : 0);
        std::uint32_t code = 0;
        const auto [last, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
        const bool is_character = error == std::errc() && last == digits.data() + digits.size() &&
                                  end < xml.size() && code >= 0x20 && code < 0x110000 &&
                                  (code < 0xd800 || code > 0xdfff);
        text += xml.substr(0, at);
        text += is_character ? utf8_of_code(code) : "&#";
        xml.remove_prefix(is_character ? end + 1 : at + 2);
    }
    return text + std::string(xml);
}

std::string plain(std::string_view xml) {
    std::string text = with_characters(xml);
    for (const auto& [entity, character] : entities) {
        text = with_replaced(std::move(text), entity, character);
    }
    return text;
}

std::string escaped(std::string text) {
    for (auto entity = entities.rbegin(); entity != entities.rend(); ++entity) {
        text = with_replaced(std::move(text), entity->second, entity->first);
    }
    return text;
}

/// The number of an image, counted from 0, by that along each axis.
int image_at(const std::vector<StackAxis>& axes, const std::array<int, 128>& places) {
    int image = 0;
    for (const StackAxis& axis : axes) {
        image = image * axis.size + places.at(static_cast<std::size_t>(axis.name));
    }
    return image;
}

/// Whether the images are in this file, in the order of the axes.
bool is_in_order(std::string_view xml, const StackAxes& stack) {
    for (const std::string_view data : tags(xml, "TiffData")) {
        const std::string_view image = attribute(data, "IFD");
        std::array<int, 128> first{};
        const auto place = [&](char axis, std::string_view name) {
            const double number = number_of(attribute(data, name));
            const bool is_place = number >= 0 && number < stack.size(axis);
            first.at(static_cast<std::size_t>(axis)) = is_place ? static_cast<int>(number) : -most_images;
        };
        place('z', "FirstZ");
        place('c', "FirstC");
        place('t', "FirstT");
        if (number_of(image) != image_at(stack.axes, first)) {
            return false;
        }
    }
    return true;
}

/// 0 for what is no length.
double metres_of(std::string_view unit) {
    constexpr std::array<std::pair<std::string_view, double>, 7> units{
        {{"pm", 1e-12}, {"Å", 1e-10}, {"nm", 1e-9}, {"µm", 1e-6}, {"mm", 1e-3}, {"cm", 1e-2}, {"m", 1}}};
    const auto found =
        std::find_if(units.begin(), units.end(), [&](const auto& one) { return one.first == unit; });
    return found == units.end() ? 0 : found->second;
}

double seconds_of(double time, std::string_view unit) {
    constexpr std::array<std::pair<std::string_view, double>, 4> units{
        {{"ms", 1e-3}, {"µs", 1e-6}, {"min", 60}, {"h", 3600}}};
    const auto found =
        std::find_if(units.begin(), units.end(), [&](const auto& one) { return one.first == unit; });
    return std::max(time, 0.0) * (found == units.end() ? 1 : found->second);
}

/// Slowest first, of a DimensionOrder: "XYZCT".
std::optional<std::vector<StackAxis>> ome_axes(std::string_view pixels, const Form& form, int images) {
    const std::string_view order = attribute(pixels, "DimensionOrder");
    const auto z = size_of(attribute(pixels, "SizeZ"));
    const auto t = size_of(attribute(pixels, "SizeT"));
    auto c = size_of(attribute(pixels, "SizeC"));
    if (!order.starts_with("XY") || order.size() != 5 || !z || !t || !c) {
        return std::nullopt;
    }
    c = form.channels > 1 && *c % form.channels == 0 ? *c / form.channels
                                                     : *c; // samples of a pixel are counted as well
    std::vector<StackAxis> axes;
    for (const char name : {order[4], order[3], order[2]}) {
        const std::string_view known = "ZCT";
        if (known.find(name) == std::string_view::npos) {
            return std::nullopt;
        }
        axes.push_back(name == 'Z'   ? StackAxis{'z', *z}
                       : name == 'C' ? StackAxis{'c', *c}
                                     : StackAxis{'t', *t});
    }
    return axes_for(axes, images);
}

std::optional<StackAxes> of_ome(std::string_view xml, const Form& form, int images) {
    const std::vector<std::string_view> all = tags(xml, "Pixels");
    if (all.size() != 1) {
        return std::nullopt;
    }
    const std::string_view pixels = all.front();
    StackAxes stack;
    const auto axes = ome_axes(pixels, form, images);
    if (images > 1 && !axes) {
        return std::nullopt;
    }
    stack.axes = axes.value_or(std::vector<StackAxis>{});
    stack.told = axes ? images : 0; // one of several
    if (images > 1 && !is_in_order(xml, stack)) {
        return std::nullopt;
    }
    const auto unit_of_size = [&](char axis) {
        const std::string unit = plain(attribute(pixels, fmt::format("PhysicalSize{}Unit", axis)));
        return unit.empty() ? std::string("µm") : unit;
    };
    const auto size = [&](char axis) { // in the unit of X
        const double told = number_of(attribute(pixels, fmt::format("PhysicalSize{}", axis)));
        const bool is_same = unit_of_size(axis) == unit_of_size('X');
        const double factor = is_same ? 1 : metres_of(unit_of_size(axis)) / metres_of(unit_of_size('X'));
        return std::isfinite(factor) ? std::max(told, 0.0) * factor : 0;
    };
    stack.pixel_width = size('X');
    stack.pixel_height = size('Y') > 0 ? size('Y') : stack.pixel_width;
    stack.spacing = size('Z');
    stack.unit = stack.pixel_width > 0 ? unit_of_size('X') : "";
    stack.interval =
        seconds_of(number_of(attribute(pixels, "TimeIncrement")), attribute(pixels, "TimeIncrementUnit"));
    for (const std::string_view channel : tags(pixels, "Channel")) {
        stack.channels.push_back(plain(attribute(channel, "Name")));
    }
    const auto is_empty = [](const std::string& name) { return name.empty(); };
    if (static_cast<int>(stack.channels.size()) != stack.size('c') ||
        std::ranges::all_of(stack.channels, is_empty)) {
        stack.channels.clear();
    }
    return stack;
}

/// {"shape": [3, 2, 40, 50], "axes": "TZYX"}
std::optional<StackAxes> of_tifffile(std::string_view text, int images) {
    const auto value_of = [&](std::string_view key, char open, char close) {
        const auto [begin, end] = value_in(text, key, open, close);
        return text.substr(begin, end - begin);
    };
    std::string_view shape = value_of("\"shape\":", '[', ']');
    const std::string_view names = value_of("\"axes\":", '"', '"');
    if (!names.ends_with("YX") && !names.ends_with("YXS")) { // pages of another kind of plane
        return std::nullopt;
    }
    std::vector<StackAxis> axes;
    for (const char name : names) {
        const std::size_t comma = std::min(shape.find(','), shape.size());
        const std::string_view digits = shape.substr(0, comma);
        const auto size = size_of(digits.substr(std::min(digits.find_first_not_of(' '), digits.size())));
        shape.remove_prefix(std::min(comma + 1, shape.size()));
        if (!size || std::string_view("TCZYXS").find(name) == std::string_view::npos) {
            return std::nullopt;
        }
        if (std::string_view("TCZ").find(name) != std::string_view::npos) {
            axes.push_back({static_cast<char>(name - 'A' + 'a'), *size});
        }
    }
    const auto fitting = axes_for(axes, images);
    return fitting && !fitting->empty() ? std::optional(StackAxes{.axes = *fitting, .told = images})
                                        : std::nullopt;
}

} // namespace

bool is_ome(const std::string& text) {
    return text.find("<OME") != std::string::npos && text.find("openmicroscopy.org") != std::string::npos;
}

std::optional<StackAxes> stack_axes(const Metadata& metadata, const Form& form, int images) {
    for (const Text& text : metadata.texts) {
        if (!is_named(text, description_text) && !is_named(text, comment_text)) {
            continue;
        }
        if (text.text.starts_with("ImageJ=")) {
            return of_imagej(text.text, metadata, images);
        }
        if (is_ome(text.text)) {
            return of_ome(text.text, form, images);
        }
        if (text.text.starts_with("{")) {
            return of_tifffile(text.text, images);
        }
    }
    return std::nullopt;
}

std::string imagej_lines(const StackAxes& stack) {
    std::string lines = fmt::format("images={}\n", stack.images());
    constexpr std::array<std::pair<char, std::string_view>, 3> keys{
        {{'c', "channels"}, {'z', "slices"}, {'t', "frames"}}};
    for (const auto& [axis, key] : keys) {
        lines += stack.size(axis) > 1 ? fmt::format("{}={}\n", key, stack.size(axis)) : "";
    }
    return lines + "hyperstack=true\n";
}

std::string ome_xml(const StackAxes& stack, const Form& form) {
    std::string order = "XY"; // fastest first, and those of one image behind
    for (auto axis = stack.axes.rbegin(); axis != stack.axes.rend(); ++axis) {
        order += static_cast<char>(axis->name - 'a' + 'A');
    }
    for (const char name : {'Z', 'C', 'T'}) {
        order += order.find(name) == std::string::npos ? std::string(1, name) : "";
    }
    const std::string_view type = form.depth == Depth::u8    ? "uint8"
                                  : form.depth == Depth::u16 ? "uint16"
                                                             : "float";
    std::string sizes =
        fmt::format(R"( SizeX="{}" SizeY="{}" SizeZ="{}" SizeC="{}" SizeT="{}")", form.width, form.height,
                    stack.size('z'), stack.size('c') * form.channels, stack.size('t'));
    const auto put = [&](char axis, double size) {
        sizes += size > 0 ? fmt::format(R"( PhysicalSize{0}="{1}" PhysicalSize{0}Unit="{2}")", axis, size,
                                        escaped(stack.unit))
                          : "";
    };
    put('X', stack.pixel_width);
    put('Y', stack.pixel_height);
    put('Z', stack.spacing);
    sizes +=
        stack.interval > 0 ? fmt::format(R"( TimeIncrement="{}" TimeIncrementUnit="s")", stack.interval) : "";
    std::string channels;
    for (int c = 0; c < stack.size('c'); ++c) {
        const std::string name = stack.channels.empty() ? "" : stack.channels.at(static_cast<std::size_t>(c));
        channels +=
            fmt::format(R"(<Channel ID="Channel:0:{}"{} SamplesPerPixel="{}"/>)", c,
                        name.empty() ? "" : fmt::format(R"( Name="{}")", escaped(name)), form.channels);
    }
    return fmt::format(
        R"(<?xml version="1.0" encoding="UTF-8"?><OME xmlns="{}"><Image ID="Image:0"><Pixels ID="Pixels:0" )"
        R"(DimensionOrder="{}" Type="{}"{}>{}<TiffData IFD="0" PlaneCount="{}"/></Pixels></Image></OME>)",
        ome_namespace, order, type, sizes, channels, stack.images());
}

} // namespace glproc
