// JPEG files of every kind that the GPU decodes, and of some that it leaves to the CPU, written by libjpeg.
#pragma once

#include "glproc/image/image.hpp"
#include "support/inputs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio> // jpeglib.h needs FILE
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <jpeglib.h>

namespace glproc::test {

using Bytes = std::vector<std::byte>;

/// What a picture shows.
enum class Scene { photo, noise, two_values, white };

struct JpegKind {
    std::array<int, 6> factors{1, 1, 1, 1, 1, 1}; ///< across and down, of each component
    int quality = 90;
    int width = 64;
    int height = 48;
    unsigned restart = 0; ///< MCUs
    bool optimised = false;
    bool grey = false;
    bool rgb = false;
    bool progressive = false;
    bool arithmetic = false;
    Scene scene = Scene::photo;

    std::string name() const {
        return fmt::format("{}x{} {}{}{}{}{}{} q{} r{}{}{}{}{}{} scene {}", width, height, factors[0], factors[1], factors[2],
                           factors[3], factors[4], factors[5], quality, restart, optimised ? " optimised" : "",
                           grey ? " grey" : "", rgb ? " RGB" : "", progressive ? " progressive" : "",
                           arithmetic ? " arithmetic" : "", static_cast<int>(scene));
    }
};

/// One encoder of libjpeg, which ends the program if it fails.
class JpegEncoder {
  public:
    JpegEncoder() {
        jpeg.err = jpeg_std_error(&errors_);
        jpeg_create_compress(&jpeg);
        jpeg_mem_dest(&jpeg, &data_, &size_);
    }
    JpegEncoder(const JpegEncoder&) = delete;
    JpegEncoder& operator=(const JpegEncoder&) = delete;
    ~JpegEncoder() {
        jpeg_destroy_compress(&jpeg);
        std::free(data_); // NOLINT(cppcoreguidelines-no-malloc): libjpeg's own
    }

    Bytes finish() {
        jpeg_finish_compress(&jpeg);
        const auto* bytes = reinterpret_cast<const std::byte*>(data_);
        return {bytes, bytes + size_};
    }

    jpeg_compress_struct jpeg{};

  private:
    jpeg_error_mgr errors_{};
    unsigned char* data_ = nullptr;
    unsigned long size_ = 0;
};

inline Image scene_of(const JpegKind& kind) {
    const Shape shape{kind.width, kind.height, kind.grey ? 1 : 3, Depth::u8};
    switch (kind.scene) {
    case Scene::noise:
        return random_image(shape);
    case Scene::two_values:
        return two_valued_image(shape);
    case Scene::white:
        return constant_image(shape, 1);
    case Scene::photo:
        break;
    }
    return photo_like_image(shape);
}

inline Bytes write_jpeg(const JpegKind& kind) {
    const Image image = scene_of(kind);
    JpegEncoder encoder;
    jpeg_compress_struct& jpeg = encoder.jpeg;
    jpeg.image_width = static_cast<JDIMENSION>(kind.width);
    jpeg.image_height = static_cast<JDIMENSION>(kind.height);
    jpeg.input_components = image.channels();
    jpeg.in_color_space = kind.grey ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&jpeg);
    if (kind.rgb) {
        jpeg_set_colorspace(&jpeg, JCS_RGB);
    }
    jpeg_set_quality(&jpeg, kind.quality, TRUE);
    for (int i = 0; i < jpeg.num_components; ++i) {
        jpeg.comp_info[i].h_samp_factor = kind.factors.at(2 * static_cast<std::size_t>(i));
        jpeg.comp_info[i].v_samp_factor = kind.factors.at(2 * static_cast<std::size_t>(i) + 1);
    }
    jpeg.restart_interval = kind.restart;
    jpeg.optimize_coding = kind.optimised ? TRUE : FALSE;
    jpeg.arith_code = kind.arithmetic ? TRUE : FALSE;
    if (kind.progressive) {
        jpeg_simple_progression(&jpeg);
    }
    jpeg_start_compress(&jpeg, TRUE);
    std::vector<JSAMPLE> samples(image.row_bytes());
    for (int y = 0; y < kind.height; ++y) {
        for (std::size_t i = 0; i < samples.size(); ++i) {
            samples[i] = std::to_integer<JSAMPLE>(image.row(y)[i]);
        }
        JSAMPROW row = samples.data();
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    return encoder.finish();
}

/// A file of coefficients, which need not come from any pixels.
struct JpegBlocks {
    int across = 16; ///< blocks of luma
    int down = 16;
    int factor = 1;       ///< how many columns and rows share a value of colour
    int quantisation = 8; ///< of every coefficient
    unsigned restart = 0; ///< MCUs
};

using PutBlock = std::function<void(int component, int x, int y, std::span<JCOEF, DCTSIZE2> block)>;

inline Bytes write_coefficients(const JpegBlocks& blocks, const PutBlock& put) {
    JpegEncoder encoder;
    jpeg_compress_struct& jpeg = encoder.jpeg;
    jpeg.image_width = static_cast<JDIMENSION>(blocks.across * DCTSIZE);
    jpeg.image_height = static_cast<JDIMENSION>(blocks.down * DCTSIZE);
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_YCbCr;
    jpeg_set_defaults(&jpeg);
    jpeg.optimize_coding = TRUE;
    jpeg.restart_interval = blocks.restart;
    std::array<jvirt_barray_ptr, 3> arrays{};
    for (int i = 0; i < 3; ++i) {
        const int factor = i == 0 ? blocks.factor : 1;
        const int shared = i == 0 ? 1 : blocks.factor;
        jpeg.comp_info[i].h_samp_factor = jpeg.comp_info[i].v_samp_factor = factor;
        for (int k = 0; k < DCTSIZE2; ++k) {
            jpeg.quant_tbl_ptrs[i == 0 ? 0 : 1]->quantval[k] = static_cast<UINT16>(blocks.quantisation);
        }
        arrays.at(static_cast<std::size_t>(i)) = jpeg.mem->request_virt_barray(
            reinterpret_cast<j_common_ptr>(&jpeg), JPOOL_IMAGE, TRUE, static_cast<JDIMENSION>(blocks.across / shared),
            static_cast<JDIMENSION>(blocks.down / shared), static_cast<JDIMENSION>(factor));
    }
    jpeg_write_coefficients(&jpeg, arrays.data());
    for (int i = 0; i < 3; ++i) {
        const int shared = i == 0 ? 1 : blocks.factor;
        for (int y = 0; y < blocks.down / shared; ++y) {
            JBLOCKARRAY rows = jpeg.mem->access_virt_barray(reinterpret_cast<j_common_ptr>(&jpeg),
                                                            arrays.at(static_cast<std::size_t>(i)),
                                                            static_cast<JDIMENSION>(y), 1, TRUE);
            for (int x = 0; x < blocks.across / shared; ++x) {
                put(i, x, y, std::span<JCOEF, DCTSIZE2>(rows[0][x], DCTSIZE2));
            }
        }
    }
    return encoder.finish();
}

/// Every pair of blue and red differences, a block each, of one luma. Such blocks look so much alike that a decoder which begins
/// in the middle cannot tell where one begins, so there are restart markers.
inline Bytes write_every_colour(int luma) {
    return write_coefficients({.across = 256, .down = 256, .restart = 256}, [&](int component, int x, int y, auto block) {
        block[0] = static_cast<JCOEF>((component == 0 ? luma : component == 1 ? x : y) - 128);
    });
}

/// Coefficients without any sense, up to the limits of the format.
inline Bytes write_random_coefficients(int quantisation, int amplitude, int share, int factor) {
    std::uint32_t n = 0;
    const auto random = [&](int below) {
        return static_cast<int>(hash_01(7, ++n, static_cast<std::uint32_t>(quantisation), static_cast<std::uint32_t>(amplitude)) *
                                below);
    };
    return write_coefficients({.across = 4, .down = 4, .factor = factor, .quantisation = quantisation},
                              [&](int, int, int, auto block) {
                                  for (std::size_t i = 0; i < block.size(); ++i) {
                                      const bool is_set = i == 0 || random(100) < share;
                                      block[i] = static_cast<JCOEF>(is_set ? random(2 * amplitude + 1) - amplitude : 0);
                                  }
                              });
}

/// All kinds that a GPU should take.
inline std::vector<JpegKind> sound_kinds() {
    constexpr std::array<std::array<int, 6>, 10> samplings{{{1, 1, 1, 1, 1, 1},
                                                            {2, 1, 1, 1, 1, 1},
                                                            {2, 2, 1, 1, 1, 1},
                                                            {1, 2, 1, 1, 1, 1},
                                                            {4, 1, 1, 1, 1, 1},
                                                            {1, 4, 1, 1, 1, 1},
                                                            {4, 2, 1, 1, 1, 1},
                                                            {2, 4, 1, 1, 1, 1},
                                                            {2, 2, 2, 1, 1, 2},
                                                            {1, 1, 2, 2, 1, 1}}};
    constexpr std::array<std::array<int, 2>, 8> sizes{{{1, 1}, {3, 2}, {5, 17}, {8, 8}, {33, 31}, {64, 48}, {101, 67}, {131, 9}}};
    constexpr std::array<int, 5> qualities{1, 30, 75, 92, 100};
    std::vector<JpegKind> kinds;
    std::size_t n = 0;
    for (const auto& factors : samplings) {
        for (const auto& size : sizes) {
            for (const int quality : qualities) {
                JpegKind kind{.factors = factors, .quality = quality, .width = size[0], .height = size[1]};
                kind.restart = n % 3 == 0 ? 0 : static_cast<unsigned>(n % 7);
                kind.optimised = n % 4 == 1;
                kind.scene = n % 11 == 3 ? Scene::noise : n % 11 == 6 ? Scene::two_values : n % 11 == 9 ? Scene::white : Scene::photo;
                kinds.push_back(kind);
                ++n;
            }
        }
    }
    for (const auto& size : sizes) {
        for (const int quality : qualities) {
            JpegKind kind{.quality = quality, .width = size[0], .height = size[1], .grey = true};
            kind.factors = n % 2 == 0 ? std::array{1, 1, 1, 1, 1, 1} : std::array{2, 2, 1, 1, 1, 1};
            kind.restart = static_cast<unsigned>(n++ % 4);
            kinds.push_back(kind);
        }
        kinds.push_back({.width = size[0], .height = size[1], .rgb = true});
    }
    kinds.push_back({.factors = {2, 2, 1, 1, 1, 1}, .width = 300, .height = 211});               // several groups
    kinds.push_back({.factors = {2, 1, 1, 1, 1, 1}, .quality = 97, .width = 413, .height = 309}); // with their states
    return kinds;
}

} // namespace glproc::test
