// Pictures that are decoded in one dispatch share buffers: whatever one of them holds, the others keep their
// pixels.
#include "glproc/gpu_codecs/jpeg/decode.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "gpu_codecs/jpeg_kinds.hpp"
#include "gpu_codecs/jpeg_mutants.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::gpu_codecs;

namespace {

/// A JPEG whose blocks all take as many bits, with the same codes for all components, so that nothing in the
/// bits tells which block of an MCU begins where: the search for the states does not become certain. The last
/// component has `across` times `down` blocks of an MCU; `tail` blocks at the end hold something.
class UniformJpeg {
  public:
    UniformJpeg(int units_across, int units_down, int across, int down, int tail, int coefficients) {
        const int blocks = units_across * units_down * (2 + across * down);
        put({0xff, 0xd8});
        segment(0xdb, std::string(1, '\0') + std::string(64, '\x10'));
        const int width = 8 * across * units_across;
        const int height = 8 * down * units_down;
        segment(0xc0, bytes({8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 0x11, 0, 2, 0x11, 0,
                             3, across << 4 | down, 0}));
        for (const int table : {0x00, 0x10, 0x01, 0x11}) {
            segment(0xc4, bytes({table, 0, 0, 0, 2}) + std::string(12, '\0') +
                              bytes({0, 4})); // two codes of four bits
        }
        segment(0xda, bytes({3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0}));
        for (int k = 0; k < blocks; ++k) {
            code_block(k >= blocks - tail ? k : -1, coefficients);
        }
        code((1U << (8 - used_) % 8) - 1, (8 - used_) % 8);
        put({0xff, 0xd9});
    }

    Bytes file;

  private:
    static std::string bytes(const std::vector<int>& values) { return {values.begin(), values.end()}; }
    void put(const std::vector<int>& values) {
        std::ranges::transform(values, std::back_inserter(file),
                               [](int value) { return static_cast<std::byte>(value); });
    }
    void segment(int marker, const std::string& content) {
        const auto size = static_cast<int>(content.size()) + 2;
        put({0xff, marker, size >> 8, size & 255});
        put({content.begin(), content.end()});
    }
    void code(unsigned value, int count) {
        for (int i = count - 1; i >= 0; --i) {
            byte_ = byte_ << 1U | (value >> static_cast<unsigned>(i) & 1U);
            if (++used_ % 8 == 0) {
                put({static_cast<int>(byte_ & 255U)});
                if ((byte_ & 255U) == 255U) {
                    put({0});
                }
            }
        }
    }
    void code_block(int number, int coefficients) {
        if (number < 0) {
            code(0, 8); // no difference, end of block
            return;
        }
        code(1, 4);
        code(number % 2 == 0 ? 12 : 3, 4);
        for (int i = 0; i < coefficients; ++i) {
            code(1, 4);
            code((i + number) % 2 == 0 ? 6 : 9, 4);
        }
        code(0, 4);
    }

    unsigned byte_ = 0;
    int used_ = 0;
};

bool same_pixels(const Image& a, const Image& b) {
    return a.form() == b.form() && std::ranges::equal(a.bytes(), b.bytes());
}

/// That `hostile`, with an innocent picture before and behind it, changes neither; and is right itself, if it
/// is taken.
void check_between(const Bytes& hostile, const std::vector<Bytes>& innocent,
                   const DecodeOptions& options = {}) {
    std::vector<const Bytes*> files{&innocent[0], &hostile, &innocent[1]};
    std::vector<JpegScan> scans;
    for (const Bytes* file : files) {
        std::optional<JpegScan> scan = read_jpeg_scan(*file, "file.jpg", options);
        if (!scan) {
            REQUIRE(file == &hostile);
            return;
        }
        scans.push_back(std::move(*scan));
    }
    const std::vector<const JpegScan*> together{&scans[0], &scans[1], &scans[2]};
    REQUIRE(can_decode(gpu(), together));
    const auto taken = begin_decoding(gpu(), together).take();
    for (std::size_t i = 0; i < files.size(); ++i) {
        REQUIRE((taken[i] || i == 1));
        if (taken[i]) {
            INFO("picture " << i);
            REQUIRE(same_pixels(gpu().download(*taken[i]), decode(*files[i], "file.jpg", options)));
        }
    }
}

const std::vector<Bytes>& innocent_pair() {
    static const std::vector<Bytes> files{
        write_jpeg({.factors = {2, 2, 1, 1, 1, 1}, .width = 640, .height = 480}),
        write_jpeg({.width = 643, .height = 481, .optimised = true})};
    return files;
}

} // namespace

TEST_CASE("a JPEG whose blocks cannot be told apart leaves its neighbours alone") {
    for (const int across : {1, 2}) {
        for (const int down : {1, 2}) {
            for (const int tail : {1, 5, 40}) {
                for (const int coefficients : {2, 20}) {
                    INFO(across << "x" << down << " blocks, tail of " << tail << " with " << coefficients);
                    check_between(UniformJpeg(71, 20, across, down, tail, coefficients).file,
                                  innocent_pair());
                }
            }
        }
    }
}

TEST_CASE("broken JPEGs leave their neighbours alone") {
    const std::vector<Bytes> sound{
        UniformJpeg(71, 20, 2, 2, 5, 2).file, UniformJpeg(23, 9, 2, 1, 40, 20).file,
        write_jpeg({.factors = {1, 1, 1, 1, 2, 2}, .width = 300, .height = 200, .scene = Scene::noise}),
        write_jpeg({.quality = 40, .width = 250, .height = 240, .restart = 7, .optimised = true})};
    for (std::size_t kind = 0; kind < sound.size(); ++kind) {
        for (std::uint32_t n = 0; n < 24; ++n) {
            INFO("kind " << kind << ", mutant " << n);
            check_between(mutant_of(sound[kind], n), innocent_pair());
        }
    }
}
