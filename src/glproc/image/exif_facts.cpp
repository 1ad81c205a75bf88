// EXIF 2.32, sections 4.6.3 to 4.6.6: the directory of the picture, and those of the camera and of the place
// that it points to.
#include "glproc/image/exif_facts.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr unsigned maker_tag = 0x010f;
constexpr unsigned model_tag = 0x0110;
constexpr unsigned changed_tag = 0x0132;
constexpr unsigned camera_directory_tag = 0x8769;
constexpr unsigned place_directory_tag = 0x8825;
constexpr unsigned taken_tag = 0x9003;
constexpr unsigned latitude_side_tag = 1;
constexpr unsigned latitude_tag = 2;
constexpr unsigned longitude_side_tag = 3;
constexpr unsigned longitude_tag = 4;

constexpr std::size_t entry_bytes = 12;
constexpr std::size_t most_entries = 512;
constexpr std::size_t longest_text = 64;

/// Reads the structure by offsets; beyond its end everything is 0.
class Structure {
  public:
    explicit Structure(std::span<const std::byte> bytes)
        : bytes_(bytes), big_(!bytes.empty() && bytes[0] == std::byte{'M'}) {}

    std::uint32_t number(std::size_t at, std::size_t size) const {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            value = value << 8U | byte(at + (big_ ? i : size - 1 - i));
        }
        return value;
    }

    /// Where the value of a tag stands, and how many of its type there are; 0 and 0 where there is none.
    struct TagPlace {
        std::size_t at = 0;
        std::size_t count = 0;
    };
    TagPlace find(std::size_t directory, unsigned tag, unsigned type) const {
        const std::size_t entries =
            directory == 0 ? 0 : std::min<std::size_t>(number(directory, 2), most_entries);
        for (std::size_t i = 0; i < entries; ++i) {
            const std::size_t entry = directory + 2 + entry_bytes * i;
            if (number(entry, 2) == tag && number(entry + 2, 2) == type) {
                const std::size_t count = number(entry + 4, 4);
                const std::size_t bytes = count * (type == rational ? 8 : type == whole ? 4 : 1);
                return {bytes > 4 ? number(entry + 8, 4) : entry + 8, count};
            }
        }
        return {};
    }

    std::string text(std::size_t directory, unsigned tag) const {
        const TagPlace place = find(directory, tag, ascii);
        std::string text;
        for (std::size_t i = 0; i < std::min(place.count, longest_text); ++i) {
            const unsigned c = byte(place.at + i);
            if (c == 0) {
                break;
            }
            text += c >= ' ' && c <= '~' ? static_cast<char>(c) : '?';
        }
        return text.substr(0, text.find_last_not_of(' ') + 1);
    }

    /// A number, as its two parts.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> quotient(std::size_t directory, unsigned tag) const {
        if (const TagPlace place = find(directory, tag, brief); place.count > 0) {
            return std::pair(number(place.at, 2), 1U);
        }
        if (const TagPlace place = find(directory, tag, whole); place.count > 0) {
            return std::pair(number(place.at, 4), 1U);
        }
        const TagPlace place = find(directory, tag, rational);
        const std::uint32_t below = place.count > 0 ? number(place.at + 4, 4) : 0;
        return below == 0 ? std::nullopt : std::optional(std::pair(number(place.at, 4), below));
    }

    std::size_t directory(std::size_t parent, unsigned tag) const {
        const TagPlace place = find(parent, tag, whole);
        return place.count == 1 ? number(place.at, 4) : 0;
    }

    /// Degrees, minutes and seconds.
    std::optional<double> degrees(std::size_t directory, unsigned tag, unsigned side_tag,
                                  char negative) const {
        const TagPlace place = find(directory, tag, rational);
        const std::string side = text(directory, side_tag);
        if (place.count != 3 || side.empty()) {
            return std::nullopt;
        }
        double sum = 0;
        double unit = 1;
        for (std::size_t i = 0; i < 3; ++i, unit /= 60) {
            const double below = number(place.at + 8 * i + 4, 4);
            sum += below == 0 ? 0 : unit * number(place.at + 8 * i, 4) / below;
        }
        return sum > 180 ? std::nullopt : std::optional(side[0] == negative ? -sum : sum);
    }

  private:
    static constexpr unsigned ascii = 2;
    static constexpr unsigned brief = 3;
    static constexpr unsigned whole = 4;
    static constexpr unsigned rational = 5;

    unsigned byte(std::size_t at) const {
        return at < bytes_.size() ? std::to_integer<unsigned>(bytes_[at]) : 0;
    }

    std::span<const std::byte> bytes_;
    bool big_;
};

/// "2021:05:12 10:15:00" with dashes.
std::string date_of(std::string text) {
    for (const std::size_t colon : {std::size_t{4}, std::size_t{7}}) {
        if (text.size() > colon && text[colon] == ':') {
            text[colon] = '-';
        }
    }
    return text;
}

/// Models often begin with their maker.
std::string camera_of(const std::string& maker, const std::string& model) {
    return maker.empty() || model.starts_with(maker) ? model : model.empty() ? maker : maker + " " + model;
}

enum class Written { text, date, number, seconds };

struct Key {
    std::string_view name;
    unsigned tag;
    bool of_camera; ///< in the camera's directory
    Written as;
};

constexpr std::array<Key, 15> keys{{{"Make", maker_tag, false, Written::text},
                                    {"Model", model_tag, false, Written::text},
                                    {"ImageDescription", 0x010e, false, Written::text},
                                    {"Software", 0x0131, false, Written::text},
                                    {"Artist", 0x013b, false, Written::text},
                                    {"Copyright", 0x8298, false, Written::text},
                                    {"DateTime", changed_tag, false, Written::date},
                                    {"DateTimeOriginal", taken_tag, true, Written::date},
                                    {"LensMake", 0xa433, true, Written::text},
                                    {"LensModel", 0xa434, true, Written::text},
                                    {"ExposureTime", 0x829a, true, Written::seconds},
                                    {"FNumber", 0x829d, true, Written::number},
                                    {"ISO", 0x8827, true, Written::number},
                                    {"FocalLength", 0x920a, true, Written::number},
                                    {"FocalLengthIn35mmFilm", 0xa405, true, Written::number}}};

std::string seconds_of(double above, double below) {
    const double time = above / below;
    return time > 0 && time < 0.3 ? fmt::format("1/{:.0f}", 1 / time) : fmt::format("{:.4g}", time);
}

const Key& key_of(std::string_view name) {
    const auto* const found =
        std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
    if (found == keys.end()) {
        std::string names;
        for (const Key& key : keys) {
            names += fmt::format("{}{}", names.empty() ? "" : ", ", key.name);
        }
        throw Error(ErrorCode::usage, fmt::format("no EXIF value '{}' is known", name), "known are " + names);
    }
    return *found;
}

} // namespace

std::string exif_text(std::span<const std::byte> exif, std::string_view name) {
    const Key& key = key_of(name);
    const Structure structure(exif);
    const std::size_t first = structure.number(4, 4);
    const std::size_t directory = key.of_camera ? structure.directory(first, camera_directory_tag) : first;
    if (key.as == Written::text || key.as == Written::date) {
        const std::string text = structure.text(directory, key.tag);
        return key.as == Written::date ? date_of(text) : text;
    }
    const auto number = structure.quotient(directory, key.tag);
    return !number                      ? std::string()
           : key.as == Written::seconds ? seconds_of(number->first, number->second)
                                        : fmt::format("{:.4g}", double{1} * number->first / number->second);
}

ExifFacts exif_facts(std::span<const std::byte> exif) {
    const Structure structure(exif);
    constexpr std::uint32_t magic = 42;
    if (structure.number(2, 2) != magic) {
        return {};
    }
    const std::size_t first = structure.number(4, 4);
    const std::size_t place = structure.directory(first, place_directory_tag);
    const std::string taken = structure.text(structure.directory(first, camera_directory_tag), taken_tag);
    return {.date = date_of(taken.empty() ? structure.text(first, changed_tag) : taken),
            .camera = camera_of(structure.text(first, maker_tag), structure.text(first, model_tag)),
            .latitude = structure.degrees(place, latitude_tag, latitude_side_tag, 'S'),
            .longitude = structure.degrees(place, longitude_tag, longitude_side_tag, 'W')};
}

} // namespace glproc
