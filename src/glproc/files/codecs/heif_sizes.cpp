// ISO/IEC 14496-12 (boxes), 23008-12 (HEIF), 14496-15 (hvcC); AV1, https://aomediacodec.github.io/av1-spec/,
// 5.5; HEVC, ITU-T H.265, 7.3.
#include "glproc/files/codecs/heif_sizes.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/bits.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

/// Calls `visit` with the type and the content of each box.
template <class Visit>
void for_boxes(ByteView bytes, const Visit& visit) {
    while (bytes.size() >= 8) {
        std::uint64_t size = big_number(bytes, 4);
        std::size_t header = 8;
        if (size == 1 && bytes.size() >= 16) {
            size = big_number(bytes.subspan(8), 8);
            header = 16;
        } else if (size == 0) {
            size = bytes.size();
        }
        if (size < header || size > bytes.size())
            return;
        const ByteView type = bytes.subspan(4, 4);
        visit(std::string(reinterpret_cast<const char*>(type.data()), 4),
              bytes.subspan(header, size - header));
        bytes = bytes.subspan(size);
    }
}

struct FileExtent {
    bool in_idat = false;
    std::uint64_t offset = 0;
    std::uint64_t length = 0; ///< 0: to the end
};

class Checker {
  public:
    explicit Checker(const Source& source) : source_(source), left_(16 * source.bytes.size()) {}

    /// That pictures made of others can be made at all.
    void check_references() {
        for_boxes(source_.bytes, [&](const std::string& type, ByteView content) {
            if (type == "meta" && content.size() > 4)
                read_meta(content.subspan(4));
        });
        if (most_made([](std::uint64_t) { return 1.0; }) > 4 * references_ + 64)
            fail(source_, "corrupt HEIF: its images are made of one another again and again");
    }

    void check_sizes() {
        for (const auto& [id, extents] : extents_) {
            const std::string& type = types_[id];
            seen_ = 0;
            if (type == "av01")
                read_av1(data_of(extents));
            if (type == "hvc1")
                read_units(data_of(extents), length_size_);
            if (type == "grid" || type == "iovl")
                read_canvas(data_of(extents), type == "grid");
            pixels_[id] = std::max(pixels_[id], seen_);
        }
        constexpr double most = 4; // as large as one may be
        const double made = most_made([this](std::uint64_t id) { return pixels_[id]; });
        if (made > most * static_cast<double>(source_.max_pixels))
            throw Error(ErrorCode::input,
                        fmt::format("{}: is made of images of {:.0f} pixels in all, which is more than "
                                    "{:.0f} times the limit of {}",
                                    source_.name, made, most, source_.max_pixels),
                        fmt::format("if you trust the file: --max-pixels {:.0f}", made / most + 1));
    }

  private:
    using Cost = std::function<double(std::uint64_t)>;

    /// The most that any image costs with all that is decoded for it, each part as often as it is referred to
    /// along all ways.
    double most_made(const Cost& cost) {
        made_.clear();
        double most = 0;
        for (const auto& [id, parts] : parts_)
            most = std::max(most, made_by(id, 0, cost).cost);
        return most;
    }

    struct Made {
        double cost = 0;
        int levels = 0; ///< below it
    };

    Made made_by(std::uint64_t id, int depth, const Cost& cost) {
        constexpr int deepest = 16;
        if (depth > deepest) // which a circle is, too
            fail(source_,
                 "corrupt HEIF: its images are made of one another in circles, or in too many levels");
        Made made{cost(id), 0};
        const auto parts = parts_.find(id);
        if (parts == parts_.end())
            return made;
        if (const auto known = made_.find(id);
            known != made_.end() && depth + known->second.levels <= deepest)
            return known->second;
        for (const std::uint64_t part : parts->second) {
            const Made below = made_by(part, depth + 1, cost);
            made.cost += below.cost;
            made.levels = std::max(made.levels, below.levels + 1);
        }
        made_[id] = made;
        return made;
    }

    /// Which properties, and so which coded sizes, an item has: 14496-12, 8.11.14.
    void read_associations(ByteView ipma) {
        Bits bits(ipma);
        const std::uint64_t version = bits.number(1);
        const unsigned index_bits = (bits.number(3) & 1U) != 0 ? 15 : 7;
        for (std::uint64_t items = bits.number(4); items > 0 && !bits.ended(); --items) {
            const std::uint64_t id = bits.number(version < 1 ? 2 : 4);
            for (std::uint64_t count = bits.number(1); count > 0 && !bits.ended(); --count) {
                bits.flag();
                const std::uint64_t index = bits.take(index_bits);
                if (index > 0 && index <= properties_.size())
                    pixels_[id] = std::max(pixels_[id], properties_[index - 1]);
            }
        }
    }

    /// References of derived images to their parts, and of alpha to the image that is decoded with it.
    void read_references(ByteView iref) {
        const std::size_t bytes = iref[0] == std::byte{0} ? 2 : 4;
        for_boxes(iref.subspan(4), [&](const std::string& type, ByteView entry) {
            Bits bits(entry);
            const std::uint64_t from = bits.number(bytes);
            for (std::uint64_t count = bits.number(2); count > 0 && !bits.ended(); --count, ++references_) {
                const std::uint64_t to = bits.number(bytes);
                if (type == "dimg")
                    parts_[from].push_back(to);
                else if (type == "auxl")
                    parts_[to].push_back(from);
            }
        });
    }

    /// 23008-12, 6.6.2.3.2 and 6.6.2.4.2
    void read_canvas(ByteView data, bool is_grid) {
        Bits bits(data);
        bits.skip(1);
        const unsigned size = (bits.number(1) & 1U) != 0 ? 4 : 2;
        bits.skip(is_grid ? 2 : 8);
        const std::uint64_t width = bits.number(size);
        check(width, bits.number(size));
    }

    void read_meta(ByteView meta) {
        for_boxes(meta, [&](const std::string& type, ByteView content) {
            if (type == "iinf" && content.size() > 6)
                read_types(content.subspan(content[0] == std::byte{0} ? 6 : 8));
            if (type == "iloc")
                read_places(content);
            if (type == "idat")
                idat_ = content;
            if (type == "iref" && content.size() > 4)
                read_references(content);
            if (type == "iprp")
                for_boxes(content, [&](const std::string& part, ByteView properties) {
                    if (part == "ipco")
                        for_boxes(properties, [&](const std::string& property, ByteView value) {
                            seen_ = 0;
                            read_property(property, value);
                            properties_.push_back(seen_);
                        });
                    if (part == "ipma")
                        read_associations(properties);
                });
        });
    }

    void read_property(const std::string& type, ByteView value) {
        if (type == "av1C" && value.size() > 4)
            read_av1(value.subspan(4));
        if (type != "hvcC" || value.size() < 23)
            return;
        length_size_ = (std::to_integer<unsigned>(value[21]) & 3U) + 1;
        Bits bits(value.subspan(22));
        for (std::uint64_t arrays = bits.number(1); arrays > 0 && !bits.ended(); --arrays) {
            bits.skip(1);
            for (std::uint64_t units = bits.number(2); units > 0 && !bits.ended(); --units) {
                const std::uint64_t size = bits.number(2);
                read_unit(bits.rest().first(std::min<std::uint64_t>(size, bits.rest().size())));
                bits.skip(size);
            }
        }
    }

    void read_types(ByteView entries) {
        for_boxes(entries, [&](const std::string& type, ByteView entry) {
            const bool wide = !entry.empty() && entry[0] == std::byte{3};
            const std::size_t at = 4 + (wide ? 4 : 2);
            if (type == "infe" && entry.size() >= at + 6)
                types_[big_number(entry.subspan(4), at - 4)] =
                    std::string(reinterpret_cast<const char*>(&entry[at + 2]), 4);
        });
    }

    void read_places(ByteView iloc) {
        Bits bits(iloc);
        const std::uint64_t version = bits.number(1);
        bits.skip(3);
        const std::uint64_t offset_size = bits.take(4);
        const std::uint64_t length_size = bits.take(4);
        const std::uint64_t base_size = bits.take(4);
        const std::uint64_t index_size = version == 0 ? bits.take(4) * 0 : bits.take(4); // reserved there
        for (std::uint64_t items = bits.number(version < 2 ? 2 : 4); items > 0 && !bits.ended(); --items) {
            const std::uint64_t id = bits.number(version < 2 ? 2 : 4);
            const bool in_idat = version != 0 && (bits.number(2) & 15U) == 1;
            bits.skip(2);
            const std::uint64_t base = bits.number(base_size);
            const bool same =
                offset_size + length_size + index_size == 0; // all of them, and none takes a byte
            std::uint64_t count = bits.number(2);
            for (count = same ? std::min<std::uint64_t>(count, 1) : count; count > 0 && !bits.ended();
                 --count) {
                bits.skip(index_size);
                const std::uint64_t offset = base + bits.number(offset_size);
                extents_[id].push_back({in_idat, offset, bits.number(length_size)});
            }
        }
    }

    std::vector<std::byte> data_of(const std::vector<FileExtent>& extents) {
        std::vector<std::byte> data;
        for (const FileExtent& extent : extents) {
            const ByteView from = extent.in_idat ? idat_ : source_.bytes;
            const ByteView tail = from.subspan(std::min<std::uint64_t>(extent.offset, from.size()));
            const ByteView part =
                extent.length == 0 ? tail : tail.first(std::min<std::uint64_t>(extent.length, tail.size()));
            if (part.size() > left_)
                fail(source_, "corrupt HEIF: its images lie in the same bytes again and again");
            left_ -= part.size();
            put(data, part);
        }
        return data;
    }

    /// Open bitstream units one after another: 5.3.
    void read_av1(ByteView data) {
        while (data.size() >= 2) {
            Bits bits(data);
            bits.flag();
            const std::uint64_t type = bits.take(4);
            const bool extended = bits.flag();
            const bool has_size = bits.flag();
            bits.flag();
            bits.skip(extended ? 1 : 0);
            std::uint64_t size = 0;
            unsigned shift = 0;
            for (std::uint64_t byte = has_size ? 0x80 : 0; (byte & 0x80U) != 0 && shift < 56; shift += 7) {
                byte = bits.number(1);
                size |= (byte & 0x7fU) << shift;
            }
            const ByteView content = bits.rest();
            size = has_size ? std::min<std::uint64_t>(size, content.size()) : content.size();
            if (type == 1)
                read_sequence(content.first(size));
            data = content.subspan(size);
        }
    }

    /// 5.5.1
    void read_sequence(ByteView header) {
        Bits bits(header);
        bits.take(3 + 1);
        if (bits.flag()) { // a reduced header
            bits.take(5);
        } else {
            unsigned delay_bits = 0;
            if (bits.flag()) { // timing
                bits.take(64);
                if (bits.flag())
                    bits.golomb();
                if (bits.flag()) { // decoder model
                    delay_bits = static_cast<unsigned>(bits.take(5)) + 1;
                    bits.take(32 + 5 + 5);
                }
            }
            const bool has_delay = bits.flag();
            for (std::uint64_t points = bits.take(5) + 1; points > 0; --points) {
                bits.take(12);
                if (bits.take(5) > 7)
                    bits.flag();
                if (delay_bits > 0 && bits.flag())
                    bits.take(2 * delay_bits + 1);
                if (has_delay && bits.flag())
                    bits.take(4);
            }
        }
        const auto width_bits = static_cast<unsigned>(bits.take(4)) + 1;
        const auto height_bits = static_cast<unsigned>(bits.take(4)) + 1;
        const std::uint64_t width = bits.take(width_bits) + 1;
        check(width, bits.take(height_bits) + 1);
    }

    /// Units with their lengths before them.
    void read_units(ByteView data, unsigned length_size) {
        while (data.size() > length_size) {
            const ByteView rest = data.subspan(length_size);
            const std::size_t size = std::min(big_number(data, length_size), rest.size());
            read_unit(rest.first(size));
            data = rest.subspan(size);
        }
    }

    void read_unit(ByteView unit) {
        if (unit.size() < 3 || (std::to_integer<unsigned>(unit[0]) >> 1U & 63U) != 33)
            return;
        std::vector<std::byte> bytes; // without the threes that keep a start code from standing there
        constexpr std::size_t enough = 1024;
        for (std::size_t i = 2, zeros = 0; i < std::min(unit.size(), enough); ++i) {
            const bool escape = zeros >= 2 && unit[i] == std::byte{3};
            zeros = unit[i] == std::byte{0} ? zeros + 1 : 0;
            if (!escape)
                bytes.push_back(unit[i]);
        }
        read_parameters(bytes);
    }

    /// 7.3.2.2 and 7.3.3
    void read_parameters(ByteView set) {
        Bits bits(set);
        bits.take(4);
        const std::uint64_t layers = bits.take(3);
        bits.take(1 + 96);
        const std::uint64_t present = bits.take(static_cast<unsigned>(layers > 0 ? 16 : 0));
        for (std::uint64_t i = 0; i < layers; ++i) {
            bits.take((present >> (15 - 2 * i) & 1U) != 0 ? 88 : 0);
            bits.take((present >> (14 - 2 * i) & 1U) != 0 ? 8 : 0);
        }
        bits.golomb();
        if (bits.golomb() == 3)
            bits.flag();
        const std::uint64_t width = bits.golomb();
        check(width, bits.golomb());
    }

    void check(std::uint64_t width, std::uint64_t height) {
        constexpr std::uint64_t block = 64; // sizes are filled up to whole ones
        constexpr std::uint64_t most = std::uint64_t{1} << 31U;
        seen_ = std::max(seen_, static_cast<double>(width) * static_cast<double>(height));
        const bool large = width >= block && height >= block;
        if (large && (width > most || height > most ||
                      (width - block + 1) * (height - block + 1) > source_.max_pixels))
            check_size(source_, width, height, 1e18);
    }

    const Source& source_;
    std::uint64_t left_; ///< bytes that may still be copied
    ByteView idat_;
    unsigned length_size_ = 4;
    std::map<std::uint64_t, std::string> types_;
    std::map<std::uint64_t, std::vector<FileExtent>> extents_;
    std::map<std::uint64_t, std::vector<std::uint64_t>> parts_;
    std::map<std::uint64_t, Made> made_;
    double references_ = 0;
    double seen_ = 0;                ///< pixels of the largest image that was read of since this was set to 0
    std::vector<double> properties_; ///< the same of each
    std::map<std::uint64_t, double> pixels_; ///< of an item alone
};

} // namespace

void check_heif_references(const Source& source) {
    Checker(source).check_references();
}

void check_heif_sizes(const Source& source) {
    Checker checker(source);
    checker.check_references();
    checker.check_sizes();
}

} // namespace glproc::codecs
