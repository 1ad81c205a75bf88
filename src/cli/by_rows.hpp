// An operation on a picture that does not fit the GPU, or that takes long: it goes through in tiles.
#pragma once

#include "cli/stages.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/image/rows.hpp"
#include "glproc/ops/op.hpp"

#include <optional>
#include <string>

namespace glproc::cli {

/// Runs the operation, with its progress on the bar. The rows go to `to`, which reports have none of, and
/// become the output at the end. What reading and writing take counts for their own stages.
std::optional<Report> run_by_rows(const Operation& operation, Context& gpu, const std::string& name,
                                  const RowSource& from, RowWriter* to, Stages& stages);

} // namespace glproc::cli
