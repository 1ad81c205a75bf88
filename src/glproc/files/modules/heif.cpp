// HEIF and AVIF, through libheif: RGB and RGBA, 8 bits, and 10 or 12 as 16. ISO/IEC 23008-12; AV1 Image File
// Format, https://aomediacodec.github.io/av1-avif/
#include "glproc/files/modules/alpha.hpp"
#include "glproc/files/modules/module.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include <libheif/heif.h>

namespace {

using glproc::Depth;
using glproc::Extent;
using glproc::Form;
using glproc::Metadata;
using glproc::modules::Reading;
using glproc::modules::Writing;
using Bytes = std::vector<std::byte>;

struct Free {
    void operator()(heif_context* context) const { heif_context_free(context); }
    void operator()(heif_image_handle* handle) const { heif_image_handle_release(handle); }
    void operator()(heif_image* image) const { heif_image_release(image); }
    void operator()(heif_encoder* encoder) const { heif_encoder_release(encoder); }
    void operator()(heif_encoding_options* options) const { heif_encoding_options_free(options); }
    void operator()(heif_decoding_options* options) const { heif_decoding_options_free(options); }
    void operator()(heif_color_profile_nclx* profile) const { heif_nclx_color_profile_free(profile); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

std::string words_of(const heif_error& error) {
    std::string words = error.message == nullptr ? "unknown error" : error.message;
    std::erase_if(words, [](char c) { return c < ' ' || c > '~'; });
    return words;
}

void check(Reading& reading, const heif_error& error) {
    // What a file asks for beyond libheif's limits is the file's fault.
    if (error.code == heif_error_Memory_allocation_error &&
        error.subcode != heif_suberror_Security_limit_exceeded)
        throw std::bad_alloc();
    if (error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype)
        reading.fail("unsupported HEIF: " + words_of(error));
    if (error.code != heif_error_Ok)
        reading.fail("corrupt HEIF: " + words_of(error));
}

/// The offset of the TIFF structure stands before it.
void trim_exif(Bytes& exif) {
    std::size_t offset = 4;
    for (std::size_t i = 0; i < 4 && exif.size() >= 4; ++i)
        offset += std::to_integer<std::size_t>(exif[i]) << (24 - 8 * i);
    exif.erase(exif.begin(), exif.begin() + static_cast<std::ptrdiff_t>(std::min(offset, exif.size())));
}

Metadata metadata_of(Reading& reading, const heif_image_handle* handle) {
    Metadata metadata;
    metadata.icc.resize(heif_image_handle_get_raw_color_profile_size(handle));
    if (!metadata.icc.empty())
        check(reading, heif_image_handle_get_raw_color_profile(handle, metadata.icc.data()));
    const int count = heif_image_handle_get_number_of_metadata_blocks(handle, nullptr);
    std::vector<heif_item_id> ids(static_cast<std::size_t>(std::max(count, 0)));
    heif_image_handle_get_list_of_metadata_block_IDs(handle, nullptr, ids.data(), count);
    for (const heif_item_id id : ids) {
        const std::string type = heif_image_handle_get_metadata_type(handle, id);
        const std::string content = heif_image_handle_get_metadata_content_type(handle, id);
        Bytes* into = type == "Exif"                                       ? &metadata.exif
                      : type == "mime" && content == "application/rdf+xml" ? &metadata.xmp
                                                                           : nullptr;
        if (into == nullptr || !into->empty())
            continue;
        into->resize(heif_image_handle_get_metadata_size(handle, id));
        check(reading, heif_image_handle_get_metadata(handle, id, into->data()));
    }
    trim_exif(metadata.exif);
    return metadata;
}

/// Colours of other primaries that no profile describes look wrong elsewhere.
void note_colours(Reading& reading, const heif_image_handle* handle) {
    heif_color_profile_nclx* found = nullptr;
    const heif_error error = heif_image_handle_get_nclx_color_profile(handle, &found);
    const Owned<heif_color_profile_nclx> profile(found);
    if (error.code != heif_error_Ok || profile == nullptr ||
        heif_image_handle_get_raw_color_profile_size(handle) != 0)
        return;
    const auto primaries = profile->color_primaries;
    const auto transfer = profile->transfer_characteristics;
    const bool usual =
        (primaries == heif_color_primaries_ITU_R_BT_709_5 || primaries == heif_color_primaries_unspecified) &&
        transfer != heif_transfer_characteristic_ITU_R_BT_2100_0_PQ &&
        transfer != heif_transfer_characteristic_ITU_R_BT_2100_0_HLG;
    if (!usual)
        reading.note("its colours are not sRGB, and no ICC profile describes them");
}

/// The values of a row, of fewer than 16 bits in two bytes each, as 16 bits.
void widen(const std::uint8_t* from, std::span<std::byte> row, int bits) {
    const std::uint32_t most = (1U << static_cast<unsigned>(bits)) - 1;
    for (std::size_t i = 0; i + 2 <= row.size(); i += 2) {
        const std::uint32_t stored = from[i] | static_cast<std::uint32_t>(from[i + 1]) << 8U;
        const auto value = static_cast<std::uint16_t>((std::min(stored, most) * 65535U + most / 2) / most);
        std::memcpy(&row[i], &value, 2);
    }
}

heif_chroma chroma_of(const Form& form) {
    const bool alpha = form.channels == 4;
    if (form.depth == Depth::u8)
        return alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    return alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE;
}

void read_pixels(Reading& reading, const heif_image_handle* handle, const Form& form,
                 std::span<std::byte> pixels) {
    heif_image* decoded = nullptr;
    const Owned<heif_decoding_options> options(heif_decoding_options_alloc());
    options->strict_decoding = 1;
    const heif_error error =
        heif_decode_image(handle, &decoded, heif_colorspace_RGB, chroma_of(form), options.get());
    const Owned<heif_image> image(decoded);
    check(reading, error);
    int stride = 0;
    const std::uint8_t* plane = heif_image_get_plane_readonly(image.get(), heif_channel_interleaved, &stride);
    // What is coded may be of another size than the file has promised.
    if (plane == nullptr || heif_image_get_width(image.get(), heif_channel_interleaved) != form.width ||
        heif_image_get_height(image.get(), heif_channel_interleaved) != form.height)
        reading.fail("corrupt HEIF: the coded image has another size");
    const int bits = heif_image_get_bits_per_pixel_range(image.get(), heif_channel_interleaved);
    for (int y = 0; y < form.height; ++y, plane += stride) {
        const auto row = pixels.subspan(static_cast<std::size_t>(y) * form.row_bytes(), form.row_bytes());
        if (form.depth == Depth::u8) {
            std::memcpy(row.data(), plane, row.size());
        } else {
            widen(plane, row, std::clamp(bits, 9, 16));
        }
    }
}

Extent extent_of(const heif_image_handle* handle) {
    return {heif_image_handle_get_width(handle), heif_image_handle_get_height(handle)};
}

/// The smallest preview in the file that is enough and shows the same picture; null where there is none.
Owned<heif_image_handle> preview_of(const Reading& reading, const heif_image_handle* handle) {
    const Extent whole = extent_of(handle);
    std::vector<heif_item_id> ids(static_cast<std::size_t>(std::max(heif_image_handle_get_number_of_thumbnails(handle), 0)));
    heif_image_handle_get_list_of_thumbnail_IDs(handle, ids.data(), static_cast<int>(ids.size()));
    Owned<heif_image_handle> best;
    for (const heif_item_id id : ids) {
        heif_image_handle* found = nullptr;
        if (heif_image_handle_get_thumbnail(handle, id, &found).code != heif_error_Ok)
            continue;
        Owned<heif_image_handle> preview(found);
        const Extent size = extent_of(found);
        const double shape = static_cast<double>(whole.width) * size.height - static_cast<double>(whole.height) * size.width;
        const bool is_same = size.width < whole.width && std::abs(shape) <= std::max(whole.width, whole.height) && // a pixel
                             heif_image_handle_has_alpha_channel(handle) == heif_image_handle_has_alpha_channel(found);
        if (is_same && reading.is_enough(size, whole) && (best == nullptr || size.width < extent_of(best.get()).width))
            best = std::move(preview);
    }
    return best;
}

void read(Reading& reading) {
    const Owned<heif_context> context(heif_context_alloc());
    if (context == nullptr)
        throw std::bad_alloc();
    check(reading, heif_context_read_from_memory_without_copy(context.get(), reading.file().data(),
                                                              reading.file().size(), nullptr));
    heif_image_handle* primary = nullptr;
    const heif_error error = heif_context_get_primary_image_handle(context.get(), &primary);
    Owned<heif_image_handle> handle(primary);
    check(reading, error);
    int width = extent_of(handle.get()).width;
    int height = extent_of(handle.get()).height;
    reading.check_size(static_cast<std::uint64_t>(std::max(width, 0)),
                       static_cast<std::uint64_t>(std::max(height, 0)));
    reading.set_upright_metadata(metadata_of(reading, handle.get())); // libheif turns the picture
    reading.set_frames(heif_context_get_number_of_top_level_images(context.get()));
    note_colours(reading, handle.get());
    if (Owned<heif_image_handle> preview = preview_of(reading, handle.get())) {
        const Extent size = extent_of(preview.get());
        reading.set_fraction({{width, height}, static_cast<double>(size.width), static_cast<double>(size.height)});
        handle = std::move(preview);
        width = size.width;
        height = size.height;
    }
    const bool deep = heif_image_handle_get_luma_bits_per_pixel(handle.get()) > 8;
    const Form form{width, height, heif_image_handle_has_alpha_channel(handle.get()) != 0 ? 4 : 3,
                    deep ? Depth::u16 : Depth::u8};
    const std::span<std::byte> pixels = reading.start(form);
    if (pixels.empty())
        return;
    read_pixels(reading, handle.get(), form, pixels);
    if (heif_image_handle_is_premultiplied_alpha(handle.get()) == 0)
        return;
    if (deep) {
        glproc::modules::divide_by_alpha<std::uint16_t>(
            {reinterpret_cast<std::uint16_t*>(pixels.data()), pixels.size() / 2}, 4);
    } else {
        glproc::modules::divide_by_alpha<std::uint8_t>(
            {reinterpret_cast<std::uint8_t*>(pixels.data()), pixels.size()}, 4);
    }
}

void check(Writing& writing, const heif_error& error) {
    if (error.code == heif_error_Memory_allocation_error)
        throw std::bad_alloc();
    if (error.code != heif_error_Ok)
        writing.fail("libheif: " + words_of(error));
}

constexpr int deep_bits = 12; ///< as many as AV1 has

Owned<heif_image> image_of(Writing& writing) {
    const Form& form = writing.form();
    const bool deep = form.depth == Depth::u16;
    heif_image* made = nullptr;
    const heif_error error =
        heif_image_create(form.width, form.height, heif_colorspace_RGB, chroma_of(form), &made);
    Owned<heif_image> image(made);
    check(writing, error);
    check(writing, heif_image_add_plane(image.get(), heif_channel_interleaved, form.width, form.height,
                                        deep ? deep_bits : 8));
    int stride = 0;
    std::uint8_t* plane = heif_image_get_plane(image.get(), heif_channel_interleaved, &stride);
    for (int y = 0; y < form.height; ++y, plane += stride) {
        const auto row =
            writing.pixels().subspan(static_cast<std::size_t>(y) * form.row_bytes(), form.row_bytes());
        if (!deep) {
            std::memcpy(plane, row.data(), row.size());
            continue;
        }
        for (std::size_t i = 0; i + 2 <= row.size(); i += 2) {
            std::uint16_t value = 0;
            std::memcpy(&value, &row[i], 2);
            const std::uint32_t code = (value * ((1U << deep_bits) - 1) + 32767U) / 65535U;
            plane[i] = static_cast<std::uint8_t>(code & 0xffU);
            plane[i + 1] = static_cast<std::uint8_t>(code >> 8U);
        }
    }
    const Bytes& icc = writing.metadata().icc;
    if (!icc.empty())
        check(writing, heif_image_set_raw_color_profile(image.get(), "prof", icc.data(), icc.size()));
    return image;
}

Owned<heif_encoder> encoder_for(Writing& writing, heif_context* context) {
    const bool avif = writing.extension() == "avif";
    heif_encoder* found = nullptr;
    const heif_error error = heif_context_get_encoder_for_format(
        context, avif ? heif_compression_AV1 : heif_compression_HEVC, &found);
    Owned<heif_encoder> encoder(found);
    if (error.code != heif_error_Ok)
        writing.fail(
            avif ? "this libheif has no encoder for AV1, which Debian packages as libheif-plugin-aomenc"
                 : "this libheif has no encoder for HEVC, which Debian packages as libheif-plugin-x265");
    check(writing, heif_encoder_set_lossy_quality(encoder.get(), writing.options().quality_or_default()));
    const bool full_colour = writing.options().quality_or_default() >= 90; // as for JPEG
    check(writing, heif_encoder_set_parameter_string(encoder.get(), "chroma", full_colour ? "444" : "420"));
    return encoder;
}

void write(Writing& writing) {
    if (writing.options().lossless)
        writing.fail("libheif cannot write without loss"); // 1.15 changes values even when asked not to
    const Owned<heif_context> context(heif_context_alloc());
    const Owned<heif_image> image = image_of(writing);
    const Owned<heif_encoder> encoder = encoder_for(writing, context.get());
    const Owned<heif_encoding_options> options(heif_encoding_options_alloc());
    heif_image_handle* made = nullptr;
    const heif_error error =
        heif_context_encode_image(context.get(), image.get(), encoder.get(), options.get(), &made);
    const Owned<heif_image_handle> handle(made);
    check(writing, error);
    const Metadata& metadata = writing.metadata();
    if (!metadata.exif.empty()) {
        check(writing, heif_context_add_exif_metadata(context.get(), handle.get(), metadata.exif.data(),
                                                      static_cast<int>(metadata.exif.size())));
    }
    if (!metadata.xmp.empty()) {
        check(writing, heif_context_add_XMP_metadata(context.get(), handle.get(), metadata.xmp.data(),
                                                     static_cast<int>(metadata.xmp.size())));
    }
    Bytes file; // nothing may be thrown through libheif
    heif_writer writer{};
    writer.writer_api_version = 1;
    writer.write = [](heif_context*, const void* data, std::size_t size, void* self) -> heif_error {
        try {
            const auto* bytes = static_cast<const std::byte*>(data);
            static_cast<Bytes*>(self)->insert(static_cast<Bytes*>(self)->end(), bytes, bytes + size);
        } catch (const std::bad_alloc&) {
            return {heif_error_Memory_allocation_error, heif_suberror_Unspecified, "memory"};
        }
        return {heif_error_Ok, heif_suberror_Unspecified, ""};
    };
    check(writing, heif_context_write(context.get(), &writer, &file));
    writing.append(file);
}

} // namespace

GLPROC_MODULE(read, write);
