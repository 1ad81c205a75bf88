// EXIF 2.32, sections 4.6.3 to 4.6.6: the directory of the picture, and those of the camera and of the place
// that it points to.
#include "glproc/image/exif_facts.hpp"

#include <algorithm>
#include <cstdint>

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
    struct Place {
        std::size_t at = 0;
        std::size_t count = 0;
    };
    Place find(std::size_t directory, unsigned tag, unsigned type) const {
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
        const Place place = find(directory, tag, ascii);
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

    std::size_t directory(std::size_t parent, unsigned tag) const {
        const Place place = find(parent, tag, whole);
        return place.count == 1 ? number(place.at, 4) : 0;
    }

    /// Degrees, minutes and seconds.
    std::optional<double> degrees(std::size_t directory, unsigned tag, unsigned side_tag,
                                  char negative) const {
        const Place place = find(directory, tag, rational);
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

} // namespace

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
