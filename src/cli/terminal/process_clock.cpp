#include "cli/terminal/process_clock.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include <unistd.h>

namespace glproc::cli {

namespace {

using std::chrono::nanoseconds;

nanoseconds read_clock(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

/// Ticks from the machine's start to that of this process: field 22 of /proc/self/stat. The second is the
/// program's name in parentheses, which may hold anything.
std::optional<std::int64_t> start_ticks() {
    std::ifstream file("/proc/self/stat");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) {
        return std::nullopt;
    }
    std::istringstream fields(text.substr(name_end + 1));
    std::string skipped;
    for (int field = 3; field < 22; ++field) {
        fields >> skipped;
    }
    std::int64_t ticks = 0;
    return fields >> ticks ? std::optional(ticks) : std::nullopt;
}

/// A single thread has lived at least as long as it has worked, and waits for little before it gets here.
nanoseconds age() {
    const nanoseconds worked = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    const std::optional<std::int64_t> ticks = start_ticks();
    const std::int64_t rate = ::sysconf(_SC_CLK_TCK);
    if (!ticks || rate <= 0) {
        return worked;
    }
    const nanoseconds tick{std::nano::den / rate};
    const nanoseconds most = read_clock(CLOCK_BOOTTIME) - *ticks * tick;
    return most < nanoseconds(0) ? worked : std::clamp(worked, std::max(most - tick, nanoseconds(0)), most);
}

} // namespace

std::chrono::steady_clock::time_point process_start() {
    static const auto start = std::chrono::steady_clock::now() - age();
    return start;
}

} // namespace glproc::cli
