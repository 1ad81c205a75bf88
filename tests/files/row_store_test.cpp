// Rows that are kept: in memory, in a file, and across both.
#include "glproc/files/row_store.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/inputs.hpp"
#include "support/temp_dir.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

std::vector<std::byte> all_of(const RowSource& source, int rows_at_once) {
    std::vector<std::byte> all;
    const auto reader = source.open();
    for (int y = 0; y < source.form.height; y += rows_at_once) {
        const int rows = std::min(rows_at_once, source.form.height - y);
        std::vector<std::byte> some(static_cast<std::size_t>(rows) * source.form.row_bytes());
        reader->read(some);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

std::vector<std::byte> upside_down(const Image& image) {
    std::vector<std::byte> all;
    for (int y = image.height() - 1; y >= 0; --y) {
        const auto row = image.bytes().subspan(static_cast<std::size_t>(y) * image.row_bytes(), image.row_bytes());
        all.insert(all.end(), row.begin(), row.end());
    }
    return all;
}

} // namespace

TEST_CASE("rows that are kept come back from either end, whatever lies in memory") {
    for (const Form& form : {Form{37, 29, 3, Depth::u8}, Form{1, 64, 1, Depth::u16}, Form{50, 1, 4, Depth::f32}}) {
        const Image image = random_image({form.width, form.height, form.channels, form.depth});
        const std::vector<std::byte> expected(image.bytes().begin(), image.bytes().end());
        for (const std::size_t memory : {std::size_t{0}, form.row_bytes() / 2, 3 * form.row_bytes(),
                                         expected.size() - 1, expected.size(), 10 * expected.size()}) {
            RowStore store(form, memory);
            CHECK(store.file_bytes() == expected.size() - std::min(expected.size(), memory));
            for (int y = 0; y < form.height; y += 5) {
                const int rows = std::min(5, form.height - y);
                store.write(image.bytes().subspan(static_cast<std::size_t>(y) * form.row_bytes(),
                                                  static_cast<std::size_t>(rows) * form.row_bytes()));
            }
            store.finish();
            for (const int at_once : {1, 7, 64}) {
                CHECK((all_of(store.down(), at_once) == expected));
                CHECK((all_of(store.up(), at_once) == upside_down(image)));
            }
        }
    }
}

TEST_CASE("rows can be put in any order") {
    const Image image = random_image({13, 40, 2, Depth::u16});
    RowStore store(image.form(), 11 * image.row_bytes());
    for (const int first : {32, 0, 24, 8, 16}) {
        store.put(first, image.bytes().subspan(static_cast<std::size_t>(first) * image.row_bytes(), 8 * image.row_bytes()));
    }
    CHECK(std::ranges::equal(all_of(store.down(), 40), image.bytes()));
}

TEST_CASE("rows that were never put are zeros, and missing ones are noticed") {
    RowStore store({4, 6, 1, Depth::u8}, 8);
    const std::vector<std::byte> row(4, std::byte{9});
    store.write(row);
    std::vector<std::byte> last(4, std::byte{1});
    store.get(5, last);
    CHECK((last == std::vector<std::byte>(4)));
    CHECK_THROWS_AS(store.finish(), Error);
    CHECK_THROWS_AS(store.put(6, row), Error);
    CHECK_THROWS_AS(store.put(0, std::span(row).first(3)), Error);
}

TEST_CASE("the file of kept rows has no name, and a folder that cannot hold it is named") {
    const TempDir folder;
    {
        const ScopedVariable inside("TMPDIR", folder.path().string());
        RowStore store({100, 100, 1, Depth::u8}, 100);
        store.put(50, std::vector<std::byte>(100, std::byte{3}));
        CHECK(std::filesystem::is_empty(folder.path()));
    }
    const ScopedVariable nowhere("TMPDIR", (folder.path() / "none").string());
    CHECK_NOTHROW(RowStore({10, 10, 1, Depth::u8}, 100));
    CHECK_THROWS_WITH(RowStore({100, 100, 1, Depth::u8}, 100), Catch::Matchers::Contains("none"));
}
