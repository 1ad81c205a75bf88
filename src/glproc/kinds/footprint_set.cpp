#include "glproc/base/parallel.hpp"
#include "glproc/kinds/footprint.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

namespace glproc {

namespace {

/// Rows of results that one thread makes at once.
constexpr std::int64_t set_rows = 64;
/// Shorter rows are joined to one, with their surroundings in between.
constexpr std::int64_t short_set_row = 64;

/// Neighbours side by side on one row.
struct Run {
    std::int64_t first; ///< from the first value that a row and its surroundings have
    std::int64_t count;
};

/// The neighbours on one row, and how far away that row is along each axis but the last.
struct RowOfRuns {
    std::vector<std::int64_t> apart;
    std::vector<Run> runs;
};

/// A bit for each value of an array. Rows have room for the values beyond their ends.
class Bits {
  public:
    Bits(const FootprintJob& job, std::span<const std::byte> source)
        : job_(job), shape_(job.source.shape), part_(shape_.back()), pitch_(part_) {
        const std::size_t axes = shape_.size();
        const std::int64_t farthest = reach_of(job.offsets, axes - 1);
        const bool is_joined = axes > 1 && part_ < short_set_row;
        if (is_joined) {
            pitch_ += farthest;
            shape_.pop_back();
            parts_ = shape_.back();
        }
        length_ = (parts_ - 1) * pitch_ + part_;
        rows_ = job.source.count() / (parts_ * part_);
        std::int64_t after = 0;
        std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> columns;
        const auto outer = static_cast<std::ptrdiff_t>(shape_.size()) - 1;
        for (std::size_t i = 0; i < job.neighbours(); ++i) {
            const auto offset = job.offsets.begin() + static_cast<std::ptrdiff_t>(i * axes);
            const std::int64_t column =
                is_joined ? offset[outer] * pitch_ + offset[outer + 1] : offset[outer];
            columns[{offset, offset + outer}].push_back(column);
            before_ = std::max(before_, -column);
            after = std::max(after, column);
        }
        for (auto& [apart, places] : columns) {
            structure_.push_back({apart, runs_of(places)});
        }
        words_ = (before_ + length_ + after + 63) / 64 + 1; // one more, as values are taken from two words
        bits_.resize(static_cast<std::size_t>(rows_ * words_));
        parallel_for(static_cast<std::size_t>((rows_ + set_rows - 1) / set_rows), [&](std::size_t part) {
            const std::int64_t first = static_cast<std::int64_t>(part) * set_rows;
            for (std::int64_t row = first; row < std::min(first + set_rows, rows_); ++row) {
                pack(source.data() + row * parts_ * part_, row);
            }
        });
    }

    /// `is_all`: set where all neighbours are, else where any is.
    template <bool is_all>
    void store(std::span<std::byte> result, const std::function<void()>& check) const {
        const std::int64_t used = (length_ + 63) / 64;
        parallel_for(
            static_cast<std::size_t>((rows_ + set_rows - 1) / set_rows),
            [&] {
                return std::vector<std::uint64_t>(static_cast<std::size_t>(used + 1 + 2 * words_));
            }, // unpack() may read one more
            [&](std::vector<std::uint64_t>& room, std::size_t part) {
                if (check) {
                    check();
                }
                const std::int64_t first = static_cast<std::int64_t>(part) * set_rows;
                for (std::int64_t row = first; row < std::min(first + set_rows, rows_); ++row) {
                    join<is_all>(row, room.data(), used);
                    unpack(room.data(), result.data() + row * parts_ * part_);
                }
            });
    }

  private:
    /// How far neighbours lie along an axis.
    static std::int64_t reach_of(const std::vector<std::int64_t>& offsets, std::size_t axis) {
        std::int64_t reach = 0;
        for (std::size_t i = axis; i < offsets.size(); i += axis + 1) {
            reach = std::max(reach, std::abs(offsets[i]));
        }
        return reach;
    }

    std::vector<Run> runs_of(std::vector<std::int64_t>& places) const {
        std::sort(places.begin(), places.end());
        std::vector<Run> runs;
        for (const std::int64_t place : places) {
            if (runs.empty() || place != runs.back().first + runs.back().count) {
                runs.push_back({place, 0});
            }
            ++runs.back().count;
        }
        return runs;
    }

    bool has_border() const { return job_.constant != 0; }

    /// Values are 0 or 1.
    void pack(const std::byte* from, std::int64_t row) {
        std::uint64_t* const to = bits_.data() + row * words_;
        std::fill_n(to, words_, has_border() ? ~std::uint64_t{0} : 0);
        for (std::int64_t part = 0; part < parts_; ++part, from += part_) {
            for (std::int64_t i = 0; i < part_; i += 8) {
                std::uint64_t eight = 0;
                const std::int64_t count = std::min<std::int64_t>(8, part_ - i);
                std::memcpy(&eight, from + i, static_cast<std::size_t>(count));
                // The product has the lowest bit of each byte in its uppermost eight.
                put(to, before_ + part * pitch_ + i, eight * 0x0102040810204080U >> 56U,
                    (std::uint64_t{1} << static_cast<unsigned>(count)) - 1);
            }
        }
    }

    /// As many bits as `mask` has, the first at `place`.
    static void put(std::uint64_t* to, std::int64_t place, std::uint64_t bits, std::uint64_t mask) {
        std::uint64_t* const word = to + place / 64;
        const auto shift = static_cast<unsigned>(place % 64);
        word[0] = (word[0] & ~(mask << shift)) | bits << shift;
        if (shift > 56) {
            word[1] = (word[1] & ~(mask >> (64 - shift))) | bits >> (64 - shift);
        }
    }

    void unpack(const std::uint64_t* from, std::byte* to) const {
        for (std::int64_t part = 0; part < parts_; ++part, to += part_) {
            for (std::int64_t i = 0; i < part_; i += 8) {
                const std::int64_t place = part * pitch_ + i;
                const auto shift = static_cast<unsigned>(place % 64);
                std::uint64_t byte = from[place / 64] >> shift;
                if (shift > 56) {
                    byte |= from[place / 64 + 1] << (64 - shift);
                }
                // Each byte of the product has all eight bits, and keeps its own.
                const std::uint64_t own = (byte & 0xFFU) * 0x0101010101010101U & 0x8040201008040201U;
                const std::uint64_t eight = ((own + 0x7F7F7F7F7F7F7F7FU) >> 7U) & 0x0101010101010101U;
                std::memcpy(to + i, &eight, static_cast<std::size_t>(std::min<std::int64_t>(8, part_ - i)));
            }
        }
    }

    template <bool is_all>
    static std::uint64_t both(std::uint64_t a, std::uint64_t b) {
        return is_all ? a & b : a | b;
    }

    /// Joins each word of `to` with 64 values of `from`, the first at `place`.
    template <bool is_all>
    static void join_moved(const std::uint64_t* from, std::int64_t place, std::uint64_t* to,
                           std::int64_t count) {
        from += place / 64;
        const auto shift = static_cast<unsigned>(place % 64);
        if (shift == 0) {
            for (std::int64_t i = 0; i < count; ++i) {
                to[i] = both<is_all>(to[i], from[i]);
            }
            return;
        }
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = both<is_all>(to[i], from[i] >> shift | from[i + 1] << (64 - shift));
        }
    }

    /// The row of a neighbour, or null where it is beyond the array.
    const std::uint64_t* row_at(std::int64_t row, const std::vector<std::int64_t>& apart) const {
        std::int64_t at = 0;
        std::int64_t step = 1;
        for (std::size_t axis = apart.size(); axis > 0; --axis) {
            const std::int64_t length = shape_[axis - 1];
            const std::int64_t place = row % length + apart[axis - 1];
            if (place < 0 || place >= length) {
                return nullptr;
            }
            at += place * step;
            step *= length;
            row /= length;
        }
        return bits_.data() + at * words_;
    }

    /// Into the first `used` words of `room`, which has room for two rows more.
    template <bool is_all>
    void join(std::int64_t row, std::uint64_t* room, std::int64_t used) const {
        std::fill_n(room, used, is_all ? ~std::uint64_t{0} : 0);
        std::uint64_t* const wide = room + used + 1;
        for (const RowOfRuns& one : structure_) {
            const std::uint64_t* const from = row_at(row, one.apart);
            if (from == nullptr) {
                if (has_border() != is_all) {
                    std::fill_n(room, used, has_border() ? ~std::uint64_t{0} : 0);
                    return;
                }
                continue;
            }
            for (const Run& run : one.runs) {
                if (run.count == 1) {
                    join_moved<is_all>(from, before_ + run.first, room, used);
                    continue;
                }
                std::copy_n(from, words_, wide);
                widen<is_all>(wide, run.count);
                join_moved<is_all>(wide, before_ + run.first, room, used);
            }
        }
    }

    /// Each value joined with the ones after it: with twice as many in each step, which may overlap.
    template <bool is_all>
    void widen(std::uint64_t* row, std::int64_t count) const {
        for (std::int64_t done = 1; done < count;) {
            const std::int64_t more = std::min(done, count - done);
            const std::int64_t words = words_ - 1 - more / 64;
            join_moved<is_all>(row, more, row, words); // from later words, which are as they were
            done += more;
        }
    }

    const FootprintJob& job_;
    std::vector<std::int64_t> shape_; ///< without the last axis, where its rows are joined
    std::int64_t part_;               ///< values that follow each other in a row,
    std::int64_t pitch_;              ///< where the next ones begin,
    std::int64_t parts_ = 1;          ///< and how often
    std::int64_t length_ = 0;         ///< of a row from its first value to its last
    std::int64_t rows_ = 0;
    std::int64_t words_ = 0; ///< of a row
    std::int64_t before_ = 0;
    std::vector<RowOfRuns> structure_;
    std::vector<std::uint64_t> bits_;
};

} // namespace

void run_set_on_cpu(const FootprintJob& job, std::span<const std::byte> source, std::span<std::byte> result,
                    const std::function<void()>& check) {
    const Bits bits(job, source);
    if (job.what == FootprintJob::Do::minimum) {
        bits.store<true>(result, check);
    } else {
        bits.store<false>(result, check);
    }
}

} // namespace glproc
