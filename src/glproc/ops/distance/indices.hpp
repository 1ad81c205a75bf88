// Which site is the nearest, of all pixels of a picture, as a .npy file.
#pragma once

#include "glproc/files/row_store.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/image/image.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace glproc {

/// Takes the nearest sites of a picture's bands in their order, and writes the array that
/// scipy.ndimage.distance_transform_edt(return_indices=True) returns: int32, all rows of sites, then all
/// columns. It is -1 where there is no site.
class IndexWriter {
  public:
    /// Columns wait until all rows are written: in this much memory, beyond it in a temporary file.
    IndexWriter(const Form& picture, RowWriter& to, std::size_t memory_bytes);

    /// Column and row for each pixel of the next band. They are written with the next call, so that until
    /// then whoever finds them wrong can still begin again.
    void add(std::vector<std::uint32_t> sites);

    /// After the last band.
    void end();

  private:
    void write_pending();

    Form picture_;
    RowWriter& to_;
    RowStore columns_;
    std::vector<std::uint32_t> pending_;
    bool has_header_ = false;
};

/// Null where no one wants indices.
std::unique_ptr<IndexWriter> index_writer(const Context& gpu, const Form& picture, RowWriter* to);

} // namespace glproc
