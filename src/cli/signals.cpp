#include "cli/signals.hpp"

#include "glproc/image/file.hpp"

#include <csignal>

namespace glproc::cli {

namespace {

extern "C" void clean_up_and_die(int signal) {
    remove_pending_files();
    // SA_RESETHAND has restored the default action. The signal is blocked until we return, then it ends the
    // process.
    static_cast<void>(::raise(signal));
}

} // namespace

void install_signal_handlers() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
        struct sigaction action {};
        if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) {
            continue;
        }
        action = {};
        action.sa_handler = clean_up_and_die;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        ::sigaction(signal, &action, nullptr);
    }
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
}

} // namespace glproc::cli
