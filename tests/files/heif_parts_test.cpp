// HEIF files whose images are made of others, and of themselves.
#include "files/handmade_files.hpp"

#include "glproc/files/inspect.hpp"

#include <array>

using namespace glproc;
using namespace glproc::test;

namespace {

struct Item {
    std::string type;
    std::vector<int> parts; ///< counted from 1
};

Bytes box(const std::string& type, const Bytes& content) {
    return big_endian(static_cast<std::uint32_t>(content.size() + 8), 4) + bytes_of(type) + content;
}

Bytes full_box(const std::string& type, int version, const Bytes& content) {
    return box(type, big_endian(static_cast<std::uint32_t>(version) << 24U, 4) + content);
}

Bytes pair_of(std::size_t number) {
    return big_endian(static_cast<std::uint32_t>(number), 2);
}

/// The first item is the image. All are said to be of 64x64 pixels, and an overlay's canvas has `side`.
Bytes heif_of(const std::vector<Item>& items, int side = 64) {
    Bytes infos;
    Bytes references;
    Bytes sizes;
    Bytes places;
    Bytes data;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Bytes id = pair_of(i + 1);
        infos = infos + full_box("infe", 2, id + pair_of(0) + bytes_of(items[i].type) + Bytes(1));
        Bytes parts = id + pair_of(items[i].parts.size());
        for (const int part : items[i].parts)
            parts = parts + pair_of(static_cast<std::size_t>(part));
        references = references + (items[i].parts.empty() ? Bytes() : box("dimg", parts));
        sizes = sizes + id + bytes_of(std::string("\1\1", 2));
        const Bytes canvas = Bytes(10) + pair_of(static_cast<std::size_t>(side)) +
                             pair_of(static_cast<std::size_t>(side)) + Bytes(4 * items[i].parts.size());
        places = places + id + pair_of(1) + pair_of(0) + pair_of(1) +
                 big_endian(static_cast<std::uint32_t>(data.size()), 4) +
                 big_endian(static_cast<std::uint32_t>(canvas.size()), 4);
        data = data + canvas;
    }
    const auto count = static_cast<std::uint32_t>(items.size());
    const Bytes handler = full_box("hdlr", 0, Bytes(4) + bytes_of("pict") + Bytes(13));
    const Bytes properties = box("ipco", full_box("ispe", 0, big_endian(64, 4) + big_endian(64, 4)));
    return box("ftyp", bytes_of("heic") + Bytes(4) + bytes_of("mif1heic")) +
           full_box("meta", 0,
                    handler + full_box("pitm", 0, pair_of(1)) + full_box("iinf", 0, pair_of(count) + infos) +
                        full_box("iref", 0, references) +
                        box("iprp", properties + full_box("ipma", 0, big_endian(count, 4) + sizes)) +
                        full_box("iloc", 1, bytes_of(std::string("\x44\0", 2)) + pair_of(count) + places) +
                        box("idat", data));
}

/// Each made of `each` times the next.
std::vector<Item> chain(const std::string& type, int length, int each) {
    std::vector<Item> items;
    for (int i = 1; i <= length; ++i)
        items.push_back({type, std::vector<int>(i < length ? static_cast<std::size_t>(each) : 0, i + 1)});
    return items;
}

std::string refusal(const Bytes& file, std::uint64_t max_pixels = 1U << 20U) {
    const auto error = error_of([&] { decode(file, "a.heic", {.max_pixels = max_pixels}); });
    return error && error->code() == ErrorCode::input ? error->what() : "";
}

bool has_heif() {
    return std::ranges::count(writable_extensions(), "heic") == 1;
}

} // namespace

TEST_CASE("HEIF images that are made of themselves are refused before libheif follows them") {
    if (!has_heif())
        return;
    const std::string circle =
        "a.heic: corrupt HEIF: its images are made of one another in circles, or in too many levels";
    for (const std::string type : {"iden", "iovl", "grid"}) {
        INFO(type);
        const std::array<std::vector<Item>, 4> circles{{{{type, {1}}},
                                                        {{type, {2}}, {type, {1}}},
                                                        {{type, {2}}, {type, {3}}, {type, {2}}},
                                                        chain(type, 2000, 1)}};
        for (const std::vector<Item>& items : circles) {
            const Bytes file = heif_of(items);
            CHECK(refusal(file) == circle);
            const auto error = error_of([&] { inspect(file, "a.heic"); });
            REQUIRE(error);
            CHECK(error->what() == circle);
        }
    }
}

TEST_CASE("HEIF images that are made of many more than the file has are refused") {
    if (!has_heif())
        return;
    CHECK(refusal(heif_of(chain("iovl", 16, 2))) ==
          "a.heic: corrupt HEIF: its images are made of one another again and again");
    CHECK(refusal(heif_of(chain("iovl", 64, 2)))
              .starts_with("a.heic: corrupt HEIF: its images are made of one another in "));
    // Few parts, but each a canvas as large as an image may be.
    CHECK(refusal(heif_of(chain("iovl", 10, 1), 1024)).find("10485760 pixels in all") != std::string::npos);
    CHECK(refusal(heif_of({{"iovl", {2}}, {"iovl", {}}}, 1024)).find("pixels in all") == std::string::npos);
}
