#include "glproc/gpu_codecs/jpeg/decode.hpp"

#include "glproc/error.hpp"
#include "glproc/image/codec.hpp"
#include "gpu_codecs/jpeg_kinds.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::gpu_codecs;

namespace {

/// The pictures of these files as far as the GPU takes them; files without a scan are not taken.
std::vector<std::optional<Image>> decoded_on_gpu(const std::vector<Bytes>& files) {
    std::vector<std::optional<Image>> images(files.size());
    std::vector<JpegScan> scans;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (std::optional<JpegScan> scan = read_jpeg_scan(files[i], "file.jpg", {})) {
            scans.push_back(std::move(*scan));
            numbers.push_back(i);
        }
    }
    constexpr std::size_t at_once = 64;
    for (std::size_t begin = 0; begin < scans.size(); begin += at_once) {
        std::vector<const JpegScan*> some;
        for (std::size_t i = begin; i < std::min(begin + at_once, scans.size()); ++i) {
            some.push_back(&scans[i]);
        }
        REQUIRE(can_decode(gpu(), some));
        auto taken = begin_decoding(gpu(), some).take();
        for (std::size_t i = 0; i < some.size(); ++i) {
            if (taken[i]) {
                images[numbers[begin + i]] = gpu().download(*taken[i]);
                images[numbers[begin + i]]->set_metadata(some[i]->metadata);
            }
        }
    }
    return images;
}

bool same_pixels(const Image& a, const Image& b) {
    return a.form() == b.form() && std::ranges::equal(a.bytes(), b.bytes());
}

/// What the CPU makes of a file, if it does without a word.
std::optional<Image> decoded_on_cpu(const Bytes& file) {
    try {
        Notes notes;
        Image image = decode(file, "file.jpg", {.notes = &notes});
        return notes.empty() ? std::optional(std::move(image)) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// How many of the files the GPU takes; those have the pixels that the CPU gives them.
std::size_t count_taken(const std::vector<Bytes>& files, const std::vector<std::string>& names) {
    const std::vector<std::optional<Image>> images = decoded_on_gpu(files);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (images[i]) {
            INFO(names[i]);
            const std::optional<Image> expected = decoded_on_cpu(files[i]);
            REQUIRE(expected);
            CHECK(same_pixels(*images[i], *expected));
            CHECK(images[i]->metadata().exif == expected->metadata().exif);
            CHECK(images[i]->metadata().jpeg == expected->metadata().jpeg);
            CHECK(images[i]->metadata().density == expected->metadata().density);
            ++taken;
        }
    }
    return taken;
}

} // namespace

TEST_CASE("every kind of baseline JPEG has the pixels that the CPU gives it") {
    std::vector<Bytes> files;
    std::vector<std::string> names;
    for (const JpegKind& kind : sound_kinds()) {
        files.push_back(write_jpeg(kind));
        names.push_back(kind.name());
    }
    CHECK(count_taken(files, names) * 100 >= files.size() * 95);
}
