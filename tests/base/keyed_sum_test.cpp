#include "glproc/base/keyed_sum.hpp"

#include "support/catch.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

using namespace glproc;

namespace {

std::vector<std::byte> counting(std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<std::byte>(i);
    }
    return bytes;
}

/// The sum of `bytes` by the key 00 01 … 0f, added in parts of `part` bytes.
std::string sum(std::span<const std::byte> bytes, std::size_t part) {
    KeyedSum::Key key{};
    std::copy_n(counting(key.size()).begin(), key.size(), key.begin());
    KeyedSum sum(key);
    for (std::size_t at = 0; at < bytes.size(); at += part) {
        sum.add(bytes.subspan(at, std::min(part, bytes.size() - at)));
    }
    std::string text;
    for (const std::byte byte : sum.finish()) {
        text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    }
    return text;
}

} // namespace

TEST_CASE("keyed sums are those of SipHash-2-4-128, whatever the parts") {
    // OpenSSL: openssl mac -macopt hexkey:000102…0f -macopt size:16 -in FILE SIPHASH
    for (const std::size_t part : {1U, 3U, 8U, 13U, 1000U}) {
        INFO(part);
        CHECK(sum(counting(0), part) == "a3817f04ba25a8e66df67214c7550293");
        CHECK(sum(counting(1), part) == "da87c1d86b99af44347659119b22fc45");
        CHECK(sum(counting(8), part) == "3b62a9ba6258f5610f83e264f31497b4");
        CHECK(sum(counting(63), part) == "5150d1772f50834a503e069a973fbd7c");
        CHECK(sum(counting(200), part) == "7c5853f4ed12ff9d836a79bc4047022d");
    }
}
