// Large PNG files, in bands that are packed and unpacked on several threads.
#include "files/png_files.hpp"
#include "support/temp_dir.hpp"
#include "support/thread_limit.hpp"

#include "glproc/files/file.hpp"
#include "glproc/files/rows.hpp"

#include <cstring>
#include <fstream>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::array<std::size_t, 3> thread_counts{1, 2, 16};

/// Of four bands, the last of which is not full.
Image large_picture(int channels, Depth depth) {
    const Form form{601, 1, channels, depth};
    return picture(601, static_cast<int>((std::size_t{7} << 19U) / form.row_bytes()), channels, depth);
}

/// What libpng makes of the file: its pixels as it stores them.
std::vector<png_byte> read_by_libpng(const Bytes& file, std::size_t size) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_memory(&image, file.data(), file.size()) != 0);
    std::vector<png_byte> pixels(PNG_IMAGE_SIZE(image));
    REQUIRE(pixels.size() == size);
    REQUIRE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) != 0);
    return pixels;
}

std::size_t count_of(const std::vector<Chunk>& chunks, std::string_view type) {
    return static_cast<std::size_t>(std::ranges::count(chunks, type, &Chunk::type));
}

std::vector<Chunk> without(std::vector<Chunk> chunks, std::string_view type) {
    std::erase_if(chunks, [&](const Chunk& chunk) { return chunk.type == type; });
    return chunks;
}

/// The data of all IDAT chunks, unpacked.
Bytes stream_of(const std::vector<Chunk>& chunks, std::size_t size) {
    Bytes packed;
    for (const Chunk& chunk : chunks) {
        if (chunk.type == "IDAT")
            packed.insert(packed.end(), chunk.data.begin(), chunk.data.end());
    }
    Bytes data(size);
    libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
    CHECK(libdeflate_zlib_decompress(decompressor, packed.data(), packed.size(), data.data(), data.size(),
                                     nullptr) == LIBDEFLATE_SUCCESS);
    libdeflate_free_decompressor(decompressor);
    return data;
}

} // namespace

TEST_CASE("a large PNG is the same file for any number of threads, and libpng reads it") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        for (int channels = 1; channels <= 4; ++channels) {
            INFO(channels << " channels of " << static_cast<int>(depth));
            const Image image = large_picture(channels, depth);
            const Bytes file = encode(image, "png");
            for (const std::size_t threads : thread_counts) {
                const ThreadLimit limit(threads);
                CHECK(encode(image, "png") == file);
                CHECK(same(decode(file, "a.png"), image));
            }
            if (depth == Depth::u8) {
                const auto pixels = read_by_libpng(file, image.bytes().size());
                CHECK(std::ranges::equal(std::as_bytes(std::span(pixels)), image.bytes()));
            }
        }
    }
}

TEST_CASE("at every level the bands of a PNG are one stream") {
    const Image image = large_picture(3, Depth::u8);
    for (const int level : {0, 1, 4, 9, 12}) {
        INFO("level " << level);
        const Bytes file = encode(image, "png", {.png_level = level});
        const std::vector<Chunk> chunks = chunks_of(file);
        CHECK(count_of(chunks, "IDAT") == 4);
        const std::size_t rows = big32(chunks.at(1).data, 0);
        CHECK(chunks.at(1).type == "bnDS");
        CHECK(rows == (std::size_t{1} << 20U) / image.row_bytes());
        const std::size_t row = image.row_bytes() + 1;
        const Bytes stream = stream_of(chunks, row * static_cast<std::size_t>(image.height()));
        for (std::size_t y = 0; y < static_cast<std::size_t>(image.height()); y += rows)
            CHECK(std::to_integer<int>(stream.at(y * row)) <= 1); // looks at no row above
        CHECK(same(decode(file, "a.png"), image));
    }
}

TEST_CASE("rows that are written in small bands make the same large PNG for any number of threads") {
    const Image image = large_picture(3, Depth::u8);
    std::vector<Bytes> files;
    for (const std::size_t threads : thread_counts) {
        for (const std::size_t rows : {1U, 100U, 10000U}) {
            const ThreadLimit limit(threads);
            const TempDir folder;
            const auto writer = write_rows(folder / "a.png", image.form(), {});
            for (std::size_t at = 0; at < image.bytes().size(); at += rows * image.row_bytes())
                writer->write(
                    image.bytes().subspan(at, std::min(rows * image.row_bytes(), image.bytes().size() - at)));
            writer->finish();
            files.push_back(read_file(folder / "a.png"));
        }
    }
    for (const Bytes& file : files)
        CHECK(file == files.front());
    CHECK(same(decode(files.front(), "a.png"), image));
}

TEST_CASE("large files of another writer are read alike by any number of threads, whole and in rows") {
    const PngSpec spec = opaque_png(700, 1500, 8, PNG_COLOR_TYPE_RGB);
    const Bytes file = write_png(spec);
    for (const std::size_t threads : thread_counts) {
        const ThreadLimit limit(threads);
        const Image image = decode(file, "a.png");
        bool good = true;
        for (int y = 0; y < 1500; ++y)
            good = good && std::memcmp(image.row(y), spec.rows.at(static_cast<std::size_t>(y)).data(),
                                       image.row_bytes()) == 0;
        CHECK(good);
        const auto source = open_rows(std::span(file), "a.png");
        const auto reader = source->open();
        Image rows(source->form);
        for (int y = 0; y < 1500;) {
            const int count = std::min(1 + y % 577, 1500 - y);
            reader->read(rows.bytes().subspan(static_cast<std::size_t>(y) * rows.row_bytes(),
                                              static_cast<std::size_t>(count) * rows.row_bytes()));
            y += count;
        }
        CHECK(same(rows, image));
    }
}

#ifdef __linux__

namespace {

/// How much this process has read from files so far.
std::size_t bytes_read() {
    std::ifstream file("/proc/self/io");
    std::string name;
    std::size_t bytes = 0;
    file >> name >> bytes;
    REQUIRE(name == "rchar:");
    return bytes;
}

} // namespace

TEST_CASE("a reader that is given up unpacks no further") {
    const Bytes file = write_png(opaque_png(700, 3000, 8, PNG_COLOR_TYPE_RGB));
    const TempDir folder;
    write_file(folder / "a.png", file);
    for (const std::size_t threads : thread_counts) {
        INFO(threads << " threads");
        const ThreadLimit limit(threads);
        const auto source = open_rows(folder / "a.png");
        REQUIRE(source.has_value());
        const auto read_by = [&](std::size_t rows) {
            const std::size_t before = bytes_read();
            std::vector<std::byte> pixels(rows * source->form.row_bytes());
            source->open()->read(pixels); // and goes
            return bytes_read() - before;
        };
        const std::size_t for_the_header = read_by(0); // all chunks are looked at
        CHECK(read_by(1) - for_the_header < file.size() / 2);
        CHECK(read_by(3000) - for_the_header >= file.size() * 9 / 10); // else the test shows nothing
    }
}

#endif

TEST_CASE("chunks that are not what bnDS says are read as one stream") {
    const Image image = large_picture(3, Depth::u8);
    const std::vector<Chunk> good = chunks_of(encode(image, "png"));
    CHECK(same(decode(png_of(without(good, "bnDS")), "a.png"), image));
    for (const std::uint32_t rows : {0U, 1U, 100U, 0x7fffffffU, 0xffffffffU}) {
        std::vector<Chunk> chunks = good;
        chunks.at(1).data = big_endian(rows, 4);
        CHECK(same(decode(png_of(chunks), "a.png"), image));
    }
    std::vector<Chunk> split = good; // as a tool may do that cuts chunks anew
    const Bytes data = split.at(2).data;
    split.at(2).data = Bytes(data.begin(), data.begin() + 1000);
    split.insert(split.begin() + 3, {"IDAT", Bytes(data.begin() + 1000, data.end())});
    CHECK(same(decode(png_of(split), "a.png"), image));
}

TEST_CASE("damaged bands are refused") {
    const Image image = large_picture(3, Depth::u8);
    const std::vector<Chunk> good = chunks_of(encode(image, "png"));
    const auto refused = [&](const std::vector<Chunk>& chunks) {
        const auto error = error_of([&] { decode(png_of(chunks), "a.png"); });
        REQUIRE(error.has_value());
        CHECK(error->code() == ErrorCode::input);
    };
    for (std::size_t i = 2; i < 6; ++i) {
        INFO("chunk " << i);
        std::vector<Chunk> chunks = good;
        chunks.at(i).data.at(chunks.at(i).data.size() / 2) ^= std::byte{4};
        refused(chunks);
        chunks = good;
        chunks.at(i) = good.at(i == 3 ? 4 : 3); // the checksum of all knows the order
        if (i != 3)
            refused(chunks);
        Bytes file = png_of(good);
        const auto place =
            std::search(file.begin(), file.end(), good.at(i).data.begin(), good.at(i).data.end());
        *(place + static_cast<std::ptrdiff_t>(good.at(i).data.size())) ^= std::byte{1};
        check_error(ErrorCode::input, "a.png: corrupt PNG: IDAT has a wrong checksum",
                    [&] { decode(file, "a.png"); });
    }
    std::vector<Chunk> chunks = good;
    chunks.at(5).data.back() ^= std::byte{1};
    check_error(ErrorCode::input, "a.png: corrupt PNG: incorrect data check",
                [&] { decode(png_of(chunks), "a.png"); });
    chunks = good;
    chunks.at(2).data.at(0) ^= std::byte{1};
    refused(chunks);
}
