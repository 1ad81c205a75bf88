// Previews in HEIF and AVIF files, which take the place of a picture that is to be shrunk.
#ifdef GLPROC_WITH_HEIF
#include "files/pictures.hpp"

#include "glproc/files/codec.hpp"

#include <libheif/heif.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr int width = 320;
constexpr int height = 200;

template <auto Release>
struct ReleasedBy {
    template <class T>
    void operator()(T* object) const {
        Release(object);
    }
};
using Container = std::unique_ptr<heif_context, ReleasedBy<heif_context_free>>;
using Coded = std::unique_ptr<heif_image, ReleasedBy<heif_image_release>>;
using Handle = std::unique_ptr<heif_image_handle, ReleasedBy<heif_image_handle_release>>;
using Encoder = std::unique_ptr<heif_encoder, ReleasedBy<heif_encoder_release>>;

void require(const heif_error& error) {
    INFO(error.message);
    REQUIRE(error.code == heif_error_Ok);
}

/// A picture of one colour.
Coded plain(std::array<std::uint8_t, 3> colour, int columns, int rows) {
    heif_image* made = nullptr;
    require(heif_image_create(columns, rows, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &made));
    Coded image(made);
    require(heif_image_add_plane(made, heif_channel_interleaved, columns, rows, 8));
    int stride = 0;
    std::uint8_t* plane = heif_image_get_plane(made, heif_channel_interleaved, &stride);
    for (int y = 0; y < rows; ++y) {
        for (int i = 0; i < 3 * columns; ++i) {
            plane[y * stride + i] = colour.at(static_cast<std::size_t>(i % 3)); // NOLINT: of the row
        }
    }
    return image;
}

struct Preview {
    int columns;
    int rows;
};

constexpr std::array<std::uint8_t, 3> red{220, 40, 40};
constexpr std::array<std::uint8_t, 3> blue{40, 40, 220};

/// A red picture with blue previews.
Bytes file_with(const std::vector<Preview>& previews) {
    const Container container(heif_context_alloc());
    heif_encoder* found = nullptr;
    if (heif_context_get_encoder_for_format(container.get(), heif_compression_HEVC, &found).code != heif_error_Ok) {
        require(heif_context_get_encoder_for_format(container.get(), heif_compression_AV1, &found));
    }
    const Encoder encoder(found);
    heif_image_handle* handle = nullptr;
    require(heif_context_encode_image(container.get(), plain(red, width, height).get(), encoder.get(), nullptr, &handle));
    const Handle picture(handle);
    for (const auto& [columns, rows] : previews) { // libheif halves what it is given
        const Coded large = plain(blue, 2 * columns, 2 * rows);
        require(heif_context_encode_thumbnail(container.get(), large.get(), picture.get(), encoder.get(), nullptr,
                                              std::max(columns, rows), &handle));
        REQUIRE(handle != nullptr);
        const Handle preview(handle);
    }
    require(heif_context_set_primary_image(container.get(), picture.get()));
    Bytes file;
    heif_writer writer{1, [](heif_context*, const void* data, std::size_t size, void* to) {
                           const auto* bytes = static_cast<const std::byte*>(data);
                           static_cast<Bytes*>(to)->assign(bytes, bytes + size);
                           return heif_error{heif_error_Ok, heif_suberror_Unspecified, ""};
                       }};
    require(heif_context_write(container.get(), &writer, &file));
    return file;
}

/// The size of what is decoded for this box, and whether it is a preview: "80x50 blue".
std::string decoded(const Bytes& file, Extent box) {
    DecodeOptions options;
    if (box.width > 0) {
        options.box = box;
    }
    const Image image = decode(file, "in.heic", options);
    const bool is_red = image.at(image.width() / 2, image.height() / 2, 0) > 128;
    const auto& fraction = image.metadata().fraction;
    if (fraction) {
        CHECK(fraction->whole == Extent{width, height});
        CHECK(fraction->columns == image.width());
        CHECK(fraction->rows == image.height());
    }
    CHECK(fraction.has_value() == !is_red);
    return std::to_string(image.width()) + "x" + std::to_string(image.height()) + (is_red ? " red" : " blue");
}

} // namespace

TEST_CASE("the smallest preview that is twice the box takes the picture's place") {
    const Bytes file = file_with({{160, 100}, {80, 50}});
    CHECK(decoded(file, {25, 25}) == "80x50 blue");
    CHECK(decoded(file, {40, 40}) == "80x50 blue");
    CHECK(decoded(file, {41, 41}) == "160x100 blue");
    CHECK(decoded(file, {81, 0}) == "320x200 red");
    CHECK(decoded(file, {0, 0}) == "320x200 red"); // without a box
}

TEST_CASE("a preview of another shape, as large as the picture, or none leaves the picture") {
    CHECK(decoded(file_with({}), {25, 25}) == "320x200 red");
    CHECK(decoded(file_with({{80, 60}}), {25, 25}) == "320x200 red"); // padded, as some cameras do
    CHECK(decoded(file_with({{320, 200}}), {25, 25}) == "320x200 red");
    CHECK(decoded(file_with({{80, 60}, {160, 100}}), {25, 25}) == "160x100 blue");
}
#endif
