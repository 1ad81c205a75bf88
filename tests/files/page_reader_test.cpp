// One image after another of a file that is open: the same as each by itself.
#include "files/handmade_files.hpp"

#include "glproc/files/file.hpp"
#include "glproc/files/page_reader.hpp"
#include "support/temp_dir.hpp"

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr int count = 5;

/// Frames that leave what was there before.
Bytes file_of_pages(const std::string& format) {
    const TempDir folder;
    const auto path = folder / ("a." + format);
    const auto writer = write_series(path, format, SeriesInfo{.count = count});
    for (int i = 0; i < count; ++i) {
        Image image(8, 6, 3, Depth::u8);
        for (int k = 0; k <= i; ++k) {
            image.bytes()[static_cast<std::size_t>(7 * k)] = static_cast<std::byte>(50 * k + 40);
        }
        writer->write(image, {1, 10});
    }
    writer->finish();
    return read_file(path);
}

bool is_same(const Image& a, const Image& b) {
    return a.form() == b.form() && std::ranges::equal(a.bytes(), b.bytes());
}

} // namespace

TEST_CASE("page reader: images come as decode() gives each, in any order") {
    for (const std::string format : {"gif", "apng", "webp", "tif"}) {
        if (!holds_series(format, SeriesKind::frames) && !holds_series(format, SeriesKind::pages))
            continue;
        INFO(format);
        const Bytes file = file_of_pages(format);
        PageReader reader(file, {});
        for (const int number : {1, 2, 2, 5, 3, 4, 1, 5}) {
            const Image wanted = decode(file, "a." + format, {.page = number});
            CHECK(is_same(reader.read(number, "a", nullptr), wanted));
        }
        CHECK(message_of([&] { reader.read(6, "a#6", nullptr); }) ==
              "a#6: there is no image 6: the file has 5");
        CHECK(is_same(reader.read(5, "a", nullptr), decode(file, "a." + format, {.page = 5})));
    }
}

TEST_CASE(
    "page reader: frames behind a broken one are broken, each under its name, and those before it are not") {
    const Bytes whole = file_of_pages("gif");
    Bytes broken = whole;
    std::string text(reinterpret_cast<const char*>(whole.data()), whole.size());
    std::size_t at = 0; // of the third frame's control, and then of its codes
    for (int i = 0; i < 3; ++i)
        at = text.find("\x21\xF9\x04", at + 1);
    const auto flags = std::to_integer<unsigned>(broken[at + 8 + 9]);
    at += 8 + 10 + ((flags & 0x80U) == 0 ? 0 : std::size_t{3} << ((flags & 7U) + 1));
    broken[at] = std::byte{40}; // bits of a code
    PageReader reader(broken, {});
    CHECK(is_same(reader.read(1, "a#1", nullptr), decode(whole, "a.gif", {.page = 1})));
    const std::string third_says = message_of([&] { reader.read(3, "a#3", nullptr); });
    CHECK(third_says.starts_with("a#3: "));
    CHECK(message_of([&] { reader.read(4, "a#4", nullptr); }).substr(3) == third_says.substr(3));
    CHECK(is_same(reader.read(2, "a#2", nullptr), decode(whole, "a.gif", {.page = 2})));
    CHECK(message_of([&] { reader.read(5, "a#5", nullptr); }).substr(3) == third_says.substr(3));
}
