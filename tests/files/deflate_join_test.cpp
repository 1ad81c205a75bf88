// Streams of libdeflate joined: zlib reads them as one.
#include "files/handmade_files.hpp"
#include "files/pictures.hpp"

#include "glproc/files/codecs/png/deflate_join.hpp"

#include <functional>
#include <memory>
#include <stdexcept>

#include <libdeflate.h>
#include <zlib.h>

using namespace glproc;
using namespace glproc::test;
using codecs::open_end;
using codecs::open_end_room;

namespace {

using Raw = std::vector<std::uint8_t>;

/// A whole stream, with room after it.
struct Stream {
    Raw buffer;
    std::size_t size = 0;
};

Stream pack(const Raw& data, int level) {
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(level), libdeflate_free_compressor);
    Stream stream{Raw(libdeflate_deflate_compress_bound(compressor.get(), data.size()) + open_end_room), 0};
    stream.size = libdeflate_deflate_compress(compressor.get(), data.data(), data.size(),
                                              stream.buffer.data(), stream.buffer.size() - open_end_room);
    return stream;
}

/// By zlib's codes that every decoder knows, and by its own.
Stream pack_by_zlib(const Raw& data, int strategy) {
    z_stream z{};
    REQUIRE(deflateInit2(&z, 9, Z_DEFLATED, -15, 9, strategy) == Z_OK);
    Stream stream{Raw(deflateBound(&z, static_cast<uLong>(data.size())) + open_end_room), 0};
    z.next_in = const_cast<Bytef*>(data.data()); // NOLINT: zlib does not write to it
    z.avail_in = static_cast<uInt>(data.size());
    z.next_out = stream.buffer.data();
    z.avail_out = static_cast<uInt>(stream.buffer.size() - open_end_room);
    REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
    stream.size = z.total_out;
    deflateEnd(&z);
    return stream;
}

Raw unpack(const Raw& packed, std::size_t size) {
    z_stream z{};
    REQUIRE(inflateInit2(&z, -15) == Z_OK);
    Raw data(size + 1);
    z.next_in = const_cast<Bytef*>(packed.data()); // NOLINT
    z.avail_in = static_cast<uInt>(packed.size());
    z.next_out = data.data();
    z.avail_out = static_cast<uInt>(data.size());
    CHECK(inflate(&z, Z_FINISH) == Z_STREAM_END);
    CHECK(z.avail_in == 0);
    data.resize(z.total_out);
    inflateEnd(&z);
    return data;
}

/// Nothing, and bytes of many kinds and lengths, so that blocks are stored, short, many, or full of matches.
std::vector<Raw> inputs() {
    std::vector<Raw> all{{}, {7}, Raw(100000, 3)};
    for (const std::size_t size : {10U, 1000U, 70000U, 400000U}) {
        Raw noise;
        Raw few;
        Raw text;
        for (std::uint32_t i = 0; i < size; ++i) {
            const std::uint32_t h = hash(i);
            noise.push_back(static_cast<std::uint8_t>(h));
            few.push_back(static_cast<std::uint8_t>(h % 5 * (h % 3 == 0 ? 1 : 0)));
            text.push_back(
                static_cast<std::uint8_t>(hash(i / 100 % 60 * 1000 + i % (50 + i / 5000 % 50)) % 60));
        }
        all.insert(all.end(), {noise, few, text});
    }
    return all;
}

void check_joined(const std::vector<Raw>& all, const std::function<Stream(const Raw&)>& make) {
    Raw joined;
    Raw whole;
    for (std::size_t i = 0; i < all.size(); ++i) {
        Stream stream = make(all[i]);
        if (i + 1 < all.size())
            stream.size = open_end(stream.buffer, stream.size);
        joined.insert(joined.end(), stream.buffer.begin(),
                      stream.buffer.begin() + static_cast<std::ptrdiff_t>(stream.size));
        whole.insert(whole.end(), all[i].begin(), all[i].end());
    }
    CHECK((unpack(joined, whole.size()) == whole));
}

} // namespace

TEST_CASE("joined streams are one stream") {
    for (const int level : {0, 1, 2, 5, 6, 9, 10, 12}) {
        INFO("level " << level);
        check_joined(inputs(), [&](const Raw& data) { return pack(data, level); });
    }
}

TEST_CASE("so are streams of another compressor, whatever their codes") {
    for (const int strategy : {Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED})
        check_joined(inputs(), [&](const Raw& data) { return pack_by_zlib(data, strategy); });
}

TEST_CASE("an opened stream ends with a mark and says nowhere that it ends") {
    for (const Raw& data : inputs()) {
        Stream stream = pack(data, 1);
        const std::size_t before = stream.size;
        stream.size = open_end(stream.buffer, stream.size);
        CHECK(stream.size >= before + 4);
        CHECK(stream.size <= before + 5);
        const Raw mark{0, 0, 0xff, 0xff};
        CHECK(std::equal(mark.begin(), mark.end(), &stream.buffer[stream.size - 4]));
    }
}

TEST_CASE("what is no whole stream is refused") {
    const Raw data = inputs().back();
    const Stream good = pack(data, 6);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, good.size / 2, good.size - 1}) {
        Raw buffer = good.buffer;
        CHECK_THROWS_AS(open_end(buffer, size), std::invalid_argument);
    }
    Raw longer = good.buffer;
    CHECK_THROWS_AS(open_end(longer, good.size + 1), std::invalid_argument);
    for (std::size_t i = 0; i < 200; ++i) { // refused or read as something else, but never beyond the buffer
        Raw buffer = good.buffer;
        buffer[i * good.size / 200] ^= static_cast<std::uint8_t>(1U << i % 8);
        try {
            open_end(buffer, good.size);
        } catch (const std::invalid_argument&) {
        }
    }
}
