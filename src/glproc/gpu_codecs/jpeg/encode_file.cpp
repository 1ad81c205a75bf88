#include "glproc/gpu_codecs/jpeg/encode_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace glproc::gpu_codecs {

namespace {

/// Apart from the size, a header is the same as for a picture of one pixel.
Image one_pixel(const Form& form, const Metadata& metadata) {
    Image image(1, 1, form.channels, form.depth);
    image.set_metadata(metadata);
    return image;
}

} // namespace

EncodedFile::EncodedFile(const Form& form, const Metadata& metadata, const EncodeOptions& options,
                         std::string_view name)
    : EncodedFile(one_pixel(form, metadata), form, options, name) {}

EncodedFile::EncodedFile(const Image& sample, const Form& form, const EncodeOptions& options,
                         std::string_view name)
    : frame_(codecs::encode_jpeg_rows({sample, name, "jpg", options}, 0, 1), form.width, form.height),
      layout_(frame_), metadata_(codecs::jpeg_metadata({sample, name, "jpg", options})),
      makes_tables_(options.optimize) {}

std::vector<std::byte> EncodedFile::put_together(std::span<const std::uint32_t> part) const {
    const std::size_t strips = layout_.sizes().strips;
    const std::uint32_t* const strip = part.data() + 2;
    const std::uint32_t* const codes = strip + 2 * strips;
    const std::byte* const data = std::as_bytes(part.subspan(layout_.words_before_data())).data();
    std::vector<std::byte> file = frame_.begin(tables_of_codes(codes, frame_.huffman()), metadata_);
    file.reserve(file.size() + std::size_t{part[0]} * 4 / 8 * 9);
    for (std::size_t i = 0; i < strips; ++i) {
        if (i > 0) {
            codecs::JpegFrame::append_restart(file, i - 1);
        }
        const std::size_t bits = strip[2 * i + 1];
        append_stuffed(file, {data + std::size_t{4} * strip[2 * i], (bits + 7) / 8});
    }
    codecs::JpegFrame::append_end(file);
    return file;
}

void append_stuffed(std::vector<std::byte>& file, std::span<const std::byte> data) {
    static_assert(std::endian::native == std::endian::little,
                  "the first byte is looked for in the lowest bits");
    constexpr std::size_t part = 8192;
    std::array<std::byte, 2 * part>
        buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
    while (!data.empty()) {
        const std::size_t count = std::min(part, data.size());
        std::size_t from = 0;
        std::size_t to = 0;
        while (from + 8 <= count) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, data.data() + from, 8);
            std::memcpy(buffer.data() + to, &eight, 8);
            const std::uint64_t ones =
                (~eight - 0x0101010101010101U) & eight & 0x8080808080808080U; // the lowest is exact
            const std::size_t sound =
                ones == 0 ? 8 : static_cast<std::size_t>(std::countr_zero(ones)) / 8 + 1;
            from += sound;
            to += sound;
            if (ones != 0) {
                buffer[to++] = std::byte{0};
            }
        }
        for (; from < count; ++from) {
            buffer[to++] = data[from];
            if (data[from] == std::byte{0xff}) {
                buffer[to++] = std::byte{0};
            }
        }
        file.insert(file.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(to));
        data = data.subspan(count);
    }
}

} // namespace glproc::gpu_codecs
