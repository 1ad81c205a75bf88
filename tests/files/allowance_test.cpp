// What a few bytes may ask for: what counts is what all images of a file are made of.
#include "files/handmade_files.hpp"

#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"
#include "support/temp_dir.hpp"

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

Bytes written(const std::string& format, const std::vector<Image>& images) {
    const TempDir folder;
    const auto path = folder / ("a." + format);
    const auto writer = write_series(path, format, {});
    for (std::size_t i = 0; i < images.size(); ++i) {
        Image image = images[i];
        image.bytes()[0] = static_cast<std::byte>(i); // equal frames would become one
        writer->write(image, {1, 1});
    }
    writer->finish();
    return read_file(path);
}

} // namespace

TEST_CASE("a small WebP cannot ask for a large canvas") {
    if (!holds_series("webp", SeriesKind::frames))
        return;
    Bytes file = written("webp", {Image(13, 9, 3, Depth::u8), Image(13, 9, 3, Depth::u8)});
    REQUIRE(open_series(file, "a.webp") != nullptr);
    constexpr std::size_t width = 24; // of the canvas, less 1, and then its height
    for (const std::size_t at : {width, width + 3}) {
        file[at] = std::byte{0xff};
        file[at + 1] = std::byte{0x3f};
    }
    CHECK(message_of([&] { open_series(file, "a.webp"); }).starts_with("a.webp: truncated: "));
}

#ifdef GLPROC_WITH_TIFF
TEST_CASE("pages that share their pixels count as what they become") {
    const Image white(1000, 1000, 1, Depth::u8);
    const Bytes one = written("tif", {white, white});
    const auto number = [&](std::size_t at, int bytes) {
        std::size_t value = 0;
        for (int i = bytes; i-- > 0;)
            value = value << 8U | std::to_integer<std::size_t>(one[at + static_cast<std::size_t>(i)]);
        return value;
    };
    // After both the first directory over and over, each of which names the same strips.
    const std::size_t first = number(4, 4);
    const std::size_t size = 2 + 12 * number(first, 2);
    Bytes file = one;
    const auto put = [&](std::size_t at, std::size_t value) {
        for (std::size_t i = 0; i < 4; ++i)
            file[at + i] = static_cast<std::byte>(value >> (8 * i));
    };
    const std::size_t second = number(first + size, 4);
    std::size_t last = second + 2 + 12 * number(second, 2); // where the place of the next directory stands
    for (int page = 0; page < 98; ++page) {
        if (file.size() % 2 != 0)
            file.push_back({});
        put(last, file.size());
        last = file.size() + size;
        file.insert(file.end(), one.begin() + static_cast<std::ptrdiff_t>(first),
                    one.begin() + static_cast<std::ptrdiff_t>(first + size));
        file.insert(file.end(), 4, std::byte{0});
    }
    const auto read = [&](std::uint64_t max_pixels) {
        int pages = 0;
        const auto error = error_of([&] {
            const auto series = open_series(file, "a.tif", {.max_pixels = max_pixels});
            while (series->next())
                ++pages;
        });
        return std::pair(pages, error ? error->what() : std::string());
    };
    CHECK(read(DecodeOptions{}.max_pixels) == std::pair(100, std::string()));
    CHECK(read(1'000'000) == // as many as 64 images of that limit
          std::pair(64, fmt::format("a.tif: 65 images of 1000x1000 pixels are too many for a file of {} bytes and a limit of "
                                    "1000000 pixels", file.size())));
}
#endif
