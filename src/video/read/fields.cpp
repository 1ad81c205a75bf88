// Frames without the combs of interlaced ones.
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "video/read/pixels.hpp"
#include "video/read/source.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

namespace glproc::video {

namespace {

/// A plane of three frames in a row, and which field of the middle one stays. All have the same form.
struct FieldMoment {
    const Image& before;
    const Image& own;
    const Image& after;
    bool keeps_top;     ///< lines 0, 2, 4 …
    bool is_first;      ///< whether this field was taken before the other one of its frame
    bool alone = false; ///< other frames do not count: at the ends of a video
};

/// In parts of 8192.
constexpr std::array<int, 2> low_taps{4309, 213}; // lines 1 and 3 away, of this field
constexpr std::array<int, 3> high_taps{5570, 3801,
                                       1016}; // lines 0, 2 and 4 away, of the fields around it in time
constexpr std::array<int, 2> spatial_taps{5077, 981}; // lines 1 and 3 away, alone
constexpr int unit_bits = 13;

/// What a line is computed from.
template <class T>
class Lines {
  public:
    Lines(const FieldMoment& moment, int bits)
        : own_(moment.own), before_(moment.before), after_(moment.after),
          earlier_(moment.is_first ? moment.before : moment.own),
          later_(moment.is_first ? moment.own : moment.after), most_((1 << bits) - 1) {}

    /// A line that the field does not have.
    void fill(int y, bool alone, T* to) const {
        const int height = own_.height();
        if (alone) {
            from_own(y, to);
        } else if (y < 4 || y + 5 > height) {
            at_edge(y, y >= 2 && y + 3 <= height, to);
        } else {
            between(y, to);
        }
    }

  private:
    static const T* row(const Image& image, int y) { return reinterpret_cast<const T*>(image.row(y)); }

    /// `distance` lines above or below; beyond an edge the line next to y on its other side.
    const T* near(const Image& image, int y, int distance) const {
        const bool is_in = y + distance >= 0 && y + distance < own_.height();
        const int other = std::clamp(y + (distance < 0 ? 1 : -1), 0, own_.height() - 1);
        return row(image, is_in ? y + distance : other);
    }

    static int spatial(int above, int below, int above3, int below3) {
        return (spatial_taps[0] * (above + below) - spatial_taps[1] * (above3 + below3)) >> unit_bits;
    }

    void from_own(int y, T* to) const {
        const T* above = near(own_, y, -1);
        const T* below = near(own_, y, 1);
        const T* above3 = near(own_, y, -3);
        const T* below3 = near(own_, y, 3);
        for (int x = 0; x < own_.width(); ++x) {
            to[x] = static_cast<T>(std::clamp(spatial(above[x], below[x], above3[x], below3[x]), 0, most_));
        }
    }

    /// The pointers to lines that both ways near other frames need.
    struct Around {
        const T* above;
        const T* below;
        const T* before_above;
        const T* before_below;
        const T* after_above;
        const T* after_below;
        const T* earlier;
        const T* later;
    };

    Around around(int y) const {
        return {near(own_, y, -1),   near(own_, y, 1),   near(before_, y, -1), near(before_, y, 1),
                near(after_, y, -1), near(after_, y, 1), row(earlier_, y),     row(later_, y)};
    }

    /// How far the result may lie from the mean over time.
    static int change(const Around& at, int x) {
        const int c = at.above[x];
        const int e = at.below[x];
        const int over_time = std::abs(at.earlier[x] - at.later[x]) >> 1;
        const int before = (std::abs(at.before_above[x] - c) + std::abs(at.before_below[x] - e)) >> 1;
        const int after = (std::abs(at.after_above[x] - c) + std::abs(at.after_below[x] - e)) >> 1;
        return std::max({over_time, before, after});
    }

    /// More where the lines next to it differ from their neighbours alike.
    static int widened(int change, int mean, int c, int e, int mean_above, int mean_below) {
        const int b = mean_above - c;
        const int f = mean_below - e;
        const int dc = mean - c;
        const int de = mean - e;
        const int most = std::max({de, dc, std::min(b, f)});
        const int least = std::min({de, dc, std::max(b, f)});
        return std::max({change, least, -most});
    }

    T bounded(int value, int mean, int change) const {
        return static_cast<T>(std::clamp(std::clamp(value, mean - change, mean + change), 0, most_));
    }

    void at_edge(int y, bool has_second, T* to) const {
        const Around at = around(y);
        const T* earlier_above = has_second ? row(earlier_, y - 2) : at.earlier;
        const T* earlier_below = has_second ? row(earlier_, y + 2) : at.earlier;
        const T* later_above = has_second ? row(later_, y - 2) : at.later;
        const T* later_below = has_second ? row(later_, y + 2) : at.later;
        for (int x = 0; x < own_.width(); ++x) {
            const int c = at.above[x];
            const int e = at.below[x];
            const int mean = (at.earlier[x] + at.later[x]) >> 1;
            int bound = change(at, x);
            if (bound == 0) {
                to[x] = static_cast<T>(mean);
                continue;
            }
            if (has_second) {
                bound = widened(bound, mean, c, e, (earlier_above[x] + later_above[x]) >> 1,
                                (earlier_below[x] + later_below[x]) >> 1);
            }
            to[x] = bounded((c + e) >> 1, mean, bound);
        }
    }

    void between(int y, T* to) const {
        const Around at = around(y);
        const T* above3 = row(own_, y - 3);
        const T* below3 = row(own_, y + 3);
        const std::array<const T*, 4> second{row(earlier_, y - 2), row(later_, y - 2), row(earlier_, y + 2),
                                             row(later_, y + 2)};
        const std::array<const T*, 4> fourth{row(earlier_, y - 4), row(later_, y - 4), row(earlier_, y + 4),
                                             row(later_, y + 4)};
        for (int x = 0; x < own_.width(); ++x) {
            const int c = at.above[x];
            const int e = at.below[x];
            const int sum = at.earlier[x] + at.later[x];
            const int mean = sum >> 1;
            const int bound = change(at, x);
            const int sum_above = second[0][x] + second[1][x];
            const int sum_below = second[2][x] + second[3][x];
            const int high = high_taps[0] * sum - high_taps[1] * (sum_above + sum_below) +
                             high_taps[2] * (fourth[0][x] + fourth[1][x] + fourth[2][x] + fourth[3][x]);
            const int low = low_taps[0] * (c + e) - low_taps[1] * (above3[x] + below3[x]);
            const bool moves = std::abs(c - e) > std::abs(at.earlier[x] - at.later[x]);
            const int value = moves ? ((high >> 2) + low) >> unit_bits : spatial(c, e, above3[x], below3[x]);
            const T made = bounded(value, mean, widened(bound, mean, c, e, sum_above >> 1, sum_below >> 1));
            to[x] = bound == 0 ? static_cast<T>(mean) : made;
        }
    }

    const Image& own_;
    const Image& before_;
    const Image& after_;
    const Image& earlier_; ///< the frame whose other field is the last before this one
    const Image& later_;
    int most_;
};

/// The whole frame of that field, for codes of so many bits. With the bits of FFmpeg's filter bwdif: cubic
/// and linear filters along columns (the coefficients of the BBC's w3fdif: J. Weston, UK patent 2191363),
/// within bounds from the frames before and after (as yadif has them).
template <class T>
Image frame_of_field(const FieldMoment& moment, int bits) {
    Image made(moment.own.form());
    const Lines<T> lines(moment, bits);
    constexpr int rows = 32;
    const int height = made.height();
    parallel_for(static_cast<std::size_t>(covering(height, rows)), [&](std::size_t part) {
        const int first = static_cast<int>(part) * rows;
        for (int y = first; y < std::min(first + rows, height); ++y) {
            if ((y % 2 == 0) == moment.keeps_top) {
                std::copy_n(moment.own.row(y), made.row_bytes(), made.row(y));
            } else {
                lines.fill(y, moment.alone, reinterpret_cast<T*>(made.row(y)));
            }
        }
    });
    return made;
}

class FieldlessSource final : public WrappedSource {
  public:
    FieldlessSource(std::unique_ptr<FrameSource> source, bool each_field)
        : WrappedSource(std::move(source)), each_field_(each_field), bits_(reader()->info().form.bits) {}

    FrameClock clock() override {
        FrameClock clock = WrappedSource::clock();
        if (each_field_) {
            clock = {av_mul_q(clock.time_base, {1, 2}), av_mul_q(clock.rate, {2, 1})};
        }
        return clock;
    }

    std::optional<std::size_t> count() const override {
        const std::optional<std::size_t> frames = WrappedSource::count();
        return frames && each_field_ ? std::optional(*frames * 2) : frames;
    }

    std::optional<FrameData> next() override {
        if (second_is_due_) {
            second_is_due_ = false;
            return made(false);
        }
        advance();
        if (!own_) {
            return std::nullopt;
        }
        second_is_due_ = each_field_;
        return made(true);
    }

  private:
    void advance() {
        before_ = std::exchange(own_, begun_ ? std::move(after_) : read());
        begun_ = true;
        after_ = own_ ? read() : std::nullopt;
    }

    FrameData made(bool first) {
        const FrameData& before = before_ ? *before_ : *own_;
        const FrameData& after = after_ ? *after_ : *own_;
        const bool alone = first ? !before_ : !after_;
        const AVFrame* said = own_->properties.get();
        const bool keeps_top = (said == nullptr || begins_with_top(*said)) == first;
        const auto whole = [&](const Image& a, const Image& b, const Image& c) {
            return with_codes_of(b.depth(), [&]<class T>(T) {
                return frame_of_field<T>({a, b, c, keeps_top, first, alone}, bits_);
            });
        };
        FrameData frame;
        for (std::size_t i = 0; i < frame.planes.size(); ++i) {
            frame.planes.at(i) = whole(before.planes.at(i), own_->planes.at(i), after.planes.at(i));
        }
        if (own_->alpha.width() > 0) {
            frame.alpha = whole(before.alpha, own_->alpha, after.alpha);
        }
        const std::int64_t lasts = after_ ? after_->time - own_->time : own_->duration;
        const std::int64_t parts = each_field_ ? 2 : 1; // of a tick
        frame.time = own_->time * parts + (first ? 0 : lasts);
        frame.duration = each_field_ ? lasts : own_->duration;
        frame.properties = same_properties(said);
        if (frame.properties) {
            make_progressive(*frame.properties);
        }
        frame.packets = take_packets();
        return frame;
    }

    bool each_field_;
    int bits_;
    std::optional<FrameData> before_;
    std::optional<FrameData> own_;
    std::optional<FrameData> after_;
    bool begun_ = false;
    bool second_is_due_ = false;
};

} // namespace

std::unique_ptr<FrameSource> without_fields(std::unique_ptr<FrameSource> source, bool each_field) {
    return std::make_unique<FieldlessSource>(std::move(source), each_field);
}

} // namespace glproc::video
