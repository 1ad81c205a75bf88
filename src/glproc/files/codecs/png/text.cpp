// XMP is a text of a certain name: XMP specification part 3, 1.1.5. ImageMagick writes EXIF and
// others, IPTC among them, as hexadecimal digits after a line with their kind and one with their size.
#include "glproc/files/codecs/png/text.hpp"

#include "glproc/files/codecs/iptc.hpp"
#include "glproc/files/codecs/png/deflate.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view xmp_name = "XML:com.adobe.xmp";
constexpr std::string_view raw_profile = "Raw profile type ";
constexpr std::size_t max_name = 79;
constexpr std::size_t max_text = std::size_t{1} << 24U; ///< of one

/// What stands before the next zero byte, which is taken away with it; nothing where there is none.
std::optional<std::string> take_string(ByteView& bytes) {
    const auto end = std::ranges::find(bytes, std::byte{0});
    if (end == bytes.end())
        return std::nullopt;
    const auto size = static_cast<std::size_t>(end - bytes.begin());
    std::string text(reinterpret_cast<const char*>(bytes.data()), size);
    bytes = bytes.subspan(size + 1);
    return text;
}

/// What each of the three kinds of chunks holds; no text where it cannot be unpacked.
struct PngText {
    std::string name;
    std::optional<std::vector<std::byte>> text;
};

PngText read_text(std::string_view type, ByteView data, PngBudget& budget) {
    auto name = take_string(data);
    if (!name)
        return {};
    PngText result{std::move(*name), std::nullopt};
    bool packed = type == "zTXt";
    if (type == "iTXt") {
        packed = !data.empty() && data[0] != std::byte{0};
        data = data.subspan(std::min<std::size_t>(data.size(), 2));
        if (!take_string(data) || !take_string(data)) // language, and the name in it
            return result;
    } else if (packed) {
        if (data.empty())
            return result;
        data = data.subspan(1);
    }
    result.text = packed ? inflate_block(data, max_text, budget) : copy_of(data);
    return result;
}

int digit_of(std::byte c) {
    const char digit = std::to_integer<char>(c);
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                          : -1;
}

/// The bytes of a raw profile, if they are as many as it says.
std::optional<std::vector<std::byte>> read_raw(ByteView text) {
    std::string_view rest(reinterpret_cast<const char*>(text.data()), text.size());
    constexpr std::string_view blank = " \n\r\t";
    rest.remove_prefix(std::min(rest.find_first_not_of(blank), rest.size()));
    rest.remove_prefix(std::min(rest.find('\n'), rest.size())); // its kind
    rest.remove_prefix(std::min(rest.find_first_not_of(blank), rest.size()));
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    std::vector<std::byte> bytes;
    int high = -1;
    for (const std::byte c : std::as_bytes(std::span(rest))) {
        const int digit = digit_of(c);
        if (digit < 0)
            continue;
        if (high >= 0)
            bytes.push_back(static_cast<std::byte>(high * 16 + digit));
        high = high >= 0 ? -1 : digit;
    }
    if (error != std::errc() || bytes.size() != size || size == 0)
        return std::nullopt;
    return bytes;
}

/// True where it is taken.
bool take_raw(std::string_view kind, std::vector<std::byte> bytes, Metadata& metadata) {
    constexpr std::string_view exif_start = "Exif\0\0"sv;
    constexpr std::string_view xmp_start = "http://ns.adobe.com/xap/1.0/\0"sv;
    const auto take = [&](std::vector<std::byte>& block, std::size_t start) {
        if (block.empty())
            block.assign(bytes.begin() + static_cast<std::ptrdiff_t>(start), bytes.end());
        return true;
    };
    if (kind == "icc" || kind == "icm")
        return take(metadata.icc, 0);
    if (kind == "xmp")
        return take(metadata.xmp, 0);
    if (kind == "iptc") {
        std::vector<std::byte> iptc = iptc_in(bytes);
        const bool is_sound = !iptc.empty();
        if (is_sound && metadata.iptc.empty())
            metadata.iptc = std::move(iptc);
        return is_sound;
    }
    if ((kind == "exif" || kind == "APP1") && begins_with(bytes, exif_start))
        return take(metadata.exif, exif_start.size());
    if (kind == "APP1" && begins_with(bytes, xmp_start))
        return take(metadata.xmp, xmp_start.size());
    return false;
}

/// As ImageMagick and ExifTool read it: PNG has no place of its own for it.
std::string raw_text_of(std::string_view kind, ByteView bytes) {
    constexpr std::size_t in_line = 36;
    std::string text = fmt::format("\n{}\n{:8}", kind, bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i)
        text += fmt::format("{}{:02x}", i % in_line == 0 ? "\n" : "", std::to_integer<unsigned>(bytes[i]));
    return text + "\n";
}

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void put_text(std::vector<std::byte>& out, std::string_view name, ByteView text, bool international) {
    std::vector<std::byte> data;
    put(data, name);
    put(data, international ? "\0\0\0\0\0"sv : "\0"sv); // not packed, no language, no name in it
    put(data, text);
    put_chunk(out, international ? "iTXt" : "tEXt", data);
}

} // namespace

std::optional<std::vector<std::byte>> inflate_block(ByteView packed, std::size_t most, PngBudget& budget) {
    const Decompressor decompressor = make_decompressor();
    most = std::min(most, budget.unpacked);
    for (std::size_t room = std::min(packed.size() * 4 + 4096, most);; room = std::min(room * 4, most)) {
        std::vector<std::byte> out(room);
        std::size_t size = 0;
        const libdeflate_result result = libdeflate_zlib_decompress(decompressor.get(), packed.data(),
                                                                    packed.size(), out.data(), room, &size);
        if (result == LIBDEFLATE_SUCCESS) {
            out.resize(size);
            budget.unpacked -= size;
            return out;
        }
        if (result != LIBDEFLATE_INSUFFICIENT_SPACE || room == most) {
            budget.unpacked -= room;
            return std::nullopt;
        }
    }
}

bool is_png_text(std::string_view type) {
    return type == "tEXt" || type == "zTXt" || type == "iTXt";
}

void read_png_text(const Source& source, std::string_view type, ByteView data, Metadata& metadata,
                   PngBudget& budget) {
    if (--budget.texts < 0) {
        if (budget.texts == -1)
            note(source, fmt::format("has more than {} texts; the last are left out", PngBudget().texts));
        return;
    }
    PngText found = read_text(type, data, budget);
    const bool is_xmp = type == "iTXt" && found.name == xmp_name;
    if (!found.text || found.name.empty() || found.name.size() > max_name) {
        return note(source, is_xmp ? "XMP cannot be unpacked; it is left out"
                                   : fmt::format("a text chunk {} cannot be read; it is left out", type));
    }
    if (is_xmp) {
        if (metadata.xmp.empty())
            metadata.xmp = std::move(*found.text);
        return;
    }
    if (found.name.starts_with(raw_profile)) {
        auto raw = read_raw(*found.text);
        if (raw &&
            take_raw(std::string_view(found.name).substr(raw_profile.size()), std::move(*raw), metadata))
            return;
    }
    if (found.text->size() > budget.text)
        return note(source, "has texts of more than 16 MiB; the last are left out");
    budget.text -= found.text->size();
    const std::string_view text(reinterpret_cast<const char*>(found.text->data()), found.text->size());
    metadata.texts.push_back({std::move(found.name), utf8_of(text)});
}

void put_png_texts(std::vector<std::byte>& out, const Metadata& metadata) {
    if (!metadata.xmp.empty())
        put_text(out, xmp_name, metadata.xmp, true);
    if (!metadata.iptc.empty()) {
        const std::string text = raw_text_of("iptc", metadata.iptc);
        put_text(out, std::string(raw_profile) + "iptc", std::as_bytes(std::span(text)), false);
    }
    for (const Text& text : metadata.texts)
        put_text(out, text.name, std::as_bytes(std::span(text.text)), !is_ascii(text.text));
}

} // namespace glproc::codecs
