// https://github.com/cgohlke/tifffile (shaped series); ImageJ's FileInfo; https://docs.openmicroscopy.org/ome-model; Adobe's XMP
// specification part 2; Google's Photo Sphere XMP metadata.
#include "glproc/image/descriptions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::string_view shape_start = "{\"shape\": [";

bool has_same_shape(const Form& a, const Form& b) {
    return a.width == b.width && a.height == b.height && a.channels == b.channels;
}

std::string shape_of(const Form& form) {
    return form.channels == 1 ? fmt::format("{}, {}", form.height, form.width)
                              : fmt::format("{}, {}, {}", form.height, form.width, form.channels);
}

/// The product of the numbers between `first` and `end`.
std::optional<double> product_in(std::string_view numbers) {
    double product = 1;
    while (!numbers.empty()) {
        double number = 0;
        const auto [end, error] = std::from_chars(numbers.data(), numbers.data() + numbers.size(), number);
        if (error != std::errc()) {
            return std::nullopt;
        }
        product *= number;
        numbers.remove_prefix(static_cast<std::size_t>(end - numbers.data()));
        numbers.remove_prefix(std::min(numbers.find_first_not_of(", "), numbers.size()));
    }
    return product;
}

/// Whoever reads a file by a shape that is not its own gets pixels in wrong places.
bool fit_shape(std::string& text, const PixelChange& change) {
    const std::size_t end = text.find(']');
    if (end == std::string::npos) {
        return false;
    }
    const std::string_view numbers = std::string_view(text).substr(shape_start.size(), end - shape_start.size());
    const Form& form = change.after;
    const bool is_one = product_in(numbers) == double(form.width) * form.height * form.channels;
    if (has_same_shape(change.before, form) && !change.moves && (is_one || change.is_series)) {
        return true;
    }
    if (change.is_series) {
        return false;
    }
    text.replace(shape_start.size(), end - shape_start.size(), shape_of(form));
    return true;
}

/// Lines of "key=value". One image is no stack, and other values have another range to be shown.
void fit_imagej(std::string& text, const PixelChange& change) {
    constexpr std::array<std::string_view, 7> of_stacks{"images=", "channels=", "slices=", "frames=", "hyperstack=", "mode=", "loop="};
    constexpr std::array<std::string_view, 2> of_values{"min=", "max="};
    const auto begins = [](std::string_view line, const auto& keys) {
        return std::any_of(keys.begin(), keys.end(), [&](std::string_view key) { return line.starts_with(key); });
    };
    std::istringstream lines(text);
    std::string fitted;
    for (std::string line; std::getline(lines, line);) {
        const bool is_wrong = (!change.is_series && begins(line, of_stacks)) ||
                              (change.before.depth != change.after.depth && begins(line, of_values));
        fitted += is_wrong ? "" : line + "\n";
    }
    text = fitted;
}

bool is_ome(std::string_view text) {
    return text.find("<OME") != std::string_view::npos && text.find("openmicroscopy.org") != std::string_view::npos;
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

} // namespace

bool is_measured(const Metadata& metadata) {
    return std::any_of(metadata.texts.begin(), metadata.texts.end(), [](const auto& text) {
        return text.text.starts_with("ImageJ=") && text.text.find("\nunit=") != std::string::npos;
    });
}

std::vector<std::string> fit_descriptions(Metadata& metadata, const PixelChange& change) {
    std::vector<std::string> left_out;
    std::erase_if(metadata.texts, [&](Text& text) {
        if (!is_named(text, description_text) && !is_named(text, comment_text)) {
            return false;
        }
        if (text.text.starts_with(shape_start) && !fit_shape(text.text, change)) {
            left_out.emplace_back("the shape that tifffile described");
            return true;
        }
        if (text.text.starts_with("ImageJ=")) {
            fit_imagej(text.text, change);
        }
        if (is_ome(text.text) && (is_changed(change) || !change.is_series)) {
            left_out.emplace_back("OME-XML, which describes the image as it was");
            return true;
        }
        return false;
    });
    fit_xmp(metadata, change, left_out);
    return left_out;
}

} // namespace glproc
