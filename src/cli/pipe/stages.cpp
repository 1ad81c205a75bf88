#include "cli/pipe/stages.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace glproc::cli {

Stages::Lap::Lap(Stages& stages, Stage stage) : stages_(stages), stage_(stage) {
    const unsigned begun = stages_.begun_ |= 1U << index(stage);
    if (stages_.is_shown_) {
        stages_.progress_.show(stage_names[index(stage)], std::popcount(begun) - 1, static_cast<int>(stage_names.size()));
    }
}

Stages::Lap::~Lap() {
    stages_.add(stage_, milliseconds_since(begin_));
}

double Stages::milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void Stages::report(TimingFormat format, std::string_view device, double millions, std::string_view what,
                    std::optional<std::size_t> pictures) const {
    TimingSheet sheet{.format = format, .total = total(), .millions = millions};
    std::ranges::copy(milliseconds_, sheet.milliseconds.begin());
    sheet.pictures = pictures ? static_cast<std::int64_t>(*pictures) : -1;
    device.substr(0, sheet.device.size() - 1).copy(sheet.device.data(), sheet.device.size());
    what.substr(0, sheet.what.size() - 1).copy(sheet.what.data(), sheet.what.size());
    print_at_end(sheet);
}

} // namespace glproc::cli
