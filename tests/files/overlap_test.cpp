// Rows that are read and written on threads of their own are the same rows, and failures come through.
#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/files/overlap.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <utility>

using namespace glproc;
using namespace glproc::test;

namespace {

Image picture(int width, int height) {
    Image image(width, height, 3, Depth::u8);
    std::uint32_t i = 0;
    for (std::byte& byte : image.bytes()) {
        byte = static_cast<std::byte>(hash_01(5, i++) * 255.99);
    }
    return image;
}

/// Fails at byte `at`, in whichever direction rows go.
struct Failing : RowReader, RowWriter {
    Failing(Form form, std::size_t at) : shape(form), left(at) {}
    const Form& form() const override { return shape; }
    const Metadata& metadata() const override { return none; }
    void read(std::span<std::byte> rows) override { count(rows.size()); }
    void write(std::span<const std::byte> rows) override { count(rows.size()); }
    void finish() override {}
    void count(std::size_t bytes) {
        if (bytes > left) {
            throw Error(ErrorCode::input, "torn");
        }
        left -= bytes;
    }
    Form shape;
    Metadata none;
    std::size_t left;
};

} // namespace

TEST_CASE("rows that are read ahead are the rows, however many are asked for at once") {
    const Image image = picture(1021, 4099); // more than one block, and no multiple of one
    for (const int at_once : {1, 7, 4099}) {
        const auto reader = read_ahead(rows_of(image).open());
        CHECK(reader->form() == image.form());
        Image back(image.form());
        for (int y = 0; y < image.height(); y += at_once) {
            const int rows = std::min(at_once, image.height() - y);
            reader->read({back.row(y), image.row_bytes() * static_cast<std::size_t>(rows)});
        }
        CHECK_THAT(back, IsBitwise(image));
    }
}

TEST_CASE("rows that are written in the background are the rows, however many come at once") {
    const Image image = picture(1021, 4099);
    for (const int at_once : {1, 7, 4099}) {
        ImageRows gathered(image.form());
        const auto writer = write_behind(gathered, image.row_bytes());
        for (int y = 0; y < image.height(); y += at_once) {
            const int rows = std::min(at_once, image.height() - y);
            writer->write({image.row(y), image.row_bytes() * static_cast<std::size_t>(rows)});
        }
        writer->finish();
        CHECK_NOTHROW(gathered.finish()); // all are there
        CHECK_THAT(gathered.image(), IsBitwise(image));
    }
}

TEST_CASE("a row wider than a block goes both ways") {
    const Image image = picture(1'000'003, 3);
    const auto reader = read_ahead(rows_of(image).open());
    ImageRows gathered(image.form());
    const auto writer = write_behind(gathered, image.row_bytes());
    std::vector<std::byte> row(image.row_bytes());
    for (int y = 0; y < image.height(); ++y) {
        reader->read(row);
        writer->write(row);
    }
    writer->finish();
    CHECK_THAT(gathered.image(), IsBitwise(image));
}

TEST_CASE("what a reader throws comes where its rows would have come, after the good ones") {
    const Form form{1000, 5000, 3, Depth::u8};
    const auto reader = read_ahead(std::make_unique<Failing>(form, std::size_t{9'000'000}));
    std::vector<std::byte> rows(form.row_bytes() * 500);
    int good = 0;
    CHECK_THROWS_WITH(
        [&] {
            for (;; ++good) {
                reader->read(rows);
            }
        }(),
        "torn");
    CHECK(good > 0);
    CHECK(good <= 6);
}

TEST_CASE("what a writer throws comes back with finish() at the latest") {
    const Form form{1000, 5000, 3, Depth::u8};
    for (const std::size_t at : {std::size_t{0}, std::size_t{9'000'000}, form.bytes() - 1}) {
        Failing failing(form, at);
        const auto writer = write_behind(failing, form.row_bytes());
        const std::vector<std::byte> rows(form.row_bytes() * 500);
        CHECK_THROWS_WITH(
            [&] {
                for (int i = 0; i < 10; ++i) {
                    writer->write(rows);
                }
                writer->finish();
            }(),
            "torn");
    }
}

TEST_CASE("reading ahead ends when its rows are no longer wanted") {
    const Image image = picture(1021, 40009); // more than what is read ahead
    auto reader = read_ahead(rows_of(image).open());
    std::vector<std::byte> row(image.row_bytes());
    reader->read(row);
    reader.reset();
    ImageRows gathered(image.form());
    auto writer = write_behind(gathered, image.row_bytes());
    writer->write(row);
    writer.reset();
    CHECK_THROWS_AS(gathered.finish(), Error);
}
