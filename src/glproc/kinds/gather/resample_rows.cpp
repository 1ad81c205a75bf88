// Resizes pictures by the processor, row by row, if their values are mixed as they are. The sums are the same
// as in glsl/kinds/gather/resample.comp, in the same order and with the same roundings.
//
// Along x eight rows are worked on at a time, one in each lane, so that a weight serves all of them. Along y
// there are as many sums under way, or rows remembered, as a pixel has slots, however tall the picture is.
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/gather/resample.hpp"
#include "glproc/kinds/gather/resample_tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace glproc {

namespace {

constexpr std::size_t lanes = 8; ///< rows side by side
using Lanes = std::array<float, lanes>;

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

/// Rounds to nearest even: above 2^23 a float has no bits for fractions left.
std::uint32_t code_of(float value, float most) {
    constexpr float whole_from = 8388608;
    const float rounded = std::clamp(value, 0.0F, most) + whole_from;
    return std::bit_cast<std::uint32_t>(rounded) & 0xffffU;
}

/// How a sum changes on its way out of an axis.
struct Ending {
    bool is_between = false; ///< another axis follows, and gets 8 bits as whole 256ths
    bool was_between = false;
    float most = 255;

    float of(float sum) const {
        if (is_between) {
            return most > 255 ? sum : static_cast<float>(code_of(std::clamp(sum, 0.0F, most) * 256, 65535));
        }
        return was_between && most <= 255 ? sum * (1.0F / 256) : sum;
    }
};

/// The windows of a line with their weights, as the kernels have them.
struct Line {
    Line(const Stretch& stretch, bool is_short) {
        const bool takes_short = is_short && takes_short_weights(stretch);
        for (int o = 0; o < stretch.to; ++o) {
            const Span window = window_of(stretch, o);
            std::vector<double> exact = weights_of(stretch, o, window);
            exact = takes_short ? short_weights(exact) : exact;
            windows.push_back({window, weights.size()});
            weights.insert(weights.end(), exact.begin(), exact.end());
        }
    }

    struct Window {
        Span span;
        std::size_t weights; ///< where they begin
    };
    std::vector<Window> windows;
    std::vector<float> weights;
};

/// Values of up to eight rows; values at the same place in them lie side by side.
template <class T>
void gather_lanes(std::span<const std::byte> rows, std::size_t row_bytes, std::span<Lanes> to) {
    const std::size_t count = rows.size() / row_bytes;
    for (std::size_t r = 0; r < count; ++r) {
        const auto* from = reinterpret_cast<const T*>(rows.data() + r * row_bytes);
        for (std::size_t i = 0; i < to.size(); ++i) {
            to[i][r] = from[i];
        }
    }
}

/// A pixel of the result in eight rows.
template <std::size_t Channels>
std::array<Lanes, Channels> sum_window(const Lanes* pixels, const float* weights, int count) {
    std::array<Lanes, Channels> sums{};
    for (int k = 0; k < count; ++k) {
        const float weight = weights[k]; // NOLINT: of the window
        for (std::size_t c = 0; c < Channels; ++c) {
            const Lanes& values = pixels[size_of(k) * Channels + c]; // NOLINT: likewise
            for (std::size_t r = 0; r < lanes; ++r) {
                sums[c][r] += weight * values[r]; // NOLINT: below Channels
            }
        }
    }
    return sums;
}

/// Rows along x: `to` gets floats, row after row.
template <std::size_t Channels>
void sum_rows(const Line& line, std::span<const Lanes> from, std::size_t rows, const Ending& ending, float* to) {
    const std::size_t width = line.windows.size() * Channels;
    for (std::size_t o = 0; o < line.windows.size(); ++o) {
        const auto& [span, weights] = line.windows[o];
        const auto sums = sum_window<Channels>(&from[size_of(span.first) * Channels], &line.weights[weights], span.count);
        for (std::size_t c = 0; c < Channels; ++c) {
            for (std::size_t r = 0; r < rows; ++r) {
                to[r * width + o * Channels + c] = ending.of(sums.at(c)[r]); // NOLINT: `rows` of `width`
            }
        }
    }
}

/// Along x, several rows at once.
class Across {
  public:
    Across(const Resample& resample, const Form& source, Ending ending)
        : form_(source), ending_(ending), changes_(!resample.x.is_whole()) {
        if (changes_) {
            line_.emplace(resample.x, source.depth == Depth::u8);
        }
    }

    /// `rows` of the source become rows of floats.
    void run(std::span<const std::byte> rows, std::size_t result_width, std::vector<float>& to) const {
        const std::size_t count = rows.size() / form_.row_bytes();
        to.resize(count * result_width);
        if (!changes_) {
            form_.depth == Depth::u8 ? widen<std::uint8_t>(rows, to) : widen<std::uint16_t>(rows, to);
            return;
        }
        const auto make_room = [this] { return std::vector<Lanes>(size_of(form_.width) * size_of(form_.channels)); };
        parallel_for((count + lanes - 1) / lanes, make_room, [&](std::vector<Lanes>& room, std::size_t i) {
            const std::size_t first = i * lanes;
            const std::size_t some = std::min(lanes, count - first);
            const auto part = rows.subspan(first * form_.row_bytes(), some * form_.row_bytes());
            form_.depth == Depth::u8 ? gather_lanes<std::uint8_t>(part, form_.row_bytes(), room)
                                     : gather_lanes<std::uint16_t>(part, form_.row_bytes(), room);
            sum(room, some, &to[first * result_width]);
        });
    }

  private:
    template <class T>
    static void widen(std::span<const std::byte> rows, std::vector<float>& to) {
        const auto* from = reinterpret_cast<const T*>(rows.data());
        std::copy_n(from, to.size(), to.begin());
    }

    void sum(std::span<const Lanes> from, std::size_t rows, float* to) const {
        switch (form_.channels) {
        case 1:
            return sum_rows<1>(*line_, from, rows, ending_, to);
        case 2:
            return sum_rows<2>(*line_, from, rows, ending_, to);
        case 3:
            return sum_rows<3>(*line_, from, rows, ending_, to);
        default:
            return sum_rows<4>(*line_, from, rows, ending_, to);
        }
    }

    Form form_;
    Ending ending_;
    bool changes_;
    std::optional<Line> line_;
};

template <class T>
void store(std::span<const float> values, const Ending& ending, std::byte* to) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto code = static_cast<T>(code_of(ending.of(values[i]), ending.most));
        std::memcpy(to + i * sizeof(T), &code, sizeof(T)); // NOLINT: as many
    }
}

/// Along y: incoming rows are added to the sums under way, or remembered.
class Down {
  public:
    Down(const Stretch& stretch, bool is_short, std::size_t width, Ending ending, Depth depth)
        : is_whole_(stretch.is_whole()), shrinks_(stretch.shrinks()), slots_(size_of(slots_of(stretch.filter))), width_(width),
          ending_(ending), depth_(depth) {
        if (!is_whole_) {
            tables_ = make_tables({stretch, 0, stretch.to, 0, stretch.from, is_short && takes_short_weights(stretch)});
            held_.resize(slots_ * width_);
        }
    }

    /// Takes rows of the source, beginning with row `first`. `made` gets the rows of the result that they
    /// complete.
    void take(std::size_t first, std::span<const float> rows, std::vector<std::byte>& made) {
        const std::size_t end = first + rows.size() / width_;
        const std::size_t begun = next_;
        next_ = is_whole_ ? end : done_by(end);
        made.resize((next_ - begun) * width_ * bytes_of(depth_));
        constexpr std::size_t part = 512; // columns that stay in a core's cache with everything that is added to them
        const std::size_t parts = (width_ + part - 1) / part;
        parallel_for(parts, [&](std::size_t i) {
            Columns columns{i * part, std::min(part, width_ - i * part), begun, begun};
            for (std::size_t y = first; y < end; ++y) {
                take_row(y, &rows[(y - first) * width_ + columns.begin], columns, made);
            }
        });
    }

  private:
    /// Some of the columns, and how far they have come.
    struct Columns {
        std::size_t begin;
        std::size_t count;
        std::size_t begun; ///< the row of the result that `made` begins with
        std::size_t next;
        std::vector<float> sums = {};
    };

    std::size_t done_by(std::size_t end) const {
        std::size_t next = next_;
        while (next < tables_.windows.size() && size_of(tables_.windows[next][1]) <= end) {
            ++next;
        }
        return next;
    }

    std::span<float> slot(std::size_t number, const Columns& columns) {
        return std::span(held_).subspan(number % slots_ * width_ + columns.begin, columns.count);
    }

    static void add(std::span<float> sums, float weight, const float* row) {
        if (weight == 0) { // which adds nothing
            return;
        }
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] += weight * row[i]; // NOLINT: as many
        }
    }

    void take_row(std::size_t y, const float* row, Columns& columns, std::span<std::byte> made) {
        if (is_whole_) {
            return give(std::span(row, columns.count), columns, made);
        }
        if (shrinks_) {
            for (std::size_t s = 0; s < slots_; ++s) {
                add(slot(columns.next + s, columns), tables_.weights[y * slots_ + s], row);
            }
        } else {
            std::copy_n(row, columns.count, slot(y, columns).begin());
        }
        while (columns.next < tables_.windows.size() && size_of(tables_.windows[columns.next][1]) <= y + 1) {
            finish(y, columns, made);
        }
    }

    void finish(std::size_t y, Columns& columns, std::span<std::byte> made) {
        if (shrinks_) {
            const std::span<float> sums = slot(columns.next, columns);
            give(sums, columns, made);
            std::ranges::fill(sums, 0.0F);
            return;
        }
        columns.sums.assign(columns.count, 0);
        for (std::size_t s = 0; s < slots_; ++s) {
            // The last slot is this row, the slots before it are the rows before; the first windows have
            // none.
            add(columns.sums, tables_.weights[columns.next * slots_ + s], slot(y + 1 + s, columns).data());
        }
        give(columns.sums, columns, made);
    }

    void give(std::span<const float> sums, Columns& columns, std::span<std::byte> made) {
        const std::size_t place = (columns.next++ - columns.begun) * width_ + columns.begin;
        std::byte* to = made.subspan(place * bytes_of(depth_)).data();
        depth_ == Depth::u8 ? store<std::uint8_t>(sums, ending_, to) : store<std::uint16_t>(sums, ending_, to);
    }

    bool is_whole_;
    bool shrinks_;
    std::size_t slots_;
    std::size_t width_;
    Ending ending_;
    Depth depth_;
    WindowTables tables_;
    std::size_t next_ = 0; ///< row of the result
    std::vector<float> held_;
};

} // namespace

bool resamples_by_processor(const Resample& resample, const Form& form) {
    return form.depth != Depth::f32 && !mixes_by_alpha(resample, form) && !mixes_light(resample, form);
}

void resample_rows(const Resample& resample, RowReader& source, RowWriter& to) {
    const Form& form = source.form();
    const Form result = resample.result_of(form);
    const bool has_both = !resample.x.is_whole() && !resample.y.is_whole();
    const float most = static_cast<float>(max_code(form.depth));
    const Across across(resample, form, {.is_between = has_both, .most = most});
    const std::size_t width = size_of(result.width) * size_of(result.channels);
    const bool is_short = form.depth == Depth::u8 && resample.x.is_whole(); // weights of the first axis alone
    Down down(resample.y, is_short, width, {.was_between = has_both, .most = most}, form.depth);

    constexpr std::size_t enough = std::size_t{1} << 20U; // bytes: work for all cores
    const std::size_t batch = std::max(enough / form.row_bytes() / lanes, thread_limit()) * lanes;
    std::vector<std::byte> read;
    std::vector<float> between;
    std::vector<std::byte> made;
    for (std::size_t done = 0; done < size_of(form.height);) {
        const std::size_t count = std::min(batch, size_of(form.height) - done);
        read.resize(count * form.row_bytes());
        source.read(read);
        across.run(read, width, between);
        down.take(done, between, made);
        to.write(made);
        done += count;
    }
}

} // namespace glproc
