// A process that gives up its rights before it reads what it does not trust.
#pragma once

namespace glproc::job {

/// From now on this process opens no file, makes no connection, starts no program and sees no other process:
/// seccomp, and landlock as far as the kernel has it. What is open stays usable. Returns whether all of this holds, which
/// takes seccomp: landlock knows neither UDP nor sockets of files.
bool confine();

/// Closes every descriptor above `last`.
void close_descriptors(int last);

/// Closes what the caller has left open, but for `kept`; the standard streams become /dev/null, and the folder the root.
void drop_inheritance(int kept);

/// Overwrites the environment, where secrets of the caller may stand.
void forget_environment();

} // namespace glproc::job
