// One run of `watershed`: a sweep that sees all rows and floods at the end, and one that shows the regions.
#pragma once

#include "glproc/op/sweep.hpp"
#include "glproc/ops/watershed.hpp"
#include "glproc/ops/watershed/flood.hpp"

#include <cstddef>
#include <vector>

namespace glproc {

/// Whether regions are shown as a mask.
bool shows_mask(const Watershed& op);

/// A picture as land: `grey` are the values of its rows, or for `split` a mask of objects.
class WatershedLand {
  public:
    WatershedLand(const Watershed& op, const Form& picture);

    /// Takes the next rows in CPU memory. For `split` any channels; else only the first one counts.
    void add(const Image& rows);

    /// After all rows: the number of each pixel's region, 0 on lines.
    Basins basins();

  private:
    void choose_markers(Basins& basins);
    Basins with_lines(const Basins& basins) const;

    Watershed op_;
    Form picture_;
    Terrain terrain_;
    HostMask objects_;         ///< for `split`
    std::vector<bool> hidden_; ///< else, which pixels cannot be seen; empty where all can
};

class WatershedLook final : public SweepState {
  public:
    WatershedLook(const Watershed& op, const BandCut& cut) : op_(op), cut_(cut), land_(op, cut.picture) {}

    RowsMade next(Context& gpu, Band& band) override;
    void end(Context& gpu) override;

    /// Rows of the result, as the bytes of labels, or of a picture.
    std::vector<std::byte> labels(const Band& band) const;
    std::vector<std::byte> pixels(const Band& band) const;

  private:
    template <class T, class Value>
    std::vector<std::byte> rows_of(const Band& band, const Value& value) const;

    Watershed op_;
    BandCut cut_;
    WatershedLand land_;
    Basins basins_;
};

class WatershedShow final : public SweepState {
  public:
    WatershedShow(const WatershedLook& look, bool as_array) : look_(look), as_array_(as_array) {}
    RowsMade next(Context&, Band& band) override {
        return as_array_ ? look_.labels(band) : look_.pixels(band);
    }

  private:
    const WatershedLook& look_;
    bool as_array_;
};

} // namespace glproc
