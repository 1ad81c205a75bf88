// https://github.com/cgohlke/tifffile (shaped series); ImageJ's FileInfo; https://docs.openmicroscopy.org/ome-model; Adobe's XMP
// specification part 2; Google's Photo Sphere XMP metadata.
#include "glproc/image/descriptions.hpp"

#include "glproc/image/stack_descriptions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <numeric>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

bool has_same_shape(const Form& a, const Form& b) {
    return a.width == b.width && a.height == b.height && a.channels == b.channels;
}

/// The sizes of an image as tifffile has them behind those of the stack, with their axes.
std::pair<std::vector<int>, std::string> sizes_of(const Form& form) {
    return form.channels == 1 ? std::pair{std::vector{form.height, form.width}, std::string("YX")}
                              : std::pair{std::vector{form.height, form.width, form.channels}, std::string("YXS")};
}

/// Nothing for what are no numbers.
std::optional<std::vector<int>> numbers_in(std::string_view list) {
    std::vector<int> numbers;
    while (!list.empty()) {
        const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), numbers.emplace_back());
        if (error != std::errc()) {
            return std::nullopt;
        }
        list.remove_prefix(static_cast<std::size_t>(end - list.data()));
        list.remove_prefix(std::min(list.find_first_not_of(", "), list.size()));
    }
    return numbers;
}

bool is_shape(std::string_view text) {
    return text.starts_with('{') && text.find("\"shape\":") != std::string_view::npos;
}

/// {"shape": [3, 6, 8], "axes": "ZYX"}: whoever reads a file by a shape that is not its own gets pixels in
/// wrong places.
bool fit_shape(std::string& text, const PixelChange& change) {
    const auto [begin, end] = value_in(text, "\"shape\":", '[', ']');
    auto shape = numbers_in(std::string_view(text).substr(begin, end - begin));
    const auto behind = sizes_of(change.before).first;
    if (!shape || shape->size() < behind.size() || !std::equal(behind.rbegin(), behind.rend(), shape->rbegin())) {
        return false;
    }
    shape->resize(shape->size() - behind.size());
    const double images = std::accumulate(shape->begin(), shape->end(), 1.0, std::multiplies<>());
    const auto [first_axis, last_axis] = value_in(text, "\"axes\":", '"', '"');
    std::string axes = text.substr(first_axis, std::min(shape->size(), last_axis - first_axis));
    if (change.stack || change.images == 1) {
        shape->clear();
        axes.clear();
        for (const StackAxis& axis : change.stack ? change.stack->axes : std::vector<StackAxis>()) {
            shape->push_back(axis.size);
            axes += static_cast<char>(axis.name - 'a' + 'A');
        }
    } else if (images != change.images) {
        return false;
    }
    const auto [sizes, names] = sizes_of(change.after);
    shape->insert(shape->end(), sizes.begin(), sizes.end());
    if (last_axis > begin) { // the later one first
        text.replace(first_axis, last_axis - first_axis, axes + names);
        text.replace(begin, end - begin, fmt::format("{}", fmt::join(*shape, ", ")));
    } else {
        text.replace(begin, end - begin, fmt::format("{}", fmt::join(*shape, ", ")));
        const auto [first, last] = value_in(text, "\"axes\":", '"', '"');
        text.replace(first, last - first, last == 0 ? "" : axes + names);
    }
    return true;
}

/// Lines of "key=value". One image is no stack, and other values have another range to be shown. False where
/// the axes were lost.
bool fit_imagej(std::string& text, const PixelChange& change, const std::optional<StackAxes>& stack) {
    constexpr std::array<std::string_view, 7> of_stacks{"images=", "channels=", "slices=", "frames=", "hyperstack=", "mode=", "loop="};
    constexpr std::array<std::string_view, 2> of_values{"min=", "max="};
    constexpr std::array<std::string_view, 2> of_steps{"spacing=", "finterval="};
    const auto begins = [](std::string_view line, const auto& keys) {
        return std::any_of(keys.begin(), keys.end(), [&](std::string_view key) { return line.starts_with(key); });
    };
    const bool is_same_stack = change.images > 1 && stack && !change.stack;
    std::istringstream lines(text);
    std::string fitted;
    for (std::string line; std::getline(lines, line);) {
        const bool is_step = change.stack && begins(line, of_steps);
        const bool is_wrong = is_step || (!is_same_stack && begins(line, of_stacks)) ||
                              (change.before.depth != change.after.depth && begins(line, of_values));
        fitted += is_wrong ? "" : line + "\n";
        if (line.starts_with("ImageJ=") && change.stack) {
            fitted += change.images > 1 ? imagej_lines(*change.stack) : "";
            fitted += change.stack->spacing > 0 ? fmt::format("spacing={}\n", change.stack->spacing) : "";
            fitted += change.stack->interval > 0 ? fmt::format("finterval={}\n", change.stack->interval) : "";
        }
    }
    text = fitted;
    return change.images == 1 || stack;
}

/// A stack in the pixels of the result.
StackAxes scaled(StackAxes stack, const PixelChange& change) {
    if (change.turned) {
        std::swap(stack.pixel_width, stack.pixel_height);
    }
    stack.pixel_width *= change.wider;
    stack.pixel_height *= change.taller;
    return stack;
}

bool is_changed(const PixelChange& change) {
    return change.moves || !has_same_shape(change.before, change.after) || change.before.depth != change.after.depth;
}

/// The number after a name in XMP, as an attribute or between tags, becomes this one.
void put_number(std::string& xmp, std::string_view name, int number) {
    for (std::size_t at = xmp.find(name); at != std::string::npos; at = xmp.find(name, at + name.size())) {
        const std::size_t after = at + name.size();
        const std::string_view rest = std::string_view(xmp).substr(after);
        const std::size_t skip = rest.starts_with("=\"") || rest.starts_with("='") ? 2 : rest.starts_with('>') ? 1 : 0;
        const std::size_t end = std::min(rest.find_first_not_of("0123456789", skip), rest.size());
        if (skip > 0 && end > skip) {
            xmp.replace(after + skip, end - skip, fmt::format("{}", number));
        }
    }
}

void fit_xmp(Metadata& metadata, const PixelChange& change, std::vector<std::string>& left_out) {
    const Form& form = change.after;
    const bool has_other_size = change.before.width != form.width || change.before.height != form.height;
    if (metadata.xmp.empty() || !(change.moves || has_other_size)) {
        return;
    }
    std::string xmp(reinterpret_cast<const char*>(metadata.xmp.data()), metadata.xmp.size());
    if (xmp.find("GPano:") != std::string::npos) {
        left_out.emplace_back("XMP, whose panorama had another size or place");
        metadata.xmp.clear();
        return;
    }
    put_number(xmp, "exif:PixelXDimension", form.width);
    put_number(xmp, "exif:PixelYDimension", form.height);
    put_number(xmp, "tiff:ImageWidth", form.width);
    put_number(xmp, "tiff:ImageLength", form.height);
    const auto* bytes = reinterpret_cast<const std::byte*>(xmp.data());
    metadata.xmp.assign(bytes, bytes + xmp.size());
}

/// False where nothing of it is true of the result. What was said beside axes and sizes describes the image
/// as it was.
bool fit_ome(std::string& text, const PixelChange& change, const std::optional<StackAxes>& stack,
             std::vector<std::string>& left_out) {
    if (!stack || (change.images == 1 && stack->pixel_width == 0 && stack->told != 1)) {
        return false;
    }
    if (!is_changed(change) && !change.stack && stack->told == change.images) {
        return true;
    }
    text = ome_xml(scaled(*stack, change), change.after);
    left_out.emplace_back("what OME-XML says beside axes and pixel sizes");
    return true;
}

} // namespace

bool is_measured(const Metadata& metadata) {
    return std::any_of(metadata.texts.begin(), metadata.texts.end(), [](const auto& text) {
        return text.text.starts_with("ImageJ=") && text.text.find("\nunit=") != std::string::npos;
    });
}

std::vector<std::string> fit_descriptions(Metadata& metadata, const PixelChange& change) {
    std::vector<std::string> left_out;
    const std::optional<StackAxes> stack =
        change.stack ? change.stack : stack_axes(metadata, change.before, change.images);
    std::erase_if(metadata.texts, [&](Text& text) {
        if (!is_named(text, description_text) && !is_named(text, comment_text)) {
            return false;
        }
        if (is_shape(text.text) && !fit_shape(text.text, change)) {
            left_out.emplace_back("the shape that tifffile described");
            return true;
        }
        if (text.text.starts_with("ImageJ=") && !fit_imagej(text.text, change, stack)) {
            left_out.emplace_back("the axes of ImageJ, which counted other images");
        }
        if (is_ome(text.text) && !fit_ome(text.text, change, stack, left_out)) {
            left_out.emplace_back("OME-XML, which describes the image as it was");
            return true;
        }
        return false;
    });
    fit_xmp(metadata, change, left_out);
    return left_out;
}

std::pair<std::size_t, std::size_t> value_in(std::string_view text, std::string_view key, char open,
                                             char close) {
    const std::size_t at = text.find(key);
    const std::size_t begin = at == std::string_view::npos ? at : text.find(open, at + key.size());
    const std::size_t end = begin == std::string_view::npos ? begin : text.find(close, begin + 1);
    return end == std::string_view::npos ? std::pair{std::size_t{0}, std::size_t{0}}
                                         : std::pair{begin + 1, end};
}

std::string description_of_all(const Image& first, int images) {
    const std::string* text = find_text(first.metadata(), description_text);
    return text != nullptr && stack_axes(first.metadata(), first.form(), images) ? *text : "";
}

std::uint64_t images_told(std::string_view text, const Form& form) {
    constexpr std::string_view key = "\nimages=";
    if (text.starts_with("ImageJ=")) {
        const std::size_t at = text.find(key);
        return at == std::string_view::npos
                   ? 0
                   : std::strtoull(std::string(text.substr(at + key.size(), 20)).c_str(), nullptr, 10);
    }
    if (!is_shape(text)) {
        return 0;
    }
    const auto [begin, end] = value_in(text, "\"shape\":", '[', ']');
    const auto shape = numbers_in(text.substr(begin, end - begin));
    const auto behind = sizes_of(form).first;
    if (!shape || shape->size() <= behind.size() ||
        !std::equal(behind.rbegin(), behind.rend(), shape->rbegin())) {
        return 0;
    }
    double images = 1; // which may be more than any integer holds
    for (auto size = shape->begin(); size != shape->end() - static_cast<std::ptrdiff_t>(behind.size());
         ++size) {
        images *= std::max(*size, 0);
    }
    return images < 1e15 ? static_cast<std::uint64_t>(images) : 0;
}

void add_description(Image& image, const std::string& description) {
    if (description.empty() || find_text(image.metadata(), description_text) != nullptr) {
        return;
    }
    Metadata metadata = image.metadata();
    metadata.texts.push_back({std::string(description_text), description});
    image.set_metadata(std::move(metadata));
}

} // namespace glproc
