#include "glproc/gpu_codecs/jpeg/encode_facts.hpp"

#include "glproc/base/covering.hpp"

#include <algorithm>
#include <bit>

namespace glproc::gpu_codecs {
namespace {

constexpr std::size_t side = 8; ///< of a block
constexpr std::size_t encoded_component_facts = 16;
constexpr std::size_t quantisation_facts = 64;

/// Division by eight times a table's value, with rounding, as ((x + correction) * reciprocal) >> shift: exact
/// for all values that the transform can have. As libjpeg-turbo does it (jcdctmgr.c).
std::array<std::uint32_t, 2> reciprocal_of(std::uint32_t table_value) {
    const std::uint32_t divisor = table_value << 3U;
    std::uint32_t shift = 15 + static_cast<std::uint32_t>(std::bit_width(divisor));
    std::uint32_t reciprocal = (1U << shift) / divisor;
    const std::uint32_t rest = (1U << shift) % divisor;
    std::uint32_t correction = divisor / 2;
    if (rest == 0) {
        reciprocal >>= 1U;
        --shift;
    } else if (rest <= divisor / 2) {
        ++correction;
    } else {
        ++reciprocal;
    }
    return {reciprocal, correction | shift << 16U};
}

} // namespace

EncodeSizes& EncodeSizes::operator+=(const EncodeSizes& other) {
    blocks += other.blocks;
    groups += other.groups;
    strips += other.strips;
    eights += other.eights;
    return *this;
}

EncodeLayout::EncodeLayout(const codecs::JpegFrame& frame)
    : width_(static_cast<std::size_t>(frame.width())), height_(static_cast<std::size_t>(frame.height())),
      across_(static_cast<std::size_t>(frame.across())), down_(static_cast<std::size_t>(frame.down())),
      units_across_(covering(width_, side * across_)), units_down_(covering(height_, side * down_)),
      strip_units_(frame.layout_of_strip(0).units), quantisation_(frame.quantisation()) {
    add_component(across_, down_);
    if (!frame.is_grey()) {
        add_component(1, 1);
        add_component(1, 1);
    }
    sizes_.blocks = units() * unit_blocks_;
    sizes_.strips = frame.strips();
    sizes_.groups = sizes_.strips * strip_groups();
}

void EncodeLayout::add_component(std::size_t across, std::size_t down) {
    Component component{.across = across,
                        .down = down,
                        .blocks_across = covering(covering(width_ * across, across_), side),
                        .blocks_down = covering(covering(height_ * down, down_), side),
                        .first_of_unit = unit_blocks_,
                        .eights = sizes_.eights};
    unit_blocks_ += across * down;
    sizes_.eights += component.blocks_across * component.blocks_down * side;
    components_.push_back(component);
}

EncodeLayout::Planes EncodeLayout::planes(const EncodeSizes& before) const {
    const auto words = [&](const Component& c, const Component& last) {
        return std::array<std::uint32_t, 4>{static_cast<std::uint32_t>(c.blocks_across),
                                            static_cast<std::uint32_t>(side * c.blocks_down),
                                            static_cast<std::uint32_t>(before.eights + c.eights),
                                            static_cast<std::uint32_t>(before.eights + last.eights)};
    };
    const bool is_grey = components_.size() == 1;
    return {.luma = words(components_.front(), components_.front()),
            .colour = is_grey ? std::array<std::uint32_t, 4>{} : words(components_[1], components_[2])};
}

void EncodeLayout::put(std::vector<std::uint32_t>& out, const FilePlace& place) const {
    std::array<std::uint32_t, words> facts{};
    std::size_t at = 0;
    const auto add = [&](std::size_t value) { facts.at(at++) = static_cast<std::uint32_t>(value); };
    for (const std::size_t value :
         {width_, height_, components_.size(), unit_blocks_, units_across_, units(), strip_units_,
          sizes_.strips, place.before.blocks, place.before.groups, strip_groups(), place.before.strips,
          std::size_t{place.makes_tables}, place.file, place.data_words}) {
        add(value);
    }
    at = encoded_component_facts;
    for (const Component& c : components_) {
        for (const std::size_t value : {c.across, c.down, c.blocks_across, c.blocks_down, c.first_of_unit,
                                        place.before.eights + c.eights, std::size_t{0}, std::size_t{0}}) {
            add(value);
        }
    }
    at = quantisation_facts;
    for (std::size_t i = 0; i < 64 * quantisation_.size(); ++i) {
        const std::uint32_t value = quantisation_.at(i / 64).at(i % 64);
        const auto [reciprocal, correction] =
            reciprocal_of(std::max(value, 1U)); // without colour there is no table
        add(reciprocal);
        add(correction);
    }
    out.insert(out.end(), facts.begin(), facts.end());
}

std::vector<std::uint32_t> codes_for_kernels(const codecs::ScanTables& tables) {
    std::vector<std::uint32_t> codes(EncodeLayout::code_words);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const codecs::HuffmanTable& table = tables.at(i);
        std::uint32_t code = 0;
        std::size_t at = 0;
        for (std::uint32_t length = 1; length < table.lengths.size(); ++length) {
            for (int n = 0; n < table.lengths.at(length) && at < table.symbols.size(); ++n) {
                codes.at(256 * i + table.symbols.at(at++)) = code++ | length << 16U;
            }
            code <<= 1U;
        }
    }
    return codes;
}

codecs::ScanTables tables_of_codes(const std::uint32_t* codes, const codecs::ScanTables& used) {
    codecs::ScanTables tables;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (used.at(i).symbols.empty()) {
            continue;
        }
        codecs::HuffmanTable& table = tables.at(i);
        const std::uint32_t* const of_table = codes + 256 * i;
        for (std::size_t symbol = 0; symbol < 256; ++symbol) {
            const std::size_t length = of_table[symbol] >> 16U;
            if (length > 0 && length < table.lengths.size()) {
                ++table.lengths.at(length);
                table.symbols.push_back(static_cast<std::uint8_t>(symbol));
            }
        }
        // The length is in the upper half: shorter codes come first, then smaller ones.
        std::sort(table.symbols.begin(), table.symbols.end(),
                  [&](std::uint8_t a, std::uint8_t b) { return of_table[a] < of_table[b]; });
    }
    return tables;
}

} // namespace glproc::gpu_codecs
