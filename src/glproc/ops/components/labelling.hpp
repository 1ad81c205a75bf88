// The connected components of a mask on the GPU.
#pragma once

#include "glproc/kinds/mask_bits.hpp"
#include "glproc/ops/components/sums.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace glproc {

/// Which pixels are neighbours: those that share a side, or those that touch at a corner, too.
enum class Connectivity { four = 4, eight = 8 };

/// Whether components get labels, or are only told apart.
enum class Numbering { labels, none };

/// The most rows that a mask of this width may have.
int most_labelled_rows(Context& gpu, int width);

/// Fills a buffer with zeros, by a pass: a driver's own way may take a hundred times as long.
void clear(Context& gpu, Buffer& buffer);

/// Finds the components of a mask when it is made, and keeps for each run of pixels the way to its label.
/// Labels are 1, 2, … in the order of the components' first pixels, row by row, as scipy.ndimage.label
/// numbers them; 0 is where the mask is not set.
class Labelling {
  public:
    /// Keeps `mask` until it ends. Without labels there are only mask() and parents(). Throws Error(operation)
    /// if the mask has more rows than most_labelled_rows().
    Labelling(Context& gpu, MaskBits mask, Connectivity connectivity, Numbering numbering = Numbering::labels);

    /// The same without labels, and with chosen(): `choice` is a part of the mask.
    Labelling(Context& gpu, MaskBits mask, Connectivity connectivity, const MaskBits& choice);

    /// How many components there are; waits for the GPU when first asked.
    std::uint32_t count();

    /// Writes the labels of `rows` rows, beginning with `first_row`, row by row into the beginning of a
    /// buffer. If `numbers` is given, each label is replaced by its entry there; label 1 has the first.
    void write_labels(Buffer& labels, int first_row, int rows, const Buffer* numbers = nullptr) const;

    /// The labels of one row, in CPU memory.
    std::vector<std::uint32_t> row_labels(int y) const;

    /// For every component, in the order of the labels, the sums over its pixels in row `first_row`, which
    /// counts as row 0, and below. A component that ends above has none.
    std::vector<ComponentSums> sums(bool moments, int first_row = 0);

    /// The same of `count` labels, the first is `first`, as words in GPU memory: see
    /// glsl/components/sums.comp.
    Buffer sums_of(std::uint32_t first, std::uint32_t count, bool moments, int first_row = 0) const;

    const MaskBits& mask() const { return mask_; }
    /// Runs have numbers below this.
    std::int64_t run_limit() const;
    /// For each run of pixels the way to its label: glsl/lib/run_labels.glsl. Without labels the way to its
    /// component's first run, which is its own parent.
    const Buffer& parents() const { return parents_; }
    /// The roots of blocks, and the roots whose sets have a pixel of the choice: glsl/components/blocks.comp.
    const Buffer& roots() const { return roots_; }
    Buffer& chosen() { return chosen_.value(); }
    const Buffer& chosen() const { return chosen_.value(); }
    /// The first runs of components: glsl/components/count.comp, glsl/arrays/labels/offsets.comp.
    const Buffer& ranks() const { return ranks_; }
    const Buffer& counts() const { return counts_; }

  private:
    Labelling(Context& gpu, MaskBits mask, const char* eight, Numbering numbering);
    Pass pass(const char* name, const Defines& defines = {}) const;
    void unite(const MaskBits* choice = nullptr);
    void number();
    Buffer words(std::int64_t count, const char* label) const;

    Context& gpu_;
    MaskBits mask_;
    const char* eight_; ///< EIGHT of glsl/lib/runs.glsl
    Buffer roots_;      ///< of blocks
    std::optional<Buffer> chosen_;
    Buffer parents_;    ///< of runs, then labels: glsl/lib/run_labels.glsl
    Buffer ranks_;      ///< of each word
    Buffer counts_;     ///< of chunks, then of all chunks before; behind them the count of all
    bool is_counted_ = false;
    std::uint32_t count_ = 0;
};

} // namespace glproc
