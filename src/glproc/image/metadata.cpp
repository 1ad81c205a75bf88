#include "glproc/image/metadata.hpp"

#include "glproc/image/exif.hpp"
#include "glproc/image/image.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

namespace glproc {
namespace {

double per_metre(Density::Unit unit) {
    return unit == Density::Unit::inch ? 1 / 0.0254 : unit == Density::Unit::centimetre ? 100 : 1;
}

/// Formats keep whole numbers of pixels on their unit; what was one on the other unit is to be one again.
double converted(double value, Density::Unit from, Density::Unit to) {
    const double exact = value * per_metre(from) / per_metre(to);
    const double whole = std::round(exact);
    const double back = whole * per_metre(to) / per_metre(from);
    return std::abs(back - value) <= 0.5 ? whole : exact;
}

/// tiff:Orientation="6" or <tiff:Orientation>6</tiff:Orientation>: the digit becomes 1.
void reset_xmp(std::vector<std::byte>& xmp) {
    constexpr std::string_view name = "tiff:Orientation";
    char* text = reinterpret_cast<char*>(xmp.data());
    const std::string_view all(text, xmp.size());
    for (std::size_t at = all.find(name); at != std::string_view::npos; at = all.find(name, at + 1)) {
        const std::size_t value = at + name.size();
        const std::string_view rest = all.substr(value);
        const std::size_t digit = rest.starts_with("=\"") || rest.starts_with("='")
                                      ? value + 2
                                      : value + (rest.starts_with('>') ? 1 : 0);
        if (digit != value && digit < all.size() && all[digit] >= '2' && all[digit] <= '8')
            text[digit] = '1';
    }
}

/// A place in an image that walks along a row or a column.
struct Walk {
    std::ptrdiff_t start = 0;
    std::ptrdiff_t right = 0; ///< from a pixel of the upright picture to the one on its right
    std::ptrdiff_t down = 0;
};

Walk walk_through(const Image& image, int orientation) {
    const auto pixel = static_cast<std::ptrdiff_t>(image.pixel_bytes());
    const auto row = static_cast<std::ptrdiff_t>(image.row_bytes());
    const bool flip_x = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool flip_y = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    Walk walk{(flip_x ? row - pixel : 0) + (flip_y ? row * (image.height() - 1) : 0), flip_x ? -pixel : pixel,
              flip_y ? -row : row};
    if (orientation >= 5)
        std::swap(walk.right, walk.down);
    return walk;
}

} // namespace

Density Density::in(Unit wanted) const {
    if (unit == Unit::none || wanted == Unit::none || unit == wanted)
        return *this;
    return {converted(x, unit, wanted), converted(y, unit, wanted), wanted};
}

// By convergents of the continued fraction of y / x: a few dozen steps at most, whatever a file says.
Density Density::whole() const {
    constexpr double most = 65535; // of JPEG
    const auto is_whole = [](double value) { return value == std::round(value) && value <= most; };
    if (unit != Unit::none || !possible() || (is_whole(x) && is_whole(y)))
        return *this;
    const double ratio = std::clamp(y / x, 1 / most, most);
    Density before{1, 0, unit};
    Density nearest{0, 1, unit};
    for (double rest = ratio;;) {
        const double term = std::floor(rest);
        const Density next{term * nearest.x + before.x, term * nearest.y + before.y, unit};
        if (std::max(next.x, next.y) > most)
            return nearest;
        before = std::exchange(nearest, next);
        if (std::abs(next.y / next.x - ratio) < 1e-9 * ratio || rest == term)
            return nearest;
        rest = 1 / (rest - term);
    }
}

bool is_named(const Text& text, std::string_view name) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(text.name, name, {}, lower, lower);
}

const std::string* find_text(const Metadata& metadata, std::string_view name) {
    const auto found =
        std::ranges::find_if(metadata.texts, [&](const Text& text) { return is_named(text, name); });
    return found == metadata.texts.end() ? nullptr : &found->text;
}

std::string utf8_of(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    std::string result;
    bool valid = true;
    for (std::size_t i = 0; i < text.size();) { // as far as the form of its characters goes
        const unsigned first = byte(i);
        const std::size_t more = first < 0x80                    ? 0
                                 : first >= 0xc2 && first < 0xe0 ? 1
                                 : first >= 0xe0 && first < 0xf0 ? 2
                                                                 : 3;
        valid = valid && (first < 0x80 || (first >= 0xc2 && first < 0xf5));
        for (std::size_t k = 1; k <= more; ++k)
            valid = valid && (byte(i + k) & 0xc0U) == 0x80;
        i += more + 1;
    }
    if (valid)
        return std::string(text);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (byte(i) < 0x80) {
            result += text[i];
        } else {
            result += static_cast<char>(0xc0 | byte(i) >> 6U);
            result += static_cast<char>(0x80 | (byte(i) & 0x3fU));
        }
    }
    return result;
}

void reset_orientation(Metadata& metadata, int stored) {
    reset_exif_orientation(metadata.exif);
    reset_xmp(metadata.xmp);
    if (stored >= 5 && metadata.density)
        std::swap(metadata.density->x, metadata.density->y);
    if (stored >= 5 && metadata.fraction)
        metadata.fraction = metadata.fraction->turned();
}

Image upright(Image image, int orientation) {
    if (orientation <= 1 || orientation > 8)
        return image;
    const bool turned = orientation >= 5;
    Form form = image.form();
    if (turned)
        std::swap(form.width, form.height);
    Image result(form);
    result.set_metadata(image.metadata());
    const Walk walk = walk_through(image, orientation);
    const std::size_t pixel = image.pixel_bytes();
    constexpr int tile = 64; // columns are read from rows that are still in the cache
    for (int left = 0; left < result.width(); left += tile) {
        for (int y = 0; y < result.height(); ++y) {
            const std::byte* from = image.bytes().data() + walk.start + walk.down * y + walk.right * left;
            std::byte* to = result.row(y) + static_cast<std::size_t>(left) * pixel;
            for (int x = left; x < std::min(left + tile, result.width()); ++x) {
                std::memcpy(to, from, pixel);
                to += pixel;
                from += walk.right;
            }
        }
    }
    return result;
}

} // namespace glproc
