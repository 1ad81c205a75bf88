#include "cli/bench/bench_report.hpp"

#include "cli/bench/bench_input.hpp"
#include "cli/help/text_table.hpp"
#include "cli/json.hpp"
#include "job/output/encoding.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iterator>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

Json variant_json(const Measured& variant) {
    if (!variant.not_run.empty()) {
        return Json::object({{"name", variant.name}, {"unavailable", variant.not_run}});
    }
    Json json = Json::object({{"name", variant.name},
                              {"ms", Json::object({{"median", json_number(variant.median)},
                                                   {"min", json_number(variant.least)},
                                                   {"max", json_number(variant.most)}})},
                              {"spread", json_number(variant.spread)},
                              {"steady", variant.steady},
                              {"gbps", json_number(variant.gbps)},
                              {"verified", !variant.verdict.lost}});
    if (variant.verdict.rows) {
        json.add("verified_rows", *variant.verdict.rows);
    }
    if (variant.verdict.lost) {
        json.add("lost", json_number(*variant.verdict.lost));
    }
    json.add("wall_ms", json_number(variant.wall));
    json.add("timer", variant.timer);
    return json;
}

/// "  RGBA  8 bits", where it is a picture.
std::string form_text(const std::optional<Form>& form) {
    if (!form) {
        return "";
    }
    constexpr std::array names{"grey", "grey and alpha", "RGB", "RGBA"};
    return fmt::format("  {}  {}", names.at(static_cast<std::size_t>(form->channels) - 1),
                       form->depth == Depth::f32 ? "float"
                                                 : fmt::format("{} bits", static_cast<int>(form->depth)));
}

/// "0.4 %".
std::string percent(double share) {
    return fmt::format("{} %", three_digits(100 * share));
}

/// "yes", or of how much of a picture of `size`.
std::string verdict_text(const Verdict& verdict, const std::string& size) {
    if (verdict.lost) {
        return fmt::format("{:.1f} % lost", 100 * *verdict.lost);
    }
    const bool all = !verdict.rows || size.ends_with(fmt::format("x{}", *verdict.rows));
    return all ? "yes" : fmt::format("{} rows", *verdict.rows);
}

std::string timer_of(const std::vector<Measured>& variants) {
    std::vector<std::string> timers;
    for (const Measured& variant : variants) {
        if (!variant.timer.empty() &&
            std::find(timers.begin(), timers.end(), variant.timer) == timers.end()) {
            timers.push_back(variant.timer);
        }
    }
    return fmt::format("{}", fmt::join(timers, ", "));
}

std::string seed_text(const std::string& input) {
    return input == "random" ? fmt::format("random (seed {})", bench_seed) : input;
}

/// Names the variants whose times did not settle, on a line of its own.
std::string unsteady_note(const std::vector<Measured>& variants) {
    std::vector<std::string> names;
    for (const Measured& variant : variants) {
        if (variant.not_run.empty() && !variant.steady) {
            names.push_back(fmt::format("{} ({})", variant.name, percent(variant.spread)));
        }
    }
    return names.empty()
               ? ""
               : fmt::format("not steady: batches of runs still differ for {}; the clock has not settled, or "
                             "other work is on the device",
                             fmt::join(names, ", "));
}

/// The reasons why cells are empty, each once.
using Notes = std::vector<std::string>;

/// What a cell shows for a variant; the reason for a missing figure goes to the notes.
std::string cell(const Measured& variant, Notes& notes) {
    if (variant.too_slow) {
        return variant.not_run;
    }
    if (!variant.not_run.empty()) {
        const auto known = std::find(notes.begin(), notes.end(), variant.not_run);
        const auto number = std::distance(notes.begin(), known) + 1;
        if (known == notes.end()) {
            notes.push_back(variant.not_run);
        }
        return fmt::format("– ({})", number);
    }
    std::string time = three_digits(variant.median);
    if (!variant.steady) {
        time += fmt::format(" (spread {})", percent(variant.spread));
    }
    return variant.verdict.lost ? fmt::format("{} ({:.1f} % lost)", time, 100 * *variant.verdict.lost) : time;
}

std::string row_title(const Ladder& ladder, const std::string& variant) {
    for (const auto& [name, title] : ladder.names) {
        if (name == variant) {
            return fmt::format("{} (`{}`)", title, name);
        }
    }
    return fmt::format("`{}`", variant);
}

} // namespace

std::string bench_json(const BenchResult& result, const DeviceInfo& device) {
    Json::List variants;
    for (const Measured& variant : result.variants) {
        variants.push_back(variant_json(variant));
    }
    // A number of values is a number, the size of a picture is not.
    const bool is_picture = result.size.find('x') != std::string::npos;
    const Json size = is_picture ? Json(result.size) : Json(std::stoll(result.size));
    Json json = Json::object({{"schema", "glproc.bench/1"},
                              {"device", device.renderer},
                              {"op", result.op},
                              {"size", size},
                              {"input", result.input}});
    if (result.form) {
        json.add("channels", result.form->channels);
        json.add("depth", name_of(result.form->depth));
    }
    json.add("variants", std::move(variants));
    if (result.input == "random") {
        json.add("seed", bench_seed);
    }
    return json_line(json);
}

std::string bench_table(const BenchResult& result, const DeviceInfo& device, int columns) {
    const auto width = static_cast<std::size_t>(columns);
    std::string text = wrapped(fmt::format("{}  {}{}  {}", result.op, result.size, form_text(result.form),
                                           seed_text(result.input)),
                               width, 2) +
                       "\n" + wrapped(device.renderer, width, 2) + "\n" +
                       wrapped("driver " + device.version, width, 2) + "\n";
    if (const std::string timer = timer_of(result.variants); !timer.empty()) {
        text += wrapped("timed by " + timer, width, 2) + "\n";
    }
    text += fmt::format("\n{:<14} {:>9} {:>8} {:>8} {:>7} {:>8} {:>7}  {}\n", "variant", "median ms", "min",
                        "max", "spread", "wall", "GB/s", "verified");
    for (const Measured& variant : result.variants) {
        if (!variant.not_run.empty()) {
            text +=
                wrapped(fmt::format("{:<14} not run: {}", variant.name, variant.not_run), width, 15) + "\n";
            continue;
        }
        text += fmt::format("{:<14} {:>9} {:>8} {:>8} {:>7} {:>8} {:>7}  {}\n", variant.name,
                            three_digits(variant.median), three_digits(variant.least),
                            three_digits(variant.most), percent(variant.spread), three_digits(variant.wall),
                            three_digits(variant.gbps), verdict_text(variant.verdict, result.size));
    }
    if (const std::string note = unsteady_note(result.variants); !note.empty()) {
        text += fmt::format("\n{}\n", wrapped(note, width, 2));
    }
    return text;
}

std::string three_digits(double value) {
    if (!(value > 0)) {
        return "0";
    }
    const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(value))), 0, 6);
    return fmt::format("{:.{}f}", value, decimals);
}

std::string markdown_heading(const DeviceInfo& device) {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("## {}, driver {}, {:%Y-%m-%d}\n", device.renderer, device.version, fmt::gmtime(now));
}

std::string markdown_ladder(const Ladder& ladder, const std::vector<BenchResult>& columns) {
    std::string text = fmt::format("\n{}\n\n| variant |", ladder.title);
    std::string line = "|---|";
    for (const BenchColumn& column : ladder.columns) {
        text += fmt::format(" {} |", column.title);
        line += "---:|";
    }
    text += "\n" + line + "\n";
    Notes notes;
    for (std::size_t row = 0; row < columns.front().variants.size(); ++row) {
        text += fmt::format("| {} |", row_title(ladder, columns.front().variants[row].name));
        for (const BenchResult& column : columns) {
            text += fmt::format(" {} |", cell(column.variants[row], notes));
        }
        text += "\n";
    }
    for (std::size_t i = 0; i < notes.size(); ++i) {
        text += fmt::format("{}({}) {}\n", i == 0 ? "\n" : "", i + 1, notes[i]);
    }
    return text;
}

} // namespace glproc::cli
