// The broken files of PngSuite (x*.png), and more of their kind: all are refused, whole and in rows, with the
// same words.
#include "files/png_files.hpp"

#include "glproc/files/rows.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// A good file with its chunks, to be broken.
std::vector<Chunk> good_chunks(int colour_type = PNG_COLOR_TYPE_RGB, int bits = 8) {
    return chunks_of(write_png(opaque_png(32, 32, bits, colour_type)));
}
Chunk& chunk_of(std::vector<Chunk>& chunks, std::string_view type) {
    return *std::ranges::find(chunks, type, &Chunk::type);
}

void check_broken(const std::string& what, const Bytes& file) {
    INFO(what);
    const auto error = error_of([&] { decode(file, "x.png"); });
    REQUIRE(error.has_value());
    CHECK(error->code() == ErrorCode::input);
    CHECK(std::string(error->what()).starts_with("x.png: "));
    bool comes = true;
    const auto rows = error_of([&] {
        const auto source = open_rows(std::span(file), "x.png");
        comes = source.has_value();
        if (comes) {
            Image image(source->form);
            source->open()->read(image.bytes());
        }
    });
    if (comes) {
        REQUIRE(rows.has_value());
        CHECK(std::string(rows->what()) == error->what());
    }
}

/// `file` with each `from` in it replaced.
Bytes replaced(const Bytes& file, const Bytes& from, const Bytes& to) {
    Bytes result;
    for (std::size_t i = 0; i < file.size();) {
        if (file.size() - i >= from.size() &&
            std::equal(from.begin(), from.end(), file.begin() + static_cast<std::ptrdiff_t>(i))) {
            result = std::move(result) + to;
            i += from.size();
        } else {
            result.push_back(file[i++]);
        }
    }
    return result;
}

/// The data as a zlib stream.
Bytes zlib_stream(const Bytes& data) {
    libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
    Bytes packed(libdeflate_zlib_compress_bound(compressor, data.size()));
    packed.resize(
        libdeflate_zlib_compress(compressor, data.data(), data.size(), packed.data(), packed.size()));
    libdeflate_free_compressor(compressor);
    return packed;
}

} // namespace

TEST_CASE("PngSuite, corrupt: signatures and what file transfers do to them") {
    const Bytes good = png_of(good_chunks());
    for (std::size_t i = 0; i < 8; ++i) {
        Bytes broken = good;
        broken[i] ^= std::byte{0x20};
        check_broken("byte " + std::to_string(i) + " of the signature", broken);
        check_broken("without byte " + std::to_string(i) + " of the signature",
                     Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(i)) +
                         Bytes(good.begin() + static_cast<std::ptrdiff_t>(i) + 1, good.end()));
    }
    Bytes stripped = good; // to 7 bits
    stripped[0] &= std::byte{0x7f};
    check_broken("7 bits", stripped);
    check_broken("CR LF became LF", replaced(good, bytes_of("\r\n"), bytes_of("\n")));
    check_broken("LF became CR LF", replaced(good, bytes_of("\n"), bytes_of("\r\n")));
    check_broken("CR LF became CR", replaced(good, bytes_of("\r\n"), bytes_of("\r")));
    check_broken("LF became CR", replaced(good, bytes_of("\n"), bytes_of("\r")));
    check_broken("a MNG", replaced(good, bytes_of("PNG"), bytes_of("MNG")));
}

TEST_CASE("PngSuite, corrupt: headers with colour types, depths and methods that do not exist") {
    const auto with_header = [](std::size_t at, int value) {
        std::vector<Chunk> chunks = good_chunks();
        chunks[0].data.at(at) = static_cast<std::byte>(value);
        return png_of(chunks);
    };
    for (const int type : {1, 5, 7, 8, 9, 255})
        check_broken("colour type " + std::to_string(type), with_header(9, type));
    for (const int bits : {0, 1, 2, 3, 4, 7, 9, 32, 99, 255})
        check_broken("RGB of depth " + std::to_string(bits), with_header(8, bits));
    for (const std::size_t at : {10U, 11U}) {
        for (const int method : {1, 64, 255})
            check_broken("method at " + std::to_string(at), with_header(at, method));
    }
    for (const int method : {2, 255})
        check_broken("interlace method", with_header(12, method));
    for (const std::size_t at : {0U, 4U}) { // width, height
        check_broken("negative", with_header(at, 0x80));
        check_broken("zero", with_header(at + 3, 0));
        check_broken("more than there is", with_header(at + 3, at == 0 ? 33 : 34));
    }
    for (const int bits : {3, 16}) {
        std::vector<Chunk> chunks = good_chunks(PNG_COLOR_TYPE_PALETTE, 4);
        chunks[0].data[8] = static_cast<std::byte>(bits);
        check_broken("a palette of depth " + std::to_string(bits), png_of(chunks));
    }
    std::vector<Chunk> chunks = good_chunks();
    chunks[0].data.push_back(std::byte{0});
    check_broken("a header that is too long", png_of(chunks));
    chunks[0].data.resize(12);
    check_broken("a header that is too short", png_of(chunks));
}

TEST_CASE("PngSuite, corrupt: chunks missing, twice, out of order, with wrong checksums or lengths") {
    for (const int type : {PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_PALETTE}) {
        const std::vector<Chunk> good = good_chunks(type);
        for (std::size_t i = 0; i + 1 < good.size(); ++i) { // without IEND nothing is lost
            std::vector<Chunk> chunks = good;
            chunks.erase(chunks.begin() + static_cast<std::ptrdiff_t>(i));
            check_broken("without " + good[i].type, png_of(chunks));
            for (const std::size_t wrong : {0U, 3U}) {
                Bytes file = png_of(good);
                std::size_t end = 8;
                for (std::size_t k = 0; k <= i; ++k)
                    end += 12 + good[k].data.size();
                file.at(end - 4 + wrong) ^= std::byte{0x10};
                check_broken("checksum of " + good[i].type, file);
            }
        }
        std::vector<Chunk> chunks = good;
        chunks.insert(chunks.begin() + 1, good[0]);
        check_broken("two headers", png_of(chunks));
        chunks = good;
        std::swap(chunks[0], chunks[1]);
        check_broken("the header second", png_of(chunks));
    }
    std::vector<Chunk> chunks = good_chunks(PNG_COLOR_TYPE_PALETTE);
    chunk_of(chunks, "PLTE").data.pop_back();
    check_broken("a palette that is not of threes", png_of(chunks));
    chunk_of(chunks, "PLTE").data.clear();
    check_broken("an empty palette", png_of(chunks));
    chunks = good_chunks(PNG_COLOR_TYPE_PALETTE);
    std::swap(chunks[1], chunks[2]);
    check_broken("the palette after the pixels", png_of(chunks));
    chunks = good_chunks();
    const Bytes data = chunk_of(chunks, "IDAT").data;
    const auto middle = data.begin() + static_cast<std::ptrdiff_t>(data.size() / 2);
    chunks = {chunks[0],
              {"IDAT", Bytes(data.begin(), middle)},
              {"tEXt", bytes_of("a")},
              {"IDAT", Bytes(middle, data.end())},
              chunks.back()};
    check_broken("pixels that are interrupted", png_of(chunks));
    chunks = good_chunks();
    chunks.insert(chunks.begin() + 1, {"PrVt", Bytes(1)}); // critical: not to be passed over
    check_broken("an unknown critical chunk", png_of(chunks));
    Bytes file = png_of(good_chunks());
    file.at(8) = std::byte{0xff};
    check_broken("a chunk of negative length", file);
}

TEST_CASE("PngSuite, corrupt: compressed data") {
    const std::vector<Chunk> good = good_chunks();
    const auto with_data = [&](const Bytes& data) {
        std::vector<Chunk> chunks = good;
        chunk_of(chunks, "IDAT").data = data;
        return png_of(chunks);
    };
    std::vector<Chunk> chunks = good;
    const Bytes packed = chunk_of(chunks, "IDAT").data;
    const auto changed = [&](std::size_t at, std::byte by) {
        Bytes data = packed;
        data.at(at) ^= by;
        return data;
    };
    check_broken("no data", with_data({}));
    check_broken("zlib's method", with_data(changed(0, std::byte{0x07})));
    check_broken("zlib's window", with_data(changed(0, std::byte{0x80})));
    check_broken("zlib's check bits", with_data(changed(1, std::byte{0x01})));
    check_broken("a dictionary", with_data(changed(1, std::byte{0x20})));
    check_broken("a block type that does not exist", with_data(changed(2, std::byte{0x06})));
    for (std::size_t i = 1; i <= 4; ++i)
        check_broken("zlib's checksum", with_data(changed(packed.size() - i, std::byte{1})));
    for (const std::size_t missing : {std::size_t{1}, std::size_t{4}, std::size_t{5}, packed.size() / 2})
        check_broken("cut short",
                     with_data(Bytes(packed.begin(), packed.end() - static_cast<std::ptrdiff_t>(missing))));
    const std::size_t row = 1 + 32 * 3;
    CHECK_FALSE(error_of([&] { decode(with_data(zlib_stream(Bytes(row * 32))), "a.png"); }).has_value());
    check_broken("a row too few", with_data(zlib_stream(Bytes(row * 31))));
    check_broken("a byte too few", with_data(zlib_stream(Bytes(row * 32 - 1))));
    for (const int filter : {5, 6, 255}) {
        Bytes rows(row * 32);
        rows.at(row * 7) = static_cast<std::byte>(filter);
        check_broken("a filter that does not exist", with_data(zlib_stream(rows)));
    }
}
