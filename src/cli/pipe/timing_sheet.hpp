// What --timing prints, and the process that prints it once the work has ended.
#pragma once

#include "cli/settings.hpp"
#include "job/stages.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glproc::cli {

/// Whether a stage is told of although it took no time.
constexpr bool is_always_told(Stage stage) {
    return stage != Stage::decode_on_gpu && stage != Stage::encode_on_gpu;
}

/// Plain data, which crosses from one process to another.
struct TimingSheet {
    TimingFormat format = TimingFormat::text;
    std::array<double, stage_names.size()> milliseconds{};
    double total = 0;               ///< milliseconds
    double millions = 0;            ///< how much was worked on
    std::int64_t pictures = -1;     ///< of many, the stages of all are added up; less than 0: one
    std::array<char, 32> what{};    ///< "megapixels"; only text says it
    std::array<char, 200> device{}; ///< renderer
};

/// The line of JSON or the lines of text.
std::string text_of(const TimingSheet& sheet);

/// From here on a copy of this process works, and this one waits for its end, so that what the end takes (a
/// driver lets go of a GPU in up to 30 ms) can be told. Returns in the copy alone; this process hands signals
/// on, and ends as the copy does. No thread may run. Where there can be no copy, this process goes on, and
/// the end counts for nothing.
void watch_end();

/// Prints what --timing asks for, once the process has ended. `millions` is how much was worked on; only text
/// says `what`. Of many `pictures` the stages of all are added up.
void report(const Stages& stages, TimingFormat format, std::string_view device, double millions,
            std::string_view what, std::optional<std::size_t> pictures = std::nullopt);

/// Prints the sheet to stderr: after the end of this process where it is watched. Its stage `exit` and
/// `total` are then those of that end.
void print_at_end(const TimingSheet& sheet);

} // namespace glproc::cli
