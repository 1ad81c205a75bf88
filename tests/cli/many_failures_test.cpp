// Many pictures where some fail, or the call is ended: what is lost is told, and nothing else is lost.
#include "cli/many_folder.hpp"

#include "cli/terminal/signals.hpp"

#include <csignal>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

/// Six pictures, of which one is broken, one empty, one a link to nothing and one enormous.
struct BadFolder : ManyFolder {
    BadFolder() : ManyFolder(6) {
        const std::string whole = read_text(*this / "in/01.png");
        write_text(*this / "in/01.png", whole.substr(0, whole.size() / 2));
        write_text(*this / "in/02.png", "");
        fs::remove(*this / "in/03.png");
        fs::create_symlink("nosuch", *this / "in/03.png");
        write_text(*this / "in/04.png", "P5 100000 100000 255\n");
    }
};

std::string summary_of(const ProgramResult& result) {
    const std::vector<std::string> lines = lines_of(result.err);
    return lines.empty() ? "" : lines.back().substr(0, lines.back().rfind(": "));
}

/// A call that is ended by a signal once so many pictures are done.
ProgramResult ended_after(const ManyFolder& folder, const std::vector<std::string>& call, std::size_t done,
                          int signal) {
    RunningProgram program(glproc_call(folder.path(), call));
    const bool came = program.wait_until([&](const ProgramResult&) {
        return fs::exists(folder / "log") && lines_in(folder / "log").size() >= done;
    });
    REQUIRE(came);
    program.send(signal);
    return program.wait();
}

/// What the log says is done, and whether each line of it is whole.
std::set<std::string> done_in(const fs::path& log) {
    std::set<std::string> done;
    for (const std::string& line : lines_in(log)) {
        const auto json = nlohmann::json::parse(line);
        if (json.at("status") == "done") {
            CHECK(done.insert(json.at("output")).second);
        }
    }
    return done;
}

} // namespace

TEST_CASE("many: one failure does not stop the rest, and each is a line") {
    const BadFolder folder;
    for (const char* jobs : {"1", "4"}) {
        const ProgramResult result = folder.run(folder.blur("out/", {"--jobs", jobs, "--log", "log"}));
        CHECK(result.status == 3);
        const std::vector<std::string> lines = lines_of(without_software_warning(result.err));
        const std::string hint = "  hint: --keep-partial keeps the rows that can be read";
        REQUIRE(lines.size() == 7);
        CHECK(lines[0].starts_with("glproc: error: in/01.png: "));
        CHECK(lines[1] == hint);
        CHECK(lines[2] == "glproc: error: in/02.png: empty file");
        CHECK(lines[3] == "glproc: error: in/03.png: no such file");
        CHECK(lines[4].starts_with("glproc: error: in/04.png: "));
        CHECK(lines[5] == hint);
        CHECK(lines[6].starts_with("glproc: 2 done, 0 skipped, 4 failed: blur, "));
        CHECK(names_in(folder / "out") == std::set<std::string>{"00.png", "05.png"});
        CHECK(done_in(folder / "log") == std::set<std::string>{"out/00.png", "out/05.png"});
        CHECK(read_text(folder / "log").find(R"("code":3,"error":"in/02.png: empty file"})") !=
              std::string::npos);
        fs::remove(folder / "log");
    }
}

TEST_CASE("many: what is no file but has a picture's name in a folder holds up nothing") {
    const ManyFolder folder(3);
    fs::remove(folder / "in/01.png");
    REQUIRE(::mkfifo((folder / "in/01.png").c_str(), 0600) == 0);
    fs::create_symlink("/dev/zero", folder / "in/00.jpg");
    ProgramCall call = glproc_call(folder.path(), folder.blur("out/", {"-q"}));
    call.address_space = std::size_t{6} << 30U;
    const ProgramResult result = run_program(call);
    CHECK_FALSE(result.timed_out);
    CHECK(result.status == 3);
    CHECK(without_software_warning(result.err) ==
          "glproc: error: in/00.jpg: a pipe, socket or device, not a file\n"
          "glproc: error: in/01.png: a pipe, socket or device, not a file\n");
    CHECK(names_in(folder / "out") == std::set<std::string>{"00.png", "02.png"});
}

TEST_CASE("many: what is no file holds up no operation that joins a folder either") {
    const ManyFolder folder(2);
    REQUIRE(::mkfifo((folder / "in/02.png").c_str(), 0600) == 0);
    for (const char* operation : {"stack", "append", "montage", "merge"}) {
        INFO(operation);
        ProgramCall call = glproc_call(folder.path(), {operation, "in", "o.png", "-q"});
        call.patience = std::chrono::seconds(30);
        const ProgramResult result = run_program(std::move(call));
        CHECK_FALSE(result.timed_out);
        CHECK(result.status == 3);
        CHECK(result.err.find("in/02.png: a pipe, socket or device, not a file") != std::string::npos);
    }
}

TEST_CASE("many: what is no file is no partner of a picture either") {
    const ManyFolder folder(2);
    fs::create_directory(folder / "other");
    REQUIRE(::mkfifo((folder / "other/01.png").c_str(), 0600) == 0);
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"compare", "in", "other"}, {"components", "in", "--with", "other", "--threshold", "otsu"}}) {
        INFO(words.front());
        ProgramCall call = glproc_call(folder.path(), words);
        call.patience = std::chrono::seconds(30);
        const ProgramResult result = run_program(std::move(call));
        CHECK_FALSE(result.timed_out);
        CHECK(result.status == 3);
        CHECK(result.err.find("other/01.png: a pipe, socket or device, not a file") != std::string::npos);
    }
}

TEST_CASE("many: names obey no terminal and make no formulas") {
    const ManyFolder folder(0);
    const std::string name = "=a\x1b]0;owned\a\nb.png";
    save(photo_like_image({.width = 5, .height = 4, .channels = 1}), folder / "in" / name);
    save(photo_like_image({.width = 5, .height = 4, .channels = 1}), folder / "in/c.png");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"invert", "in", "out/", "--dry-run"}, {"stats", "in", "--format", "csv"}, {"stats", "in"}, {"components", "in"}}) {
        INFO(words.front());
        ProgramCall call = glproc_call(folder.path(), words);
        call.out = Stream::terminal;
        const ProgramResult result = run_program(std::move(call));
        CHECK(result.status == 0);
        CHECK(result.out.find('\x1b') == std::string::npos);
        CHECK(result.out.find('\a') == std::string::npos);
    }
    ProgramCall table = glproc_call(folder.path() / "in", {"stats", name, "c.png", "--format", "csv"});
    const ProgramResult result = run_program(std::move(table));
    CHECK(result.out.find("\"'" + name + "\",") != std::string::npos); // data, but no formula
}

TEST_CASE("many: the exit code is that of the first failure") {
    const BadFolder folder;
    save(Image(5, 5, 4, Depth::u8), folder / "in/00.png"); // JPEG has no alpha
    CHECK(folder.run(folder.blur("out/", {"--to", "jpg"})).status == 2);
    fs::remove(folder / "in/00.png");
    CHECK(folder.run(folder.blur("out/", {"--to", "jpg"})).status == 3);
    fs::create_directories(folder / "clash/05.png");
    for (const char* bad : {"01", "02", "03", "04"}) {
        fs::remove(folder / "in" / (std::string(bad) + ".png"));
    }
    const ProgramResult clash = folder.run(folder.blur("clash"));
    CHECK(clash.status == 4);
    CHECK(clash.err.find("glproc: error: clash/05.png: is a directory\n") != std::string::npos);
}

TEST_CASE("many: --fail-fast stops after the first failure") {
    const BadFolder folder;
    const ProgramResult result = folder.run(folder.blur("out/", {"--fail-fast", "--jobs", "1"}));
    CHECK(result.status == 3);
    CHECK(result.err.find("failed, ") != std::string::npos);
    CHECK(result.err.find(" not started") != std::string::npos);
    CHECK(!fs::exists(folder / "out/05.png"));
}

TEST_CASE("many: a report that finds a fault is printed, and counts as failed") {
    const ManyFolder folder(1);
    const Image picture = load(folder / "in/00.png");
    save(Image(picture.form()), folder / "in/black.png");
    const ProgramResult result = folder.run({"compare", "in", "in/00.png", "--max-diff", "0", "--json"});
    CHECK(result.status == 1);
    CHECK(lines_of(result.out).size() == 2);
    CHECK(result.err.find("glproc: error: in/black.png: ") != std::string::npos);
    CHECK(summary_of(result).find("1 failed") != std::string::npos);
}

TEST_CASE("many: without a context nothing is done, and it is told once") {
    const ManyFolder folder(3);
    const ProgramResult result = run_without_gpu(folder.path(), {"unsharp", "in", "out/", "--sigma", "1", "--method", "direct"});
    CHECK(result.status == 5);
    CHECK(result.err.starts_with("glproc: error: no usable OpenGL 4.3 context"));
    CHECK(folder.content("out").empty());
    const ProgramResult all = run_without_gpu(folder.path(), folder.blur("out/", {"--device", "all"}));
    CHECK(all.status == 5);
}

TEST_CASE("many: a disk that gets full in the middle fails the rest, and --resume does them") {
    const ManyFolder folder(8);
    fs::create_directory(folder / "disk");
    if (::mount("none", (folder / "disk").c_str(), "tmpfs", 0, "size=40k") != 0) {
        WARN("skipped: this user may not mount a small disk");
        return;
    }
    const ProgramResult full = folder.run(folder.blur("disk", {"--log", "log"}));
    CHECK(full.status == 4);
    CHECK(full.err.find(": no space left on device\n") != std::string::npos);
    const std::set<std::string> done = done_in(folder / "log");
    CHECK(!done.empty());
    CHECK(done.size() < 8);
    CHECK(names_in(folder / "disk").size() == done.size()); // nothing half written, nothing temporary
    ::mount("none", (folder / "disk").c_str(), "tmpfs", MS_REMOUNT, "size=4m");
    CHECK(folder.run(folder.blur("disk", {"--log", "log", "--resume"})).status == 0);
    CHECK(folder.run(folder.blur("whole/")).status == 0);
    CHECK(folder.content("disk") == folder.content("whole"));
    ::umount((folder / "disk").c_str());
}

TEST_CASE("many: killed in the middle, --resume ends with the outputs of an undisturbed run") {
    const ManyFolder folder(16, 700, 500);
    REQUIRE(folder.run(folder.blur("whole/")).status == 0);
    const auto whole = folder.content("whole");
    for (const int signal : {SIGKILL, SIGINT, SIGTERM}) {
        INFO(signal);
        const ProgramResult ended =
            ended_after(folder, folder.blur("out/", {"--log", "log", "--jobs", "2"}), 4, signal);
        CHECK(ended.signal == signal);
        const std::set<std::string> done = done_in(folder / "log");
        CHECK(done.size() < 16);
        for (const auto& [name, bytes] : folder.content("out")) {
            if (signal == SIGKILL && name.starts_with(".")) {
                continue; // what was being written
            }
            CHECK(bytes == whole.at(name));
            CHECK((signal == SIGKILL || done.contains("out/" + name)));
        }
        for (const std::string& output : done) {
            CHECK(fs::exists(folder / output));
        }
        if (signal != SIGKILL) {
            CHECK(ended.err.find(" not started: blur, ") != std::string::npos);
        }
        const ProgramResult resumed = folder.run(folder.blur("out/", {"--log", "log", "--resume", "-v"}));
        CHECK(resumed.status == 0);
        CHECK(resumed.err.find(fmt::format("glproc: {} done, {} skipped, 0 failed", 16 - done.size(),
                                           done.size())) != std::string::npos);
        auto now = folder.content("out");
        std::erase_if(now, [](const auto& file) { return file.first.starts_with("."); });
        CHECK(now == whole);
        CHECK(done_in(folder / "log").size() == 16);
        fs::remove_all(folder / "out");
        fs::remove(folder / "log");
    }
}

TEST_CASE("many: what the GPU has lost is told, and a new context does the rest") {
    const ManyFolder folder(8);
    REQUIRE(folder.run(folder.blur("whole/")).status == 0);
    ProgramCall call = glproc_call(folder.path(), folder.blur("out/", {"--log", "log"}));
    call.environment["GLPROC_FAULT"] = "context_lost:5";
    const ProgramResult result = run_program(call);
    CHECK(result.status == 6);
    CHECK(result.err.find("glproc: error: in/0") != std::string::npos);
    CHECK(result.err.find(".png: the GPU was reset: pass ") != std::string::npos);
    const auto out = folder.content("out");
    CHECK(!out.empty());
    CHECK(out.size() < 8);
    CHECK(folder.run(folder.blur("out/", {"--log", "log", "--resume"})).status == 0);
    CHECK(folder.content("out") == folder.content("whole"));
}

TEST_CASE("many: a second signal ends the program at once") {
    const ManyFolder folder(1, 1600, 1200);
    for (const bool at_once : {false, true}) {
        INFO(at_once);
        ProgramCall call =
            glproc_call(folder.path(), folder.blur("out/", {"--sigma", "200", "--method", "direct", "--log", "log"}));
        call.patience = std::chrono::seconds(60);
        RunningProgram program(std::move(call));
        const bool begun = program.wait_until([&](const ProgramResult&) { return fs::exists(folder / "log"); });
        REQUIRE(begun);
        if (at_once) { // both are there when the program goes on
            program.stop();
        }
        program.send(SIGINT);
        program.send(SIGTERM);
        program.send(SIGCONT);
        const ProgramResult result = program.wait();
        CHECK_FALSE(result.timed_out);
        CHECK((result.signal == SIGINT || result.signal == SIGTERM));
        CHECK(folder.content("out").empty());
        fs::remove(folder / "log");
    }
}

TEST_CASE("many: of two signals that wait together the second ends the program, too") {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) { // one thread, so that both find the same handler
        cli::remember_signals();
        sigset_t both;
        ::sigemptyset(&both);
        ::sigaddset(&both, SIGINT);
        ::sigaddset(&both, SIGTERM);
        ::sigprocmask(SIG_BLOCK, &both, nullptr);
        ::raise(SIGINT);
        ::raise(SIGTERM);
        ::sigprocmask(SIG_UNBLOCK, &both, nullptr);
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
}

TEST_CASE("many: a signal ends the wait for a pipe that nobody writes to") {
    const ManyFolder folder(1);
    const fs::path pipe = folder / "late.png";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    for (const bool has_writer : {false, true}) {
        INFO(has_writer);
        const int writer = has_writer ? ::open(pipe.c_str(), O_RDWR | O_CLOEXEC) : -1;
        RunningProgram program(
            glproc_call(folder.path(), {"invert", "in", "late.png", "out/", "--log", "log", "--jobs", "2"}));
        REQUIRE(program.wait_until([&](const ProgramResult&) {
            return program.has_open(pipe) && fs::exists(folder / "log") && !lines_in(folder / "log").empty();
        }));
        program.send(SIGTERM);
        const ProgramResult ended = program.wait();
        CHECK(ended.signal == SIGTERM);
        CHECK(ended.err.find("glproc: error: late.png: not read to its end\n") != std::string::npos);
        ::close(writer);
        fs::remove_all(folder / "out");
        fs::remove(folder / "log");
    }
}
