// Which codecs there are: the tables that codec.cpp and inspect.cpp look things up in.
#pragma once

#include "glproc/files/admission.hpp"
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
    const ModuleInfo* module = nullptr;                          ///< which must be there
};

/// One extension that can be written, and exactly what it holds.
struct Writer {
    std::string_view extension;
    std::string_view title;
    std::string_view channels; ///< each digit a channel count
    std::string_view depths;   ///< each letter a depth: b(yte), w(ord), f(loat)
    std::vector<std::byte> (*encode)(const Job&);
    std::unique_ptr<RowWriter> (*rows)(RowJob, Output&) = nullptr; ///< null: only as a whole
    const ModuleInfo* module = nullptr;                          ///< which must be there
};

/// The formats that glproc can read and write, those whose module this build lacks among them.
std::span<const Reader> readers();
std::span<const Writer> writers();

/// Whether this build has a format.
template <class Codec>
bool is_there(const Codec& codec) {
    return codec.module == nullptr || is_built(*codec.module);
}

const Reader& reader_of(Format format);

/// By content, else by the name's extension where a format has no signature. Throws Error(input), also where the process
/// may not parse it so.
const Reader& reader_for(const Source& source, std::span<const std::byte> start, Parsing parsing);

/// "png" of "a.b/out.PNG", ".png" and "png"; empty where a path has none.
std::string extension_in(std::string_view name);

} // namespace glproc::codecs
