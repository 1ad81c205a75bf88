// Dying cleanly: a signal ends the program as that signal does, without leaving a temporary file behind.
#pragma once

namespace glproc::cli {

/// Every signal that ends a program from outside, and SIGPIPE (a reader such as `head` that has seen enough),
/// removes unfinished outputs first; those that the caller ignores stay ignored. SIGXFSZ becomes an error of
/// the write that meets it.
void install_signal_handlers();

/// From now on the first SIGINT, SIGTERM or SIGHUP is only remembered, so that what is under way can end
/// well. The next ends the program as above.
void remember_signals();

/// The signal that was remembered, or 0.
int remembered_signal();

/// Ends the program as this signal does.
[[noreturn]] void die_of(int signal);

} // namespace glproc::cli
