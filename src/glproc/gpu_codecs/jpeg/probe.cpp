#include "glproc/gpu_codecs/jpeg/probe.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/random_words.hpp"
#include "glproc/files/codecs/jpeg/libjpeg.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>

namespace glproc::gpu_codecs {

namespace {

using codecs::Errors;

/// libjpeg's encoder into memory. Its steps own nothing that has a destructor.
class ProbeEncoder {
  public:
    ProbeEncoder() {
        jpeg.err = errors_.install();
        attempt([this] {
            jpeg_create_compress(&jpeg);
            jpeg_mem_dest(&jpeg, &data_, &size_);
        });
    }
    ProbeEncoder(const ProbeEncoder&) = delete;
    ProbeEncoder& operator=(const ProbeEncoder&) = delete;
    ~ProbeEncoder() {
        jpeg_destroy_compress(&jpeg);
        std::free(data_); // NOLINT(cppcoreguidelines-no-malloc): libjpeg's own
    }

    template <class Step>
    void attempt(Step step) {
        if (!errors_.attempt(step)) {
            throw Error(ErrorCode::operation, errors_.message.data());
        }
    }

    std::vector<std::byte> finish() {
        attempt([this] { jpeg_finish_compress(&jpeg); });
        const auto* bytes = reinterpret_cast<const std::byte*>(data_);
        return {bytes, bytes + size_};
    }

    jpeg_compress_struct jpeg{};

  private:
    Errors errors_;
    unsigned char* data_ = nullptr;
    unsigned long size_ = 0;
};

/// Soft shapes with noise on them, and hard edges.
void put_row(std::uint32_t y, std::uint32_t width, int components, JSAMPLE* to) {
    RandomWords noise(y * 2654435761U + 1);
    for (std::uint32_t x = 0; x < width; ++x) {
        for (int c = 0; c < components; ++c) {
            const std::uint32_t shape = (x * (3 + static_cast<std::uint32_t>(c)) + y * 2) / ((x / 40 + y / 30) % 3 + 1);
            *to++ = static_cast<JSAMPLE>((shape + (noise() >> 27U)) & 255U);
        }
    }
}

struct Sampling {
    int across;
    int down;
    int components;
};

std::vector<std::byte> picture(const Sampling& sampling) {
    constexpr JDIMENSION width = 301; // several groups of every kernel, and odd sizes
    constexpr JDIMENSION height = 203;
    ProbeEncoder encoder;
    jpeg_compress_struct& jpeg = encoder.jpeg;
    std::array<JSAMPLE, std::size_t{width} * 3> samples{};
    encoder.attempt([&] {
        jpeg.image_width = width;
        jpeg.image_height = height;
        jpeg.input_components = sampling.components;
        jpeg.in_color_space = sampling.components == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_set_defaults(&jpeg);
        jpeg_set_quality(&jpeg, 93, TRUE);
        jpeg.comp_info[0].h_samp_factor = sampling.across;
        jpeg.comp_info[0].v_samp_factor = sampling.down;
        jpeg.restart_interval = sampling.down == 2 ? 0 : 150;
        jpeg_start_compress(&jpeg, TRUE);
        while (jpeg.next_scanline < height) {
            put_row(jpeg.next_scanline, width, sampling.components, samples.data());
            JSAMPROW row = samples.data();
            jpeg_write_scanlines(&jpeg, &row, 1);
        }
    });
    return encoder.finish();
}

/// One block for each pair of chroma values, all of one luma.
std::vector<std::byte> every_colour() {
    constexpr int side = 256;
    constexpr int quantisation = 8; // then the first coefficient is the mean of its block
    ProbeEncoder encoder;
    jpeg_compress_struct& jpeg = encoder.jpeg;
    std::array<jvirt_barray_ptr, 3> blocks{};
    encoder.attempt([&] {
        auto* common = reinterpret_cast<j_common_ptr>(&jpeg);
        jpeg.image_width = jpeg.image_height = side * DCTSIZE;
        jpeg.input_components = 3;
        jpeg.in_color_space = JCS_YCbCr;
        jpeg_set_defaults(&jpeg);
        jpeg.restart_interval = side; // such blocks look alike: a decoder that begins in the middle cannot tell them apart
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            jpeg.comp_info[i].h_samp_factor = jpeg.comp_info[i].v_samp_factor = 1;
            for (UINT16& value : jpeg.quant_tbl_ptrs[i == 0 ? 0 : 1]->quantval) {
                value = quantisation;
            }
            blocks[i] = jpeg.mem->request_virt_barray(common, JPOOL_IMAGE, TRUE, side, side, 1);
        }
        jpeg_write_coefficients(&jpeg, blocks.data());
        for (JDIMENSION y = 0; y < side; ++y) {
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                JBLOCKARRAY row = jpeg.mem->access_virt_barray(common, blocks[i], y, 1, TRUE);
                for (int x = 0; x < side && i > 0; ++x) {
                    row[0][x][0] = static_cast<JCOEF>((i == 1 ? x : static_cast<int>(y)) - side / 2);
                }
            }
        }
    });
    return encoder.finish();
}

} // namespace

std::vector<std::vector<std::byte>> probe_jpegs() {
    std::vector<std::vector<std::byte>> files;
    for (const Sampling& sampling : {Sampling{1, 1, 3}, {2, 1, 3}, {2, 2, 3}, {1, 2, 3}, {4, 1, 3}, {1, 1, 1}}) {
        files.push_back(picture(sampling));
    }
    files.push_back(every_colour());
    return files;
}

Image probe_picture(int width, int height, int channels) {
    Image image(width, height, channels, Depth::u8);
    for (int y = 0; y < height; ++y) {
        put_row(static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(width), channels,
                reinterpret_cast<JSAMPLE*>(image.row(y)));
    }
    return image;
}

} // namespace glproc::gpu_codecs
