#include "glproc/arrays/footprints/footprints.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace glproc {

namespace {

/// Bits of results that one thread makes at once, at least. Shorter rows are joined to one, with their
/// surroundings in between.
constexpr std::int64_t span_bits = std::int64_t{64} * 64;

/// Neighbours side by side on one row.
struct Run {
    std::int64_t first; ///< from the value that has them
    std::int64_t count;
};

/// The neighbours on one row, and how far away that row is along each axis but those that rows have.
struct RowOfRuns {
    std::vector<std::int64_t> apart;
    std::vector<Run> runs; ///< the shortest first
    std::int64_t first;    ///< of all
    std::int64_t end;
};

/// Part of a row, from one bit to another.
struct PartOfRow {
    std::int64_t row;
    std::int64_t begin;
    std::int64_t end;

    std::int64_t words() const { return (end - begin + 63) / 64; }
};

/// A bit for each value of an array. A row has the values of the last axis, or of the last ones, and what is
/// beyond the ends of each.
class Bits {
  public:
    Bits(const FootprintJob& job, std::span<const std::byte> source) : job_(job), shape_(job.source.shape) {
        const std::vector<std::int64_t> offsets = offsets_within();
        join_axes(offsets);
        std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> columns;
        const auto outer = static_cast<std::ptrdiff_t>(shape_.size());
        const auto axes = outer + static_cast<std::ptrdiff_t>(steps_.size());
        std::int64_t after = 0;
        for (auto offset = offsets.begin(); offset != offsets.end(); offset += axes) {
            std::int64_t column = 0;
            for (std::ptrdiff_t axis = outer; axis < axes; ++axis) {
                column += offset[axis] * steps_[static_cast<std::size_t>(axes - 1 - axis)];
            }
            columns[{offset, offset + outer}].push_back(column);
            before_ = std::max(before_, -column);
            after = std::max(after, column);
        }
        for (auto& [apart, places] : columns) {
            structure_.push_back(row_of_runs(apart, places));
        }
        span_ = std::max(span_bits,
                         (before_ + after) / 64 * 64); // what is around it should not be most of the work
        words_ = (before_ + length_ + 63 + after) / 64 + 2; // as join_row() reads two more
        bits_.resize(static_cast<std::size_t>(rows_ * words_));
        each_span(
            {0, -before_, words_ * 64 - before_}, [] { return 0; },
            [&](int, const PartOfRow& span) { pack(source.data(), span); });
    }

    /// `is_all`: set where all neighbours are, else where any is.
    template <bool is_all>
    void store(std::span<std::byte> result, const Check& check) const {
        each_span(
            {0, 0, length_}, [] { return Room(); },
            [&](Room& room, const PartOfRow& span) {
                if (check) {
                    check();
                }
                room.made.resize(static_cast<std::size_t>(span.words() + 1)); // unpack() may read one more
                join<is_all>(span, room);
                unpack(room.made.data(), span, result.data());
            });
    }

  private:
    /// A neighbour beyond the ends for every value is one just beyond.
    std::vector<std::int64_t> offsets_within() const {
        std::vector<std::int64_t> offsets = job_.offsets;
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            const std::int64_t length = shape_[i % shape_.size()];
            offsets[i] = std::clamp(offsets[i], -length, length);
        }
        return offsets;
    }

    /// How far neighbours lie along an axis.
    static std::int64_t reach_of(const std::vector<std::int64_t>& offsets, std::size_t axis,
                                 std::size_t axes) {
        std::int64_t reach = 0;
        for (std::size_t i = axis; i < offsets.size(); i += axes) {
            reach = std::max(reach, std::abs(offsets[i]));
        }
        return reach;
    }

    /// Which axes a row has. Between one index of an axis and the next lies what is beyond the ends of the
    /// axes within it.
    void join_axes(const std::vector<std::int64_t>& offsets) {
        const std::size_t axes = shape_.size();
        std::int64_t step = 1;
        length_ = 1;
        do {
            lengths_.push_back(shape_.back());
            steps_.push_back(step);
            length_ += (shape_.back() - 1) * step;
            step *= shape_.back() + reach_of(offsets, shape_.size() - 1, axes);
            shape_.pop_back();
        } while (!shape_.empty() && length_ < span_bits);
        rows_ = std::accumulate(shape_.begin(), shape_.end(), std::int64_t{1}, std::multiplies<>());
        lines_ = std::accumulate(lengths_.begin() + 1, lengths_.end(), std::int64_t{1}, std::multiplies<>());
    }

    static RowOfRuns row_of_runs(const std::vector<std::int64_t>& apart, std::vector<std::int64_t>& places) {
        std::sort(places.begin(), places.end());
        std::vector<Run> runs;
        for (const std::int64_t place : places) {
            if (runs.empty() || place != runs.back().first + runs.back().count) {
                runs.push_back({place, 0});
            }
            ++runs.back().count;
        }
        std::stable_sort(runs.begin(), runs.end(),
                         [](const Run& a, const Run& b) { return a.count < b.count; });
        return {apart, std::move(runs), places.front(), places.back() + 1};
    }

    bool has_border() const { return job_.constant != 0; }

    /// Calls use(own, span) for parts of all rows, which are like `whole`, by several threads.
    void each_span(const PartOfRow& whole, const auto& make, const auto& use) const {
        const std::int64_t spans = covering(whole.end - whole.begin, span_);
        parallel_for(static_cast<std::size_t>(rows_ * spans), make, [&](auto& own, std::size_t i) {
            const std::int64_t row = static_cast<std::int64_t>(i) / spans;
            const std::int64_t begin = whole.begin + static_cast<std::int64_t>(i) % spans * span_;
            use(own, PartOfRow{row, begin, std::min(begin + span_, whole.end)});
        });
    }

    /// Where a line, the values of the last axis, begins in its row.
    std::int64_t start_of(std::int64_t line) const {
        std::int64_t start = 0;
        for (std::size_t axis = 1; axis < steps_.size(); ++axis) {
            const bool is_last = axis + 1 == steps_.size();
            start += (is_last ? line : line % lengths_[axis]) * steps_[axis];
            line /= is_last ? 1 : lengths_[axis];
        }
        return start;
    }

    /// Calls use(value, place, count) for values side by side: the first one's index in the array, and its
    /// place in the row.
    void each_line(const PartOfRow& span, const auto& use) const {
        std::int64_t line = 0;
        for (std::int64_t rest = lines_; rest > 0;) { // by halves to the first line that ends within
            const std::int64_t half = rest / 2;
            const bool is_before = start_of(line + half) + lengths_[0] <= span.begin;
            line += is_before ? half + 1 : 0;
            rest = is_before ? rest - half - 1 : half;
        }
        const std::int64_t together = lengths_.size() > 1 ? lengths_[1] : 1;
        std::int64_t left = together - line % together; // with one step from each to the next
        std::int64_t start = start_of(line);
        while (line < lines_ && start < span.end) {
            const std::int64_t place = std::max(start, span.begin);
            use((span.row * lines_ + line) * lengths_[0] + place - start, place,
                std::min(start + lengths_[0], span.end) - place);
            ++line;
            if (--left > 0) {
                start += steps_[1];
            } else {
                left = together;
                start = start_of(line);
            }
        }
    }

    /// Values are 0 or 1. A span begins with a word.
    void pack(const std::byte* from, const PartOfRow& span) {
        std::uint64_t* const to = bits_.data() + span.row * words_;
        std::fill_n(to + (span.begin + before_) / 64, span.words(), has_border() ? ~std::uint64_t{0} : 0);
        each_line(span, [&](std::int64_t value, std::int64_t place, std::int64_t count) {
            for (std::int64_t i = 0; i < count; i += 8) {
                std::uint64_t eight = 0;
                const std::int64_t some = std::min<std::int64_t>(8, count - i);
                std::memcpy(&eight, from + value + i, static_cast<std::size_t>(some));
                // The product has the lowest bit of each byte in its uppermost eight.
                put(to, before_ + place + i, eight * 0x0102040810204080U >> 56U, static_cast<unsigned>(some));
            }
        });
    }

    /// So many bits, the first at `place`.
    static void put(std::uint64_t* to, std::int64_t place, std::uint64_t bits, unsigned count) {
        const std::uint64_t mask = (std::uint64_t{1} << count) - 1;
        std::uint64_t* const word = to + place / 64;
        const auto shift = static_cast<unsigned>(place % 64);
        word[0] = (word[0] & ~(mask << shift)) | bits << shift;
        if (shift + count > 64) {
            word[1] = (word[1] & ~(mask >> (64 - shift))) | bits >> (64 - shift);
        }
    }

    void unpack(const std::uint64_t* from, const PartOfRow& span, std::byte* to) const {
        each_line(span, [&](std::int64_t value, std::int64_t place, std::int64_t count) {
            for (std::int64_t i = 0; i < count; i += 8) {
                const std::int64_t at = place - span.begin + i;
                const auto shift = static_cast<unsigned>(at % 64);
                std::uint64_t byte = from[at / 64] >> shift;
                if (shift > 56) {
                    byte |= from[at / 64 + 1] << (64 - shift);
                }
                // Each byte of the product has all eight bits, and keeps its own.
                const std::uint64_t own = (byte & 0xFFU) * 0x0101010101010101U & 0x8040201008040201U;
                const std::uint64_t eight = ((own + 0x7F7F7F7F7F7F7F7FU) >> 7U) & 0x0101010101010101U;
                std::memcpy(to + value + i, &eight,
                            static_cast<std::size_t>(std::min<std::int64_t>(8, count - i)));
            }
        });
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

    /// Memory of a thread, for a span.
    struct Room {
        std::vector<std::uint64_t> made;
        std::vector<std::uint64_t> wide;
    };

    template <bool is_all>
    void join(const PartOfRow& span, Room& room) const {
        std::fill_n(room.made.begin(), span.words(), is_all ? ~std::uint64_t{0} : 0);
        for (const RowOfRuns& one : structure_) {
            const std::uint64_t* const from = row_at(span.row, one.apart);
            if (from != nullptr) {
                join_row<is_all>(from, one, span, room);
            } else if (has_border() != is_all) {
                std::fill_n(room.made.begin(), span.words(), has_border() ? ~std::uint64_t{0} : 0);
                return;
            }
        }
    }

    /// The values are widened to one run after another.
    template <bool is_all>
    void join_row(const std::uint64_t* from, const RowOfRuns& one, const PartOfRow& span, Room& room) const {
        const std::int64_t first = (before_ + span.begin + one.first) / 64;
        const std::int64_t words = (before_ + span.begin + one.end - 1) / 64 - first + span.words() + 2;
        room.wide.assign(from + first, from + first + words);
        std::int64_t width = 1;
        for (const Run& run : one.runs) {
            for (; width < run.count; width += std::min(width, run.count - width)) {
                // From later words, which are as they were.
                const std::int64_t more = std::min(width, run.count - width);
                join_moved<is_all>(room.wide.data(), more, room.wide.data(), words - 1 - more / 64);
            }
            join_moved<is_all>(room.wide.data(), before_ + span.begin + run.first - first * 64,
                               room.made.data(), span.words());
        }
    }

    const FootprintJob& job_;
    std::vector<std::int64_t> shape_;   ///< without the axes of a row
    std::vector<std::int64_t> lengths_; ///< of the axes of a row, the last axis first,
    std::vector<std::int64_t> steps_;   ///< and from one index of each to the next
    std::int64_t length_ = 0;           ///< of a row from its first value to its last
    std::int64_t lines_ = 0;            ///< of a row
    std::int64_t rows_ = 0;
    std::int64_t words_ = 0; ///< of a row
    std::int64_t span_ = 0;
    std::int64_t before_ = 0;
    std::vector<RowOfRuns> structure_;
    std::vector<std::uint64_t> bits_;
};

} // namespace

void run_set(const FootprintJob& job, SourceBytes source, ResultBytes result, const Check& check) {
    const Bits bits(job, source);
    if (job.what == FootprintJob::Do::minimum) {
        bits.store<true>(result, check);
    } else {
        bits.store<false>(result, check);
    }
}

} // namespace glproc
