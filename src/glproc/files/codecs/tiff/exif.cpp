// EXIF 2.32, section 4.6: https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf
#include "glproc/files/codecs/tiff/exif.hpp"

#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/iptc.hpp"

#include <array>
#include <bit>
#include <optional>

namespace glproc::codecs {
namespace {

constexpr std::size_t exif_tag = 0x8769;
constexpr std::size_t gps_tag = 0x8825;
constexpr std::size_t interoperability_tag = 0xa005;
constexpr std::size_t iptc_tag = 0x83bb;

/// Of the picture's directory: description, make, model, software, date, artist, computer, copyright.
constexpr std::array<std::size_t, 8> text_tags{0x010e, 0x010f, 0x0110, 0x0131,
                                               0x0132, 0x013b, 0x013c, 0x8298};

/// Bytes of a value of each type, and how many of them change places with the byte order.
struct TypeSize {
    std::size_t bytes;
    std::size_t swapped;
};
constexpr std::array<TypeSize, 14> type_sizes{{
    {0, 0},
    {1, 1},
    {1, 1},
    {2, 2},
    {4, 4},
    {8, 4},
    {1, 1}, // BYTE, ASCII, SHORT, LONG, RATIONAL, SBYTE
    {1, 1},
    {2, 2},
    {4, 4},
    {8, 4},
    {4, 4},
    {8, 8},
    {4, 4}, // UNDEFINED, …, FLOAT, DOUBLE, IFD
}};
constexpr std::size_t type_ascii = 2;
constexpr std::size_t type_long = 4;
constexpr std::size_t type_directory = 13;

struct Tag;
using Directory = std::vector<Tag>;

struct Tag {
    std::size_t number = 0;
    std::size_t type = 0;
    std::vector<std::byte> value{}; ///< with the high byte first
    Directory directory{};          ///< that the value points to
};

bool is_directory(const Tag& tag) {
    return tag.number == exif_tag || tag.number == gps_tag || tag.number == interoperability_tag;
}

void swap_elements(std::span<std::byte> value, std::size_t size) {
    for (; size > 1 && value.size() >= size; value = value.subspan(size))
        std::ranges::reverse(value.first(size));
}

/// Directories of a TIFF file, or of an EXIF block. What cannot be read is left out.
class DirectoryReader {
  public:
    explicit DirectoryReader(const Source& source) : source_(source) {
        std::array<std::byte, 4> start{};
        source.read_at(0, start);
        little_ = start[0] == std::byte{'I'};
        big_ = start[little_ ? 2 : 3] == std::byte{43};
    }

    Directory first() {
        return read(source_.page ? source_.page->directory : number(big_ ? 8 : 4, offset_bytes()).value_or(0));
    }

  private:
    std::size_t offset_bytes() const { return big_ ? 8 : 4; }

    std::optional<std::uint64_t> number(std::uint64_t offset, std::size_t size) const {
        std::array<std::byte, 8> bytes{};
        if (source_.read_at(offset, std::span(bytes).first(size)) < size)
            return std::nullopt;
        if (little_)
            std::reverse(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        return big_number(bytes, size);
    }

    Directory read(std::uint64_t offset) {
        Directory directory;
        const std::size_t count_bytes = big_ ? 8 : 2;
        const std::uint64_t count = number(offset, count_bytes).value_or(0);
        for (std::uint64_t i = 0; i < count && entries_left_ > 0; ++i) {
            --entries_left_;
            if (auto tag = read_tag(offset + count_bytes + i * (big_ ? 20 : 12)))
                directory.push_back(std::move(*tag));
        }
        return directory;
    }

    std::optional<Tag> read_tag(std::uint64_t entry) {
        const auto id = number(entry, 2);
        const auto type = number(entry + 2, 2);
        const auto count = number(entry + 4, offset_bytes());
        const std::uint64_t field = entry + 4 + offset_bytes();
        const auto pointer = number(field, offset_bytes());
        if (!id || !type || !count || !pointer)
            return std::nullopt;
        Tag tag{.number = *id, .type = *type};
        const auto kind = std::ranges::find(directories_to_come_, tag.number);
        if (kind != directories_to_come_.end()) {
            const bool narrow = tag.type == type_long || tag.type == type_directory; // in BigTIFF, too
            const auto place = narrow ? number(field, 4) : pointer;
            tag.type = type_long;
            *kind = 0; // no file has two of a kind, and directories that point to themselves have many
            tag.directory = read(place.value_or(0));
            return tag.directory.empty() ? std::nullopt : std::optional(std::move(tag));
        }
        if (is_directory(tag) || tag.type == 0 || tag.type >= type_sizes.size() || *count > left_)
            return std::nullopt;
        const TypeSize size = type_sizes.at(tag.type);
        const std::uint64_t bytes = *count * size.bytes;
        if (bytes > left_)
            return std::nullopt;
        const std::uint64_t place = bytes <= offset_bytes() ? field : *pointer;
        if (bytes > 0 && !number(place + bytes - 1, 1))
            return std::nullopt; // thousands may say that they are large; none gets memory that is not filled
        tag.value.resize(bytes);
        if (source_.read_at(place, tag.value) < bytes)
            return std::nullopt;
        left_ -= bytes;
        if (little_)
            swap_elements(tag.value, size.swapped);
        return tag;
    }

    const Source& source_;
    bool little_ = false;
    bool big_ = false;
    std::uint64_t left_ = std::uint64_t{1} << 24U; ///< that all values may take together
    std::uint64_t entries_left_ = 4096;            ///< that are read of all directories together
    std::array<std::size_t, 3> directories_to_come_{exif_tag, gps_tag, interoperability_tag};
};

/// Directories to stand at `offset` of a file.
class DirectoryWriter {
  public:
    DirectoryWriter(std::uint64_t offset, bool little, bool big)
        : offset_(offset), little_(little), big_(big) {}

    /// Returns where in the file it begins. Directories and values that it points to come before it.
    std::uint64_t put(const Directory& directory) {
        std::vector<std::byte> entries;
        append(entries, directory.size(), big_ ? 8 : 2);
        for (const Tag& tag : directory) {
            append(entries, tag.number, 2);
            append(entries, tag.type, 2);
            append(entries, count_of(tag), offset_bytes());
            put_value(entries, tag);
        }
        append(entries, 0, offset_bytes()); // none follows
        return put_block(entries);
    }

    std::vector<std::byte> take_bytes() { return std::move(bytes_); }

  private:
    std::size_t offset_bytes() const { return big_ ? 8 : 4; }

    static std::size_t count_of(const Tag& tag) {
        return tag.directory.empty() ? tag.value.size() / type_sizes.at(tag.type).bytes : 1;
    }

    void append(std::vector<std::byte>& out, std::uint64_t value, std::size_t size) const {
        put_big(out, value, static_cast<unsigned>(size));
        if (little_)
            std::reverse(out.end() - static_cast<std::ptrdiff_t>(size), out.end());
    }

    std::uint64_t put_block(const std::vector<std::byte>& block) {
        bytes_.resize((bytes_.size() + 1) / 2 * 2);
        const std::uint64_t place = offset_ + bytes_.size();
        codecs::put(bytes_, block);
        return place;
    }

    void put_value(std::vector<std::byte>& entries, const Tag& tag) {
        if (!tag.directory.empty()) {
            const std::uint64_t place = put(tag.directory);
            append(entries, place, 4);
            return entries.resize(entries.size() + offset_bytes() - 4);
        }
        std::vector<std::byte> value = tag.value;
        if (little_)
            swap_elements(value, type_sizes.at(tag.type).swapped);
        if (value.size() > offset_bytes())
            return append(entries, put_block(value), offset_bytes());
        value.resize(offset_bytes());
        codecs::put(entries, value);
    }

    std::uint64_t offset_;
    bool little_;
    bool big_;
    std::vector<std::byte> bytes_;
};

bool is_text(const Tag& tag) {
    return std::ranges::count(text_tags, tag.number) != 0 && tag.type == type_ascii;
}

bool is_pointer(const Tag& tag) {
    return tag.number == exif_tag || tag.number == gps_tag;
}

/// Description, software, artist and copyright alone are no EXIF: they are tags of every TIFF.
bool is_of_a_camera(const Tag& tag) {
    return is_pointer(tag) || tag.number == 0x010f || tag.number == 0x0110 || tag.number == 0x0132;
}

} // namespace

TiffBlocks read_tiff_blocks(const Source& source) {
    Directory directory = DirectoryReader(source).first();
    const auto iptc = std::ranges::find(directory, iptc_tag, &Tag::number);
    TiffBlocks blocks{.iptc = iptc == directory.end() ? std::vector<std::byte>{} : iptc_in(iptc->value)};
    std::erase_if(directory, [](const Tag& tag) { return !is_text(tag) && !is_pointer(tag); });
    if (std::ranges::none_of(directory, is_of_a_camera))
        return blocks;
    put(blocks.exif, std::string_view("MM\0*", 4));
    DirectoryWriter writer(8, false, false);
    put_big(blocks.exif, writer.put(directory), 4);
    put(blocks.exif, writer.take_bytes());
    return blocks;
}

TiffExif place_exif(const std::vector<std::byte>& exif, std::uint64_t offset, bool big) {
    const Source source{.bytes = exif, .name = {}, .max_pixels = 0};
    DirectoryWriter writer(offset, std::endian::native == std::endian::little, big);
    TiffExif placed;
    for (const Tag& tag : DirectoryReader(source).first()) {
        if (tag.number == exif_tag) {
            placed.exif = writer.put(tag.directory);
        } else if (tag.number == gps_tag) {
            placed.gps = writer.put(tag.directory);
        } else if (is_text(tag)) {
            const std::string text(reinterpret_cast<const char*>(tag.value.data()), tag.value.size());
            placed.texts.emplace_back(static_cast<std::uint32_t>(tag.number),
                                      text.substr(0, text.find('\0')));
        }
    }
    placed.bytes = writer.take_bytes();
    return placed;
}

} // namespace glproc::codecs
