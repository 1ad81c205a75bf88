// Finds values of given ranks among many values that come twice, in sorted order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace glproc {

/// Finds the keys of given ranks among the keys that are passed to it: first to count(), then to refine(). It
/// counts the upper, then the lower half of the keys' bits, so that nothing is sorted and nothing is stored.
/// This is a radix selection, derived from the radix sort in Knuth, The Art of Computer Programming, vol. 3,
/// 5.2.5.
class RadixSelect {
  public:
    RadixSelect() = default;
    /// Keys are below 2^bits. Up to 16 bits all are counted at once.
    explicit RadixSelect(int bits)
        : shift_(bits <= 16 ? 0 : bits / 2), upper_(std::size_t{1} << (bits - shift_)) {}

    void count(std::uint32_t key) { ++upper_[key >> shift_]; }

    /// Between the passes: the ranks sought. They count from 0, and each is below the number of keys.
    void choose(std::span<const std::uint64_t> ranks) {
        for (const std::uint64_t rank : ranks) {
            sought_.push_back(take(upper_, rank));
            lower_.try_emplace(sought_.back().index, std::size_t{1} << shift_);
        }
    }

    /// Whether there is nothing left to refine.
    bool is_found() const { return shift_ == 0; }

    void refine(std::uint32_t key) {
        const auto counts = lower_.find(key >> shift_);
        if (counts != lower_.end()) {
            ++counts->second[key & ((std::uint32_t{1} << shift_) - 1)];
        }
    }

    /// An empty copy for other keys of the same search: join() puts both together.
    RadixSelect emptied() const {
        RadixSelect other = *this;
        std::fill(other.upper_.begin(), other.upper_.end(), 0);
        for (auto& [index, counts] : other.lower_) {
            std::fill(counts.begin(), counts.end(), 0);
        }
        return other;
    }

    void join(const RadixSelect& other) {
        const auto add = [](std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
            std::transform(from.begin(), from.end(), to.begin(), to.begin(), std::plus<>());
        };
        add(upper_, other.upper_);
        for (auto& [index, counts] : lower_) {
            add(counts, other.lower_.at(index));
        }
    }

    /// In the order in which their ranks were given.
    std::vector<std::uint32_t> keys() const {
        std::vector<std::uint32_t> keys;
        for (const RankPlace& place : sought_) {
            const std::uint32_t low = is_found() ? 0 : take(lower_.at(place.index), place.rank).index;
            keys.push_back(place.index << shift_ | low);
        }
        return keys;
    }

  private:
    struct RankPlace {
        std::uint32_t index = 0;
        std::uint64_t rank = 0; ///< within what `index` counts
    };

    static RankPlace take(const std::vector<std::uint64_t>& counts, std::uint64_t rank) {
        std::uint32_t index = 0;
        while (index + 1 < counts.size() && rank >= counts[index]) {
            rank -= counts[index++];
        }
        return {index, rank};
    }

    int shift_ = 0;
    std::vector<std::uint64_t> upper_;
    std::map<std::uint32_t, std::vector<std::uint64_t>> lower_; ///< by the upper half of the keys sought
    std::vector<RankPlace> sought_;
};

/// Keys order as floats do: negative ones have all bits turned, others the sign bit.
inline std::uint32_t key_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return bits ^ ((bits >> 31U) != 0 ? 0xffffffffU : 0x80000000U);
}
inline float value_of(std::uint32_t key) {
    return std::bit_cast<float>(key ^ ((key >> 31U) != 0 ? 0x80000000U : 0xffffffffU));
}

} // namespace glproc
