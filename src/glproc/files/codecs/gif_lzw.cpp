#include "glproc/files/codecs/gif_lzw.hpp"

#include <array>

namespace glproc::codecs {
namespace {

/// Bits of blocks that begin with their length, the lowest first.
class LzwBits {
  public:
    explicit LzwBits(std::span<const std::byte> blocks) : blocks_(blocks) {}

    std::optional<unsigned> take(unsigned width) {
        while (held_ < width) {
            const std::optional<unsigned> next = byte();
            if (!next)
                return std::nullopt;
            word_ |= *next << held_;
            held_ += 8;
        }
        const unsigned code = word_ & ((1U << width) - 1);
        word_ >>= width;
        held_ -= width;
        return code;
    }

  private:
    std::optional<unsigned> byte() {
        if (in_block_ == 0) {
            in_block_ = raw().value_or(0);
            if (in_block_ == 0)
                return std::nullopt; // the end
        }
        --in_block_;
        return raw();
    }
    std::optional<unsigned> raw() {
        return at_ < blocks_.size() ? std::optional(std::to_integer<unsigned>(blocks_[at_++])) : std::nullopt;
    }

    std::span<const std::byte> blocks_;
    std::size_t at_ = 0;
    unsigned in_block_ = 0;
    unsigned word_ = 0;
    unsigned held_ = 0;
};

constexpr unsigned most_width = 12;
constexpr std::size_t most_codes = std::size_t{1} << most_width;

/// What a code stands for: what another one does, and a pixel after it.
struct Entry {
    std::uint16_t before = 0;
    std::uint16_t last = 0;
    std::uint16_t first = 0;
    std::uint16_t length = 1;
};

} // namespace

std::optional<std::vector<std::uint8_t>> decode_gif_lzw(std::span<const std::byte> blocks, unsigned bits,
                                                        std::size_t count) {
    const unsigned clear = 1U << bits;
    const unsigned end = clear + 1;
    std::array<Entry, most_codes> table{};
    for (unsigned i = 0; i < clear; ++i)
        table.at(i) = {0, static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(i), 1};
    std::vector<std::uint8_t> pixels;
    unsigned next = end + 1;
    unsigned width = bits + 1;
    constexpr unsigned none = most_codes;
    unsigned previous = none;
    LzwBits input(blocks);
    while (pixels.size() < count) {
        const std::optional<unsigned> code = input.take(width);
        if (!code || *code == end)
            return std::nullopt;
        if (*code == clear) {
            next = end + 1;
            width = bits + 1;
            previous = none;
            continue;
        }
        const bool is_new = previous != none && *code == next && next < most_codes; // ends as it begins
        if (*code >= (previous != none ? next : clear) && !is_new)
            return std::nullopt;
        if (previous != none && next < most_codes) {
            const Entry& prefix = table.at(previous);
            table.at(next) = {static_cast<std::uint16_t>(previous),
                              is_new ? prefix.first : table.at(*code).first, prefix.first,
                              static_cast<std::uint16_t>(prefix.length + 1)};
            ++next;
            if (next == 1U << width && width < most_width)
                ++width;
        }
        const std::size_t begin = pixels.size();
        pixels.resize(begin + table.at(*code).length);
        unsigned part = *code;
        for (std::size_t i = pixels.size(); i-- > begin; part = table.at(part).before) {
            if (table.at(part).last > 255)
                return std::nullopt; // no place in any table of colours
            pixels[i] = static_cast<std::uint8_t>(table.at(part).last);
        }
        previous = *code;
    }
    pixels.resize(count);
    return pixels;
}

} // namespace glproc::codecs
