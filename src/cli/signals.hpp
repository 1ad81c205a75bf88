// Dying cleanly: a signal ends the program as that signal does, without leaving a temporary file behind.
#pragma once

namespace glproc::cli {

/// SIGINT, SIGTERM, SIGHUP and SIGPIPE (a reader such as `head` that has seen enough) remove unfinished
/// outputs first; those that the caller ignores stay ignored. SIGXFSZ becomes an error of the write that
/// meets it.
void install_signal_handlers();

} // namespace glproc::cli
