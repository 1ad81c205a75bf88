#include "job/confined/confine.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef GLPROC_WITH_SECCOMP
#include <seccomp.h>
#endif

namespace glproc::job {

namespace {

/// https://docs.kernel.org/userspace-api/landlock.html. A set of rules that allows nothing of what it knows.
/// Numbers instead of linux/landlock.h: older headers lack the newer rights.
void landlock() {
    constexpr long create_ruleset = 444;
    constexpr long restrict_self = 446;
    struct Ruleset {
        std::uint64_t files;
        std::uint64_t network;
        std::uint64_t scopes;
    };
    const long version = ::syscall(create_ruleset, nullptr, 0, 1);
    if (version < 1) {
        return;
    }
    const unsigned file_rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    Ruleset rules{(std::uint64_t{1} << file_rights) - 1, version >= 4 ? 3U : 0U, version >= 6 ? 3U : 0U};
    const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    const long descriptor = ::syscall(create_ruleset, &rules, size, 0);
    if (descriptor < 0) {
        return;
    }
    ::syscall(restrict_self, descriptor, 0);
    ::close(static_cast<int>(descriptor));
}

#ifdef GLPROC_WITH_SECCOMP

/// What decoders call: memory, threads, and reading and writing of what is open. All else fails with EPERM.
bool seccomp() {
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == nullptr) {
        return false;
    }
    bool complete = true;
    const auto allow = [&](int call) {
        complete = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) == 0 && complete;
    };
    for (const int call : {SCMP_SYS(read),
                           SCMP_SYS(pread64),
                           SCMP_SYS(readv),
                           SCMP_SYS(write),
                           SCMP_SYS(writev),
                           SCMP_SYS(lseek),
                           SCMP_SYS(close),
                           SCMP_SYS(fstat),
                           SCMP_SYS(ftruncate),
                           SCMP_SYS(munmap),
                           SCMP_SYS(mremap),
                           SCMP_SYS(brk),
                           SCMP_SYS(madvise),
                           SCMP_SYS(futex),
                           SCMP_SYS(rt_sigprocmask),
                           SCMP_SYS(rt_sigaction),
                           SCMP_SYS(rt_sigreturn),
                           SCMP_SYS(sigaltstack),
                           SCMP_SYS(exit),
                           SCMP_SYS(exit_group),
                           SCMP_SYS(restart_syscall),
                           SCMP_SYS(set_robust_list),
                           SCMP_SYS(rseq),
                           SCMP_SYS(sched_getaffinity),
                           SCMP_SYS(sched_yield),
                           SCMP_SYS(gettid),
                           SCMP_SYS(getpid),
                           SCMP_SYS(clock_gettime),
                           SCMP_SYS(clock_nanosleep),
                           SCMP_SYS(gettimeofday),
                           SCMP_SYS(getrandom),
                           SCMP_SYS(sysinfo),
                           SCMP_SYS(getrusage)}) {
        allow(call);
    }
    // Memory, but none that programs could be written to; threads, but no processes.
    for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)}) {
        complete = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1,
                                    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) == 0 &&
                   complete;
    }
    complete = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                                SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)) == 0 &&
               complete;
    // Its arguments lie in memory, which a filter cannot read; the C library then takes clone.
    complete = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 && complete;
    const bool loaded = complete && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return loaded;
}

#else

bool seccomp() {
    return false;
}

#endif

} // namespace

bool confine() {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return false;
    }
    landlock(); // first, as the filter refuses its calls
    return seccomp();
}

void close_descriptors(int last) {
    constexpr long close_range = 436;
    if (::syscall(close_range, last + 1, ~0U, 0) == 0) { // Linux 5.9
        return;
    }
    const long most = std::max(::sysconf(_SC_OPEN_MAX), 1024L);
    for (int descriptor = last + 1; descriptor < most; ++descriptor) {
        ::close(descriptor);
    }
}

void drop_inheritance(int kept) {
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int stream = 0; stream < kept && nothing >= 0; ++stream) {
        ::dup2(nothing, stream);
    }
    close_descriptors(kept);
    static_cast<void>(::chdir("/") == 0); // where nothing is opened anyway
}

void forget_environment() {
    for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
        ::explicit_bzero(*one, std::strlen(*one));
    }
    ::clearenv(); // NOLINT(concurrency-mt-unsafe): no thread runs
}

} // namespace glproc::job
