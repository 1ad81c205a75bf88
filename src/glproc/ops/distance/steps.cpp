#include "glproc/ops/distance/steps.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace glproc {

namespace {

constexpr std::uint32_t none = ~0U;

struct Site {
    std::uint32_t column = none;
    std::uint32_t row = none;
};

std::uint32_t difference(std::uint32_t a, std::uint32_t b) {
    return a > b ? a - b : b - a;
}

/// The best site for one pixel.
class Best {
  public:
    Best(std::uint32_t x, std::uint32_t y) : x_(x), y_(y) {}

    void consider(const std::uint32_t* site) {
        if (site[0] == none) {
            return;
        }
        const std::uint32_t steps = std::max(difference(site[0], x_), difference(site[1], y_));
        const bool is_first = site[1] < site_.row || (site[1] == site_.row && site[0] < site_.column);
        if (steps < steps_ || (steps == steps_ && is_first)) {
            steps_ = steps;
            site_ = {site[0], site[1]};
        }
    }

    const Site& site() const { return site_; }

  private:
    std::uint32_t x_;
    std::uint32_t y_;
    std::uint32_t steps_ = none;
    Site site_;
};

/// Considers the three neighbours of pixel x in the row that came before.
void consider_row(Best& best, const SiteRow& row, std::size_t x, std::size_t width) {
    for (std::size_t column = x == 0 ? 0 : x - 1; column <= std::min(x + 1, width - 1); ++column) {
        best.consider(&row[2 * column]);
    }
}

} // namespace

StepRows::StepRows(int width) : width_(width), before_(2 * static_cast<std::size_t>(width), none) {}

std::vector<std::uint32_t> StepRows::go_down(const HostMask& sites, int first_row) {
    const auto width = static_cast<std::size_t>(width_);
    std::vector<std::uint32_t> rows(2 * width * static_cast<std::size_t>(sites.height), none);
    for (int y = 0; y < sites.height; ++y) {
        std::uint32_t* row = &rows[2 * width * static_cast<std::size_t>(y)];
        const auto here = static_cast<std::uint32_t>(first_row + y);
        for (std::size_t x = 0; x < width; ++x) {
            const std::uint32_t word = sites.words[sites.word_of(static_cast<int>(x), y)];
            const auto column = static_cast<std::uint32_t>(x);
            Site found{column, here};
            if ((word >> (x % 32) & 1U) == 0) {
                Best best(column, here);
                consider_row(best, before_, x, width);
                if (x > 0) {
                    best.consider(&row[2 * (x - 1)]);
                }
                found = best.site();
            }
            row[2 * x] = found.column;
            row[2 * x + 1] = found.row;
        }
        before_.assign(row, row + 2 * width);
    }
    return rows;
}

void StepRows::go_up(std::span<std::uint32_t> rows, int first_row) {
    const auto width = static_cast<std::size_t>(width_);
    for (std::size_t y = rows.size() / (2 * width); y-- > 0;) {
        std::uint32_t* row = &rows[2 * width * y];
        for (std::size_t x = width; x-- > 0;) {
            Best best(static_cast<std::uint32_t>(x),
                      static_cast<std::uint32_t>(first_row) + static_cast<std::uint32_t>(y));
            best.consider(&row[2 * x]);
            consider_row(best, before_, x, width);
            if (x + 1 < width) {
                best.consider(&row[2 * (x + 1)]);
            }
            row[2 * x] = best.site().column;
            row[2 * x + 1] = best.site().row;
        }
        before_.assign(row, row + 2 * width);
    }
}

HostDistances distances_in_steps(std::vector<std::uint32_t> sites, int first_row, const DistanceForm& form) {
    HostDistances result{std::vector<float>(sites.size() / 2, std::numeric_limits<float>::infinity()),
                         std::move(sites)};
    const auto width = static_cast<std::size_t>(form.width);
    for (std::size_t i = 0; i < result.values.size(); ++i) {
        std::uint32_t* site = &result.sites[2 * i];
        if (site[0] == none) {
            continue;
        }
        const auto x = static_cast<std::uint32_t>(i % width);
        const auto y = static_cast<std::uint32_t>(first_row) + static_cast<std::uint32_t>(i / width);
        const std::uint32_t steps = std::max(difference(site[0], x), difference(site[1], y));
        if (steps > form.most_square) {
            site[0] = site[1] = none;
        } else {
            result.values[i] = static_cast<float>(steps);
        }
    }
    return result;
}

} // namespace glproc
