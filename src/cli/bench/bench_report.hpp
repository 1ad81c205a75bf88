// What `bench` prints.
#pragma once

#include "cli/bench/measure.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/op/op.hpp"

#include <optional>
#include <string>
#include <vector>

namespace glproc::cli {

/// All variants of an operation with one input.
struct BenchResult {
    std::string op;
    std::string size;
    std::string input;
    std::optional<Form> form; ///< of a picture
    std::vector<Measured> variants;
};

/// A line.
std::string bench_json(const BenchResult& result, const DeviceInfo& device);

/// An aligned table of at most `columns`.
std::string bench_table(const BenchResult& result, const DeviceInfo& device, int columns);

/// "1.23": three digits that count.
std::string three_digits(double value);

/// The device, its driver and today's date.
std::string markdown_heading(const DeviceInfo& device);

/// A ladder in Markdown, from a result for each of its columns.
std::string markdown_ladder(const Ladder& ladder, const std::vector<BenchResult>& columns);

} // namespace glproc::cli
