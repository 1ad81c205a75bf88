#include "files/handmade_files.hpp"

#include <bit>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

Bytes floats(const std::vector<float>& values, bool big) {
    Bytes bytes;
    for (const float value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        bytes = std::move(bytes) + (big ? big_endian(bits, 4) : little_endian(bits, 4));
    }
    return bytes;
}

void check_refused(const Bytes& file, const std::string& why) {
    check_error(ErrorCode::input, "a.pfm: " + why, [&] { decode(file, "a.pfm"); });
}

} // namespace

TEST_CASE("PFM of either byte order has its rows bottom up") {
    for (const bool big : {false, true}) {
        const Bytes file =
            bytes_of("Pf\n2 3\n") + bytes_of(big ? "1.0\n" : "-1.0\n") + floats({5, 6, 3, 4, 1, 2}, big);
        const Image image = decode(file, "a.pfm");
        CHECK(image.depth() == Depth::f32);
        CHECK(image.channels() == 1);
        CHECK(image.at(0, 0, 0) == 1);
        CHECK(image.at(1, 0, 0) == 2);
        CHECK(image.at(0, 2, 0) == 5);
        const Image colour = decode(bytes_of("PF\n1 2\n") + bytes_of(big ? "2.5\n" : "-2.5e0\n") +
                                        floats({4, 5, 6, -1, 1e30F, 0.5F}, big),
                                    "a.pfm");
        CHECK(colour.channels() == 3);
        CHECK(colour.at(0, 0, 0) == -1);
        CHECK(colour.at(0, 0, 2) == 0.5);
        CHECK(colour.at(0, 1, 2) == 6);
    }
}

TEST_CASE("what is written is letter for letter PFM, and holds every float") {
    Image image(1, 2, 1, Depth::f32);
    image.values<float>()[0] = -std::numeric_limits<float>::infinity();
    image.values<float>()[1] = std::numeric_limits<float>::denorm_min();
    const Bytes file = encode(image, "pfm");
    const bool little = std::endian::native == std::endian::little;
    CHECK(file == bytes_of("Pf\n1 2\n") + bytes_of(little ? "-1.0\n" : "1.0\n") +
                      floats({image.values<float>()[1], image.values<float>()[0]}, !little));
    CHECK(same(decode(file, "a"), image));
    const Image colour = picture(7, 5, 3, Depth::f32);
    CHECK(same(decode(encode(colour, "pfm"), "a"), colour));
}

TEST_CASE("broken PFM files are refused with the reason") {
    check_refused(bytes_of("PF\n"), "truncated PFM");
    check_refused(bytes_of("PF\n2 2\n-1.0"), "truncated PFM");
    check_refused(bytes_of("PF\n2 x\n-1.0\n"), "corrupt PFM: a number is missing");
    check_refused(bytes_of("PF\n2 -2\n-1.0\n"), "corrupt PFM: a number is missing");
    check_refused(bytes_of("PF\n2 99999999999999999999999\n-1.0\n"), "corrupt PFM: a number is missing");
    check_refused(bytes_of("PF\n2 2\n0\n"), "corrupt PFM: its scale tells no byte order");
    check_refused(bytes_of("PF\n2 2\nnan\n"), "corrupt PFM: its scale tells no byte order");
    check_refused(bytes_of("PF\n0 2\n-1\n"), "impossible size 0x2");
    check_refused(bytes_of("Pf\n1 2\n-1\n1234567"), "truncated PFM");
    check_refused(bytes_of("Pf\n60000 60000\n-1\n1234"),
                  "truncated: 22 bytes cannot hold 60000x60000 pixels");
}
