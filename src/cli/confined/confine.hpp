// A process that gives up its rights before it reads what it does not trust.
#pragma once

namespace glproc::cli {

/// From now on this process opens no file, makes no connection, starts no program and sees no other process:
/// landlock and seccomp, as far as the kernel has them. What is open stays usable. Returns whether all of
/// this holds: by seccomp, or by a landlock that covers the network.
bool confine();

} // namespace glproc::cli
