// CMYK becomes sRGB by the ICC profile that comes with it.
#include "files/handmade_files.hpp"
#include "files/jpeg_files.hpp"
#include "files/tiff_files.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/rows.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>

#if defined GLPROC_WITH_LCMS && defined GLPROC_WITH_TIFF
#include <lcms2.h>
#endif

using namespace glproc;
using namespace glproc::test;

#if defined GLPROC_WITH_LCMS && defined GLPROC_WITH_TIFF

namespace {

using Handle = std::unique_ptr<void, decltype(&cmsCloseProfile)>;

/// A press whose cyan is green and whose black is brown, so that nobody takes it for the plain formula.
std::array<double, 3> print(double c, double m, double y, double k) {
    return {(1 - c) * (1 - 0.5 * k), (1 - 0.2 * c) * (1 - m) * (1 - 0.8 * k), (1 - 0.9 * c) * (1 - 0.6 * y) * (1 - k)};
}

cmsInt32Number sample(const cmsUInt16Number* in, cmsUInt16Number* out, void* to_lab) {
    const std::array<double, 3> rgb = print(in[0] / 65535.0, in[1] / 65535.0, in[2] / 65535.0, in[3] / 65535.0);
    std::array<cmsUInt16Number, 3> codes{};
    for (std::size_t i = 0; i < 3; ++i) {
        codes[i] = static_cast<cmsUInt16Number>(std::lround(rgb[i] * 65535));
    }
    cmsDoTransform(to_lab, codes.data(), out, 1);
    return 1;
}

Bytes press_profile() {
    const Handle srgb(cmsCreate_sRGBProfile(), &cmsCloseProfile);
    const Handle lab(cmsCreateLab4Profile(nullptr), &cmsCloseProfile);
    const cmsHTRANSFORM to_lab =
        cmsCreateTransform(srgb.get(), TYPE_RGB_16, lab.get(), TYPE_Lab_16, INTENT_PERCEPTUAL, cmsFLAGS_NOOPTIMIZE);
    cmsPipeline* table = cmsPipelineAlloc(nullptr, 4, 3);
    cmsStage* stage = cmsStageAllocCLut16bit(nullptr, 9, 4, 3, nullptr);
    REQUIRE(cmsStageSampleCLut16bit(stage, sample, to_lab, 0));
    REQUIRE(cmsPipelineInsertStage(table, cmsAT_END, cmsStageAllocToneCurves(nullptr, 4, nullptr)));
    REQUIRE(cmsPipelineInsertStage(table, cmsAT_END, stage));
    REQUIRE(cmsPipelineInsertStage(table, cmsAT_END, cmsStageAllocToneCurves(nullptr, 3, nullptr)));
    const Handle press(cmsCreateProfilePlaceholder(nullptr), &cmsCloseProfile);
    cmsSetProfileVersion(press.get(), 4.3);
    cmsSetDeviceClass(press.get(), cmsSigOutputClass);
    cmsSetColorSpace(press.get(), cmsSigCmykData);
    cmsSetPCS(press.get(), cmsSigLabData);
    REQUIRE(cmsWriteTag(press.get(), cmsSigAToB0Tag, table));
    cmsPipelineFree(table);
    cmsDeleteTransform(to_lab);
    cmsUInt32Number size = 0;
    REQUIRE(cmsSaveProfileToMem(press.get(), nullptr, &size));
    Bytes bytes(size);
    REQUIRE(cmsSaveProfileToMem(press.get(), bytes.data(), &size));
    return bytes;
}

Bytes cmyk_tiff(const Image& ink, const Bytes& icc, int planar) {
    const auto tell = [&](TIFF* tiff) {
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(icc.size()), icc.data());
    };
    return write_tiff(ink, {.photometric = PHOTOMETRIC_SEPARATED, .planar = planar, .extra = -1, .tell = tell});
}

Bytes cmyk_jpeg(int width, int height, const Bytes& icc) {
    Bytes jpeg = write_jpeg(width, height, 4, JpegKind::baseline);
    Bytes segment = big_endian(0xffe2, 2) + big_endian(static_cast<std::uint32_t>(icc.size() + 16), 2) + bytes_of("ICC_PROFILE") +
                    Bytes{std::byte{0}, std::byte{1}, std::byte{1}} + icc;
    jpeg.insert(jpeg.begin() + 2, segment.begin(), segment.end());
    return jpeg;
}

void put(Image& image, int x, int y, int c, double share) {
    const auto i = static_cast<std::size_t>((y * image.width() + x) * image.channels() + c);
    const double code = std::nearbyint(share * max_code(image.depth()));
    if (image.depth() == Depth::u8) {
        image.values<std::uint8_t>()[i] = static_cast<std::uint8_t>(code);
    } else {
        image.values<std::uint16_t>()[i] = static_cast<std::uint16_t>(code);
    }
}

Image inks(Depth depth) {
    Image image(31, 23, 4, depth);
    for (int y = 0; y < 23; ++y) {
        for (int x = 0; x < 31; ++x) {
            put(image, x, y, 0, x / 30.0);
            put(image, x, y, 1, y / 22.0);
            put(image, x, y, 2, (x + y) % 9 / 8.0);
            put(image, x, y, 3, x * y % 7 / 12.0);
        }
    }
    return image;
}

/// By the library's floats, for full inks at 100.
std::vector<float> by_floats(const Image& ink, const Bytes& icc) {
    const Handle press(cmsOpenProfileFromMem(icc.data(), static_cast<cmsUInt32Number>(icc.size())), &cmsCloseProfile);
    const Handle srgb(cmsCreate_sRGBProfile(), &cmsCloseProfile);
    const cmsHTRANSFORM transform =
        cmsCreateTransform(press.get(), TYPE_CMYK_FLT, srgb.get(), TYPE_RGB_FLT, INTENT_PERCEPTUAL, cmsFLAGS_NOOPTIMIZE);
    std::vector<float> values;
    for (int y = 0; y < ink.height(); ++y) {
        for (int x = 0; x < ink.width(); ++x) {
            std::array<float, 4> from{};
            std::array<float, 3> to{};
            for (int c = 0; c < 4; ++c) {
                from[static_cast<std::size_t>(c)] = static_cast<float>(100 * ink.at(x, y, c) / max_code(ink.depth()));
            }
            cmsDoTransform(transform, from.data(), to.data(), 1);
            values.insert(values.end(), to.begin(), to.end());
        }
    }
    cmsDeleteTransform(transform);
    return values;
}

} // namespace

TEST_CASE("ink: a TIFF of CMYK becomes sRGB by its profile") {
    const Bytes icc = press_profile();
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        const Image ink = inks(depth);
        Notes notes;
        const Image image = decode(cmyk_tiff(ink, icc, PLANARCONFIG_CONTIG), "a.tif", {.notes = &notes});
        CHECK(notes == Notes{"a.tif: CMYK becomes sRGB by its ICC profile"});
        CHECK(image.metadata().icc.empty());
        REQUIRE(image.form() == Form{31, 23, 3, depth});
        const std::vector<float> right = by_floats(ink, icc);
        const double full = max_code(depth);
        double worst = 0;
        double from_print = 0;
        for (int y = 0; y < 23; ++y) {
            for (int x = 0; x < 31; ++x) {
                const std::array<double, 3> seen = print(ink.at(x, y, 0) / full, ink.at(x, y, 1) / full,
                                                         ink.at(x, y, 2) / full, ink.at(x, y, 3) / full);
                for (int c = 0; c < 3; ++c) {
                    const double value = image.at(x, y, c) / full;
                    const auto i = static_cast<std::size_t>((y * 31 + x) * 3 + c);
                    worst = std::max(worst, std::abs(value - std::clamp<double>(right[i], 0, 1)));
                    from_print = std::max(from_print, std::abs(value - seen[static_cast<std::size_t>(c)]));
                }
            }
        }
        INFO("of lcms2's floats " << worst << ", of the press " << from_print);
        CHECK(worst <= (depth == Depth::u8 ? 1.5 / 255 : 2.0 / 255)); // its 16 bits come from a grid
        CHECK(from_print < 0.1);                                      // a grid of 9 inks
    }
}

TEST_CASE("ink: a PSD becomes sRGB by its profile as a TIFF does, with alpha and without") {
    const Bytes icc = press_profile();
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        const Image ink = inks(depth);
        const Image right = decode(cmyk_tiff(ink, icc, PLANARCONFIG_CONTIG), "a.tif");
        for (const bool packed : {false, true}) {
            Image light(31, 23, 4, depth); // what is left of it
            for (int i = 0; i < 31 * 23 * 4; ++i) {
                put(light, i / 4 % 31, i / 124, i % 4, 1 - ink.at(i / 4 % 31, i / 124, i % 4) / max_code(depth));
            }
            Notes notes;
            const Image image = decode(write_psd(light, PsdSpec{.packed = packed, .layers = 0, .mode = 4, .resources = psd_resource(1039, icc)}), "a.psd", {.notes = &notes});
            CHECK(notes == Notes{"a.psd: CMYK becomes sRGB by its ICC profile"});
            CHECK(image.metadata().icc.empty());
            REQUIRE(image.form() == right.form());
            CHECK(std::ranges::equal(image.bytes(), right.bytes()));
        }
    }
}

TEST_CASE("ink: a JPEG in bands of rows is what its rows are alone") {
    const Bytes icc = press_profile();
    const Bytes jpeg = cmyk_jpeg(700, 801, icc); // more than two bands
    Notes notes;
    const Image whole = decode(jpeg, "a.jpg", {.notes = &notes});
    CHECK(notes == Notes{"a.jpg: CMYK becomes sRGB by its ICC profile"});
    const std::optional<RowSource> source = open_rows(std::span<const std::byte>(jpeg), "a.jpg");
    REQUIRE(source);
    const std::unique_ptr<RowReader> rows = source->open();
    Image row(700, 1, 3, Depth::u8);
    int wrong = 0;
    for (int y = 0; y < 801; ++y) {
        rows->read(row.bytes());
        wrong += std::memcmp(row.bytes().data(), whole.row(y), row.bytes().size()) != 0 ? 1 : 0;
    }
    CHECK(wrong == 0);
}

TEST_CASE("ink: without a profile that can be used, the plain formula is, with a note") {
    const Image ink = inks(Depth::u8);
    const Bytes plain = cmyk_tiff(ink, Bytes(300, std::byte{1}), PLANARCONFIG_CONTIG);
    const Image right = decode(plain, "a.tif");
    Bytes broken = press_profile();
    broken.resize(200); // the header stands
    Notes notes;
    CHECK(std::ranges::equal(decode(cmyk_tiff(ink, broken, PLANARCONFIG_CONTIG), "a.tif", {.notes = &notes}).bytes(), right.bytes()));
    REQUIRE(notes.size() == 1);
    CHECK(notes.front().starts_with("a.tif: CMYK becomes RGB by a plain formula, as its ICC profile cannot be used: "));
    notes.clear();
    CHECK(std::ranges::equal(decode(cmyk_tiff(ink, press_profile(), PLANARCONFIG_SEPARATE), "a.tif", {.notes = &notes}).bytes(), right.bytes()));
    CHECK(notes == Notes{"a.tif: CMYK becomes RGB by a plain formula; its ICC profile, if any, is left out"});
}

#endif
