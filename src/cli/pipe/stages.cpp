#include "cli/pipe/stages.hpp"

#include "cli/json.hpp"

#include <bit>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr std::array<std::string_view, 7> names{"context", "compile",  "decode", "upload",
                                                "compute", "download", "encode"};

/// Microseconds are as fine as a wall clock is worth printing.
double rounded(double milliseconds) {
    return std::round(milliseconds * 1000.0) / 1000.0;
}

} // namespace

Stages::Lap::Lap(Stages& stages, Stage stage) : stages_(stages), stage_(stage) {
    const unsigned begun = stages_.begun_ |= 1U << index(stage);
    stages_.progress_.show(names[index(stage)], std::popcount(begun) - 1, static_cast<int>(names.size()));
}

Stages::Lap::~Lap() {
    stages_.add(stage_, milliseconds_since(begin_));
}

double Stages::milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::string Stages::report(TimingFormat format, const std::string& device, double millions,
                           std::string_view what, std::optional<std::size_t> pictures) const {
    const double everything = total();
    if (format == TimingFormat::json) {
        Json ms = Json::object();
        for (std::size_t i = 0; i < names.size(); ++i) {
            ms.add(std::string(names[i]), rounded(milliseconds_[i]));
        }
        ms.add("total", rounded(everything));
        Json timing = Json::object(
            {{"schema", "glproc.timing/1"}, {"device", device}, {"ms", ms}, {"megapixels", millions}});
        if (pictures) {
            timing.add("pictures", *pictures);
        }
        return json_line(timing);
    }
    std::string text =
        pictures
            ? fmt::format(
                  "timing on {}, {:.6g} {} in {} pictures; stages run in parallel, all threads added up\n",
                  device, millions, what, *pictures)
            : fmt::format("timing on {}, {} {}; decode runs in parallel with context\n", device, millions,
                          what);
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += fmt::format("  {:<8} {:>12.3f} ms\n", names[i], milliseconds_[i].load());
    }
    return text + fmt::format("  {:<8} {:>12.3f} ms\n", "total", everything);
}

} // namespace glproc::cli
