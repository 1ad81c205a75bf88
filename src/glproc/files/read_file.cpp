// Reading, in one go or by parts.
#include "glproc/base/error.hpp"
#include "glproc/files/descriptor.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/read_waiting.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

namespace glproc {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_input(std::string_view name, int error) {
    throw Error(ErrorCode::input, fmt::format("{}: {}", name, reason(error)));
}

double longest_wait = 0;          ///< seconds; 0: for ever
std::uint64_t most_of_a_pipe = 0; ///< bytes; 0: as many as read_descriptor() takes
std::string& longer_wait_hint() {
    static std::string hint;
    return hint;
}

/// read_descriptor(), with what is called before each read, if anything.
std::vector<std::byte> read_all(int descriptor, std::string_view name, std::size_t most,
                                std::function<void(int)> wait) {
    const Patience patience;
    if (!wait && patience.is_limited())
        wait = [&](int waiting) { patience.await(waiting, name, [] { return true; }); };
    struct stat status {};
    if (::fstat(descriptor, &status) != 0)
        fail_input(name, errno);
    if (S_ISDIR(status.st_mode))
        fail_input(name, EISDIR);
    // One byte more than the file has, so that a regular file ends in one read that finds nothing left.
    const std::size_t expected =
        S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : 1U << 16U;
    std::vector<std::byte> bytes(expected);
    if (most_of_a_pipe > 0)
        most = std::min<std::uint64_t>(most, most_of_a_pipe);
    std::size_t used = 0;
    for (;;) {
        if (used == bytes.size() && used > most / 2)
            throw Error(ErrorCode::input,
                        fmt::format("{}: more than {} MiB of data without an end", name, most >> 21U),
                        "save the data to a file first, which may be larger");
        if (used == bytes.size())
            bytes.resize(bytes.size() * 2);
        if (wait)
            wait(descriptor);
        const ssize_t got = ::read(descriptor, bytes.data() + used, bytes.size() - used);
        if (got == 0)
            break;
        if (got > 0) {
            used += static_cast<std::size_t>(got);
            if (!S_ISREG(status.st_mode))
                patience.check(name);
        } else if (errno != EINTR && !(wait && errno == EAGAIN)) {
            fail_input(name, errno);
        }
    }
    bytes.resize(used);
    return bytes;
}

} // namespace

void read_at_most(double seconds, std::string hint, std::uint64_t bytes) {
    longest_wait = seconds;
    longer_wait_hint() = std::move(hint);
    most_of_a_pipe = bytes;
}

Patience::Patience() {
    using std::chrono::steady_clock;
    if (longest_wait > 0)
        end_ = steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(
                                         std::chrono::duration<double>(longest_wait));
}

bool Patience::await(int descriptor, std::string_view name, const std::function<bool()>& goes_on) const {
    constexpr int tick = 100; // ms: a signal may reach another thread
    pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
    while (goes_on()) {
        const int ready = ::poll(&waiting, 1, tick);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true; // or read() says what is wrong
        check(name);
    }
    return false;
}

void Patience::check(std::string_view name) const {
    if (end_ && std::chrono::steady_clock::now() >= *end_)
        throw Error(ErrorCode::input, fmt::format("{}: not read within {:g} s", name, longest_wait),
                    longer_wait_hint());
}

std::size_t most_input_bytes() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long page = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) / 3 * static_cast<std::size_t>(page)
                                 : std::numeric_limits<std::size_t>::max();
}

std::vector<std::byte> read_descriptor(int descriptor, std::string_view name, std::size_t most) {
    return read_all(descriptor, name, most, {});
}

std::vector<std::byte> read_waiting(int descriptor, std::string_view name,
                                    const std::function<void(int)>& wait) {
    return read_all(descriptor, name, most_input_bytes(), wait);
}

std::vector<std::byte> read_waiting(const fs::path& path, const std::function<void(int)>& wait) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
        fail_input(path.native(), errno);
    return read_waiting(file.get(), path.native(), wait);
}

std::vector<std::byte> read_file(const fs::path& path, std::size_t most) {
    const int may_wait =
        longest_wait > 0 ? O_NONBLOCK : 0; // open() itself would wait for the writer of a FIFO
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | may_wait));
    if (file.get() < 0)
        fail_input(path.native(), errno);
    return read_descriptor(file.get(), path.native(), most);
}

/// A pipe is not opened: whoever writes to it would lose a reader when it is closed again.
OpenFile::OpenFile(const fs::path& path) : name_(path.native()) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode))
        return;
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    look();
}

OpenFile::OpenFile(int descriptor, std::string_view name)
    : name_(name), descriptor_(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) {
    look();
}

OpenFile::~OpenFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void OpenFile::look() {
    struct stat status {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
        const int error = errno;
        if (descriptor_ >= 0) // no destructor follows a constructor that throws
            ::close(descriptor_);
        fail_input(name_, error);
    }
    const off_t position = ::lseek(descriptor_, 0, SEEK_CUR);
    regular_ = S_ISREG(status.st_mode) && position >= 0;
    if (regular_) {
        start_ = static_cast<std::uint64_t>(position);
        size_ = static_cast<std::uint64_t>(std::max<off_t>(status.st_size - position, 0));
    }
}

std::size_t OpenFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
    out = out.first(std::min<std::uint64_t>(out.size(), size_ - std::min(offset, size_)));
    std::size_t used = 0;
    while (used < out.size()) {
        const ssize_t got = ::pread(descriptor_, out.data() + used, out.size() - used,
                                    static_cast<off_t>(start_ + offset + used));
        if (got == 0)
            break;
        if (got > 0) {
            used += static_cast<std::size_t>(got);
        } else if (errno != EINTR) {
            fail_input(name_, errno);
        }
    }
    return used;
}

} // namespace glproc
