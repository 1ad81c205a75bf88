// Which codecs there are: the tables that codec.cpp and inspect.cpp look things up in.
#pragma once

#include "glproc/files/codecs/codecs.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace glproc::codecs {

struct Reader {
    Format format;
    std::string_view extension; ///< the usual one
    std::string_view title;
    Image (*decode)(const Source&);
    Summary (*inspect)(const Source&);
    std::unique_ptr<RowReader> (*rows)(const Source&) = nullptr; ///< null where it only comes as a whole
    Salvage (*salvage)(const Source&) = nullptr;                 ///< of a broken file; null: by `rows`
};

/// One extension that can be written, and exactly what it holds.
struct Writer {
    std::string_view extension;
    std::string_view title;
    std::string_view channels; ///< each digit a channel count
    std::string_view depths;   ///< each letter a depth: b(yte), w(ord), f(loat)
    std::vector<std::byte> (*encode)(const Job&);
    std::unique_ptr<RowWriter> (*rows)(RowJob, Output&) = nullptr; ///< null: only as a whole
    const ModuleFormat* module = nullptr;                          ///< which must be there
};

/// The formats that this build can read and write.
std::span<const Reader> readers();
std::span<const Writer> writers();

/// Null where this build has none.
const Reader* reader_of(Format format);

/// By content, else by the name's extension where a format has no signature. Throws Error(input).
const Reader& reader_for(const Source& source, std::span<const std::byte> start);

/// "png" of "a.b/out.PNG", ".png" and "png"; empty where a path has none.
std::string extension_in(std::string_view name);

} // namespace glproc::codecs
