// Values of given ranks among floats that come twice.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace glproc {

/// Counts the upper, then the lower half of the values' bits, so that nothing is sorted and nothing is stored: a radix
/// selection, cut from the sort of Knuth, The Art of Computer Programming, vol. 3, 5.2.5.
class FloatRanks {
  public:
    /// For each value, which is no NaN: first this ...
    void count(float value) { ++upper_[key_of(value) >> 16U]; }

    /// ... then, once, the ranks sought in sorted order, from 0 on, each below the number of values ...
    void choose(std::span<const std::uint64_t> ranks) {
        for (std::uint64_t rank : ranks) {
            std::uint32_t half = 0;
            while (rank >= upper_[half]) {
                rank -= upper_[half++];
            }
            sought_.push_back({half, rank});
            lower_.try_emplace(half, std::size_t{1} << 16U);
        }
    }

    /// ... and this for each value again.
    void refine(float value) {
        const std::uint32_t key = key_of(value);
        const auto counts = lower_.find(key >> 16U);
        if (counts != lower_.end()) {
            ++counts->second[key & 0xffffU];
        }
    }

    /// The values, in the order in which their ranks were given.
    std::vector<float> values() const {
        std::vector<float> values;
        for (Place place : sought_) {
            const std::vector<std::uint64_t>& counts = lower_.at(place.half);
            std::uint32_t low = 0;
            while (place.rank >= counts[low]) {
                place.rank -= counts[low++];
            }
            values.push_back(value_of(place.half << 16U | low));
        }
        return values;
    }

  private:
    struct Place {
        std::uint32_t half = 0; ///< upper half of the key
        std::uint64_t rank = 0; ///< among the values with that half
    };

    /// Orders as floats do when compared as whole numbers: negative ones have all bits turned, others the sign bit.
    static std::uint32_t key_of(float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        return bits ^ ((bits >> 31U) != 0 ? 0xffffffffU : 0x80000000U);
    }
    static float value_of(std::uint32_t key) {
        return std::bit_cast<float>(key ^ ((key >> 31U) != 0 ? 0x80000000U : 0xffffffffU));
    }

    std::vector<std::uint64_t> upper_ = std::vector<std::uint64_t>(std::size_t{1} << 16U);
    std::map<std::uint32_t, std::vector<std::uint64_t>> lower_;
    std::vector<Place> sought_;
};

} // namespace glproc
