#include "cli/pipe/timing_sheet.hpp"

#include "cli/json.hpp"
#include "cli/terminal/process_clock.hpp"
#include "cli/terminal/signals.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/clock.hpp"
#include "glproc/base/counted.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

/// A sheet, and when its process was about to end: steady clocks agree between processes.
struct Message {
    TimingSheet sheet;
    Clock::time_point about_to_end;
};
static_assert(sizeof(Message) <= 512); // so small that a pipe takes it at once

int to_watcher = -1; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): the pipe, in the copy

double milliseconds(Clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

/// Microseconds are as fine as a wall clock is worth printing.
double rounded(double milliseconds) {
    return std::round(milliseconds * 1000.0) / 1000.0;
}

/// All but those that stop a process and let it go on, which act on both processes as on one.
sigset_t handed_on() {
    sigset_t set;
    ::sigfillset(&set);
    for (const int signal : {SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT}) {
        ::sigdelset(&set, signal);
    }
    return set;
}

/// Waits for the end of `worker`; returns its status as waitpid() has it.
int wait_for(pid_t worker, const sigset_t& signals) {
    int status = 0;
    while (::waitpid(worker, &status, WNOHANG) == 0) {
        siginfo_t info{};
        const int signal = ::sigwaitinfo(&signals, &info);
        // What a terminal sends, or the kernel, reaches both.
        if (signal > 0 && signal != SIGCHLD && (info.si_code == SI_USER || info.si_code == SI_QUEUE)) {
            ::kill(worker, signal);
        }
    }
    return status;
}

[[noreturn]] void end_as(int status, const sigset_t& signals) {
    if (WIFSIGNALED(status)) {
        ::signal(WTERMSIG(status), SIG_DFL);
        ::sigprocmask(SIG_UNBLOCK, &signals, nullptr);
        die_of(WTERMSIG(status));
    }
    std::_Exit(WEXITSTATUS(status));
}

[[noreturn]] void watch(pid_t worker, int from_worker, const sigset_t& signals) {
    const int status = wait_for(worker, signals);
    const Clock::time_point end = Clock::now();
    Message message{};
    if (::read(from_worker, &message, sizeof message) == sizeof message) {
        const auto exit = static_cast<std::size_t>(Stage::exit);
        message.sheet.milliseconds.at(exit) = milliseconds(end - message.about_to_end);
        message.sheet.total = milliseconds(end - process_start());
        print_stderr(text_of(message.sheet));
    }
    end_as(status, signals);
}

bool is_told(const TimingSheet& sheet, std::size_t stage) {
    return is_always_told(static_cast<Stage>(stage)) || sheet.milliseconds.at(stage) > 0;
}

} // namespace

std::string text_of(const TimingSheet& sheet) {
    const std::string_view device = sheet.device.data();
    if (sheet.format == TimingFormat::json) {
        Json ms = Json::object();
        for (std::size_t i = 0; i < stage_names.size(); ++i) {
            if (is_told(sheet, i)) {
                ms.add(std::string(stage_names[i]), rounded(sheet.milliseconds[i]));
            }
        }
        ms.add("total", rounded(sheet.total));
        Json timing = Json::object({{"schema", "glproc.timing/1"},
                                    {"device", std::string(device)},
                                    {"ms", ms},
                                    {"megapixels", sheet.millions}});
        if (sheet.pictures >= 0) {
            timing.add("pictures", sheet.pictures);
        }
        return json_line(timing);
    }
    const std::string_view what = sheet.what.data();
    std::string text =
        sheet.pictures >= 0
            ? fmt::format("timing on {}, {:.6g} {} in {}; stages run in parallel, all threads added up\n",
                          device, sheet.millions, what, counted(sheet.pictures, "image"))
            : fmt::format("timing on {}, {} {}; decode runs in parallel with context\n", device,
                          sheet.millions, what);
    for (std::size_t i = 0; i < stage_names.size(); ++i) {
        if (is_told(sheet, i)) {
            text += fmt::format("  {:<8} {:>{}.3f} ms\n", stage_names[i], sheet.milliseconds[i],
                                std::min<std::size_t>(12, 20 - stage_names[i].size()));
        }
    }
    return text + fmt::format("  {:<8} {:>12.3f} ms\n", "total", sheet.total);
}

void watch_end() {
    process_start();
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        return;
    }
    const sigset_t signals = handed_on();
    sigset_t before;
    ::sigprocmask(SIG_BLOCK, &signals, &before);
    void (*const at_child)(int) =
        ::signal(SIGCHLD, SIG_DFL); // an ignored one would leave nothing to wait for
    const pid_t watcher = ::getpid();
    const pid_t worker = ::fork();
    if (worker > 0) {
        ::close(ends[1]);
        watch(worker, ends[0], signals);
    }
    ::signal(SIGCHLD, at_child);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::close(ends[0]);
    if (worker < 0) {
        ::close(ends[1]);
        return;
    }
    to_watcher = ends[1];
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != watcher) { // it ended before that
        std::_Exit(static_cast<int>(ErrorCode::operation));
    }
}

void print_at_end(const TimingSheet& sheet) {
    const Message message{sheet, Clock::now()};
    if (to_watcher < 0 || ::write(to_watcher, &message, sizeof message) != sizeof message) {
        print_stderr(text_of(sheet));
    }
}

void report(const Stages& stages, TimingFormat format, std::string_view device, double millions,
            std::string_view what, std::optional<std::size_t> pictures) {
    TimingSheet sheet{.format = format, .total = stages.total(), .millions = millions};
    for (std::size_t i = 0; i < sheet.milliseconds.size(); ++i) {
        sheet.milliseconds[i] = stages.milliseconds(static_cast<Stage>(i));
    }
    sheet.pictures = pictures ? static_cast<std::int64_t>(*pictures) : -1;
    device.substr(0, sheet.device.size() - 1).copy(sheet.device.data(), sheet.device.size());
    what.substr(0, sheet.what.size() - 1).copy(sheet.what.data(), sheet.what.size());
    print_at_end(sheet);
}

} // namespace glproc::cli
