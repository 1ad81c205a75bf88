// Rows that were made and are read again, in any order: in memory up to a budget, beyond it in a temporary file.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/image/rows.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace glproc {

/// A picture's rows that are kept for a while. As a RowWriter it takes them from top to bottom; put() takes them in any order.
///
/// Rows from the top fill `memory_bytes` first. The others go to a file in TMPDIR, else /tmp, that has no name: no other
/// process sees it, and it is gone with the store, however the process ends.
class RowStore final : public RowWriter {
  public:
    /// Throws Error(operation) where a file is needed and cannot be made.
    RowStore(const Form& form, std::size_t memory_bytes);
    ~RowStore() override;

    const Form& form() const { return form_; }

    void write(std::span<const std::byte> rows) override;
    /// Throws Error(output) if rows are missing.
    void finish() override;

    /// Rows from `first_row` on, as many as the span holds. Throws Error(operation) where the file cannot be written, as on a
    /// full disk.
    void put(int first_row, std::span<const std::byte> rows);
    /// The same the other way round. Rows that were never put are zeros.
    void get(int first_row, std::span<std::byte> rows) const;

    /// All rows from the first to the last, and from the last to the first: row y of that source is row height - 1 - y. The
    /// store must outlive both and their readers.
    RowSource down() const;
    RowSource up() const;

    /// How many bytes of the rows do not fit into memory.
    std::size_t file_bytes() const;

  private:
    class File;

    Form form_;
    std::vector<std::byte> memory_; ///< the first rows
    std::unique_ptr<File> file_;    ///< all others
    std::size_t written_ = 0;       ///< bytes, by write()
};

} // namespace glproc
