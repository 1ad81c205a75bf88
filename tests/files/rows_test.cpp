// Pictures in bands of rows are the pictures that decode() knows.
#include "files/png_files.hpp"
#include "files/rows_files.hpp"
#include "files/tiff_files.hpp"
#include "support/temp_dir.hpp"

#include <type_traits>

#include "glproc/files/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Checks that a file read in rows, from memory and from disk, is what decode() makes of it.
void check_rows(const Bytes& file, const std::string& name) {
    const TempDir folder;
    write_file(folder / name, file);
    const Image whole = decode(file, name);
    for (const bool in_memory : {true, false}) {
        const auto source = in_memory ? open_rows(std::span(file), name) : open_rows(folder / name);
        REQUIRE(source.has_value());
        CHECK(source->form == whole.form());
        CHECK(same(source->metadata, whole.metadata()));
        for (const int band : {1, 7, whole.height()}) {
            const auto reader = source->open();
            CHECK(same(reader->metadata(), whole.metadata()));
            CHECK(same(read_in_bands(*reader, band), whole));
        }
    }
}

/// What reading a file in rows ends with, if it is an error; nothing where it does not come in rows.
template <class What>
std::optional<Error> error_of_rows(const What& what, const std::string& name, int band) {
    return error_of([&] {
        std::optional<RowSource> source;
        if constexpr (std::is_same_v<What, Bytes>) {
            source = open_rows(std::span(what), name);
        } else {
            source = open_rows(what);
        }
        if (source)
            read_in_bands(*source->open(), band);
    });
}

Bytes first(const Bytes& bytes, std::size_t count) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

} // namespace

TEST_CASE("rows of every format, depth and size are those of the whole picture") {
    for_all_pictures([](const std::string& extension, const Image& image) {
        check_rows(encode(image, extension), "a." + extension);
    });
}

TEST_CASE("PNG files of other writers come in rows, interlaced ones only as a whole") {
    for (const auto& [bits, colour] : {std::pair{1, 0},
                                       {2, 0},
                                       {4, 0},
                                       {8, 0},
                                       {16, 0},
                                       {8, 2},
                                       {16, 2},
                                       {1, 3},
                                       {2, 3},
                                       {4, 3},
                                       {8, 3},
                                       {8, 4},
                                       {16, 4},
                                       {8, 6},
                                       {16, 6}}) {
        INFO(bits << " bits, colour type " << colour);
        check_rows(write_png(noise_png(37, 11, bits, colour)), "a.png");
        const Bytes interlaced = write_png(noise_png(37, 11, bits, colour, true));
        CHECK_FALSE(open_rows(std::span(interlaced), "a.png").has_value());
    }
}

TEST_CASE("PNM of every kind comes in rows") {
    check_rows(bytes_of("P1\n# a comment\n3 2\n1 0 1\n#another\n0 1 0"), "a.pbm");
    check_rows(bytes_of("P2 3 2 100 0 1 2 98 99 100"), "a.pgm");
    check_rows(bytes_of("P3 1 2 65535 0 1 2 65533 65534 65535"), "a.ppm");
    check_rows(bytes_of("P4 11 9 ") + Bytes(18, std::byte{0x5a}), "a.pbm");
    check_rows(bytes_of("P5 3 2 200\n") + bytes_of({0, 10, 100, 150, 199, 200}), "a.pgm");
    check_rows(bytes_of("P5 1 2 1000\n") + bytes_of({3, 232, 0, 9}), "a.pgm");
    check_rows(bytes_of("Pf\n2 3\n4.0\n") + Bytes(24, std::byte{0x3f}), "a.pfm");
}

#ifdef GLPROC_WITH_TIFF
TEST_CASE("TIFF strips and tiles of every kind come in rows") {
    const std::vector<TiffSpec> specs{{.rows = 1},
                                      {.rows = 1000},
                                      {.compression = COMPRESSION_LZW, .predictor = PREDICTOR_HORIZONTAL},
                                      {.compression = COMPRESSION_PACKBITS, .rows = 3},
                                      {.compression = COMPRESSION_ADOBE_DEFLATE, .tile = 16},
                                      {.planar = PLANARCONFIG_SEPARATE},
                                      {.planar = PLANARCONFIG_SEPARATE, .tile = 32},
                                      {.extra = EXTRASAMPLE_ASSOCALPHA},
                                      {.mode = "wb"},
                                      {.mode = "wb8"},
                                      {.pages = 2}};
    for (const TiffSpec& spec : specs) {
        for (const Depth depth : {Depth::u8, Depth::u16}) {
            for (const int channels : {1, 4}) {
                INFO(&spec - specs.data() << " " << static_cast<int>(depth) << " " << channels);
                check_rows(write_tiff(picture(53, 37, channels, depth), spec), "a.tif");
            }
        }
    }
    const Bytes turned = write_tiff(picture(5, 3, 1, Depth::u8), {.orientation = 6});
    CHECK_FALSE(open_rows(std::span(turned), "a.tif").has_value());
}

TEST_CASE("a TIFF file of one large strip needs no memory for all of it") {
    for (const std::string mode : {"wl", "wb"}) { // both byte orders
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            const Image image = picture(701, 1801, depth == Depth::u8 ? 3 : 1, depth);
            const Bytes file = write_tiff(image, {.rows = 1801, .mode = mode});
            check_rows(file, "a.tif");
            CHECK(same(decode(file, "a.tif"), image));
            const auto error = error_of_rows(first(file, 1000000), "a.tif", 100);
            REQUIRE(error.has_value());
            CHECK(error->code() == ErrorCode::input);
        }
    }
}
#endif

TEST_CASE("pictures that metadata turn come only as a whole, others with what they say") {
    const Image image = picture(5, 4, 3, Depth::u8);
    for (const int orientation : {1, 3, 6}) {
        const Bytes png = encode(with_metadata(image, {.exif = exif_block(orientation, false)}), "png");
        CHECK(open_rows(std::span(png), "a.png").has_value() == (orientation == 1));
    }
    for (const std::string extension : {"bmp", "tga"}) {
        const Bytes file = encode(smooth_picture(5, 4, 3), extension);
        CHECK_FALSE(open_rows(std::span(file), "a." + extension).has_value());
    }
    CHECK_FALSE(open_rows(std::span<const std::byte>(), "a.png").has_value());
    check_rows(encode(with_metadata(image, told()), "png"), "a.png");
}

TEST_CASE("what is odd about a file is said once") {
    Bytes profile(200, std::byte{7}); // no ICC profile
    const Bytes png = encode(with_metadata(picture(5, 4, 1, Depth::u8), {.icc = profile}), "png");
    Notes notes;
    const auto source = open_rows(std::span(png), "a.png", {.notes = &notes});
    REQUIRE(source.has_value());
    source->open();
    source->open();
    CHECK(notes == Notes{"a.png: the ICC profile is invalid; it is left out"});
}

TEST_CASE("files cut short anywhere are refused in rows with the words of decode()") {
    const TempDir folder;
    for (const std::string& extension : extensions()) {
        const Depth depth = extension == "pfm" ? Depth::f32 : Depth::u8;
        const std::string name = folder / ("a." + extension);
        const Bytes file = encode(picture(3, 5, extension == "pgm" ? 1 : 3, depth), extension);
        const std::size_t end = extension == "png" ? 16 : 0; // what no pixel depends on
        for (std::size_t size = 8; size < file.size() - end; ++size) {
            INFO(extension << " cut to " << size << " of " << file.size());
            const Bytes part = first(file, size);
            const auto whole = error_of([&] { decode(part, name); });
            REQUIRE(whole.has_value());
            write_file(name, part);
            for (const auto& error :
                 {error_of_rows(part, name, 2), error_of_rows(std::filesystem::path(name), name, 2)}) {
                REQUIRE(error.has_value());
                CHECK(error->code() == ErrorCode::input);
                CHECK(std::string(error->what()) == whole->what());
            }
        }
    }
}

TEST_CASE("damaged files are refused in rows as decode() refuses them, or are the same picture") {
    std::uint32_t seed = 1;
    const auto random = [&seed](std::size_t below) { return hash(seed++) % below; };
    for (const std::string& extension : extensions()) {
        const Depth depth = extension == "pfm" ? Depth::f32 : Depth::u8;
        const Image image = picture(37, 29, extension == "pgm" ? 1 : 3, depth);
        const Bytes file = encode(with_metadata(image, told()), extension);
        for (int round = 0; round < 100; ++round) {
            Bytes damaged = file;
            const std::size_t range = round % 2 == 0 ? damaged.size() : 64;
            damaged.at(random(range)) = static_cast<std::byte>(random(256));
            INFO(extension << " round " << round);
            std::optional<Image> whole;
            const auto error = error_of([&] { whole = decode(damaged, "a." + extension); });
            std::optional<Image> rows;
            bool comes = true;
            const auto rows_error = error_of([&] {
                const auto source = open_rows(std::span(damaged), "a." + extension);
                comes = source.has_value();
                if (comes)
                    rows = read_in_bands(*source->open(), 5);
            });
            if (!comes)
                continue;
            CHECK(error.has_value() == rows_error.has_value());
            if (error && rows_error) {
                CHECK(rows_error->code() == ErrorCode::input);
                CHECK(std::string(error->what()) == rows_error->what());
            } else if (whole && rows) {
                CHECK(same(*whole, *rows));
            }
        }
    }
}

TEST_CASE("a file that is cut short while it is read is an error, no signal") {
    const TempDir folder;
    for (const std::string& extension : extensions()) {
        const Depth depth = extension == "pfm" ? Depth::f32 : Depth::u8;
        const auto path = folder / ("a." + extension);
        save(picture(600, 1500, extension == "pgm" ? 1 : 3, depth), path, {.png_level = 0});
        const auto source = open_rows(path);
        REQUIRE(source.has_value());
        const auto reader = source->open();
        std::vector<std::byte> row(source->form.row_bytes());
        if (extension != "pfm")
            reader->read(row);
        REQUIRE(::truncate(path.c_str(), 100) == 0);
        const auto error = error_of([&] {
            for (int y = extension == "pfm" ? 0 : 1; y < 1500; ++y)
                reader->read(row);
        });
        INFO(extension);
        REQUIRE(error.has_value());
        CHECK(error->code() == ErrorCode::input);
        CHECK(std::string(error->what()).find(": truncated ") != std::string::npos);
    }
}

TEST_CASE("missing files, folders and pipes") {
    const TempDir folder;
    check_error(ErrorCode::input, (folder / "no.png").string() + ": no such file",
                [&] { open_rows(folder / "no.png"); });
    CHECK_FALSE(open_rows(folder.path()).has_value());
    const auto pipe = folder / "pipe.png";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK_FALSE(open_rows(pipe).has_value());
}

TEST_CASE("an open descriptor is read from where it stands") {
    const TempDir folder;
    const Image image = picture(7, 5, 3, Depth::u16);
    write_file(folder / "a", bytes_of("before") + encode(image, "png"));
    const int descriptor = ::open((folder / "a").c_str(), O_RDONLY);
    ::lseek(descriptor, 6, SEEK_SET);
    const auto source = open_rows(descriptor, "-");
    REQUIRE(source.has_value());
    CHECK(::lseek(descriptor, 0, SEEK_CUR) == 6);
    ::close(descriptor);
    CHECK(same(read_in_bands(*source->open(), 2), image));
}

TEST_CASE("a header that lies costs no memory, in rows neither") {
    const Bytes liar = bytes_of("P5 65000 65000 255\n") + Bytes(100);
    const long before = peak_kib();
    CHECK(error_of([&] { open_rows(std::span(liar), "a.pgm"); })->code() == ErrorCode::input);
    const Bytes pfm = bytes_of("Pf\n65000 65000\n-1\n") + Bytes(100);
    CHECK(error_of([&] { open_rows(std::span(pfm), "a.pfm"); })->code() == ErrorCode::input);
    const Bytes four = bytes_of("P5 2 2 255 1234");
    check_error(ErrorCode::input, "a.pgm: 2x2 pixels are more than the limit of 3",
                [&] { open_rows(std::span(four), "a.pgm", {.max_pixels = 3}); });
    CHECK(peak_kib() - before < 4096);
}
