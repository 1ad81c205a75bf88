// Reads the pictures of a run of sweeps, band by band.
#pragma once

#include "glproc/files/row_store.hpp"
#include "glproc/op/sweep.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace glproc {

/// Sources are read from top to bottom, once for each sweep. Sweeps that go up read copies of them.
class BandReader {
  public:
    /// The picture and the other sources of the plan must outlive the reader. Copies take up to `memory_bytes` each.
    BandReader(const SweepPlan& plan, const RowSource& picture, int band_rows, std::size_t memory_bytes);

    /// Before the bands of a sweep that reads the sources.
    void open(const Sweep& sweep);
    /// The rows of a band, with the sweep's halo as far as there is one: an image for each source.
    std::vector<Image> read(int first, int rows);
    /// After them.
    void close();

  private:
    void open_sources();
    std::vector<Image> read_down(int first, int rows);
    std::vector<Image> read_with_halo(int begin, int end, int kept);

    std::vector<RowSource> sources_;
    int height_;
    int band_rows_;
    int halo_ = 0; ///< of the sweep
    std::vector<std::unique_ptr<RowReader>> readers_ = {};
    std::vector<std::unique_ptr<RowStore>> copies_ = {}; ///< for sweeps that go up
    bool is_copied_ = false;
    std::vector<Image> held_ = {}; ///< rows that the next band sees, too
    int next_row_ = 0;             ///< to be read, for sweeps with a halo
};

/// Rows of a store as an image.
Image rows_in(const RowStore& store, int first, int rows);

} // namespace glproc
