// The facts about a batch that the kernels of the encoder get: the words of glsl/jpeg/encode_facts.glsl. No
// GL.
#pragma once

#include "glproc/base/covering.hpp"
#include "glproc/files/codecs/jpeg/frame.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace glproc::gpu_codecs {

/// A picture's share of the buffers of a batch.
struct EncodeSizes {
    std::size_t blocks = 0;
    std::size_t groups = 0;
    std::size_t strips = 0;
    std::size_t eights = 0; ///< of samples

    EncodeSizes& operator+=(const EncodeSizes& other);
};

/// How a picture is cut up.
class EncodeLayout {
  public:
    explicit EncodeLayout(const codecs::JpegFrame& frame);

    /// Blocks that a work group of the kernels codes; a multiple of the blocks of any unit.
    static constexpr std::size_t group_blocks = 252;
    static constexpr std::size_t words = 320; ///< of each picture

    const EncodeSizes& sizes() const { return sizes_; }
    std::size_t units() const { return units_across_ * units_down_; }
    std::size_t unit_blocks() const { return unit_blocks_; }
    std::size_t group_units() const { return group_blocks / unit_blocks_; }
    std::size_t strip_groups() const { return covering(strip_units_, group_units()); }
    /// Blocks of the largest component, with those that fill units.
    std::size_t luma_blocks() const { return units() * across_ * down_; }
    /// The inputs of glsl/jpeg/encode_planes.comp; `before` has the sizes of the pictures before this one.
    struct Planes {
        std::array<std::uint32_t, 4> luma{};   ///< eights in a row, rows, the first
        std::array<std::uint32_t, 4> colour{}; ///< the same, with the first of blue and of red
    };
    Planes planes(const EncodeSizes& before) const;
    /// Rows and eights in a row of the last component.
    std::size_t last_rows() const { return 8 * components_.back().blocks_down; }
    std::size_t last_eights() const { return components_.back().blocks_across; }
    std::size_t components() const { return components_.size(); }
    int across() const { return static_cast<int>(across_); }
    int down() const { return static_cast<int>(down_); }

    /// The words that glsl/jpeg/encode_collect.comp writes before the data.
    std::size_t words_before_data() const { return 2 + 2 * sizes_.strips + code_words; }
    static constexpr std::size_t code_words = 1024;

    struct FilePlace {
        EncodeSizes before;         ///< of the pictures before this one
        std::size_t file = 0;       ///< words
        std::size_t data_words = 0; ///< room for the data
        bool makes_tables = false;
    };
    /// Appends the words that the kernels read.
    void put(std::vector<std::uint32_t>& out, const FilePlace& place) const;

  private:
    struct Component {
        std::size_t across, down;               ///< blocks of a unit
        std::size_t blocks_across, blocks_down; ///< without those that fill units
        std::size_t first_of_unit;
        std::size_t eights; ///< before its plane
    };
    void add_component(std::size_t across, std::size_t down);

    std::size_t width_, height_;
    std::size_t across_, down_;
    std::size_t units_across_, units_down_;
    std::size_t unit_blocks_ = 0;
    std::size_t strip_units_;
    std::vector<Component> components_;
    EncodeSizes sizes_;
    std::array<std::array<std::uint8_t, 64>, 2> quantisation_;
};

/// The standard's tables as kernels read them: 256 codes of each table.
std::vector<std::uint32_t> codes_for_kernels(const codecs::ScanTables& tables);

/// The way back. A table that `used` lacks stays empty.
codecs::ScanTables tables_of_codes(const std::uint32_t* codes, const codecs::ScanTables& used);

} // namespace glproc::gpu_codecs
