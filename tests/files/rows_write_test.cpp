// Pictures written in bands of rows are the pictures that encode() writes.
#include "files/rows_files.hpp"
#include "support/temp_dir.hpp"

#include "glproc/files/file.hpp"

#include <fcntl.h>
#include <unistd.h>

using namespace glproc;
using namespace glproc::test;

TEST_CASE("rows that are written are the same picture") {
    const TempDir folder;
    for_all_pictures([&](const std::string& extension, const Image& image) {
        const auto path = folder / ("a." + extension);
        for (const int band : {1, 7, 100}) {
            if (band > 1 && band - 6 > image.height())
                continue; // the same as a larger band
            const auto writer = write_rows(path, image.form(), told());
            REQUIRE(writer != nullptr);
            write_in_bands(*writer, image, band);
            const Image again = load(path);
            CHECK(same(again, image));
            const Image whole = decode(encode(with_metadata(image, told()), extension), extension);
            CHECK(same(again.metadata(), whole.metadata()));
        }
    });
}

TEST_CASE("rows go to a pipe as to a file") {
    const TempDir folder;
    for (const std::string& extension : extensions()) {
        INFO(extension);
        const Depth depth = extension == "pfm" ? Depth::f32 : Depth::u8;
        const Image image = picture(23, 9, extension == "pgm" ? 1 : 3, depth);
        std::array<int, 2> ends{};
        REQUIRE(::pipe(ends.data()) == 0);
        const auto writer = write_rows(ends[1], "out." + extension, image.form(), {.xmp = xmp_block()});
        write_in_bands(*writer, image, 4); // less than the 64 KiB that fit into a pipe
        ::close(ends[1]);
        const Image again = decode(read_descriptor(ends[0], "pipe"), "a." + extension);
        ::close(ends[0]);
        CHECK(same(again, image));
    }
}

TEST_CASE("nothing appears before all rows are there") {
    const TempDir folder;
    for (const std::string& extension : extensions()) {
        const Depth depth = extension == "pfm" ? Depth::f32 : Depth::u8;
        const Image image = picture(9, 6, extension == "pgm" ? 1 : 3, depth);
        const auto path = folder / ("a." + extension);
        write_file(path, bytes_of("old"));
        {
            const auto writer = write_rows(path, image.form(), {});
            writer->write(image.bytes().first(image.row_bytes() * 2));
            CHECK(error_of([&] { writer->finish(); })->code() == ErrorCode::operation);
            CHECK(error_of([&] { writer->write(image.bytes()); })->code() == ErrorCode::operation);
            CHECK(error_of([&] { writer->write(image.bytes().first(5)); })->code() == ErrorCode::operation);
        }
        CHECK(read_file(path) == bytes_of("old"));
        std::filesystem::remove(path);
    }
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a form that the format cannot hold is refused as check_encodable() does") {
    const TempDir folder;
    const Form floats{4, 4, 3, Depth::f32};
    const auto error = error_of([&] { write_rows(folder / "a.png", floats, {}); });
    REQUIRE(error.has_value());
    CHECK(error->code() == ErrorCode::usage);
    CHECK(error_of([&] { write_rows(folder / "a.xyz", floats, {}); })->code() == ErrorCode::usage);
    CHECK(error_of([&] { write_rows(folder / "a.pfm", floats, {}, {.png_level = 13}); })->code() ==
          ErrorCode::usage);
    CHECK(write_rows(folder / "a.hdr", floats, {}) == nullptr);
    CHECK(std::filesystem::is_empty(folder.path()));
    CHECK(error_of([&] { write_rows(folder / "no/a.pfm", floats, {}); })->code() == ErrorCode::output);
}

TEST_CASE("a full disk is an error") {
    for (const std::string& extension : extensions()) {
        INFO(extension);
        const Depth depth = extension == "pfm" ? Depth::f32 : Depth::u8;
        const Image image = picture(2000, 100, extension == "pgm" ? 1 : 3, depth);
        const int full = ::open("/dev/full", O_WRONLY);
        const auto error = error_of([&] {
            write_in_bands(*write_rows(full, extension, image.form(), {}, {.png_level = 0}), image, 9);
        });
        ::close(full);
        REQUIRE(error.has_value());
        CHECK(error->code() == ErrorCode::output);
    }
}

TEST_CASE("rows change their depth on the way as pictures do") {
    const TempDir folder;
    for (const Depth from : {Depth::u8, Depth::u16}) {
        for (const Depth to : {Depth::u8, Depth::u16, Depth::f32}) {
            const Image image = picture(19, 6, 2, from);
            const Image converted = with_depth(image, to);
            const Bytes png = encode(image, "png");
            const RowSource source = with_depth(*open_rows(std::span(png), "a.png"), to);
            CHECK(source.form == converted.form());
            CHECK(same(read_in_bands(*source.open(), 4), converted));
            const auto back = with_depth(converted, from);
            const auto path = folder / "a.png";
            write_in_bands(*with_depth(write_rows(path, image.form(), {}), image.form(), to), converted, 4);
            CHECK(same(load(path), back));
        }
    }
}

TEST_CASE("PNG levels reach the stream of rows, and pieces join") {
    const TempDir folder;
    const Image image = smooth_picture(1700, 1300, 3); // six pieces and a bit
    std::vector<std::uintmax_t> sizes;
    for (const int level : {0, 1, 6, 12}) {
        write_in_bands(*write_rows(folder / "a.png", image.form(), {}, {.png_level = level}), image, 100);
        CHECK(same(load(folder / "a.png"), image));
        sizes.push_back(std::filesystem::file_size(folder / "a.png"));
    }
    CHECK(sizes[0] > image.bytes().size());
    CHECK(sizes[1] < sizes[0]);
    CHECK(sizes[2] < sizes[1]);
    CHECK(sizes[3] < sizes[1]);
}

TEST_CASE("a large picture goes through little memory") {
    const TempDir folder;
    const Form form{20000, 3000, 1, Depth::u8};
    const Image band = smooth_picture(20000, 50, 1);
    for (const std::string extension : {"png", "pgm"}) {
        const auto path = folder / ("a." + extension);
        [[maybe_unused]] const long before = peak_kib();
        const auto writer = write_rows(path, form, {});
        for (int y = 0; y < form.height; y += 50)
            writer->write(band.bytes());
        writer->finish();
        const auto source = open_rows(path);
        REQUIRE(source.has_value());
        const auto reader = source->open();
        Image again(band.form());
        int wrong = 0;
        for (int y = 0; y < form.height; y += 50) {
            reader->read(again.bytes());
            wrong += !same(again, band);
        }
        CHECK(wrong == 0);
#ifndef __SANITIZE_ADDRESS__                    // the sanitizer gives nothing back at once
        CHECK(peak_kib() - before < 40 * 1024); // the picture is 60 MB
#endif
    }
}
