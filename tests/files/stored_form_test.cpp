// How files say that they store pixels, and what EXIF says of how a picture was taken.
#include "glproc/files/codec.hpp"
#include "glproc/files/stored_form.hpp"
#include "glproc/image/exif_facts.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"

#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
    std::vector<std::byte> bytes(text.size());
    std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

StoredForm form_of(const std::string& file) {
    return stored_form(bytes_of(file));
}

std::string png_head(char bits, char type, char interlace) {
    return std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1", 24) + bits + type +
           std::string(2, '\0') + interlace;
}

/// Little-endian.
std::string number(std::size_t value, std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
        text += static_cast<char>(value >> 8 * i & 0xFFU);
    }
    return text;
}

std::string entry(std::size_t tag, std::size_t type, std::size_t count, std::size_t value) {
    return number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 4);
}

std::string directory(const std::vector<std::string>& entries) {
    std::string text = number(entries.size(), 2);
    for (const std::string& one : entries) {
        text += one;
    }
    return text + number(0, 4);
}

std::string rationals(const std::vector<std::size_t>& numbers) {
    std::string text;
    for (const std::size_t value : numbers) {
        text += number(value, 4) + number(1, 4);
    }
    return text;
}

/// Of a camera in Sydney.
std::string exif_of_sydney() {
    constexpr std::size_t first = 8;
    constexpr std::size_t camera = first + 2 + 4 * 12 + 4;
    constexpr std::size_t place = camera + 2 + 12 + 4;
    constexpr std::size_t texts = place + 2 + 4 * 12 + 4;
    const std::string taken("2021:05:12 10:15:00\0", 20);
    const std::string maker("Acme\0\0", 6);
    const std::string model("Acme One\0\0", 10);
    constexpr std::size_t degrees = texts + 36;
    return std::string("II*\0", 4) + number(first, 4) +
           directory({entry(0x010f, 2, 5, texts + 20), entry(0x0110, 2, 9, texts + 26),
                      entry(0x8769, 4, 1, camera), entry(0x8825, 4, 1, place)}) +
           directory({entry(0x9003, 2, 20, texts)}) +
           directory({entry(1, 2, 2, 'S'), entry(2, 5, 3, degrees), entry(3, 2, 2, 'E'),
                      entry(4, 5, 3, degrees + 24)}) +
           taken + maker + model + rationals({33, 51, 36}) + rationals({151, 12, 36});
}

} // namespace

TEST_CASE("stored form: what decode() expands is told") {
    CHECK(form_of(png_head(4, 3, 0)).colours == "palette of 4 bits");
    CHECK(form_of(png_head(1, 0, 1)).colours == "1-bit grey");
    CHECK(form_of(png_head(1, 0, 1)).compression == "interlaced");
    CHECK(form_of(png_head(8, 2, 0)).colours.empty());
    CHECK(form_of(std::string("GIF89a\1\0\1\0\x82", 11)).colours == "palette of 3 bits");
    const std::string tiff = std::string("II*\0", 4) + number(8, 4) +
                             directory({entry(258, 3, 1, 1), entry(259, 3, 1, 4), entry(262, 3, 1, 0)});
    CHECK(form_of(tiff).colours == "1-bit grey");
    CHECK(form_of(tiff).compression == "Group 4 fax");
    const std::string cmyk("\xFF\xD8\xFF\xE0\0\4ab\xFF\xC2\0\x14\x08\0\1\0\1\4", 18);
    CHECK(form_of(cmyk).colours == "CMYK");
    CHECK(form_of(cmyk).compression == "progressive");
    CHECK(form_of("P4\n8 1\n@").colours == "1-bit grey");
    CHECK(form_of("P5\n1 1\n255\n@").colours.empty());
    CHECK(form_of(std::string("8BPS\0\1\0\0\0\0\0\0\0\4\0\0\0\1\0\0\0\1\0\x08\0\4", 26)).colours == "CMYK");
    const auto untagged = [](const std::vector<std::string>& more) {
        std::vector<std::string> entries{entry(258, 3, 1, 8), entry(259, 3, 1, 1), entry(277, 3, 1, 4)};
        entries.insert(entries.end(), more.begin(), more.end());
        return std::string("II*\0", 4) + number(8, 4) + directory(entries);
    };
    CHECK(form_of(untagged({})).colours == "CMYK");
    CHECK(form_of(untagged({entry(338, 3, 1, 2)})).colours.empty()); // alpha
}

TEST_CASE("stored form: how a JPEG samples its colour is said as the file has it") {
    const auto sampling = [](std::vector<unsigned> factors) {
        std::string frame("\xFF\xD8\xFF\xC0\0\x11\x08\0\1\0\1", 11);
        frame += static_cast<char>(factors.size());
        for (const unsigned one : factors) {
            frame += std::string(1, '\1') + static_cast<char>(one) + std::string(1, '\0');
        }
        return form_of(frame).sampling;
    };
    CHECK(sampling({0x11}) == "no colour");
    CHECK(sampling({0x11, 0x11, 0x11}) == "444");
    CHECK(sampling({0x22, 0x22, 0x22}) == "444");
    CHECK(sampling({0x21, 0x11, 0x11}) == "422");
    CHECK(sampling({0x22, 0x11, 0x11}) == "420");
    CHECK(sampling({0x12, 0x11, 0x11}) == "440");
    CHECK(sampling({0x41, 0x11, 0x11}) == "411");
    CHECK(sampling({0x42, 0x11, 0x11}) == "410");
    CHECK(sampling({0x11, 0x11, 0x11, 0x11}) == "444"); // CMYK
    CHECK(sampling({0x22, 0x11, 0x11, 0x22}) == "420"); // YCCK
    CHECK(sampling({0x31, 0x21, 0x21}) == "3x1 to 2x1");
}

TEST_CASE("stored form: of files that end anywhere, nothing is made up") {
    for (const std::string& file :
         {png_head(4, 3, 0), exif_of_sydney(), std::string("BM"), std::string("GIF8")}) {
        for (std::size_t size = 0; size <= file.size(); ++size) {
            CHECK_NOTHROW(form_of(file.substr(0, size)));
            CHECK_NOTHROW(exif_facts(bytes_of(file.substr(0, size))));
        }
    }
    CHECK(form_of("").colours.empty());
    const std::string directory_far_away("II*\0\0\0\0\x10", 8);
    CHECK(form_of(directory_far_away).colours.empty());
    CHECK(form_of(directory_far_away).compression.empty());
}

TEST_CASE("EXIF says when, with what and where a picture was taken") {
    const ExifFacts facts = exif_facts(bytes_of(exif_of_sydney()));
    CHECK(facts.date == "2021-05-12 10:15:00");
    CHECK(facts.camera == "Acme One");
    REQUIRE((facts.latitude && facts.longitude));
    CHECK(*facts.latitude == Approx(-33.86));
    CHECK(*facts.longitude == Approx(151.21));
    const std::string circle = std::string("II*\0", 4) + number(8, 4) + directory({entry(0x8769, 4, 1, 8)});
    CHECK(exif_facts(bytes_of(circle)).date.empty());
}
