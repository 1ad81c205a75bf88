#include "glproc/files/codecs/palette.hpp"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace glproc::codecs {
namespace {

constexpr std::size_t channels = std::tuple_size_v<Rgba>;
using Sums = std::array<double, channels>;

constexpr unsigned bin_bits = 5; ///< of each colour: finer differences are left to k-means and dithering
constexpr unsigned alpha_bits = 3;
constexpr std::size_t bin_count = std::size_t{1} << (3 * bin_bits + alpha_bits);

std::size_t bin_of(const Rgba& colour) {
    constexpr unsigned drop = 8 - bin_bits;
    return (static_cast<std::size_t>(colour[0]) >> drop) << (2 * bin_bits + alpha_bits) |
           (static_cast<std::size_t>(colour[1]) >> drop) << (bin_bits + alpha_bits) |
           (static_cast<std::size_t>(colour[2]) >> drop) << alpha_bits |
           static_cast<std::size_t>(colour[3]) >> (8 - alpha_bits);
}

/// Colours that are alike, summed up.
struct Bin {
    double count = 0;
    Sums sum{};
    Sums mean{}; ///< of those that are sorted

    Sums ratio() const { return {sum[0] / count, sum[1] / count, sum[2] / count, sum[3] / count}; }
};

/// Bins of a range that share a colour.
struct Box {
    std::size_t begin = 0;
    std::size_t end = 0;
    double gain = 0; ///< squared error that the best split takes away
    std::size_t split = 0;
    std::size_t axis = 0;
};

/// Σ|x|² of a cluster is fixed; what splitting it takes away from the error is what it adds to Σ|Σx|²/n.
double weight_of(const Bin& all) {
    return all.count == 0
               ? 0
               : (all.sum[0] * all.sum[0] + all.sum[1] * all.sum[1] + all.sum[2] * all.sum[2] +
                  all.sum[3] * all.sum[3]) /
                     all.count;
}

Bin joined(const Bin& a, const Bin& b, double sign = 1) {
    Bin all = a;
    all.count += sign * b.count;
    for (std::size_t c = 0; c < channels; ++c)
        all.sum.at(c) += sign * b.sum.at(c);
    return all;
}

void sort_by(std::vector<Bin>& bins, const Box& box, std::size_t axis) {
    std::sort(bins.begin() + static_cast<std::ptrdiff_t>(box.begin),
              bins.begin() + static_cast<std::ptrdiff_t>(box.end),
              [&](const Bin& a, const Bin& b) { return a.mean.at(axis) < b.mean.at(axis); });
}

/// Finds where the box is best split.
void plan_split(std::vector<Bin>& bins, Box& box) {
    Bin all;
    for (std::size_t i = box.begin; i < box.end; ++i)
        all = joined(all, bins[i]);
    box.gain = 0;
    for (std::size_t axis = 0; axis < channels && box.end - box.begin > 1; ++axis) {
        sort_by(bins, box, axis);
        Bin low;
        for (std::size_t i = box.begin; i + 1 < box.end; ++i) {
            low = joined(low, bins[i]);
            const double gain = weight_of(low) + weight_of(joined(all, low, -1)) - weight_of(all);
            if (gain > box.gain) {
                box.gain = gain;
                box.split = i + 1;
                box.axis = axis;
            }
        }
    }
}

/// In the order of their colours.
std::vector<Bin> bins_of(std::span<const Rgba> pixels, std::span<const std::uint8_t> wanted) {
    constexpr std::uint32_t none = 0;
    std::vector<std::uint32_t> numbers(bin_count, none); // most are empty, and a bin is large
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (wanted[i] != 0)
            numbers[bin_of(pixels[i])] = 1;
    }
    std::uint32_t count = 0;
    for (std::uint32_t& number : numbers)
        number = number == none ? none : ++count;
    std::vector<Bin> all(count);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (wanted[i] == 0)
            continue;
        Bin& bin = all[numbers[bin_of(pixels[i])] - 1];
        bin.count += 1;
        for (std::size_t c = 0; c < channels; ++c)
            bin.sum.at(c) += pixels[i].at(c);
    }
    for (Bin& bin : all)
        bin.mean = bin.ratio();
    return all;
}

double distance(const Sums& a, const Sums& b) {
    const double red = a[0] - b[0];
    const double green = a[1] - b[1];
    const double blue = a[2] - b[2];
    const double alpha = a[3] - b[3];
    return red * red + green * green + blue * blue + alpha * alpha;
}

std::size_t nearest(std::span<const Sums> colours, const Sums& to) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < colours.size(); ++i) {
        if (const double far = distance(colours[i], to); far < least) {
            least = far;
            best = i;
        }
    }
    return best;
}

/// Moves each colour to the mean of its bins: S. Lloyd, "Least squares quantization in PCM", 1982.
void improve(std::vector<Sums>& colours, std::span<const Bin> bins) {
    std::vector<Bin> sums(colours.size());
    for (const Bin& bin : bins) {
        Bin& sum = sums[nearest(colours, bin.mean)];
        sum = joined(sum, bin);
    }
    for (std::size_t i = 0; i < colours.size(); ++i) {
        if (sums[i].count > 0)
            colours[i] = sums[i].ratio();
    }
}

std::vector<Box> split_boxes(std::vector<Bin>& bins, std::size_t most) {
    std::vector<Box> boxes{{0, bins.size()}};
    plan_split(bins, boxes.front());
    while (boxes.size() < most) {
        const auto widest = std::ranges::max_element(boxes, {}, &Box::gain);
        if (widest->gain <= 0)
            break;
        sort_by(bins, *widest, widest->axis);
        Box right{widest->split, widest->end};
        widest->end = widest->split;
        plan_split(bins, *widest);
        plan_split(bins, right);
        boxes.push_back(right);
    }
    return boxes;
}

/// A few colours, each once.
class ColourSet {
  public:
    /// Whether it is new.
    bool add(const Rgba& colour) {
        const std::uint32_t code = static_cast<std::uint32_t>(colour[0]) << 24U |
                                   static_cast<std::uint32_t>(colour[1]) << 16U |
                                   static_cast<std::uint32_t>(colour[2]) << 8U | colour[3];
        constexpr std::uint32_t golden = 0x9e3779b1; // D. Knuth, The Art of Computer Programming 3, 6.4
        for (std::size_t at = (code * golden) >> (32 - places_bits);; at = (at + 1) % places) {
            if (!is_taken_[at]) {
                is_taken_[at] = true;
                codes_.at(at) = code;
                return true;
            }
            if (codes_.at(at) == code)
                return false;
        }
    }

  private:
    static constexpr unsigned places_bits = 11;
    static constexpr std::size_t places = std::size_t{1} << places_bits; ///< many more than a palette has
    std::array<std::uint32_t, places> codes_{};
    std::bitset<places> is_taken_;
};

} // namespace

std::optional<std::vector<Rgba>> exact_palette(std::span<const Rgba> pixels,
                                               std::span<const std::uint8_t> wanted, std::size_t most) {
    std::vector<Rgba> colours;
    ColourSet seen;
    std::optional<Rgba> last;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (wanted[i] == 0 || last == pixels[i])
            continue;
        last = pixels[i];
        if (!seen.add(pixels[i]))
            continue;
        if (colours.size() == most)
            return std::nullopt;
        colours.push_back(pixels[i]);
    }
    std::ranges::sort(colours);
    return colours;
}

std::size_t coarse_colours(std::span<const Rgba> pixels, std::span<const std::uint8_t> wanted) {
    return bins_of(pixels, wanted).size();
}

std::vector<Rgba> near_palette(std::span<const Rgba> pixels, std::span<const std::uint8_t> wanted,
                              std::size_t most) {
    std::vector<Bin> bins = bins_of(pixels, wanted);
    if (bins.empty())
        return {};
    std::vector<Sums> colours;
    for (const Box& box : split_boxes(bins, most)) {
        const Bin all = std::accumulate(bins.begin() + static_cast<std::ptrdiff_t>(box.begin),
                                        bins.begin() + static_cast<std::ptrdiff_t>(box.end), Bin{},
                                        [](const Bin& a, const Bin& b) { return joined(a, b); });
        colours.push_back(all.ratio());
    }
    constexpr int rounds = 3;
    for (int i = 0; i < rounds; ++i)
        improve(colours, bins);
    std::vector<Rgba> palette;
    palette.reserve(colours.size());
    const auto code = [](double v) { return static_cast<std::uint8_t>(std::lround(std::clamp(v, 0.0, 255.0))); };
    for (const Sums& colour : colours)
        palette.push_back({code(colour[0]), code(colour[1]), code(colour[2]), code(colour[3])});
    return palette;
}

namespace {

/// The nearest colours, to within a few codes; each is looked for once.
class Finder {
  public:
    explicit Finder(std::span<const Rgba> palette) {
        for (const Rgba& colour : palette) {
            colours_.push_back({double(colour[0]), double(colour[1]), double(colour[2]), double(colour[3])});
            alpha_ = colour[3] == 255 ? alpha_ : 4;
        }
        found_.resize(std::size_t{1} << (3 * bits + alpha_), -1);
    }

    std::uint8_t operator()(const Rgba& colour) {
        std::size_t key = 0;
        Sums middle{};
        for (std::size_t c = 0; c < channels; ++c) {
            const unsigned kept = c < 3 ? bits : alpha_;
            const unsigned part = static_cast<unsigned>(colour.at(c)) >> (8 - kept);
            key = key << kept | part;
            middle.at(c) = kept == 0 ? 255 : (part + 0.5) * (1U << (8 - kept)) - 0.5;
        }
        std::int16_t& found = found_[key];
        if (found < 0)
            found = static_cast<std::int16_t>(nearest(colours_, middle));
        return static_cast<std::uint8_t>(found);
    }

  private:
    static constexpr unsigned bits = 6;
    unsigned alpha_ = 0; ///< bits of it that count: none where all colours are opaque
    std::vector<Sums> colours_;
    std::vector<std::int16_t> found_;
};

/// Errors that the pixels of two rows get from others, in sixteenths of a code.
using RowErrors = std::vector<std::array<int, channels>>;

Rgba with_error(const Rgba& colour, const std::array<int, channels>& error) {
    Rgba sum = colour;
    for (std::size_t c = 0; c < channels; ++c)
        sum.at(c) = static_cast<std::uint8_t>(std::clamp(colour.at(c) + error.at(c) / 16, 0, 255));
    return sum;
}

/// `x` is one beyond the pixel's place, `ahead` 1 or -1.
void spread(const Rgba& wanted, const Rgba& got, std::size_t x, std::ptrdiff_t ahead, RowErrors& here,
            RowErrors& below) {
    const auto after = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(x) + ahead);
    const auto before = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(x) - ahead);
    for (std::size_t c = 0; c < channels; ++c) {
        const int error = wanted.at(c) - got.at(c);
        here[after].at(c) += 7 * error;
        below[before].at(c) += 3 * error;
        below[x].at(c) += 5 * error;
        below[after].at(c) += error;
    }
}

} // namespace

std::vector<std::uint8_t> exact_numbers(std::span<const Rgba> palette, std::span<const Rgba> pixels,
                                        std::span<const std::uint8_t> wanted) {
    std::vector<std::uint8_t> numbers(pixels.size());
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (wanted[i] != 0)
            numbers[i] =
                static_cast<std::uint8_t>(std::ranges::lower_bound(palette, pixels[i]) - palette.begin());
    }
    return numbers;
}

std::vector<std::uint8_t> dithered_numbers(std::span<const Rgba> palette, std::span<const Rgba> pixels,
                                           std::span<const std::uint8_t> wanted, int width) {
    Finder find(palette);
    std::vector<std::uint8_t> numbers(pixels.size());
    const auto across = static_cast<std::size_t>(width);
    RowErrors here(across + 2);
    RowErrors below(across + 2);
    for (std::size_t row = 0; row * across < pixels.size(); ++row) {
        const bool backwards = row % 2 == 1;
        std::ranges::fill(below, std::array<int, channels>{});
        for (std::size_t i = 0; i < across; ++i) {
            const std::size_t x = backwards ? across - 1 - i : i;
            const std::size_t at = row * across + x;
            if (wanted[at] == 0)
                continue;
            const Rgba colour = with_error(pixels[at], here[x + 1]);
            numbers[at] = find(colour);
            spread(colour, palette[numbers[at]], x + 1, backwards ? -1 : 1, here, below);
        }
        std::swap(here, below);
    }
    return numbers;
}

} // namespace glproc::codecs
