// EXIF 2.32: https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf, of which only the first
// directory is read, so that no chain of directories can lead in circles.
#include "glproc/image/exif.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

namespace glproc {
namespace {

/// Numbers of a TIFF structure, in its own byte order. Beyond the end there are none.
class Exif {
  public:
    explicit Exif(std::span<const std::byte> bytes) : bytes_(bytes) {
        big_ = !bytes.empty() && bytes[0] == std::byte{'M'};
    }

    std::optional<std::size_t> number(std::size_t offset, std::size_t size) const {
        if (offset > bytes_.size() || size > bytes_.size() - offset)
            return std::nullopt;
        std::size_t value = 0;
        for (std::size_t i = 0; i < size; ++i)
            value = value << 8U | std::to_integer<std::size_t>(bytes_[offset + (big_ ? i : size - 1 - i)]);
        return value;
    }

    bool is_big_endian() const { return big_; }

  private:
    std::span<const std::byte> bytes_;
    bool big_ = false;
};

constexpr std::size_t type_short = 3;
constexpr std::size_t type_rational = 5;
constexpr std::size_t entry_bytes = 12;
constexpr std::size_t orientation_tag = 0x0112;
constexpr std::size_t x_tag = 0x011a;
constexpr std::size_t y_tag = 0x011b;
constexpr std::size_t unit_tag = 0x0128;
constexpr std::size_t unit_none = 1;
constexpr std::size_t unit_inch = 2;
constexpr std::size_t unit_centimetre = 3;

/// Where the first directory begins, if there is one.
std::optional<std::size_t> find_directory(const Exif& exif) {
    constexpr std::size_t magic = 42;
    return exif.number(2, 2) == magic ? exif.number(4, 4) : std::nullopt;
}

/// Where the value of a single number stands, if the first directory has such a tag of this type.
std::optional<std::size_t> find_value(const Exif& exif, std::size_t tag, std::size_t type) {
    const auto directory = find_directory(exif);
    if (!directory)
        return std::nullopt;
    const std::size_t count = exif.number(*directory, 2).value_or(0);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t entry = *directory + 2 + entry_bytes * i;
        const auto found = exif.number(entry, 2);
        if (!found)
            return std::nullopt;
        if (found != tag)
            continue;
        const bool readable =
            exif.number(entry + 2, 2) == type && exif.number(entry + 4, 4) == 1U && exif.number(entry + 8, 4);
        if (!readable)
            return std::nullopt;
        return type == type_rational ? exif.number(entry + 8, 4) : std::optional(entry + 8);
    }
    return std::nullopt;
}

std::optional<double> find_rational(const Exif& exif, std::size_t tag) {
    const auto place = find_value(exif, tag, type_rational);
    const auto above = place ? exif.number(*place, 4) : std::nullopt;
    const auto below = place ? exif.number(*place + 4, 4) : std::nullopt;
    if (!above || !below || *above == 0 || *below == 0)
        return std::nullopt;
    return static_cast<double>(*above) / static_cast<double>(*below);
}

/// Numbers written in the byte order of a structure.
class ExifWriter {
  public:
    explicit ExifWriter(std::vector<std::byte>& bytes) : bytes_(bytes), big_(Exif(bytes).is_big_endian()) {}

    void put(std::size_t offset, std::size_t value, std::size_t size) {
        bytes_.resize(std::max(bytes_.size(), offset + size));
        for (std::size_t i = 0; i < size; ++i)
            bytes_[offset + (big_ ? size - 1 - i : i)] = static_cast<std::byte>(value >> 8U * i);
    }

    /// Whole numbers stay whole.
    void put_rational(std::size_t offset, double value) {
        constexpr std::size_t fine = 10000;
        constexpr double most = 4e5; // times `fine` still fits
        const bool whole = value == std::round(value) || value > most;
        put(offset, static_cast<std::size_t>(std::round(whole ? value : value * fine)), 4);
        put(offset + 4, whole ? 1 : fine, 4);
    }

  private:
    std::vector<std::byte>& bytes_;
    bool big_;
};

Density storable(const Density& density) {
    return density.unit == Density::Unit::metre ? density.in(Density::Unit::inch) : density;
}

std::size_t unit_of(const Density& density) {
    return density.unit == Density::Unit::centimetre ? unit_centimetre : unit_inch;
}

bool agree(const Density& a, const Density& b) {
    constexpr double fine = 0.01;
    const Density first = a.in(Density::Unit::inch);
    const Density second = b.in(Density::Unit::inch);
    return std::abs(first.x - second.x) <= fine && std::abs(first.y - second.y) <= fine;
}

bool tells_density(const Metadata& metadata) {
    return metadata.density && metadata.density->possible() && metadata.density->unit != Density::Unit::none;
}

/// A copy of the first directory, with the resolution in it, is put at the end, and takes its place. All
/// other places in the structure stay where they are.
void add_density(std::vector<std::byte>& bytes, const Density& density) {
    const Exif exif(bytes);
    if (!find_directory(exif))
        return; // it is none: to be left as it is
    const std::size_t old = *find_directory(exif);
    const std::size_t count = exif.number(old, 2).value_or(0);
    std::vector<std::array<std::size_t, 4>> entries; // tag, type, count, value
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = old + 2 + entry_bytes * i;
        const auto value = exif.number(at + 8, 4);
        if (!value)
            return; // it is cut short
        const std::size_t tag = exif.number(at, 2).value();
        if (tag != x_tag && tag != y_tag && tag != unit_tag)
            entries.push_back({tag, exif.number(at + 2, 2).value(), exif.number(at + 4, 4).value(), *value});
    }
    const std::size_t next = exif.number(old + 2 + entry_bytes * count, 4).value_or(0);
    const std::size_t start = (bytes.size() + 1) / 2 * 2;
    const std::size_t values = start + 2 + entry_bytes * (entries.size() + 3) + 4;
    const bool big = exif.is_big_endian();
    entries.push_back({x_tag, type_rational, 1, values});
    entries.push_back({y_tag, type_rational, 1, values + 8});
    entries.push_back({unit_tag, type_short, 1, unit_of(density) << (big ? 16U : 0U)}); // the first two bytes
    std::ranges::sort(entries);
    ExifWriter writer(bytes);
    writer.put(start, entries.size(), 2);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::size_t at = start + 2 + entry_bytes * i;
        writer.put(at, entries[i][0], 2);
        writer.put(at + 2, entries[i][1], 2);
        writer.put(at + 4, entries[i][2], 4);
        writer.put(at + 8, entries[i][3], 4);
    }
    writer.put(values - 4, next, 4);
    writer.put_rational(values, density.x);
    writer.put_rational(values + 8, density.y);
    writer.put(4, start, 4);
}

} // namespace

std::optional<Density> density_of(const std::vector<std::byte>& exif) {
    const Exif numbers(exif);
    const auto x = find_rational(numbers, x_tag);
    const auto y = find_rational(numbers, y_tag);
    if (!x || !y)
        return std::nullopt;
    const auto place = find_value(numbers, unit_tag, type_short);
    const std::size_t unit = place ? numbers.number(*place, 2).value() : unit_inch;
    return Density{*x, *y,
                   unit == unit_centimetre ? Density::Unit::centimetre
                   : unit == unit_none     ? Density::Unit::none
                                           : Density::Unit::inch};
}

std::vector<std::byte> exif_that_agrees(const Metadata& metadata) {
    std::vector<std::byte> exif = metadata.exif;
    const auto said = density_of(exif);
    if (said && tells_density(metadata) && !agree(*said, *metadata.density))
        add_density(exif, storable(*metadata.density));
    return exif;
}

std::vector<std::byte> exif_with_density(const Metadata& metadata) {
    if (!tells_density(metadata) || density_of(metadata.exif))
        return exif_that_agrees(metadata);
    std::vector<std::byte> exif = metadata.exif;
    if (exif.empty()) {
        constexpr std::array<std::uint8_t, 8> empty{'I', 'I', 42, 0, 8, 0, 0, 0}; // no directory yet
        exif.assign(std::as_bytes(std::span(empty)).begin(), std::as_bytes(std::span(empty)).end());
    }
    add_density(exif, storable(*metadata.density));
    return exif;
}

namespace {

constexpr std::size_t type_long = 4;
constexpr std::size_t details_tag = 0x8769; // where the directory of the camera's settings is

/// Where the entry of a tag begins in a directory.
std::optional<std::size_t> find_entry(const Exif& exif, std::size_t directory, std::size_t tag) {
    const std::size_t count = exif.number(directory, 2).value_or(0);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t entry = directory + 2 + entry_bytes * i;
        if (exif.number(entry, 2) == tag && exif.number(entry + 8, 4))
            return entry;
    }
    return std::nullopt;
}

/// Where a number stands, and how many bytes it has.
struct Placed {
    std::size_t at = 0;
    std::size_t size = 0;
};

/// The first of the numbers that say how the picture lies. EXIF has one of 16 bits there; others write what they like.
std::optional<Placed> find_orientation(const Exif& exif) {
    const auto directory = find_directory(exif);
    const auto entry = directory ? find_entry(exif, *directory, orientation_tag) : std::nullopt;
    if (!entry)
        return std::nullopt;
    constexpr std::array<std::size_t, 10> sizes{0, 1, 0, 2, 4, 0, 1, 0, 2, 4}; // bytes of a whole number of each type
    const std::size_t type = exif.number(*entry + 2, 2).value_or(0);
    const std::size_t size = type < sizes.size() ? sizes.at(type) : 0;
    const std::size_t count = exif.number(*entry + 4, 4).value_or(0);
    if (size == 0 || count == 0)
        return std::nullopt;
    const std::size_t at = count <= 4 / size ? *entry + 8 : exif.number(*entry + 8, 4).value_or(0);
    return exif.number(at, size) ? std::optional(Placed{at, size}) : std::nullopt;
}

/// A single whole number of either size.
std::optional<std::size_t> find_whole(const Exif& exif, std::size_t directory, std::size_t tag) {
    const auto entry = find_entry(exif, directory, tag);
    if (!entry || exif.number(*entry + 4, 4) != 1U)
        return std::nullopt;
    const auto type = exif.number(*entry + 2, 2);
    return type == type_short  ? exif.number(*entry + 8, 2)
           : type == type_long ? exif.number(*entry + 8, 4)
                               : std::nullopt;
}

/// The size that a directory states, if it does, becomes this one.
void put_size(std::vector<std::byte>& bytes, std::size_t directory, std::size_t tag, int size) {
    const auto entry = find_entry(Exif(bytes), directory, tag);
    if (!entry || !find_whole(Exif(bytes), directory, tag))
        return;
    const bool is_short = Exif(bytes).number(*entry + 2, 2) == type_short;
    if (is_short && size > 0xffff)
        return; // there is no room for it
    ExifWriter(bytes).put(*entry + 8, static_cast<std::size_t>(size), is_short ? 2 : 4);
}

/// The part of the block from `first` on, of `count` bytes, becomes zeros; at its end it is cut off.
void erase(std::vector<std::byte>& bytes, std::size_t first, std::size_t count) {
    constexpr std::size_t header = 8;
    if (first < header || first > bytes.size() || count > bytes.size() - first)
        return; // it is not there
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(first), count, std::byte{});
    if (first + count + 1 >= bytes.size())
        bytes.resize(first);
}

/// The second directory, which is that of the small picture, and that picture.
void drop_small_picture(std::vector<std::byte>& bytes, std::size_t first) {
    const Exif exif(bytes);
    const std::size_t link = first + 2 + entry_bytes * exif.number(first, 2).value_or(0);
    const std::size_t second = exif.number(link, 4).value_or(0);
    if (second == 0)
        return;
    using Tags = std::array<std::size_t, 2>;
    std::vector<std::array<std::size_t, 2>> parts; // where, and how long
    for (const auto& [place, length] :
         {Tags{0x0201, 0x0202}, Tags{0x0111, 0x0117}}) { // JPEG, and a single strip
        const auto at = find_whole(exif, second, place);
        const auto size = find_whole(exif, second, length);
        if (at && size)
            parts.push_back({*at, *size});
    }
    parts.push_back({second, 2 + entry_bytes * exif.number(second, 2).value_or(0) + 4});
    ExifWriter(bytes).put(link, 0, 4);
    for (const auto& [at, size] : parts)
        erase(bytes, at, size);
}

} // namespace

int orientation_of(const std::vector<std::byte>& exif) {
    const Exif numbers(exif);
    const auto place = find_orientation(numbers);
    const std::size_t value = place ? numbers.number(place->at, place->size).value() : 1;
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
}

bool says_adobe_rgb(const std::vector<std::byte>& exif) {
    constexpr std::size_t colour_space_tag = 0xa001;
    constexpr std::size_t uncalibrated = 0xffff;
    constexpr std::size_t adobe_rgb = 2; // by nobody's standard, but many cameras'
    constexpr std::size_t compatible_tag = 0xa005;
    const Exif numbers(exif);
    const auto first = find_directory(numbers);
    const auto details = first ? find_whole(numbers, *first, details_tag) : std::nullopt;
    const auto space = details ? find_whole(numbers, *details, colour_space_tag) : std::nullopt;
    if (space == adobe_rgb)
        return true;
    const auto compatible = details ? find_whole(numbers, *details, compatible_tag) : std::nullopt;
    const auto index = compatible ? find_entry(numbers, *compatible, 1) : std::nullopt;
    if (space != uncalibrated || !index)
        return false;
    std::string letters; // in the place of a number, in their own order
    for (std::size_t i = 0; i < 3; ++i)
        letters += static_cast<char>(numbers.number(*index + 8 + i, 1).value_or(0));
    return letters == "R03";
}

bool has_small_picture(const std::vector<std::byte>& bytes) {
    const Exif exif(bytes);
    const auto first = find_directory(exif);
    if (!first)
        return false;
    const std::size_t link = *first + 2 + entry_bytes * exif.number(*first, 2).value_or(0);
    return exif.number(link, 4).value_or(0) != 0;
}

void fit_exif(std::vector<std::byte>& exif, int width, int height) {
    const auto first = find_directory(Exif(exif));
    if (!first)
        return;
    const auto details = find_whole(Exif(exif), *first, details_tag);
    put_size(exif, *first, 0x0100, width);
    put_size(exif, *first, 0x0101, height);
    if (details) {
        put_size(exif, *details, 0xa002, width);
        put_size(exif, *details, 0xa003, height);
    }
    drop_small_picture(exif, *first);
}

void reset_exif_orientation(std::vector<std::byte>& exif) {
    if (const auto place = find_orientation(Exif(exif)))
        ExifWriter(exif).put(place->at, 1, place->size);
}

} // namespace glproc
