// What a process that reads untrusted files may parse: every reader asks first.
#include "files/pictures.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/admission.hpp"
#include "glproc/files/colour_management.hpp"
#include "glproc/files/formats.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/rows.hpp"
#include "glproc/files/series.hpp"
#include "support/temp_dir.hpp"

#include <functional>
#include <map>

using namespace glproc;
using namespace glproc::test;

namespace {

struct Admitting {
    explicit Admitting(Admission admission) { admit_only(admission); }
    Admitting(const Admitting&) = delete;
    Admitting& operator=(const Admitting&) = delete;
    ~Admitting() { admit_only(Admission::everything); }
};

/// A file of the format where this build writes it, else its first bytes.
std::vector<std::byte> file_of(const codecs::Reader& reader) {
    for (const codecs::Writer& writer : codecs::writers()) {
        if (format_of(writer.extension) != reader.format) {
            continue;
        }
        for (const Depth depth : {Depth::u8, Depth::f32}) {
            for (const int channels : {3, 4, 1}) {
                try {
                    return encode(picture(16, 16, channels, depth), writer.extension);
                } catch (const Error&) { // NOLINT(bugprone-empty-catch): the next form
                }
            }
        }
    }
    const std::string_view start = reader.format == Format::psd ? "8BPS" : reader.format == Format::pic ? "\x53\x80\xf6\x34" : "";
    return {reinterpret_cast<const std::byte*>(start.data()),
            reinterpret_cast<const std::byte*>(start.data()) + start.size()};
}

/// All ways in, by how far they read.
struct Road {
    Parsing parsing;
    std::function<void(const std::vector<std::byte>&, const std::filesystem::path&)> go;
};
const std::map<std::string, Road> roads{
    {"decode",
     {Parsing::pixels,
      [](const auto& file, const auto& path) { static_cast<void>(decode(file, path.native())); }}},
    {"a page",
     {Parsing::pixels,
      [](const auto& file, const auto& path) {
          static_cast<void>(decode(file, path.native(), {.page = 1}));
      }}},
    {"a part",
     {Parsing::pixels,
      [](const auto& file, const auto& path) {
          static_cast<void>(decode(file, path.native(), {.keep_partial = true}));
      }}},
    {"load",
     {Parsing::pixels, [](const auto& /*file*/, const auto& path) { static_cast<void>(load(path)); }}},
    {"rows",
     {Parsing::pixels,
      [](const auto& file, const auto& path) {
          static_cast<void>(open_rows(path));
          static_cast<void>(open_rows(std::span(file), path.native()));
      }}},
    {"series",
     {Parsing::pixels,
      [](const auto& file, const auto& path) { static_cast<void>(open_series(file, path.native())); }}},
    {"inspect",
     {Parsing::header,
      [](const auto& file, const auto& path) { static_cast<void>(inspect(file, path.native())); }}},
    {"inspect a file",
     {Parsing::header, [](const auto& /*file*/, const auto& path) { static_cast<void>(inspect(path)); }}},
    {"frames",
     {Parsing::header,
      [](const auto& file, const auto& path) { static_cast<void>(inspect_series(file, path.native())); }}},
    {"may have frames",
     {Parsing::header,
      [](const auto& /*file*/, const auto& path) { static_cast<void>(may_hold_series(path)); }}},
};

std::string refusal_of(const Road& road, const std::vector<std::byte>& file,
                       const std::filesystem::path& path) {
    try {
        road.go(file, path);
        return "";
    } catch (const Error& error) {
        const std::string what = error.what();
        return what.find("untrusted") == std::string::npos ? "" : what;
    }
}

} // namespace

TEST_CASE("admission: no road leads to a reader that is not admitted") {
    const TempDir folder;
    for (const codecs::Reader& reader : codecs::readers()) {
        const std::vector<std::byte> file = file_of(reader);
        const std::filesystem::path path = folder.path() / ("a." + std::string(reader.extension));
        write_file(path, file);
        for (const auto& [name, road] : roads) {
            INFO(reader.title << " by " << name);
            // Whether this road reads the format at all: TGA has its signature at the end, and not all formats come in
            // rows.
            const bool goes_anywhere =
                reader.format != Format::tga || (name != "rows" && name != "may have frames");
            CHECK(refusal_of(road, file, path).empty());
            {
                const Admitting robust(Admission::robust);
                CHECK(refusal_of(road, file, path).empty() == (is_robust(reader.format) || !goes_anywhere));
            }
            const Admitting headers(Admission::headers);
            const bool allowed = is_robust(reader.format) && road.parsing == Parsing::header;
            CHECK(refusal_of(road, file, path).empty() == (allowed || !goes_anywhere));
        }
    }
}

TEST_CASE("admission: profiles are for a library") {
    const Admitting robust(Admission::robust);
    CHECK_THROWS_AS(colour_management(), Error);
}
