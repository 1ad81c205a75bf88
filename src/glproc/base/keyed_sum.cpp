#include "glproc/base/keyed_sum.hpp"

#include <bit>
#include <cstring>

namespace glproc {

namespace {

std::uint64_t little_endian(const std::byte* bytes) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 8; ++i) {
        word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    }
    return word;
}

} // namespace

KeyedSum::KeyedSum(const Key& key) {
    const std::uint64_t k0 = little_endian(key.data());
    const std::uint64_t k1 = little_endian(key.data() + 8);
    v0_ = 0x736F6D6570736575U ^ k0;
    v1_ = 0x646F72616E646F6DU ^ k1 ^ 0xEEU; // 0xEE: the result has 128 bits
    v2_ = 0x6C7967656E657261U ^ k0;
    v3_ = 0x7465646279746573U ^ k1;
}

void KeyedSum::round() {
    v0_ += v1_;
    v1_ = std::rotl(v1_, 13) ^ v0_;
    v0_ = std::rotl(v0_, 32);
    v2_ += v3_;
    v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ += v3_;
    v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ += v1_;
    v1_ = std::rotl(v1_, 17) ^ v2_;
    v2_ = std::rotl(v2_, 32);
}

void KeyedSum::take(std::uint64_t word) {
    v3_ ^= word;
    round();
    round();
    v0_ ^= word;
}

void KeyedSum::add(std::span<const std::byte> bytes) {
    std::size_t at = 0;
    const auto one = [&] {
        word_ |= std::to_integer<std::uint64_t>(bytes[at++]) << (8 * (length_++ % 8));
        if (length_ % 8 == 0) {
            take(word_);
            word_ = 0;
        }
    };
    while (at < bytes.size() && length_ % 8 != 0) {
        one();
    }
    for (; bytes.size() - at >= 8; at += 8, length_ += 8) {
        take(little_endian(bytes.data() + at));
    }
    while (at < bytes.size()) {
        one();
    }
}

KeyedSum::Sum KeyedSum::finish() {
    take(word_ | length_ << 56U);
    Sum sum{};
    const auto give = [&](std::size_t at) {
        for (int i = 0; i < 4; ++i) {
            round();
        }
        const std::uint64_t half = v0_ ^ v1_ ^ v2_ ^ v3_;
        for (unsigned i = 0; i < 8; ++i) {
            sum[at + i] = static_cast<std::byte>(half >> (8 * i));
        }
    };
    v2_ ^= 0xEEU;
    give(0);
    v1_ ^= 0xDDU;
    give(8);
    return sum;
}

} // namespace glproc
