// The variant that `auto` takes on each renderer: rows of a table, each with the measurement that decided it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace glproc {

struct DeviceInfo;
struct Limits;

struct TuningRow {
    std::string_view family;   ///< the thing that is chosen: "blur", "box", "exact filter", "scan" …
    std::string_view renderer; ///< part of GL_RENDERER or GL_VENDOR, lower case; empty: any other
    std::string_view variant;  ///< as people type it; for "histogram group" and the like, a size or number
    int max_radius;            ///< the row counts up to this radius; -1: any
    std::string_view measured; ///< figure, device, driver, date
};

/// Every row; the first that matches counts.
std::span<const TuningRow> tuning_rows();

/// The variant of the first matching row.
std::string_view tuned_variant(const DeviceInfo& device, std::string_view family, int radius = 0);

/// FETCHED of glsl/lib/texel.glsl, for kernels whose neighbours load the same texels.
std::string fetched(const DeviceInfo& device);

/// PAIRED of glsl/lib/paired_rows.glsl.
std::string paired_rows(const DeviceInfo& device, const Limits& limits);

/// The number that is the variant of the first matching row.
std::int64_t tuned_number(const DeviceInfo& device, std::string_view family);

} // namespace glproc
