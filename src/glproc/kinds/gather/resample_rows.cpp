// Resizes pictures by the processor, row by row. The sums are the same as in glsl/kinds/gather/resample.comp, in the same
// order and with the same roundings.
//
// Along x eight rows are worked on at a time, one in each lane, so that a weight serves all of them. Along y
// there are as many sums under way, or rows remembered, as a pixel has slots, however tall the picture is.
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/gather/resample_mixing.hpp"
#include "glproc/kinds/light_rows.hpp"
#include "glproc/kinds/separable/row_sums.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace glproc {

namespace {

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

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

/// A pixel of the result in eight rows. Weights of 0 let no NaN through.
template <std::size_t Channels>
std::array<Lanes, Channels> sum_window(const Lanes* pixels, const float* weights, int count) {
    std::array<Lanes, Channels> sums{};
    for (int k = 0; k < count; ++k) {
        const float weight = weights[k]; // NOLINT: of the window
        for (std::size_t c = 0; c < Channels && weight != 0; ++c) {
            const Lanes& values = pixels[size_of(k) * Channels + c]; // NOLINT: likewise
            for (std::size_t r = 0; r < lanes; ++r) {
                sums[c][r] += weight * values[r]; // NOLINT: below Channels
            }
        }
    }
    return sums;
}

/// add_to_slot() of the kernel with CAREFUL: `excess` is the rounding error that the sum contains.
void add_carefully(float weight, float value, float& sum, float& excess) {
    const float addend = (weight == 0 ? 0 : weight * value) - excess;
    const float next = sum + addend;
    excess = (next - sum) - addend;
    sum = next;
}

template <std::size_t Channels>
std::array<Lanes, Channels> sum_carefully(const Lanes* pixels, const float* weights, int count) {
    std::array<Lanes, Channels> sums{};
    std::array<Lanes, Channels> excess{};
    for (int k = 0; k < count; ++k) {
        for (std::size_t c = 0; c < Channels; ++c) {
            for (std::size_t r = 0; r < lanes; ++r) {
                add_carefully(weights[k], pixels[size_of(k) * Channels + c][r], sums[c][r], excess[c][r]); // NOLINT: of the window
            }
        }
    }
    return sums;
}

/// Rows along x: `to` gets floats, row after row.
template <std::size_t Channels>
void sum_rows(const Line& line, const Mixing& mixing, bool is_careful, std::span<const Lanes> from, std::size_t rows, float* to) {
    const std::size_t width = line.windows.size() * Channels;
    for (std::size_t o = 0; o < line.windows.size(); ++o) {
        const auto& [span, weights] = line.windows[o];
        const Lanes* pixels = &from[size_of(span.first) * Channels];
        auto sums = is_careful ? sum_carefully<Channels>(pixels, &line.weights[weights], span.count)
                               : sum_window<Channels>(pixels, &line.weights[weights], span.count);
        end_between(mixing, sums);
        for (std::size_t c = 0; c < Channels; ++c) {
            for (std::size_t r = 0; r < rows; ++r) {
                to[r * width + o * Channels + c] = sums.at(c)[r]; // NOLINT: `rows` of `width`
            }
        }
    }
}

/// Along x, several rows at once.
class Across {
  public:
    /// `source`: the form of the rows that are read, floats where values are weighted.
    Across(const Resample& resample, const Form& source, const Mixing& mixing)
        : form_(source), mixing_(mixing), changes_(!resample.x.is_whole()), is_careful_(mixing.is_careful(resample.x)) {
        if (changes_) {
            line_.emplace(resample.x, mixing.depth == Depth::u8 && mixing.is_plain());
        }
    }

    /// `rows` of the source become rows of floats.
    void run(std::span<const std::byte> rows, std::size_t result_width, std::vector<float>& to) const {
        const std::size_t count = rows.size() / form_.row_bytes();
        to.resize(count * result_width);
        if (!changes_) {
            with_code([&]<class T>(T) { std::copy_n(reinterpret_cast<const T*>(rows.data()), to.size(), to.begin()); }); // NOLINT: of that depth
            return;
        }
        const auto make_room = [this] { return std::vector<Lanes>(size_of(form_.width) * size_of(form_.channels)); };
        parallel_for(covering(count, lanes), make_room, [&](std::vector<Lanes>& room, std::size_t i) {
            const std::size_t first = i * lanes;
            const std::size_t some = std::min(lanes, count - first);
            const auto part = rows.subspan(first * form_.row_bytes(), some * form_.row_bytes());
            with_code([&]<class T>(T) { gather_lanes<T>(part, form_.row_bytes(), room); });
            sum(room, some, &to[first * result_width]);
        });
    }

  private:
    template <class Use>
    void with_code(const Use& use) const {
        form_.depth == Depth::u8 ? use(std::uint8_t{}) : form_.depth == Depth::u16 ? use(std::uint16_t{}) : use(float{});
    }

    void sum(std::span<const Lanes> from, std::size_t rows, float* to) const {
        switch (form_.channels) {
        case 1:
            return sum_rows<1>(*line_, mixing_, is_careful_, from, rows, to);
        case 2:
            return sum_rows<2>(*line_, mixing_, is_careful_, from, rows, to);
        case 3:
            return sum_rows<3>(*line_, mixing_, is_careful_, from, rows, to);
        default:
            return sum_rows<4>(*line_, mixing_, is_careful_, from, rows, to);
        }
    }

    Form form_;
    Mixing mixing_;
    bool changes_;
    bool is_careful_;
    std::optional<Line> line_;
};

/// Along y: incoming rows are added to the sums under way, or remembered.
class Down {
  public:
    /// `result`: what goes out.
    Down(const Stretch& stretch, bool is_short, const Form& result, const Mixing& mixing)
        : is_whole_(stretch.is_whole()), shrinks_(stretch.shrinks()), is_careful_(mixing.is_careful(stretch)),
          slots_(size_of(slots_of(stretch.filter))), width_(size_of(result.width) * size_of(result.channels)), ending_(mixing, result.channels),
          code_bytes_(bytes_of(result.depth)) {
        if (!is_whole_) {
            tables_ = make_tables({stretch, 0, stretch.to, 0, stretch.from, is_short && takes_short_weights(stretch)});
            held_.resize(slots_ * width_);
            excess_.resize(is_careful_ ? held_.size() : 0);
        }
    }

    /// Takes rows of the source, beginning with row `first`. `made` gets the rows of the result that they
    /// complete.
    void take(std::size_t first, std::span<const float> rows, std::vector<std::byte>& made) {
        const std::size_t end = first + rows.size() / width_;
        const std::size_t begun = next_;
        next_ = is_whole_ ? end : done_by(end);
        made.resize((next_ - begun) * width_ * code_bytes_);
        // Columns that stay in a core's cache with everything that is added to them: with alpha whole pixels.
        constexpr std::size_t part = 512;
        const std::size_t parts = covering(width_, part);
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

    std::span<float> slot(std::size_t number, const Columns& columns) { return slot_of(held_, number, columns); }
    std::span<float> slot_of(std::vector<float>& all, std::size_t number, const Columns& columns) const {
        return std::span(all).subspan(number % slots_ * width_ + columns.begin, columns.count);
    }

    static void add(std::span<float> sums, float weight, const float* row) {
        if (weight == 0) { // which adds nothing
            return;
        }
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] += weight * row[i]; // NOLINT: as many
        }
    }

    void add_to_slot(std::size_t number, float weight, const float* row, const Columns& columns) {
        const std::span<float> sums = slot(number, columns);
        if (!is_careful_) {
            return add(sums, weight, row);
        }
        const std::span<float> excess = slot_of(excess_, number, columns);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            add_carefully(weight, row[i], sums[i], excess[i]); // NOLINT: as many
        }
    }

    void take_row(std::size_t y, const float* row, Columns& columns, std::span<std::byte> made) {
        if (is_whole_) {
            return give(std::span(row, columns.count), columns, made);
        }
        if (shrinks_) {
            for (std::size_t s = 0; s < slots_; ++s) {
                add_to_slot(columns.next + s, tables_.weights[y * slots_ + s], row, columns);
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
            if (is_careful_) {
                std::ranges::fill(slot_of(excess_, columns.next - 1, columns), 0.0F);
            }
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
        ending_.run(sums, made.subspan(place * code_bytes_).data());
    }

    bool is_whole_;
    bool shrinks_;
    bool is_careful_;
    std::size_t slots_;
    std::size_t width_;
    ResampleEnding ending_;
    std::size_t code_bytes_;
    WindowTables tables_;
    std::size_t next_ = 0; ///< row of the result
    std::vector<float> held_;
    std::vector<float> excess_; ///< the rounding errors that sums contain
};

/// The rows that are added up are codes as they are, or floats: light, or values that are weighted.
void mix_rows(const Resample& resample, const Mixing& mixing, RowReader& source, RowWriter& to) {
    const Form& form = source.form();
    Form coming = form;
    coming.depth = mixing.is_plain() ? form.depth : Depth::f32;
    Form result = resample.result_of(form);
    result.depth = mixing.mixed_depth();
    const Across across(resample, coming, mixing);
    const bool is_short = form.depth == Depth::u8 && mixing.is_plain() && resample.x.is_whole(); // weights of the first axis alone
    Down down(resample.y, is_short, result, mixing);

    constexpr std::size_t enough = std::size_t{1} << 20U; // bytes: work for all cores
    const std::size_t batch = std::max(enough / form.row_bytes() / lanes, thread_limit()) * lanes;
    std::vector<std::byte> read;
    std::vector<std::byte> values;
    std::vector<float> between;
    std::vector<std::byte> made;
    for (std::size_t done = 0; done < size_of(form.height);) {
        const std::size_t count = std::min(batch, size_of(form.height) - done);
        read.resize(count * form.row_bytes());
        source.read(read);
        if (!mixing.is_plain()) {
            values.resize(count * coming.row_bytes());
            parallel_for(count, [&](std::size_t i) {
                auto* row = reinterpret_cast<float*>(&values[i * coming.row_bytes()]); // NOLINT: floats
                values_of_row(&read[i * form.row_bytes()], form, mixing.weighted, row);
            });
        }
        across.run(mixing.is_plain() ? read : values, size_of(result.width) * size_of(result.channels), between);
        down.take(done, between, made);
        to.write(made);
        done += count;
    }
}

} // namespace

void resample_rows(const Resample& resample, RowReader& source, RowWriter& to) {
    const Form& form = source.form();
    if (resample.x.is_whole() && resample.y.is_whole()) {
        return copy_rows(source, to);
    }
    const Mixing mixing{form.depth, mixes_by_alpha(resample, form), mixes_light(resample, form),
                        !resample.x.is_whole() && !resample.y.is_whole()};
    if (!mixing.linear) {
        return mix_rows(resample, mixing, source, to);
    }
    LightReader light(source);
    LightWriter back(resample.result_of(form), to);
    mix_rows(resample, mixing, light, back);
}

} // namespace glproc
