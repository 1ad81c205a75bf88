#include "job/confined/decoder_call.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/admission.hpp"
#include "job/confined/decoder_process.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace glproc::job {

namespace {

/// "256x0", or nothing.
std::string text_of(const std::optional<Extent>& box) {
    return box ? fmt::format("{}x{}", box->width, box->height) : "";
}

} // namespace

std::vector<std::string> words_of(const DecoderCall& call) {
    return {"glproc",
            std::string(decoder_word),
            call.name,
            fmt::format("{}", call.options.max_pixels),
            fmt::format("{}", call.budget.seconds),
            fmt::format("{}", call.budget.memory),
            call.budget.untrusted ? "1" : "0",
            call.options.alone ? "1" : "0",
            call.options.keep_partial ? "1" : "0",
            text_of(call.options.box),
            fmt::format("{}", call.options.page),
            fmt::format("{}", static_cast<int>(call.answers))};
}

void check_allowed(const Budget& budget, std::span<const std::byte> bytes, std::string_view name) {
    const auto format = sniff(bytes);
    if (budget.untrusted && format) {
        check_robust(*format, name);
    }
}

std::optional<int> wait_for(pid_t child, const Deadline& deadline) {
    constexpr long pidfd_open = 434;
    struct pollfd exit {
        static_cast<int>(::syscall(pidfd_open, child, 0)), POLLIN, 0
    };
    bool ended = false;
    while (deadline && !ended && exit.fd >= 0) {
        const std::chrono::duration<double, std::milli> left = *deadline - std::chrono::steady_clock::now();
        if (left.count() <= 0) {
            ::kill(child, SIGKILL);
            break;
        }
        ended = ::poll(&exit, 1, static_cast<int>(std::min(std::ceil(left.count()), 1e9))) > 0;
    }
    if (exit.fd >= 0) {
        ::close(exit.fd);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const bool given_up = (deadline && !ended) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
    return given_up ? std::nullopt : std::optional(status);
}

Deadline deadline_of(const Budget& budget) {
    using std::chrono::steady_clock;
    const std::chrono::duration<double> seconds(budget.seconds);
    return budget.seconds > 0
               ? Deadline(steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(seconds))
               : std::nullopt;
}

int checked(const std::optional<int>& status, const Budget& budget, std::string_view name) {
    if (!status) {
        throw Error(ErrorCode::input, fmt::format("{}: not decoded within {:g} s", name, budget.seconds),
                    hint_for(budget, "--max-seconds"));
    }
    if (WIFSIGNALED(*status)) {
        throw Error(ErrorCode::input,
                    fmt::format("{}: the decoder crashed (signal {})", name, WTERMSIG(*status)));
    }
    return WEXITSTATUS(*status);
}

void end_child(pid_t child) {
    ::kill(child, SIGKILL);
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

} // namespace glproc::job
