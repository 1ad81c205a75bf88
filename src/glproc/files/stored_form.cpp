#include "glproc/files/stored_form.hpp"

#include "glproc/base/counted.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace glproc {

namespace {

/// The first bytes of a file; beyond them everything is 0.
class Head {
  public:
    explicit Head(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::size_t size() const { return bytes_.size(); }
    unsigned byte(std::size_t at) const {
        return at < bytes_.size() ? std::to_integer<unsigned>(bytes_[at]) : 0;
    }
    std::size_t number(std::size_t at, std::size_t size, bool big) const {
        std::size_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            value = value << 8U | byte(at + (big ? i : size - 1 - i));
        }
        return value;
    }
    bool has(std::size_t at, std::string_view text) const {
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (at + i >= bytes_.size() || static_cast<char>(bytes_[at + i]) != text[i]) {
                return false;
            }
        }
        return true;
    }

  private:
    std::span<const std::byte> bytes_;
};

std::string palette_of(std::size_t bits) {
    return fmt::format("palette of {}", counted(bits, "bit"));
}

/// Grey of fewer bits than decode() gives.
std::string few_bits(std::size_t bits) {
    return bits < 8 ? fmt::format("{}-bit grey", bits) : "";
}

StoredForm of_png(const Head& head) {
    constexpr unsigned grey = 0;
    constexpr unsigned palette = 3;
    const unsigned bits = head.byte(24);
    const unsigned type = head.byte(25);
    return {type == palette ? palette_of(bits)
            : type == grey  ? few_bits(bits)
                            : "",
            head.byte(28) == 1 ? "interlaced" : ""};
}

/// How colour is sampled, by a frame header: 4:2:0 is "420". The first colour stands for the others, as it
/// does in every real file.
std::string jpeg_sampling(const Head& head, std::size_t frame) {
    if (head.byte(frame + 9) < 3) {
        return "no colour";
    }
    const unsigned grey = head.byte(frame + 11);
    const unsigned colour = head.byte(frame + 14);
    const auto times = [](unsigned of, unsigned by) { return by > 0 && of % by == 0 ? of / by : 0; };
    const unsigned across = times(grey >> 4U, colour >> 4U);
    const unsigned down = times(grey & 15U, colour & 15U);
    constexpr std::array<std::array<std::string_view, 2>, 4> names{
        {{"444", "440"}, {"422", "420"}, {"", ""}, {"411", "410"}}};
    const bool has_name = across >= 1 && across <= 4 && down >= 1 && down <= 2;
    const std::string_view name = has_name ? names.at(across - 1).at(down - 1) : "";
    return name.empty() ? fmt::format("{}x{} to {}x{}", grey >> 4U, grey & 15U, colour >> 4U, colour & 15U)
                        : std::string(name);
}

/// The frame header: SOF0 to SOF15 without the tables that have numbers between.
StoredForm of_jpeg(const Head& head) {
    for (std::size_t at = 2; at + 4 <= head.size();) {
        const unsigned marker = head.byte(at + 1);
        if (head.byte(at) != 0xFF || marker == 0xFF) {
            ++at;
            continue;
        }
        const bool is_frame =
            marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (is_frame) {
            const bool is_arithmetic = marker > 0xC8;
            const bool is_progressive = (marker & 3U) == 2;
            return {head.byte(at + 9) == 4 ? "CMYK" : "",
                    fmt::format("{}{}", is_progressive ? "progressive" : "sequential",
                                is_arithmetic ? ", arithmetic coding" : ""),
                    jpeg_sampling(head, at)};
        }
        at += 2 + head.number(at + 2, 2, true);
    }
    return {};
}

struct Named {
    std::size_t number;
    std::string_view name;
};

constexpr std::array<Named, 14> tiff_compressions{{{1, "none"},
                                                   {2, "Huffman"},
                                                   {3, "Group 3 fax"},
                                                   {4, "Group 4 fax"},
                                                   {5, "LZW"},
                                                   {6, "old JPEG"},
                                                   {7, "JPEG"},
                                                   {8, "deflate"},
                                                   {32773, "PackBits"},
                                                   {32946, "deflate"},
                                                   {34712, "JPEG 2000"},
                                                   {34925, "LZMA"},
                                                   {50000, "Zstandard"},
                                                   {50001, "WebP"}}};

/// How many entries the first directory has, as far as that is in the head.
std::size_t tiff_entries(const Head& head) {
    const bool big = head.has(0, "MM");
    return std::min<std::size_t>(head.number(head.number(4, 4, big), 2, big), 512);
}

/// The one number of a tag in the first directory, or the first of several shorts that are stored in place.
std::optional<std::size_t> tiff_number(const Head& head, std::size_t tag) {
    const bool big = head.has(0, "MM");
    const std::size_t directory = head.number(4, 4, big);
    const std::size_t entries = tiff_entries(head);
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + 12 * i;
        if (head.number(entry, 2, big) == tag) {
            const std::size_t size = head.number(entry + 2, 2, big) == 3 ? 2 : 4;
            const bool is_elsewhere = head.number(entry + 4, 4, big) * size > 4;
            return head.number(is_elsewhere ? head.number(entry + 8, 4, big) : entry + 8, size, big);
        }
    }
    return std::nullopt;
}

StoredForm of_tiff(const Head& head) {
    if (tiff_entries(head) == 0) { // it lies behind the pixels
        return {};
    }
    const std::size_t bits = tiff_number(head, 258).value_or(1);
    const std::size_t compression = tiff_number(head, 259).value_or(1);
    const auto known = std::find_if(tiff_compressions.begin(), tiff_compressions.end(),
                                    [&](const Named& named) { return named.number == compression; });
    StoredForm form;
    form.compression = known == tiff_compressions.end() ? fmt::format("number {}", compression) : known->name;
    const std::size_t samples = tiff_number(head, 277).value_or(1);
    const bool has_alpha = tiff_number(head, 338).value_or(0) != 0;
    constexpr std::size_t cmyk = 5;
    switch (tiff_number(head, 262).value_or(samples == 4 && !has_alpha ? cmyk : samples >= 3 ? 2 : 1)) {
    case 0:
    case 1:
        form.colours = few_bits(bits);
        break;
    case 3:
        form.colours = palette_of(bits);
        break;
    case cmyk:
        form.colours = "CMYK";
        break;
    case 6:
        form.colours = "YCbCr";
        break;
    case 8:
    case 9:
        form.colours = "CIE Lab";
        break;
    default:
        break;
    }
    return form;
}

StoredForm of_bmp(const Head& head) {
    const std::size_t bits = head.number(28, 2, false);
    const std::size_t compression = head.number(30, 4, false);
    return {bits > 0 && bits <= 8 ? palette_of(bits)
            : bits == 16          ? "16-bit RGB"
                                  : "",
            compression == 1 || compression == 2 ? "run lengths" : ""};
}

StoredForm of_psd(const Head& head) {
    const std::size_t mode = head.number(24, 2, true);
    return {mode == 0   ? few_bits(1)
            : mode == 2 ? palette_of(8)
            : mode == 4 ? "CMYK"
            : mode == 8 ? "duotone"
                        : "",
            ""};
}

} // namespace

StoredForm stored_form(std::span<const std::byte> bytes) {
    const Head head(bytes);
    if (head.has(0, "\x89PNG") && head.has(12, "IHDR")) {
        return of_png(head);
    }
    if (head.has(0, "\xFF\xD8\xFF")) {
        return of_jpeg(head);
    }
    if (head.has(0, {"II*\0", 4}) || head.has(0, {"MM\0*", 4})) {
        return of_tiff(head);
    }
    if (head.has(0, "BM")) {
        return of_bmp(head);
    }
    if (head.has(0, "8BPS")) {
        return of_psd(head);
    }
    if (head.has(0, "P1") || head.has(0, "P4")) {
        return {few_bits(1), ""};
    }
    return head.has(0, "GIF8") ? StoredForm{palette_of((head.byte(10) & 7U) + 1), "LZW"} : StoredForm{};
}

} // namespace glproc
