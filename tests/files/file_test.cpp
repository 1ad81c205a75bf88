#include "glproc/files/file.hpp"
#include "glproc/files/read_waiting.hpp"

#include "files/pictures.hpp"
#include "support/temp_dir.hpp"

#include <array>
#include <csignal>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

/// Names in a folder, hidden ones too.
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

using Names = std::vector<std::string>;

mode_t mode_of(const fs::path& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777U;
}

/// Sets the umask for a scope.
class Umask {
  public:
    explicit Umask(mode_t mask) : old_(::umask(mask)) {}
    Umask(const Umask&) = delete;
    Umask& operator=(const Umask&) = delete;
    ~Umask() { ::umask(old_); }

  private:
    mode_t old_;
};

/// The permissions of the file whose permissions were changed last, before that.
mode_t before_fchmod = 0; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

} // namespace

/// In place of that of the C library: nothing else can see how a file was open to others for a moment.
extern "C" int fchmod(int descriptor, mode_t mode) {
    struct stat status {};
    if (::fstat(descriptor, &status) == 0)
        before_fchmod = status.st_mode & 07777U;
    return static_cast<int>(::syscall(SYS_fchmod, descriptor, mode));
}

TEST_CASE("files come back as they were written") {
    const TempDir folder;
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{70000}}) {
        Bytes bytes(size);
        for (std::size_t i = 0; i < size; ++i)
            bytes[i] = static_cast<std::byte>(hash(static_cast<std::uint32_t>(i)));
        write_file(folder / "a", bytes);
        CHECK(read_file(folder / "a") == bytes);
    }
    CHECK(names_in(folder.path()) == Names{"a"});
}

TEST_CASE("files whose size is not known beforehand are read to their end") {
    CHECK(read_file("/proc/self/status").size() > 100);
    const int endless = ::open("/dev/zero", O_RDONLY);
    CHECK_THROWS_WITH(read_descriptor(endless, "/dev/zero", 1U << 22U),
                      "/dev/zero: more than 2 MiB of data without an end");
    ::close(endless);

    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const Bytes bytes(300000, std::byte{7}); // more than a pipe holds, so that it comes in pieces
    std::thread writer([&] {
        write_descriptor(ends[1], bytes, "pipe");
        ::close(ends[1]);
    });
    CHECK(read_descriptor(ends[0], "pipe") == bytes);
    writer.join();
    ::close(ends[0]);
}

TEST_CASE("whoever waits for a pipe without a writer may give up") {
    const TempDir folder;
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    const auto give_up = [](int) { throw std::runtime_error("enough"); };
    CHECK_THROWS_WITH(read_waiting(folder / "pipe", give_up), "enough");
    int waits = 0;
    std::thread writer([&] { write_file(folder / "pipe", Bytes(100000, std::byte{5})); });
    const Bytes bytes = read_waiting(folder / "pipe", [&](int descriptor) {
        pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
        ++waits;
        ::poll(&waiting, 1, -1);
    });
    writer.join();
    CHECK(bytes == Bytes(100000, std::byte{5}));
    CHECK(waits > 1);
}

TEST_CASE("without commit the old file stays and nothing is left behind") {
    const TempDir folder;
    write_file(folder / "a", bytes_of("old"));
    {
        AtomicFile file(folder / "a");
        file.write(bytes_of("new"));
        CHECK(names_in(folder.path()).size() == 2);
        CHECK(read_file(folder / "a") == bytes_of("old"));
    }
    CHECK(names_in(folder.path()) == Names{"a"});
    CHECK(read_file(folder / "a") == bytes_of("old"));

    AtomicFile file(folder / "a");
    file.write(bytes_of("ne"));
    file.write(bytes_of("w"));
    file.commit();
    CHECK(names_in(folder.path()) == Names{"a"});
    CHECK(read_file(folder / "a") == bytes_of("new"));
}

TEST_CASE("the temporary file stands hidden beside its target") {
    const TempDir folder;
    const AtomicFile file(folder / "out.png");
    const Names names = names_in(folder.path());
    REQUIRE(names.size() == 1);
    CHECK(names[0].starts_with(".out.png."));
}

TEST_CASE("a write that fails leaves the old file whole") {
    const TempDir folder;
    write_file(folder / "a", bytes_of("old"));
    // A limit on file sizes stands for a full disk: write() fails in the middle.
    struct rlimit old_limit {};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &old_limit) == 0);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit { 1000, old_limit.rlim_max };
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    const auto error = error_of([&] { write_file(folder / "a", Bytes(5000)); });
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &old_limit) == 0);
    std::signal(SIGXFSZ, old_handler);

    REQUIRE(error.has_value());
    CHECK(error->code() == ErrorCode::output);
    CHECK(std::string(error->what()) == (folder / "a").string() + ": file too large");
    CHECK(read_file(folder / "a") == bytes_of("old"));
    CHECK(names_in(folder.path()) == Names{"a"});
}

TEST_CASE("permissions of a replaced file are kept, new files follow the umask") {
    const TempDir folder;
    const Umask mask(027);
    write_file(folder / "new", bytes_of("x"));
    CHECK(mode_of(folder / "new") == 0640);
    for (const mode_t mode : {0600U, 0666U, 0755U}) {
        REQUIRE(::chmod((folder / "new").c_str(), mode) == 0);
        write_file(folder / "new", bytes_of("y"));
        CHECK(mode_of(folder / "new") == mode);
    }
}

TEST_CASE("what replaces a private file is never readable by others") {
    const TempDir folder;
    const Umask open_to_all(0);
    write_file(folder / "a", bytes_of("old"));
    CHECK(mode_of(folder / "a") == 0666);
    REQUIRE(::chmod((folder / "a").c_str(), 0600) == 0);
    before_fchmod = 07777;
    write_file(folder / "a", bytes_of("new"));
    CHECK(before_fchmod == 0600);
    CHECK(mode_of(folder / "a") == 0600);
}

TEST_CASE("symbolic links are followed and stay links") {
    const TempDir folder;
    fs::create_directory(folder / "real");
    write_file(folder / "real/a", bytes_of("old"));
    fs::create_symlink("real/a", folder / "one");
    fs::create_symlink("one", folder / "two");
    write_file(folder / "two", bytes_of("new"));
    CHECK(fs::is_symlink(folder / "two"));
    CHECK(fs::is_symlink(folder / "one"));
    CHECK(read_file(folder / "real/a") == bytes_of("new"));
    CHECK(names_in(folder / "real") == Names{"a"});

    fs::create_symlink("gone", folder / "lost");
    check_error(ErrorCode::output, (folder / "lost").string() + ": a broken symbolic link",
                [&] { write_file(folder / "lost", bytes_of("x")); });
}

TEST_CASE("devices and pipes are written to, not replaced") {
    write_file("/dev/null", bytes_of("x"));
    struct stat status {};
    REQUIRE(::stat("/dev/null", &status) == 0);
    CHECK(S_ISCHR(status.st_mode));
    check_error(ErrorCode::output, "/dev/full: no space left on device",
                [] { write_file("/dev/full", bytes_of("x")); });

    const TempDir folder;
    const fs::path pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    Bytes got;
    std::thread reader([&] { got = read_file(pipe); });
    write_file(pipe, bytes_of("through"));
    reader.join();
    CHECK(got == bytes_of("through"));
    CHECK(fs::is_fifo(pipe));
}

TEST_CASE("a pipe without a name is written to through /proc, as /dev/stdout is") {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    write_file("/proc/self/fd/" + std::to_string(ends[1]), bytes_of("through"));
    ::close(ends[1]);
    CHECK(read_descriptor(ends[0], "pipe") == bytes_of("through"));
    ::close(ends[0]);
}

TEST_CASE("places that cannot be written are told before any work") {
    const TempDir folder;
    write_file(folder / "a", bytes_of("x"));
    const std::string base = folder.path();
    CHECK_NOTHROW(check_writable(folder / "a"));
    CHECK_NOTHROW(check_writable(folder / "new"));
    CHECK_NOTHROW(check_writable("a-name-without-a-folder"));
    CHECK(names_in(folder.path()) == Names{"a"});

    const auto refused = [](const std::string& path, const std::string& why) {
        check_error(ErrorCode::output, path + ": " + why, [&] { check_writable(path); });
        CHECK(error_of([&] { write_file(path, bytes_of("y")); }).has_value());
    };
    refused(base, "is a directory");
    refused(base + "/nowhere/b", base + "/nowhere: no such folder");
    refused(base + "/a/b", "not a directory");
    refused(base + "/", "is a directory");
    refused("", "names no file");
    refused(base + "/" + std::string(300, 'n'), "file name too long");
    if (::geteuid() != 0) {
        REQUIRE(::chmod((folder / "a").c_str(), 0444) == 0);
        refused(base + "/a", "permission denied");
        REQUIRE(::chmod(base.c_str(), 0555) == 0);
        refused(base + "/b", base + ": permission denied");
        REQUIRE(::chmod(base.c_str(), 0755) == 0);
    }
    CHECK(read_file(folder / "a") == bytes_of("x"));
}

TEST_CASE("names as long as a folder allows can be written") {
    const TempDir folder;
    const std::string name(255, 'n');
    write_file(folder / name, bytes_of("x"));
    CHECK(names_in(folder.path()) == Names{name});
}

TEST_CASE("a signal handler can remove what is under way, and only that") {
    const TempDir folder;
    write_file(folder / "a", bytes_of("old"));
    {
        AtomicFile done(folder / "done");
        done.commit();
        const AtomicFile pending(folder / "a");
        const AtomicFile other(folder / "b");
        CHECK(names_in(folder.path()).size() == 4);
        remove_pending_files();
        CHECK(names_in(folder.path()) == Names{"a", "done"});
    }
    CHECK(read_file(folder / "a") == bytes_of("old"));

    // Slots are given back: many more files than slots, one after another, are all known.
    for (int i = 0; i < 100; ++i) {
        const AtomicFile pending(folder / "c");
        remove_pending_files();
        CHECK(names_in(folder.path()) == Names{"a", "done"});
    }
}

TEST_CASE("in a folder where anybody may put links, others' links are not followed") {
    const TempDir folder;
    const auto shared = folder / "shared";
    fs::create_directory(shared);
    fs::create_symlink("../mine", shared / "out");
    write_file(folder / "mine", bytes_of("old"));
    fs::permissions(shared, fs::perms::all | fs::perms::sticky_bit);
    write_file(shared / "out", bytes_of("new")); // one's own
    CHECK(read_file(folder / "mine") == bytes_of("new"));
    constexpr uid_t stranger = 65533;
    if (::lchown((shared / "out").c_str(), stranger, stranger) != 0) {
        WARN("skipped: only root can make links of others");
        return;
    }
    const auto refused = [](const fs::path& path) {
        const auto error = error_of([&] { write_file(path, bytes_of("newer")); });
        return error && error->code() == ErrorCode::output &&
               std::string_view(error->what()).find("a symbolic link of another user") != std::string_view::npos;
    };
    CHECK(refused(shared / "out"));
    CHECK(read_file(folder / "mine") == bytes_of("new"));
    fs::create_symlink(shared / "out", folder / "far"); // nor by a link of one's own to it
    CHECK(refused(folder / "far"));
    fs::permissions(shared, fs::perms::owner_all);
    write_file(shared / "out", bytes_of("newer")); // where nobody else can put one
    CHECK(read_file(folder / "mine") == bytes_of("newer"));
}
