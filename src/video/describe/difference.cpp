#include "video/describe/difference.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace glproc::video {

namespace {

constexpr std::size_t side = 4; ///< of a block; a window is two by two of them

/// Sums over the samples of a block, or of a window: exact for 16 bits.
struct Sums {
    std::int64_t a = 0;
    std::int64_t b = 0;
    std::int64_t squares = 0; ///< of both
    std::int64_t products = 0;

    Sums& operator+=(const Sums& other) {
        a += other.a;
        b += other.b;
        squares += other.squares;
        products += other.products;
        return *this;
    }
};

/// Two planes of one form.
template <class T>
struct Pair {
    std::span<const T> a;
    std::span<const T> b;
    std::size_t width;
    std::size_t height;

    double mse() const {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const std::int64_t difference = std::int64_t{a[i]} - b[i];
            sum += difference * difference;
        }
        return static_cast<double>(sum) / static_cast<double>(a.size());
    }

    /// Of a row of blocks, side by side.
    std::vector<Sums> blocks_of(std::size_t row) const {
        std::vector<Sums> blocks(width / side);
        for (std::size_t y = row * side; y < (row + 1) * side; ++y) {
            for (std::size_t x = 0; x < blocks.size() * side; ++x) {
                const std::int64_t v = a[y * width + x];
                const std::int64_t w = b[y * width + x];
                blocks[x / side] += {v, w, v * v + w * w, v * w};
            }
        }
        return blocks;
    }
};

/// x264's constants: 0.01 and 0.03 of white, for sums over 64 samples.
double similarity(const Sums& sums, double white) {
    constexpr double samples = 4.0 * side * side;
    const double c1 = std::floor(0.01 * 0.01 * white * white * samples + 0.5);
    const double c2 = std::floor(0.03 * 0.03 * white * white * samples * (samples - 1) + 0.5);
    const auto a = static_cast<double>(sums.a);
    const auto b = static_cast<double>(sums.b);
    const double variances = static_cast<double>(sums.squares) * samples - a * a - b * b;
    const double covariance = static_cast<double>(sums.products) * samples - a * b;
    return (2 * a * b + c1) * (2 * covariance + c2) / ((a * a + b * b + c1) * (variances + c2));
}

template <class T>
double ssim_of(const Pair<T>& pair, double white) {
    const std::size_t rows = pair.height / side;
    const std::size_t columns = pair.width / side;
    if (rows < 2 || columns < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    double sum = 0;
    std::vector<Sums> above = pair.blocks_of(0);
    for (std::size_t row = 1; row < rows; ++row) {
        std::vector<Sums> blocks = pair.blocks_of(row);
        for (std::size_t x = 0; x + 1 < columns; ++x) {
            Sums window = above[x];
            window += above[x + 1];
            window += blocks[x];
            window += blocks[x + 1];
            sum += similarity(window, white);
        }
        above = std::move(blocks);
    }
    return sum / (static_cast<double>(rows - 1) * static_cast<double>(columns - 1));
}

double white_of(int bits) {
    return static_cast<double>((1 << bits) - 1);
}

template <class T>
void measure(const Image& a, const Image& b, double white, double& mse, double& ssim) {
    const Pair<T> pair{a.values<T>(), b.values<T>(), static_cast<std::size_t>(a.width()),
                       static_cast<std::size_t>(a.height())};
    mse = pair.mse();
    ssim = ssim_of(pair, white);
}

/// Whether any pixel of a plane's sample can be seen.
bool shows(const Image& alpha, const Image& plane, int x, int y) {
    const int across = covering(alpha.width(), plane.width());
    const int down = covering(alpha.height(), plane.height());
    for (int v = y * down; v < std::min((y + 1) * down, alpha.height()); ++v) {
        for (int u = x * across; u < std::min((x + 1) * across, alpha.width()); ++u) {
            if (alpha.at(u, v, 0) > 0) {
                return true;
            }
        }
    }
    return false;
}

/// The plane with the other's samples where its own cannot be seen, and 0 where neither can.
template <class T>
Image as_shown(const Image& plane, const Image& alpha, const Image& other, const Image& other_alpha) {
    Image result = plane;
    const std::span<T> samples = result.values<T>();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const int x = static_cast<int>(i) % plane.width();
        const int y = static_cast<int>(i) / plane.width();
        if (!shows(alpha, plane, x, y)) {
            samples[i] = shows(other_alpha, other, x, y) ? other.values<T>()[i] : T{0};
        }
    }
    return result;
}

} // namespace

FrameDifference difference_of(const Planes& a, const Planes& b, const YcbcrForm& form, const Image* alpha_a,
                              const Image* alpha_b) {
    FrameDifference difference;
    const double white = white_of(form.bits);
    const std::array<const Image*, 4> first{&a[0], &a[1], &a[2], alpha_a};
    const std::array<const Image*, 4> second{&b[0], &b[1], &b[2], alpha_b};
    const std::size_t planes = alpha_a == nullptr ? a.size() : first.size();
    parallel_for(planes, [&](std::size_t i) {
        const Image& one = *first.at(i);
        const Image& other = *second.at(i);
        const auto measured = [&]<class T>(T) {
            if (alpha_a != nullptr && i < a.size()) {
                const Image shown = as_shown<T>(one, *alpha_a, other, *alpha_b);
                measure<T>(shown, as_shown<T>(other, *alpha_b, one, *alpha_a), white, difference.mse.at(i),
                           difference.ssim.at(i));
            } else {
                measure<T>(one, other, white, difference.mse.at(i), difference.ssim.at(i));
            }
        };
        with_codes_of(one.depth(), measured);
    });
    double samples = 0;
    for (std::size_t i = 0; i < planes; ++i) {
        const double own = static_cast<double>(first.at(i)->width()) * first.at(i)->height();
        samples += own;
        difference.mse.back() += own * difference.mse.at(i);
        difference.ssim.back() += own * difference.ssim.at(i);
    }
    difference.mse.back() /= samples;
    difference.ssim.back() /= samples;
    return difference;
}

double psnr_of(double mse, int bits) {
    return mse == 0 ? std::numeric_limits<double>::infinity()
                    : 10 * std::log10(white_of(bits) * white_of(bits) / mse);
}

} // namespace glproc::video
