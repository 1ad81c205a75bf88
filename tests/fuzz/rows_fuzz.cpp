// Pictures in rows: they give what decode() gives, and refuse what it refuses, with the same message.
#include "fuzz/fuzz.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/rows.hpp"

#include <optional>
#include <string>

using namespace glproc;

namespace {

/// What `work` throws, or nothing said.
template <class Work>
std::string words_of(Work work) {
    std::string words;
    fuzz::expect_only({ErrorCode::input}, [&] {
        try {
            work();
        } catch (const Error& error) {
            words = error.what();
            throw;
        }
    });
    return words;
}

/// In bands of a height that the file itself decides, the last may be lower.
Image read_in_bands(RowReader& reader, std::size_t band) {
    Image image(reader.form());
    for (auto left = image.bytes(); !left.empty();) {
        const auto rows = left.first(std::min(left.size(), band * image.row_bytes()));
        reader.read(rows);
        left = left.subspan(rows.size());
    }
    return image;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = fuzz::as_file(data, size);
    const DecodeOptions options{.max_pixels = std::uint64_t{1} << 22U};
    std::optional<Image> rows;
    bool comes = true;
    const std::string rows_words = words_of([&] {
        const auto source = open_rows(file, "fuzz", options);
        comes = source.has_value();
        if (comes) {
            rows = read_in_bands(*source->open(), 1 + size % 9);
        }
    });
    if (!comes) {
        return 0;
    }
    std::optional<Image> whole;
    const std::string words = words_of([&] { whole = decode(file, "fuzz", options); });
    fuzz::require(words == rows_words, "rows are refused with the words of the whole picture");
    fuzz::require(whole.has_value() == rows.has_value(), "both are read or none");
    if (whole) {
        fuzz::require(whole->form() == rows->form(), "the same form");
        fuzz::require(std::equal(whole->bytes().begin(), whole->bytes().end(), rows->bytes().begin()),
                      "the same pixels");
    }
    return 0;
}
