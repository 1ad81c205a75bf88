// The connected components of a picture that comes in bands.
#pragma once

#include "glproc/ops/components/finder.hpp"
#include "glproc/ops/components/join.hpp"
#include "glproc/ops/components/labelling.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

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

/// By kernels, or by the processor. A picture of one band is labelled once, and its labels never leave the
/// GPU.
class ComponentBands final : public ComponentFinder {
  public:
    ComponentBands(Context& gpu, const ComponentsWanted& wanted)
        : gpu_(gpu), wanted_(wanted), join_(wanted.labels) {}

    /// A band must have fewer rows than most_labelled_rows().
    void look(const GpuImage& band) override;
    std::vector<ComponentSums> end() override;
    void choose(std::span<const std::uint32_t> labels) override;
    Buffer paint(const GpuImage& band) override;

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
