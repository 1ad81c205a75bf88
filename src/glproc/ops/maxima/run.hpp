// One run of `maxima`: a sweep that looks at all rows, and one that draws the points.
#pragma once

#include "glproc/op/sweep.hpp"
#include "glproc/ops/maxima.hpp"
#include "glproc/ops/maxima/candidates.hpp"
#include "glproc/ops/maxima/plateaus.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

/// The values that options stand for, in code units.
MaximaSearch search_of(const Maxima& op, Depth depth);

/// From the first pixels of plateaus, row by row, to the maxima. `grey` are all values, and needed for
/// prominence only.
std::vector<Maximum> chosen_maxima(const Maxima& op, const Form& form, std::vector<Maximum> found,
                                   float least, std::span<const float> grey);

/// The maxima of a whole picture, by the processor.
std::vector<Maximum> maxima_on_cpu(const Maxima& op, const Image& grey);

void add_maxima_finding(std::size_t count);

/// Sees all rows; at the end has the maxima.
class MaximaLook final : public SweepState {
  public:
    MaximaLook(const Maxima& op, const BandCut& cut)
        : op_(op), cut_(cut), search_(search_of(op, cut.picture.depth)) {}

    RowsMade next(Context& gpu, Band& band) override;
    void end(Context& gpu) override;

    /// The highest first.
    const std::vector<Maximum>& maxima() const { return maxima_; }
    const Form& picture() const { return cut_.picture; }

  private:
    template <class Grey>
    void look(Context& gpu, const Grey& grey, const SearchedRows& rows);
    void look_at_window(Context& gpu, bool is_last);
    void look_at_all(Context& gpu, const GpuImage& grey);
    std::vector<Maximum> found() const;

    Maxima op_;
    BandCut cut_;
    MaximaSearch search_;
    Plateaus plateaus_;
    std::vector<FirstPixels::Point> points_; ///< in their place, of a picture that was seen as a whole
    float least_ = std::numeric_limits<float>::infinity();
    std::vector<float> values_;   ///< of the whole picture, for prominence
    std::optional<Image> window_; ///< of a picture in bands: the rows whose neighbours have not all been seen
    int top_ = 0;                 ///< the row that it begins with
    int searched_ = 0;            ///< rows
    std::vector<Maximum> maxima_;
};

/// Draws them.
class MaximaShow final : public SweepState {
  public:
    explicit MaximaShow(const MaximaLook& look);
    RowsMade next(Context&, Band& band) override;
    const std::vector<Maximum>& maxima() const { return look_.maxima(); }

  private:
    const MaximaLook& look_;
    std::vector<std::size_t> row_ends_; ///< in `columns_`; the first row begins with 0
    std::vector<int> columns_;          ///< of the maxima of each row
};

} // namespace glproc
