#include "glproc/ops/match.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/shell_word.hpp"
#include "glproc/files/transfer_curve.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/histogram/count.hpp"
#include "glproc/ops/histogram/measured.hpp"

#include <cmath>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

namespace glproc {

namespace {

__extension__ using WideCount = unsigned __int128;

/// Of pixels, up to each code.
using Cumulated = std::vector<std::uint64_t>;

Cumulated cumulated(const ChannelCounts& channel) {
    Cumulated sums(channel.counts.size());
    std::partial_sum(channel.counts.begin(), channel.counts.end(), sums.begin());
    return sums;
}

/// low + part / whole x (high - low), rounded to nearest, with ties to even.
std::uint64_t between(std::uint64_t low, std::uint64_t high, WideCount part, WideCount whole) {
    const WideCount rise = part * (high - low);
    const std::uint64_t code = low + static_cast<std::uint64_t>(rise / whole);
    const WideCount twice = 2 * (rise % whole);
    return code + (twice > whole || (twice == whole && code % 2 == 1) ? 1 : 0);
}

/// The code of the other image for each code of the image.
std::vector<std::uint64_t> matched_codes(const Cumulated& own, const Cumulated& other) {
    std::vector<std::uint64_t> codes;
    if (own.back() == 0 || other.back() == 0) { // nothing of one can be seen
        codes.resize(own.size());
        std::iota(codes.begin(), codes.end(), std::uint64_t{0});
        return codes;
    }
    std::uint64_t low = 0;
    while (other[low] == 0) {
        ++low;
    }
    std::uint64_t high = low;
    for (const std::uint64_t pixels : own) {
        // Shares are pixels / all pixels; both sides are multiplied by both numbers.
        const WideCount share = WideCount{pixels} * other.back();
        while (high < other.size() && WideCount{other[high]} * own.back() <= share) {
            low = other[high] > (high == 0 ? 0 : other[high - 1]) ? high : low;
            ++high;
        }
        const WideCount at_low = WideCount{other[low]} * own.back();
        const bool is_between = at_low < share && high < other.size();
        codes.push_back(is_between
                            ? between(low, high, share - at_low, WideCount{other[high]} * own.back() - at_low)
                            : low);
    }
    return codes;
}

void check_pair(const Form& form, const Form& other) {
    if ((form.channels < 3) != (other.channels < 3)) {
        throw Error(ErrorCode::usage, "match needs two grey images or two in colour",
                    "first convert one of them by gray");
    }
}

/// For codes: not the name of a PNG that may lie beside it.
std::string hint_for_codes(const std::string& path) {
    if (path.empty() || path == "-") {
        return "convert it first: --depth 16";
    }
    const std::filesystem::path name(path);
    const std::string codes = (name.parent_path() / (name.stem().string() + "-codes.png")).string();
    return fmt::format("convert it first: glproc convert {} {} --depth 16", shell_word(path),
                       shell_word(codes));
}

/// Floats outside 0 to 1 have no codes, and those that hardly differ have next to none.
void check_range(const PictureInput& with) {
    const Interval range = with.image->depth() == Depth::f32 ? own_range(*with.image) : Interval{};
    if (range != Interval{}) {
        const bool is_narrow = range.low >= 0 && range.high <= 1;
        throw Error(
            ErrorCode::usage,
            fmt::format("match needs a second image with values {} 0 to 1; this one has {:.6g} to {:.6g}",
                        is_narrow ? "spread over" : "from", range.low, range.high),
            hint_for_codes(with.path));
    }
}

Histogram colours_of(const Form& form) {
    using enum HistogramChannel;
    return {.bins = bins_of(form),
            .channels = form.channels < 3 ? std::vector{red} : std::vector{red, green, blue}};
}

/// The operation, once both images are counted.
Point point_of(const Match& op, const Form& form, const std::vector<ChannelCounts>& own,
               const std::vector<ChannelCounts>& other) {
    const double full = max_code(form.depth);
    std::vector<double> tables;
    for (std::size_t c = 0; c < own.size(); ++c) {
        for (const std::uint64_t code : matched_codes(cumulated(own[c]), cumulated(other[c]))) {
            tables.push_back(static_cast<double>(code) / full);
        }
    }
    while (!tables.empty() && tables.size() < 3 * own.front().counts.size()) {
        tables.push_back(tables[tables.size() - own.front().counts.size()]); // grey is three equal colours
    }
    std::vector<float> params = {static_cast<float>(full)};
    params.insert(params.end(), tables.begin(), tables.end());
    return {.name = "match",
            .glsl = "match.glsl",
            .params = std::move(params),
            .channelwise = true,
            .searches = true,
            .finite = true,
            .method = op.method};
}

} // namespace

Plan plan(const Match& op, const Form& form) {
    if (form.depth == Depth::f32) {
        throw Error(ErrorCode::usage, "match takes 8- and 16-bit images; this one holds floats",
                    "convert it first: --depth 16");
    }
    if (op.with.image) {
        check_pair(form, op.with.image->form());
    }
    const Measure measure{.histogram = colours_of(form),
                          .point = [op, form](const Counted& counted) {
                              if (!op.with.image) {
                                  throw Error(ErrorCode::usage, "match needs a second image: --with FILE");
                              }
                              check_range(op.with);
                              const Image other = with_depth(*op.with.image, form.depth);
                              return point_of(op, form, counted.channels, count_on_cpu(other, colours_of(form)));
                          }};
    return measured_plan(form, point_of(op, form, {}, {}), measure);
}

const OpInfo& match_info() {
    static const OpInfo info =
        Describe<Match>("match", "give an image the histogram of another, so that they look alike",
                        "in.png out.png --with other.png")
            .example("Give a photo the colours of another one", "photo.jpg out.jpg --with others/a.jpg")
            .found_by({"histogram-matching"}, "IN OUT --with OTHER")
            .integers_only()
            .field("with", &Match::with,
                   {.value = "FILE", .help = "the image whose colours the result takes", .required = true})
            .field("method", &Match::method, {.value = "M", .help = "algorithm"})
            .runs();
    return info;
}

} // namespace glproc
