#include "glproc/base/private_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <memory>
#include <system_error>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace glproc {

namespace {

namespace fs = std::filesystem;

constexpr const char* key_name = "key";

/// Why what `status` describes is not only ours to change; empty where it is.
std::string distrust_of(const struct stat& status) {
    if (::getuid() != ::geteuid() || ::getgid() != ::getegid()) {
        return "is not used by a program that runs with the rights of another user";
    }
    if (status.st_uid != ::geteuid()) {
        return "belongs to another user";
    }
    if ((status.st_mode & 022U) != 0) {
        return "can be changed by other users";
    }
    return {};
}

/// Why what `status` describes is no file to read; empty where it is one.
std::string unreadable(const struct stat& status, std::size_t most) {
    return S_ISLNK(status.st_mode)    ? "is a link"
           : !S_ISREG(status.st_mode) ? "is not a file"
           : static_cast<std::uintmax_t>(status.st_size) > most
               ? fmt::format("has more than {} bytes", most)
               : distrust_of(status);
}

/// The descriptor of a folder, or -1 and why it is none that can be used. A link as the last part of the path
/// is none: where it leads may be decided by others.
int open_folder(const fs::path& path, std::string& why) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) {
        why = errno == ENOENT                      ? ""
              : errno == ENOTDIR || errno == ELOOP ? "is not a folder"
                                                   : std::generic_category().message(errno);
        return -1;
    }
    struct stat status {};
    why = ::fstat(descriptor, &status) == 0 ? distrust_of(status) : "cannot be examined";
    if (!why.empty()) {
        ::close(descriptor);
        return -1;
    }
    return descriptor;
}

bool belongs_to_root(const fs::path& folder) {
    struct stat status {};
    return ::stat(folder.c_str(), &status) == 0 && status.st_uid == 0;
}

/// Makes a folder and those above it that are missing, all of them the user's own.
bool make_folders(const fs::path& path) {
    if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) {
        return true;
    }
    const fs::path parent = path.parent_path();
    return errno == ENOENT && parent != path && make_folders(parent) &&
           (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST);
}

/// The nearest folder at or above `path` that is there.
fs::path nearest(fs::path path) {
    std::error_code error;
    while (!fs::exists(path, error) && path != path.parent_path()) {
        path = path.parent_path();
    }
    return path;
}

/// All of `bytes` to a new file.
bool write_all(int descriptor, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return true;
}

} // namespace

bool fill_random(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
        if (got < 0 && errno != EINTR) {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    return true;
}

std::optional<PrivateFolder> PrivateFolder::open(const fs::path& path) {
    std::string why;
    const int descriptor = open_folder(path, why);
    return descriptor < 0 ? std::nullopt : std::optional(PrivateFolder(descriptor));
}

std::optional<PrivateFolder> PrivateFolder::make(const fs::path& path) {
    if (std::error_code error; !fs::exists(fs::symlink_status(path, error))) {
        if ((::geteuid() == 0 && !belongs_to_root(nearest(path))) || !make_folders(path)) {
            return {};
        }
    }
    return open(path);
}

std::string PrivateFolder::distrust(const fs::path& path) {
    std::string why;
    if (const int descriptor = open_folder(path, why); descriptor >= 0) {
        ::close(descriptor);
    }
    return why;
}

PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

PrivateFolder::~PrivateFolder() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

std::optional<std::vector<std::byte>> PrivateFolder::read(const std::string& name, std::size_t most) const {
    // O_NONBLOCK: a FIFO is opened at once, and then found to be no file.
    const int file = ::openat(descriptor_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return {};
    }
    std::optional<std::vector<std::byte>> bytes;
    struct stat status {};
    if (::fstat(file, &status) == 0 && unreadable(status, most).empty()) {
        bytes.emplace(static_cast<std::size_t>(status.st_size));
        std::size_t used = 0;
        ssize_t got = 1;
        while (used < bytes->size() && (got > 0 || (got < 0 && errno == EINTR))) {
            got = ::read(file, bytes->data() + used, bytes->size() - used);
            used += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        }
        if (used < bytes->size()) {
            bytes.reset();
        }
    }
    ::close(file);
    return bytes;
}

bool PrivateFolder::write(const std::string& name, std::span<const std::byte> bytes) const {
    return put(name, bytes, true);
}

bool PrivateFolder::put(const std::string& name, std::span<const std::byte> bytes, bool replaces) const {
    std::array<std::byte, 8> random{};
    if (!fill_random(random)) {
        return false;
    }
    std::string temporary = fmt::format(".{}.", name);
    for (const std::byte byte : random) {
        temporary += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    }
    const int file =
        ::openat(descriptor_, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) {
        return false;
    }
    const bool written = write_all(file, bytes);
    bool done = ::close(file) == 0 && written;
    if (replaces) {
        done = done && ::renameat(descriptor_, temporary.c_str(), descriptor_, name.c_str()) == 0;
        if (done) {
            return true;
        }
    } else { // a link to a name that is taken fails: the first of several processes wins
        done = done && ::linkat(descriptor_, temporary.c_str(), descriptor_, name.c_str(), 0) == 0;
    }
    ::unlinkat(descriptor_, temporary.c_str(), 0);
    return done;
}

std::optional<std::array<std::byte, 16>> PrivateFolder::key() const {
    std::array<std::byte, 16> key{};
    const auto stored = [&]() -> bool {
        const auto bytes = read(key_name, key.size());
        const bool whole = bytes && bytes->size() == key.size();
        if (whole) {
            std::copy(bytes->begin(), bytes->end(), key.begin());
        }
        return whole;
    };
    if (stored()) {
        return key;
    }
    if (!fill_random(key)) {
        return {};
    }
    if (put(key_name, key, false) || stored()) { // another process may have been faster
        return key;
    }
    // What is there is no key, or of a file system without hard links: nothing summed by it can be checked.
    return put(key_name, key, true) ? std::optional(key) : std::nullopt;
}

void PrivateFolder::each(
    const std::function<void(const std::string& name, const struct stat& status)>& visit) const {
    const int copy = ::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(copy < 0 ? nullptr : ::fdopendir(copy), &::closedir);
    if (!folder) {
        if (copy >= 0) {
            ::close(copy);
        }
        return;
    }
    while (const struct dirent* entry = ::readdir(folder.get())) { // NOLINT(concurrency-mt-unsafe): its own
        struct stat status {};
        if (::fstatat(descriptor_, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
            visit(entry->d_name, status);
        }
    }
}

std::vector<PrivateFolder::Skipped>
PrivateFolder::skipped(const std::function<bool(std::string_view name)>& counts, std::size_t most) const {
    std::vector<Skipped> found;
    each([&](const std::string& name, const struct stat& status) {
        std::string why = counts(name) ? unreadable(status, most) : "";
        if (!why.empty()) {
            found.push_back({name, std::move(why)});
        }
    });
    std::ranges::sort(found, {}, &Skipped::name);
    return found;
}

void PrivateFolder::limit(const std::function<bool(std::string_view name)>& counts, std::size_t files,
                          std::uintmax_t bytes) const {
    struct File {
        std::string name;
        struct timespec time;
        std::uintmax_t bytes;
    };
    std::vector<File> found;
    each([&](const std::string& name, const struct stat& status) {
        if (counts(name) && S_ISREG(status.st_mode)) {
            found.push_back({name, status.st_mtim, static_cast<std::uintmax_t>(status.st_size)});
        }
    });
    std::sort(found.begin(), found.end(), [](const File& a, const File& b) {
        return std::pair(a.time.tv_sec, a.time.tv_nsec) > std::pair(b.time.tv_sec, b.time.tv_nsec);
    });
    std::uintmax_t sum = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        sum += found[i].bytes;
        if (i >= files || sum > bytes) {
            ::unlinkat(descriptor_, found[i].name.c_str(), 0);
        }
    }
}

} // namespace glproc
