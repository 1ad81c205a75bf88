// Disks as they are: full, read-only, forbidden; links and permissions; readers that go away.
#include "cli/glproc_program.hpp"

#include <memory>
#include <optional>

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

const std::string old_content = "what was there before";

/// A folder that every user may enter, with a picture of 60000 bytes.
struct DiskFolder : TempDir {
    DiskFolder() : picture(photo_like_image({.width = 200, .height = 100, .channels = 3})) {
        fs::permissions(path(), fs::perms(0755));
        save(picture, *this / "in.ppm");
    }

    ProgramCall call(const std::string& out) const {
        return glproc_call(path(), {"blur", "in.ppm", out, "--sigma", "0", "-q"});
    }
    ProgramResult copy_to(const std::string& out) const { return run_program(call(out)); }
    bool holds_picture(const std::string& out) const { return same_pixels(load(*this / out), picture); }

    Image picture;
};

/// A small disk, unmounted at the end of the scope.
class Disk {
  public:
    static std::unique_ptr<Disk> mount(const fs::path& folder, const char* options) {
        fs::create_directory(folder);
        if (::mount("none", folder.c_str(), "tmpfs", 0, options) != 0) {
            return nullptr;
        }
        return std::make_unique<Disk>(folder);
    }
    explicit Disk(fs::path folder) : folder_(std::move(folder)) {}
    Disk(const Disk&) = delete;
    Disk& operator=(const Disk&) = delete;
    ~Disk() { ::umount(folder_.c_str()); }

    bool make_read_only() const {
        return ::mount("none", folder_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }

  private:
    fs::path folder_;
};

mode_t mode_of(const fs::path& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777U;
}

/// The call as another user than root; nothing if that is impossible.
std::optional<ProgramCall> as_nobody(ProgramCall call) {
    if (::geteuid() != 0) {
        return call;
    }
    call.arguments.insert(call.arguments.begin(),
                          {"--reuid=65534", "--regid=65534", "--clear-groups", call.program});
    call.program = "/usr/bin/setpriv";
    ProgramCall trial = call;
    trial.arguments.resize(4);
    trial.arguments.emplace_back("--version");
    if (!fs::exists(call.program) || run_program(trial).status != 0) {
        return std::nullopt;
    }
    return call;
}

} // namespace

TEST_CASE("disk: a full one is exit 4, and the old file stays whole") {
    const DiskFolder folder;
    const auto disk = Disk::mount(folder / "disk", "size=48k");
    if (!disk) {
        WARN("skipped: this user may not mount a small disk");
        return;
    }
    write_text(folder / "disk/out.ppm", old_content);
    const ProgramResult result = folder.copy_to("disk/out.ppm");
    CHECK(result.status == 4);
    CHECK(result.err == "glproc: error: disk/out.ppm: no space left on device\n");
    CHECK(read_text(folder / "disk/out.ppm") == old_content);
    CHECK(names_in(folder / "disk") == std::set<std::string>{"out.ppm"});
}

TEST_CASE("disk: one that can only be read is told before any GPU work") {
    const DiskFolder folder;
    const auto disk = Disk::mount(folder / "disk", "size=1m");
    if (!disk || !disk->make_read_only()) {
        WARN("skipped: this user may not mount a read-only disk");
        return;
    }
    const ProgramResult result =
        run_without_gpu(folder.path(), {"blur", "in.ppm", "disk/out.ppm", "--sigma", "0"});
    CHECK(result.status == 4);
    CHECK(result.err == "glproc: error: disk/out.ppm: disk: read-only file system\n");
}

TEST_CASE("disk: a device that is full is exit 4") {
    const DiskFolder folder;
    ProgramCall call = folder.call("/dev/full");
    call.arguments.insert(call.arguments.end(), {"--to", "ppm"});
    const ProgramResult result = run_program(call);
    CHECK(result.status == 4);
    CHECK(result.err == "glproc: error: /dev/full: no space left on device\n");
}

TEST_CASE("disk: a folder or file that this user may not write is told before any GPU work") {
    const DiskFolder folder;
    fs::create_directory(folder / "locked");
    fs::permissions(folder / "locked", fs::perms(0555));
    write_text(folder / "kept.ppm", old_content);
    fs::permissions(folder / "kept.ppm", fs::perms(0444));
    for (const auto& [out, why] : {std::pair{"locked/out.ppm", "locked/out.ppm: locked: permission denied"},
                                   {"kept.ppm", "kept.ppm: permission denied"}}) {
        ProgramCall call = folder.call(out);
        call.environment = environment_without_gpu();
        const auto allowed = as_nobody(call);
        if (!allowed) {
            WARN("skipped: root may write everywhere, and no other user can run the program here");
            return;
        }
        const ProgramResult result = run_program(*allowed);
        CHECK(result.status == 4);
        CHECK(result.err == std::string("glproc: error: ") + why + "\n");
    }
    CHECK(read_text(folder / "kept.ppm") == old_content);
    CHECK(names_in(folder / "locked").empty());
}

TEST_CASE("disk: an output that is a link is followed, as cp does") {
    const DiskFolder folder;
    fs::create_directory(folder / "real");
    write_text(folder / "real/target.ppm", old_content);
    fs::create_symlink("real/target.ppm", folder / "link.ppm");
    CHECK(folder.copy_to("link.ppm").status == 0);
    CHECK(fs::is_symlink(folder / "link.ppm"));
    CHECK_FALSE(fs::is_symlink(folder / "real/target.ppm"));
    CHECK(folder.holds_picture("real/target.ppm"));
    CHECK(names_in(folder / "real") == std::set<std::string>{"target.ppm"});

    fs::create_symlink("gone.ppm", folder / "lost.ppm");
    const ProgramResult result =
        run_without_gpu(folder.path(), {"blur", "in.ppm", "lost.ppm", "--sigma", "0"});
    CHECK(result.status == 4);
    CHECK(result.err == "glproc: error: lost.ppm: a broken symbolic link\n");
    CHECK(fs::is_symlink(folder / "lost.ppm"));
}

TEST_CASE("disk: a replaced file keeps its permissions, a new one has the user's") {
    const DiskFolder folder;
    const mode_t mask = ::umask(027);
    CHECK(folder.copy_to("out.ppm").status == 0);
    CHECK(mode_of(folder / "out.ppm") == 0640);
    for (const mode_t mode : {0600U, 0666U, 0755U}) {
        fs::permissions(folder / "out.ppm", fs::perms(mode));
        CHECK(folder.copy_to("out.ppm").status == 0);
        CHECK(mode_of(folder / "out.ppm") == mode);
    }
    ::umask(mask);
    CHECK(folder.holds_picture("out.ppm"));
}

TEST_CASE("disk: a reader that goes away in the middle ends it as SIGPIPE does") {
    const DiskFolder folder;
    save(constant_image({.width = 1000, .height = 1000, .channels = 3}, 1), folder / "large.ppm");
    ProgramCall call =
        glproc_call(folder.path(), {"-c",
                                    "{ \"$0\" blur large.ppm - --sigma 0 -q; echo $? >status; } "
                                    "| head -c 10 >head",
                                    GLPROC_PROGRAM});
    call.program = "/bin/sh";
    const ProgramResult result = run_program(call);
    CHECK(read_text(folder / "status") == "141\n");
    CHECK(result.err.empty());
    CHECK(read_text(folder / "head") == "P6\n1000 10");
}
