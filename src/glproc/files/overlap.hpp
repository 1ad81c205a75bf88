// Reading and writing rows on threads of their own, in parallel with the work on them.
#pragma once

#include "glproc/files/rows.hpp"

#include <cstddef>
#include <memory>

namespace glproc {

/// At most this many bytes of rows are read ahead or wait to be written.
inline constexpr std::size_t overlap_bytes = std::size_t{32} << 20U;

/// A reader whose rows are read ahead on a thread of its own. If that thread throws, read() throws the same. Returns the reader
/// itself if no thread can be started, or if the rows are read ahead already or keep their thread. `waited` gets the milliseconds
/// that read() waits for the thread.
std::unique_ptr<RowReader> read_ahead(std::unique_ptr<RowReader> rows, double* waited = nullptr);

/// A writer to another one, which must outlive it and takes rows of `row_bytes`, on a thread of its own; what that
/// throws is thrown by one of the next calls. finish() waits until all is written, and leaves the other's
/// finish() to its owner. Where no thread can be started, it writes at once. `waited` gets
/// the milliseconds that write() waits for room.
std::unique_ptr<RowWriter> write_behind(RowWriter& rows, std::size_t row_bytes, double* waited = nullptr);

} // namespace glproc
