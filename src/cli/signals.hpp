// Dying cleanly: a signal ends the program as that signal does, without leaving a temporary file behind.
#pragma once

namespace glproc::cli {

/// SIGINT, SIGTERM and SIGHUP remove unfinished outputs first; those that the caller ignores stay ignored.
/// SIGPIPE and SIGXFSZ become errors of the write that meets them.
void install_signal_handlers();

} // namespace glproc::cli
