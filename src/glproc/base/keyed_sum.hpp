// A checksum that only who has the key can make: SipHash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace glproc {

/// SipHash-2-4 with 128 bits of result (Aumasson, Bernstein, SipHash: a fast short-input PRF, 2012;
/// https://github.com/veorq/SipHash). A message authentication code: without the key nobody can tell or
/// forge the sum of a text.
class KeyedSum {
  public:
    using Key = std::array<std::byte, 16>;
    using Sum = std::array<std::byte, 16>;

    explicit KeyedSum(const Key& key);

    /// Appends. Two spans one after the other give the sum of both together, so whoever adds parts of any
    /// length adds their lengths too.
    void add(std::span<const std::byte> bytes);

    /// Of everything added. Nothing may be added afterwards.
    Sum finish();

  private:
    void round();
    void take(std::uint64_t word);

    std::uint64_t v0_, v1_, v2_, v3_;
    std::uint64_t word_ = 0;   ///< bytes that make no whole word yet
    std::uint64_t length_ = 0; ///< of everything so far
};

} // namespace glproc
