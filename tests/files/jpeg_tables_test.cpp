// Huffman tables that fit the picture: the files are those that libjpeg makes of the same coefficients.
#include "files/jpeg_files.hpp"
#include "glproc/base/random_words.hpp"
#include "glproc/files/codec.hpp"
#include "support/thread_limit.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// The coefficients of a file, coded by libjpeg with tables of its own making.
Bytes optimized_by_libjpeg(const Bytes& file) {
    jpeg_error_mgr errors{};
    jpeg_decompress_struct from{};
    from.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&from);
    jpeg_mem_src(&from, reinterpret_cast<const unsigned char*>(file.data()), file.size());
    jpeg_read_header(&from, TRUE);
    jvirt_barray_ptr* coefficients = jpeg_read_coefficients(&from);
    jpeg_compress_struct to{};
    to.err = from.err;
    jpeg_create_compress(&to);
    unsigned char* data = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&to, &data, &size);
    jpeg_copy_critical_parameters(&from, &to);
    to.optimize_coding = TRUE;
    to.restart_interval = from.restart_interval;
    jpeg_write_coefficients(&to, coefficients);
    jpeg_finish_compress(&to);
    const auto* begin = reinterpret_cast<const std::byte*>(data);
    Bytes result(begin, begin + size);
    jpeg_destroy_compress(&to);
    jpeg_destroy_decompress(&from);
    std::free(data); // NOLINT: libjpeg's
    return result;
}

/// Values that make many different symbols.
Image noise(int width, int height, int channels) {
    Image image(width, height, channels, Depth::u8);
    RandomWords words;
    for (std::byte& value : image.bytes()) {
        value = static_cast<std::byte>(words() >> 24U);
    }
    return image;
}

} // namespace

TEST_CASE("the tables of a JPEG fit it as those that libjpeg makes, byte for byte") {
    for (const auto& [width, height] : {std::pair(1, 1), std::pair(1, 97), std::pair(211, 1), std::pair(8, 8),
                                        std::pair(17, 23), std::pair(613, 997), std::pair(2001, 1303)}) {
        for (const auto& [channels, subsampling] :
             {std::pair(1, Subsampling::automatic), std::pair(3, Subsampling::s444), std::pair(3, Subsampling::s422),
              std::pair(3, Subsampling::s420), std::pair(3, Subsampling::s440)}) {
            for (const int quality : {1, 50, 75, 90, 100}) {
                for (const Image& image : {smooth_picture(width, height, channels), noise(width, height, channels)}) {
                    INFO(width << "x" << height << ", " << channels << " channels, " << static_cast<int>(subsampling)
                               << ", quality " << quality);
                    EncodeOptions options{.quality = quality, .subsampling = subsampling, .optimize = false};
                    const Bytes plain = encode(image, "jpg", options);
                    options.optimize = true;
                    const Bytes file = encode(image, "jpg", options);
                    CHECK(file == optimized_by_libjpeg(plain));
                    CHECK(file.size() < plain.size());
                }
            }
        }
    }
}

TEST_CASE("a JPEG with tables of its own is the same for any number of threads, and has the same pixels") {
    const Image image = smooth_picture(2001, 1303, 3);
    const Image pixels = decode(encode(image, "jpg", {.optimize = false}), "a.jpg");
    Bytes first;
    for (const std::size_t threads : {1U, 3U, 16U}) {
        const ThreadLimit limit(threads);
        const Bytes file = encode(image, "jpg");
        CHECK((first.empty() || first == file));
        first = file;
    }
    CHECK(same(decode(first, "a.jpg"), pixels));
}
