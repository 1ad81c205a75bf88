// One decoder: FUZZ_FORMAT is its name, such as png. What it accepts, our own encoders must be able to keep.
#include "fuzz/fuzz.hpp"
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/image/metadata.hpp"

using namespace glproc;

#define DECODER_OF(format) codecs::decode_##format
#define DECODER(format) DECODER_OF(format)

/// As decode() turns it: files of it come back upright.
static Image turned(Image image) {
    const int orientation = orientation_of(image.metadata().exif);
    if (orientation == 1)
        return image;
    Metadata metadata = image.metadata();
    reset_orientation(metadata, orientation);
    image = upright(std::move(image), orientation);
    image.set_metadata(std::move(metadata));
    return image;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::uint64_t most = std::uint64_t{1} << 22U;
    const fuzz::Cost cost(size, most);
    fuzz::expect_only({ErrorCode::input}, [&] {
        const Image image = turned(DECODER(FUZZ_FORMAT)({fuzz::as_file(data, size), "fuzz", most}));
        const auto pixels =
            static_cast<std::uint64_t>(image.width()) * static_cast<std::uint64_t>(image.height());
        fuzz::require(pixels >= 1 && pixels <= most, "a picture has pixels, and no more than asked for");
        fuzz::require(image.bytes().size() == pixels * image.pixel_bytes(), "as many bytes as its size says");
        if (image.depth() == Depth::f32 || pixels >= 10000)
            return;
        for (const char* name : {"png", "tif"}) {
            const Image again = decode(encode(image, name), name);
            fuzz::require(std::equal(image.bytes().begin(), image.bytes().end(), again.bytes().begin(),
                                     again.bytes().end()),
                          "a file of it holds the same");
            fuzz::require(again.metadata().icc == image.metadata().icc, "and the same profile");
            fuzz::require(name[0] != 'p' || again.metadata().texts == image.metadata().texts,
                          "a PNG holds the same texts");
        }
    });
    return 0;
}
