// The values of the flags that do not belong to an operation.
#pragma once

#include "cli/arguments.hpp"
#include "cli/help/help.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/op/field.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace glproc {

template <>
inline constexpr std::array<EnumRow<Backend>, 3> enum_rows<Backend>{{
    {Backend::automatic, "auto", "a hidden window if there is a display, otherwise EGL"},
    {Backend::glfw, "glfw", "a hidden GLFW window"},
    {Backend::egl, "egl", "EGL, without a display"},
}};

namespace cli {

inline constexpr const char* bench_command = "bench";
inline constexpr const char* info_command = "info";
inline constexpr const char* selftest_command = "selftest";
inline constexpr const char* help_command = "help";

enum class ReportFormat { text, json, csv };
enum class TimingFormat { text, json };

/// Of --jobs.
inline constexpr Limit jobs_limit{1, 1024};

/// MiB, of --memory.
inline constexpr Limit memory_limit{1, 1 << 24};

/// What the global flags and the environment ask for.
struct Settings {
    ContextOptions context;
    bool every_device = false; ///< --device all: those of `context` are then the first
    std::optional<TimingFormat> timing;
    bool quiet = false;  ///< -q: no progress, no summary, no warning about the device
    bool silent = false; ///< -qq: no warnings about the data either
    bool verbose = false;

    /// Whether somebody wants to read what was done.
    bool tells_summary() const;
};

/// Flags win over GLPROC_DEVICE and GLPROC_BACKEND. Throws Error(usage).
Settings read_settings(const Arguments& arguments);

/// --help. Throws Error(usage).
HelpDetail read_help_detail(const Arguments& arguments);

/// --jobs; nothing where it is not given. Throws Error(usage).
std::optional<std::size_t> jobs_of(const Arguments& arguments);

/// --format, or --json. Throws Error(usage).
ReportFormat read_report_format(const Arguments& arguments);

} // namespace cli

template <>
inline constexpr std::array<EnumRow<cli::ReportFormat>, 3> enum_rows<cli::ReportFormat>{{
    {cli::ReportFormat::text, "text", "for people"},
    {cli::ReportFormat::json, "json", "one line of JSON"},
    {cli::ReportFormat::csv, "csv", "a table"},
}};

template <>
inline constexpr std::array<EnumRow<cli::TimingFormat>, 2> enum_rows<cli::TimingFormat>{{
    {cli::TimingFormat::text, "text", "for people"},
    {cli::TimingFormat::json, "json", "one line of JSON"},
}};

} // namespace glproc
