// Compiled programs in files: what is stored is found again, and nothing that is wrong with a file shows.
#include "glproc/gl/program_store.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/context_state.hpp"
#include "glproc/ops/blur.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <glad/gl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kernel = "stored.comp";
const Defines defines{{"STEP", "3u"}};
const std::map<std::string, std::string> kernels{{kernel, R"(#version 430 core
layout(local_size_x = 8, local_size_y = 4) in;
layout(rgba32ui) readonly uniform uimage2D i_src;
uniform uint u_offset;
buffer b_sums { uint sums[]; };
void main() {
    sums[gl_GlobalInvocationID.x] = u_offset + STEP * imageLoad(i_src, ivec2(gl_GlobalInvocationID.xy)).x;
}
)"}};

std::string source() {
    return load_shader(kernel, defines).text;
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        files.push_back(entry.path());
    }
    return files;
}

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

/// Whether a new program becomes that of `text` by the store alone.
bool loads(const ProgramStore& store, const std::string& text) {
    const Handle<ProgramTraits> program(glCreateProgram());
    const bool loaded = store.load(program.get(), text).has_value();
    gpu().state().debug_log.clear(); // what the driver says of a binary that it does not know
    return loaded;
}

Program made(const std::optional<ProgramStore>& store) {
    Program program(kernel, defines, store);
    program.complete(store);
    return program;
}

/// A store in a folder of its own, with one program where this driver gives programs out.
struct StoreFolder : TempDir {
    StoreFolder() { made(store); }
    bool works() const { return fs::exists(*this / "programs"); }
    /// That of the first program: two hashes and the extension.
    fs::path file() const {
        if (file_.empty()) {
            const std::vector<fs::path> files = files_in(*this / "programs");
            file_ = *std::find_if(files.begin(), files.end(),
                                  [](const fs::path& file) { return file.filename().native().size() == 40; });
        }
        return file_;
    }

    ScopedKernels scope{kernels};
    DeviceInfo device = gpu().device();
    ProgramStore store{*this / "programs", device};
    mutable fs::path file_ = {};
};

} // namespace

TEST_CASE("a stored program is found by driver and source, and has what the compiled one has") {
    const StoreFolder folder;
    if (!folder.works()) {
        WARN("skipped: this driver gives no programs out");
        return;
    }
    CHECK(files_in(folder / "programs").size() == 2); // and the key
    CHECK(loads(folder.store, source()));
    CHECK_FALSE(loads(folder.store, source() + "\n"));
    for (std::string DeviceInfo::*part : {&DeviceInfo::renderer, &DeviceInfo::vendor, &DeviceInfo::version}) {
        DeviceInfo other = folder.device;
        other.*part += "1";
        CHECK_FALSE(loads(ProgramStore(folder / "programs", other), source()));
    }
    const Program compiled(kernel, defines, {});
    const Program stored(kernel, defines, folder.store);
    CHECK(stored.group_size() == compiled.group_size());
    CHECK(stored.slots().size() == compiled.slots().size());
    for (const auto& [name, slot] : compiled.slots()) {
        INFO(name);
        REQUIRE(stored.slots().contains(name));
        CHECK(stored.slots().find(name)->second.kind == slot.kind);
    }
}

TEST_CASE("a stored program that is not whole is compiled again, and its file replaced") {
    const StoreFolder folder;
    if (!folder.works()) {
        return;
    }
    const std::string whole = read_text(folder.file());
    std::vector<std::string> broken{"", "x", "not one of ours, though long enough to be", whole + "x"};
    for (const std::size_t length : {std::size_t{8}, std::size_t{24}, whole.size() / 2, whole.size() - 1}) {
        broken.push_back(whole.substr(0, length));
    }
    for (const std::size_t at : {std::size_t{0}, std::size_t{9}, std::size_t{13}, std::size_t{17},
                                 std::size_t{30}, whole.size() - 1}) {
        broken.push_back(whole);
        broken.back()[at] = static_cast<char>(~whole[at]);
    }
    for (const std::string& content : broken) {
        write_text(folder.file(), content);
        CHECK_FALSE(loads(folder.store, source()));
        CHECK_FALSE(made(folder.store).slots().empty());
        gpu().state().debug_log.clear();
        CHECK(loads(folder.store, source()));
    }
}

TEST_CASE("a folder for programs that cannot be made, and a file that cannot be read, are no errors") {
    const StoreFolder folder;
    write_text(folder / "file", "");
    const ProgramStore nowhere(folder / "file" / "programs", folder.device);
    CHECK_FALSE(loads(nowhere, source()));
    CHECK_FALSE(made(nowhere).slots().empty());
    if (folder.works()) {
        const fs::path file = folder.file();
        fs::remove(file);
        fs::create_directories(file / "full");
        CHECK_FALSE(made(folder.store).slots().empty());
    }
}

TEST_CASE("beyond 2048 files or 256 MiB the oldest programs are removed, and no other files") {
    const StoreFolder folder;
    if (!folder.works()) {
        return;
    }
    const fs::path programs = folder / "programs";
    const fs::path own = folder.file(); // before others have names like it
    const auto add = [&](const std::string& name, int age, std::uintmax_t bytes) {
        write_text(programs / name, "");
        fs::resize_file(programs / name, bytes); // takes no room on the disk
        fs::last_write_time(programs / name, fs::file_time_type::clock::now() - std::chrono::hours(age));
    };
    // Files of the user's own, whatever they are called.
    const std::vector<std::string> others{"notes.txt", "lecture.notes.tar", "my.program.c", "1.program", ".a.note.0123456789abcdef",
                                          std::string(31, 'a') + ".program", std::string(32, 'A') + ".program",
                                          std::string(32, 'a') + ".program.c", "." + std::string(32, 'a') + ".program.0123"};
    for (const std::string& other : others) {
        add(other, 1000, std::uintmax_t{300} << 20U);
    }
    const auto are_there = [&] {
        return std::ranges::all_of(others, [&](const std::string& other) { return fs::exists(programs / other); });
    };
    const auto name_of = [](int i) { return fmt::format("{:032x}.program", i); };
    for (int i = 1; i <= 2100; ++i) {
        add(name_of(i), i, 10);
    }
    const auto store_again = [&] {
        fs::remove(own);
        const Program program = made({});
        folder.store.save(program.id(), source(), false);
    };
    store_again();
    CHECK(files_in(programs).size() == 2049 + others.size()); // and the key
    CHECK(fs::exists(programs / name_of(2047)));
    CHECK_FALSE(fs::exists(programs / name_of(2048)));
    CHECK(are_there());
    CHECK(loads(folder.store, source()));

    add(name_of(2), 2, std::uintmax_t{250} << 20U);
    add(name_of(1), 1, std::uintmax_t{250} << 20U);
    store_again();
    CHECK(fs::exists(programs / name_of(1)));
    CHECK_FALSE(fs::exists(programs / name_of(2)));
    CHECK_FALSE(fs::exists(programs / name_of(2047)));
    CHECK(are_there());
    CHECK(loads(folder.store, source()));
}

namespace {

void copy_private(const fs::path& from, const fs::path& to) {
    write_text(to, read_text(from));
    fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write);
}

bool nobody_else_may_use(const fs::path& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 && (status.st_mode & 077U) == 0;
}

} // namespace

TEST_CASE("a store is closed to other users, whatever the umask says") {
    const mode_t before = ::umask(0);
    const StoreFolder folder;
    ::umask(before);
    if (!folder.works()) {
        return;
    }
    CHECK(nobody_else_may_use(folder / "programs"));
    for (const fs::path& file : files_in(folder / "programs")) {
        CHECK(nobody_else_may_use(file));
    }
}

TEST_CASE("a program in a store that others can change is not used") {
    const StoreFolder folder;
    if (!folder.works()) {
        return;
    }
    const fs::path programs = folder / "programs";
    const auto unused = [&](const std::string& why) {
        INFO(why);
        CHECK(folder.store.distrust() == why);
        CHECK_FALSE(loads(folder.store, source()));
        const auto files = files_in(programs);
        CHECK_FALSE(made(folder.store).slots().empty());
        CHECK(files_in(programs) == files);
    };
    for (const fs::perms perms : {fs::perms::group_write, fs::perms::others_write}) {
        fs::permissions(programs, perms, fs::perm_options::add);
        unused("can be changed by other users");
        fs::permissions(programs, perms, fs::perm_options::remove);
    }
    if (::geteuid() == 0) {
        REQUIRE(::chown(programs.c_str(), 65533, 65533) == 0);
        unused("belongs to another user");
        REQUIRE(::chown(programs.c_str(), 0, 0) == 0);
        REQUIRE(::lchown(folder.file().c_str(), 65533, 65533) == 0);
        CHECK_FALSE(loads(folder.store, source()));
        CHECK_FALSE(made(folder.store).slots().empty()); // and replaces the file
    }
    CHECK(folder.store.distrust().empty());
    CHECK(loads(folder.store, source()));
    fs::permissions(folder.file(), fs::perms::others_write, fs::perm_options::add);
    CHECK_FALSE(loads(folder.store, source()));

    fs::rename(programs, folder / "elsewhere");
    fs::create_directory_symlink("elsewhere", programs);
    unused("is not a folder");
}

TEST_CASE("what stands in a program's place is neither followed, waited for nor read without end") {
    const StoreFolder folder;
    if (!folder.works()) {
        return;
    }
    const fs::path file = folder.file();
    const auto skips = [&](const std::string& why) {
        return folder.store.skipped() == std::vector<std::string>{file.filename().native() + " " + why};
    };
    const auto replaced = [&] {
        CHECK_FALSE(loads(folder.store, source()));
        CHECK_FALSE(made(folder.store).slots().empty());
        gpu().state().debug_log.clear();
        CHECK(fs::is_regular_file(fs::symlink_status(file)));
        CHECK(loads(folder.store, source()));
    };
    write_text(folder / "bashrc", "export IMPORTANT=1");
    fs::remove(file);
    CHECK(folder.store.skipped().empty());
    fs::create_symlink(folder / "bashrc", file);
    CHECK(skips("is a link"));
    replaced();
    CHECK(folder.store.skipped().empty());
    CHECK(read_text(folder / "bashrc") == "export IMPORTANT=1");

    fs::remove(file);
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    CHECK(skips("is not a file"));
    replaced();

    fs::resize_file(file, std::uintmax_t{1} << 40U); // no room on the disk
    CHECK(folder.store.skipped().at(0).starts_with(file.filename().native() + " has more than 16"));
    replaced();
    fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
    CHECK(skips("can be changed by other users"));
    replaced();
    if (::geteuid() == 0) {
        REQUIRE(::lchown(file.c_str(), 65533, 65533) == 0);
        CHECK(skips("belongs to another user"));
        replaced();
    }
    fs::create_symlink("bashrc", folder / "programs" / "somebody's"); // no name of ours
    CHECK(folder.store.skipped().empty());

    fs::remove(folder / "programs" / "key");
    replaced();
    for (const char* what : {"", "0123456789abcde", "0123456789abcdef0"}) {
        write_text(folder / "programs" / "key", what);
        replaced();
    }
}

TEST_CASE("a program made elsewhere, for another kernel, or marked as proved by hand is not used") {
    const StoreFolder folder;
    if (!folder.works()) {
        return;
    }
    const StoreFolder strangers;
    REQUIRE(strangers.file().filename() == folder.file().filename());
    CHECK_FALSE(read_text(strangers.file()) == read_text(folder.file()));
    copy_private(strangers.file(), folder.file());
    CHECK_FALSE(loads(folder.store, source()));

    const Program program = made(folder.store);
    const auto proved = [&] {
        const Handle<ProgramTraits> other(glCreateProgram());
        const auto stored = folder.store.load(other.get(), source());
        return stored && stored->proved;
    };
    CHECK_FALSE(proved());
    std::string bytes = read_text(folder.file());
    bytes[12] = 1;
    write_text(folder.file(), bytes);
    CHECK_FALSE(loads(folder.store, source()));
    folder.store.save(program.id(), source(), true);
    CHECK(proved());

    folder.store.save(program.id(), source() + "\n", false);
    for (const fs::path& path : files_in(folder / "programs")) {
        if (path.extension() == ".program" && path != folder.file()) {
            copy_private(path, folder.file());
        }
    }
    CHECK_FALSE(loads(folder.store, source()));
}

TEST_CASE("notes are kept by name and driver, and protected as programs are") {
    const StoreFolder folder;
    const ProgramStore& store = folder.store;
    CHECK_FALSE(store.note("verdict").has_value());
    store.set_note("verdict", "all right");
    store.set_note("empty", "");
    CHECK(store.note("verdict") == "all right");
    CHECK(store.note("empty") == "");
    store.set_note("verdict", "wrong\n");
    CHECK(store.note("verdict") == "wrong\n");
    store.set_note("verdict", std::string(ProgramStore::max_note_bytes + 1, 'x'));
    CHECK(store.note("verdict") == "wrong\n");
    DeviceInfo other = folder.device;
    other.version += "1";
    CHECK_FALSE(ProgramStore(folder / "programs", other).note("verdict").has_value());
    for (const fs::path& path : files_in(folder / "programs")) {
        if (path.extension() == ".note") {
            std::string bytes = read_text(path);
            bytes.back() ^= 1;
            write_text(path, bytes);
        }
    }
    CHECK_FALSE(store.note("verdict").has_value());
}

TEST_CASE("contexts use the user's store unless told not to, and never in debug contexts") {
    const Image image = random_image({33, 21, 3, Depth::u8});
    const auto blur = [&](const fs::path& cache, const std::string& wish, bool debug) {
        const ScopedVariable folder("XDG_CACHE_HOME", cache.string());
        const ScopedVariable off("GLPROC_CACHE", wish);
        ContextOptions options = second_context_options();
        options.debug = debug;
        Image result;
        with_second_context(
            options, [&](Context& own) { result = own.download(Blur{.sigma = 2}(own, own.upload(image))); });
        return result;
    };
    const TempDir cache;
    const Image expected = blur(cache.path(), "off", false);
    CHECK_FALSE(fs::exists(cache / "glproc"));
    CHECK_THAT(blur(cache.path(), "", true), IsBitwise(expected));
    CHECK_FALSE(fs::exists(cache / "glproc"));
    for (int run = 0; run < 2; ++run) {
        CHECK_THAT(blur(cache.path(), "", false), IsBitwise(expected));
        CHECK(fs::exists(cache / "glproc"));
    }
    const ScopedVariable relative("XDG_CACHE_HOME", "cache");
    const ScopedVariable home("HOME", "");
    CHECK_FALSE(user_program_store(gpu().device()).has_value());
}
