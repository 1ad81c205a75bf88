#include "glproc/files/file.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/descriptor.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <limits>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace glproc {
namespace {

namespace fs = std::filesystem;

/// What a signal handler may read: plain characters and lock-free flags.
struct PendingFile {
    std::atomic<bool> taken{false};
    std::atomic<bool> armed{false};
    std::array<char, PATH_MAX> path{};
};
static_assert(std::atomic<bool>::is_always_lock_free);
std::array<PendingFile, 256> pending_files; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

/// The slot that now holds `path`, or -1 when all are taken or the path is too long.
int register_pending(const fs::path& path) {
    if (path.native().size() >= PATH_MAX)
        return -1;
    for (std::size_t i = 0; i < pending_files.size(); ++i) {
        if (!pending_files[i].taken.exchange(true)) {
            std::memcpy(pending_files[i].path.data(), path.c_str(), path.native().size() + 1);
            pending_files[i].armed = true;
            return static_cast<int>(i);
        }
    }
    return -1;
}

void unregister_pending(int slot) {
    if (slot < 0)
        return;
    PendingFile& file = pending_files[static_cast<std::size_t>(slot)];
    file.armed = false;
    file.taken = false;
}

[[noreturn]] void fail_output(std::string_view name, std::string_view why) {
    throw Error(ErrorCode::output, fmt::format("{}: {}", name, why));
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// True if `path` exists and is not a regular file, so that a rename would destroy something other than a
/// file.
bool is_special(const fs::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// In a folder like /tmp, where anybody can put a link under a name that others will write to, only one's own links and
/// the folder's owner's are followed: Linux's rule for open() (protected_symlinks), which does not see readlink().
bool may_be_planted(const fs::path& link) {
    struct stat own {};
    struct stat folder {};
    return ::lstat(link.c_str(), &own) != 0 || ::stat(folder_of(link).c_str(), &folder) != 0 ||
           ((folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0 && own.st_uid != ::geteuid() &&
            own.st_uid != folder.st_uid);
}

/// The file that a write to `path` reaches, symbolic links followed. A link that leads nowhere is refused, as
/// cp does.
fs::path resolve(const fs::path& path) {
    std::error_code error;
    if (is_special(path))
        return path; // /dev/stdout is a link too, to something without a name of its own
    constexpr int most_links = 40; // as Linux has it
    fs::path target = path;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
        if (links == most_links)
            fail_output(path.native(), "a broken symbolic link");
        if (may_be_planted(target))
            fail_output(path.native(), "a symbolic link of another user in a folder where anybody may put one");
        const fs::path next = fs::read_symlink(target, error);
        target = next.is_absolute() ? next : folder_of(target) / next;
    }
    if (target != path && !fs::exists(target, error))
        fail_output(path.native(), "a broken symbolic link");
    return target;
}

/// ".out.png.k3x9qa" beside out.png: hidden, in the same file system, unlikely to be there already.
fs::path temporary_name(const fs::path& target) {
    static std::atomic<std::uint64_t> counter{0};
    struct timespec now {};
    ::clock_gettime(CLOCK_REALTIME, &now);
    std::uint64_t bits = static_cast<std::uint64_t>(now.tv_nsec) * 0x9E3779B97F4A7C15U;
    bits ^= (static_cast<std::uint64_t>(::getpid()) << 20U) + counter++;
    bits *= 0xBF58476D1CE4E5B9U;
    std::string name = fmt::format(".{}.", target.filename().native().substr(0, 200));
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (int i = 0; i < 6; ++i, bits /= letters.size())
        name += letters[(bits >> 8U) % letters.size()];
    return folder_of(target) / name;
}

} // namespace

void write_descriptor(int descriptor, std::span<const std::byte> bytes, std::string_view name) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            fail_output(name, reason(errno));
        }
    }
}

void check_writable(const fs::path& path) {
    const std::string& name = path.native();
    const fs::path target = resolve(path);
    struct stat status {};
    if (::stat(target.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode))
            fail_output(name, reason(EISDIR));
        if (::access(target.c_str(), W_OK) != 0)
            fail_output(name, reason(errno));
        if (!S_ISREG(status.st_mode))
            return; // no temporary file, so the folder does not matter
    } else if (errno != ENOENT) {
        fail_output(name, reason(errno));
    }
    if (!target.has_filename())
        fail_output(name, "names no file");
    const fs::path folder = folder_of(target);
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
        const std::string why = errno == ENOENT ? "no such folder" : reason(errno);
        throw Error(ErrorCode::output, fmt::format("{}: {}: {}", name, folder.native(), why));
    }
}

AtomicFile::AtomicFile(const fs::path& path) : name_(path.native()) {
    check_writable(path);
    target_ = resolve(path);
    if (is_special(target_)) {
        descriptor_ = ::open(target_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
        if (descriptor_ < 0)
            fail(errno);
        return;
    }
    open_temporary();
    keep_attributes();
}

AtomicFile::~AtomicFile() {
    discard();
}

void AtomicFile::open_temporary() {
    // Not mkstemp: open() applies the umask and the folder's default permissions, as for any new file. One
    // that replaces another is open to nobody else until it has that one's permissions, which may be
    // narrower.
    struct stat status {};
    const mode_t mode = ::stat(target_.c_str(), &status) == 0 ? 0600 : 0666;
    for (int attempt = 0; attempt < 100 && descriptor_ < 0; ++attempt) {
        temporary_ = temporary_name(target_);
        slot_ = register_pending(temporary_); // before it exists, so that no signal finds it unregistered
        descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor_ < 0) {
            const int error = errno;
            unregister_pending(slot_);
            slot_ = -1;
            if (error != EEXIST)
                fail(error);
        }
    }
    if (descriptor_ < 0)
        fail(EEXIST);
}

void AtomicFile::keep_attributes() const {
    struct stat status {};
    if (::stat(target_.c_str(), &status) != 0)
        return;
    // The owner is kept where the system allows it (root); owner first, as changing it clears permission
    // bits.
    if (::fchown(descriptor_, status.st_uid, status.st_gid) != 0)
        errno = 0;
    if (::fchmod(descriptor_, status.st_mode & 0777U) != 0)
        errno = 0; // e.g. FAT: no permissions to keep
}

void AtomicFile::fail(int error) const {
    fail_output(name_, reason(error));
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    // The disk begins with what is there, so that commit() need not wait for all of it.
    constexpr std::size_t part = std::size_t{8} << 20U;
    while (!bytes.empty()) {
        const auto next = bytes.first(std::min(bytes.size(), part));
        write_descriptor(descriptor_, next, name_);
        written_ += next.size();
        bytes = bytes.subspan(next.size());
        if (seekable() && written_ - begun_ >= part) {
            ::sync_file_range(descriptor_, static_cast<off_t>(begun_), static_cast<off_t>(written_ - begun_),
                              SYNC_FILE_RANGE_WRITE);
            begun_ = written_;
        }
    }
}

void AtomicFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(written));
            offset += static_cast<std::uint64_t>(written);
        } else if (errno != EINTR) {
            fail(errno);
        }
    }
}

std::size_t AtomicFile::read_back(std::uint64_t offset, std::span<std::byte> out) const {
    for (;;) {
        const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
        if (got >= 0) {
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR) {
            fail(errno);
        }
    }
}

namespace {

constexpr const char* mark_name = "user.glproc.written";

/// As text; a later change of the file changes it.
std::string time_of(const struct stat& status) {
    return fmt::format("{}.{:09}", status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

} // namespace

/// Not all file systems keep it; nothing depends on it but a question whether a file may be replaced.
void AtomicFile::mark() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0)
        return;
    const std::string time = time_of(status);
    if (::fsetxattr(descriptor_, mark_name, time.data(), time.size(), 0) != 0)
        errno = 0;
}

std::optional<bool> was_written_here(const fs::path& path) {
    struct stat status {};
    std::array<char, 64> value{};
    const ssize_t size = ::getxattr(path.c_str(), mark_name, value.data(), value.size());
    if (size < 0 && errno != ENODATA && errno != ERANGE)
        return std::nullopt;
    return size > 0 && ::stat(path.c_str(), &status) == 0 &&
           std::string_view(value.data(), static_cast<std::size_t>(size)) == time_of(status);
}

void AtomicFile::commit() {
    const bool replaces = !temporary_.empty();
    if (replaces)
        mark();
    // Devices and pipes cannot be synced and say EINVAL.
    if (::fsync(descriptor_) != 0 && (replaces || errno != EINVAL))
        fail(errno);
    const int closed = ::close(std::exchange(descriptor_, -1));
    if (closed != 0)
        fail(errno);
    if (!replaces)
        return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0)
        fail(errno);
    temporary_.clear();
    unregister_pending(std::exchange(slot_, -1));
    // The new name itself reaches the disk with the folder; where a folder cannot be synced, the file still
    // is whole.
    const Descriptor folder(::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.get() >= 0)
        ::fsync(folder.get());
}

void AtomicFile::discard() noexcept {
    if (descriptor_ >= 0)
        ::close(descriptor_);
    if (!temporary_.empty())
        ::unlink(temporary_.c_str());
    unregister_pending(slot_);
}

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

void remove_pending_files() noexcept {
    for (const PendingFile& file : pending_files) {
        if (file.armed)
            ::unlink(file.path.data());
    }
}

} // namespace glproc
