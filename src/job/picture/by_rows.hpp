// Pictures that come and go by their rows: reading and writing beside the work, and timed.
#pragma once

#include "glproc/files/rows.hpp"
#include "job/stages.hpp"

#include <memory>

namespace glproc::job {

/// The same rows. The first reader is open, and reads ahead, from now on; reading counts as decoding.
/// `waited` gets the milliseconds that others wait for rows.
RowSource start_reading(RowSource source, Stages& stages, double& waited);

/// The same rows, read by whoever asks for them.
RowSource timed_source(RowSource source, Stages& stages, double& waited);

/// A writer to `writer`, whose time counts as encoding. Its finish() is not passed on.
std::unique_ptr<RowWriter> timed_writer(RowWriter& writer, Stages& stages);

} // namespace glproc::job
