// The connected components of a picture that comes in bands.
#pragma once

#include "glproc/ops/components/join.hpp"
#include "glproc/ops/components/labelling.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

/// The facts about components that are wanted.
struct ComponentsWanted {
    Connectivity connectivity = Connectivity::eight;
    MaskedPixels pixels = MaskedPixels::nonzero;
    bool sums = true;     ///< a table, or components chosen by their size
    bool moments = false; ///< its second moments as well
    bool labels = false;  ///< paint() will be called
    bool on_cpu = false;  ///< the processor joins the runs of pixels
};

/// The labels of one band, by a Labelling or by MaskRuns.
class BandLabels {
  public:
    BandLabels() = default;
    BandLabels(const BandLabels&) = delete;
    BandLabels& operator=(const BandLabels&) = delete;
    virtual ~BandLabels() = default;

    virtual std::uint32_t count() = 0;
    virtual std::vector<ComponentSums> sums(bool moments, int first_row) = 0;
    /// Of rows, a word each, on the GPU. `numbers` replaces them unless it is empty: label 1 has the first.
    virtual Buffer labels(int first_row, int rows, std::span<const std::uint32_t> numbers) = 0;
    /// Of one row, in CPU memory.
    virtual std::vector<std::uint32_t> row(int y) = 0;
};

/// Two sweeps over full-width bands of a mask, from top to bottom: look() at each and end(), which gives the
/// table; then paint() each again, which gives the labels. The result does not depend on the bands.
///
/// By kernels, or by the processor. A picture of one band is labelled once, and its labels never leave the
/// GPU.
class ComponentBands {
  public:
    ComponentBands(Context& gpu, const ComponentsWanted& wanted)
        : gpu_(gpu), wanted_(wanted), join_(wanted.labels) {}

    /// Takes the next band, with at least one row, and fewer than most_labelled_rows().
    void look(const GpuImage& band);

    /// After the last band: the components in the order of their labels, which are 1, 2, …; without sums,
    /// only their number has a meaning.
    std::vector<ComponentSums> end();

    /// After end(): component i gets labels[i] instead, which may be 0. Without, paint() gives 1, 2, …
    void choose(std::span<const std::uint32_t> labels);

    /// After choose() and once every band was painted: label i is replaced by labels[i - 1], which may be 0.
    void choose_again(std::span<const std::uint32_t> labels);

    /// After end(): the labels of the bands that look() saw, in the same order: `width` words a row. After
    /// the last one it begins again with the first.
    Buffer paint(const GpuImage& band);

  private:
    MaskBits next_mask(const GpuImage& band);
    void label(MaskBits mask);
    void join_last();
    std::vector<ComponentSums> sums_of_last();

    Context& gpu_;
    ComponentsWanted wanted_;
    ComponentJoin join_;
    std::optional<MaskBits> row_above_;
    /// Of the band that came last, as long as it is the only one or not joined yet.
    std::unique_ptr<BandLabels> last_;
    int last_rows_ = 0; ///< with the row above
    std::size_t bands_ = 0;
    std::size_t painted_ = 0;
    bool is_numbered_ = false;
    int rows_ = 0; ///< of the bands before the last
    std::vector<std::uint32_t> chosen_;
    bool is_joined_ = false; ///< whether there were several bands
    std::uint32_t count_ = 0;
};

} // namespace glproc
