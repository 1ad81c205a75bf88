#include "cli/terminal/signals.hpp"

#include "glproc/files/file.hpp"
#include "job/input_file.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>

namespace glproc::cli {

namespace {

extern "C" void clean_up_and_die(int signal) {
    remove_pending_files();
    // SA_RESETHAND has restored the default action. The signal is blocked until we return, then it ends the
    // process.
    static_cast<void>(::raise(signal));
}

void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    ::sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
    struct sigaction action {};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void die_at(int signal) {
    handle(signal, clean_up_and_die, static_cast<int>(SA_RESETHAND));
}

std::atomic<int> remembered{0}; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<int>::is_always_lock_free);

constexpr std::array<int, 3> ending_signals{SIGINT, SIGTERM, SIGHUP};

extern "C" void remember(int signal) {
    if (remembered.exchange(signal) != 0) { // came before the first was handled: both found this handler
        handle(signal, SIG_DFL, 0);
        clean_up_and_die(signal);
        return;
    }
    for (const int next : ending_signals) {
        if (!is_ignored(next)) {
            die_at(next);
        }
    }
}

} // namespace

void install_signal_handlers() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1,
                             SIGUSR2, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT}) {
        if (!is_ignored(signal)) {
            die_at(signal);
        }
    }
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
}

void remember_signals() {
    job::wait_while([] { return remembered_signal() == 0; });
    for (const int signal : ending_signals) {
        if (!is_ignored(signal)) {
            handle(signal, remember, SA_RESTART);
        }
    }
}

int remembered_signal() {
    return remembered;
}

void die_of(int signal) {
    static_cast<void>(std::signal(signal, SIG_DFL));
    static_cast<void>(::raise(signal));
    std::_Exit(128 + signal);
}

} // namespace glproc::cli
