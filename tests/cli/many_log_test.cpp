// The log of a call on many pictures, and what --resume makes of it.
#include "cli/many_folder.hpp"


#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

/// A folder whose pictures were all done once, with a log.
struct DoneFolder : ManyFolder {
    DoneFolder() : ManyFolder(3) { REQUIRE(run(logged()).status == 0); }

    std::vector<std::string> logged(std::vector<std::string> flags = {}) const {
        flags.insert(flags.end(), {"--log", "log", "-v"});
        return blur("out/", std::move(flags));
    }

    /// How many of three --resume does again.
    std::string resumed(std::vector<std::string> flags = {}) const {
        flags.emplace_back("--resume");
        const ProgramResult result = run(logged(std::move(flags)));
        const std::vector<std::string> lines = lines_of(result.err);
        return lines.empty() ? "" : lines.back().substr(0, lines.back().find(": blur"));
    }
};

const std::string nothing_done = "glproc: 0 done, 3 skipped, 0 failed";
const std::string one_done = "glproc: 1 done, 2 skipped, 0 failed";
const std::string all_done = "glproc: 3 done, 0 skipped, 0 failed";

} // namespace

TEST_CASE("many log: a line of JSON a picture") {
    const DoneFolder folder;
    const std::vector<std::string> lines = lines_in(folder / "log");
    REQUIRE(lines.size() == 3);
    std::set<std::string> inputs;
    for (const std::string& line : lines) {
        const auto json = nlohmann::json::parse(line);
        CHECK(json.at("schema") == "glproc.log/1");
        CHECK(json.at("command") == "blur --sigma 2");
        CHECK(json.at("status") == "done");
        CHECK(json.at("size") == fs::file_size(folder / json.at("input")));
        CHECK(json.at("written") == fs::file_size(folder / json.at("output")));
        inputs.insert(json.at("input"));
    }
    CHECK(inputs == std::set<std::string>{"in/00.png", "in/01.png", "in/02.png"});
}

TEST_CASE("many log: a dry run writes none") {
    const DoneFolder folder;
    const std::string before = read_text(folder / "log");
    CHECK(folder.run(folder.logged({"--dry-run", "--resume"})).status == 0);
    CHECK(read_text(folder / "log") == before);
    fs::remove(folder / "log");
    CHECK(folder.run(folder.logged({"--dry-run", "--resume"})).status == 0);
    CHECK(!fs::exists(folder / "log"));
}

TEST_CASE("many log: --resume skips what is done and unchanged") {
    const DoneFolder folder;
    CHECK(folder.resumed() == nothing_done);
    CHECK(lines_in(folder / "log").size() == 3); // what was skipped is there already
    CHECK(folder.resumed({"--jobs", "1", "--device", "auto"}) == nothing_done); // which shape no result
    SECTION("not an output that is gone") {
        fs::remove(folder / "out/01.png");
        CHECK(folder.resumed() == one_done);
    }
    SECTION("not an output of another size") {
        write_text(folder / "out/01.png", "cut");
        CHECK(folder.resumed() == one_done);
    }
    SECTION("not an input with another size") {
        save(photo_like_image({.width = 9, .height = 9, .channels = 3}), folder / "in/01.png");
        CHECK(folder.resumed() == one_done);
    }
    SECTION("not an input that was written again") {
        fs::last_write_time(folder / "in/01.png", fs::file_time_type::clock::now());
        CHECK(folder.resumed() == one_done);
    }
    SECTION("not a failure") {
        write_text(folder / "in/01.png", "");
        CHECK(folder.resumed() == "glproc: 0 done, 2 skipped, 1 failed");
        CHECK(folder.resumed() == "glproc: 0 done, 2 skipped, 1 failed");
    }
    SECTION("not where outputs go elsewhere") {
        CHECK(folder.resumed({"--name", "x{stem}.{ext}"}) == all_done);
    }
    CHECK(folder.resumed().find("done") != std::string::npos);
}

TEST_CASE("many log: it is not written through a link of another user") {
    const DoneFolder folder;
    fs::create_directory(folder / "shared");
    fs::permissions(folder / "shared", fs::perms::all | fs::perms::sticky_bit);
    fs::create_symlink("../mine", folder / "shared/log");
    constexpr uid_t stranger = 65533;
    if (::lchown((folder / "shared/log").c_str(), stranger, stranger) != 0) {
        WARN("skipped: only root can make links of others");
        return;
    }
    const ProgramResult refused = run_glproc(folder.path(), {"blur", "in", "other/", "--sigma", "2", "--log", "shared/log"});
    CHECK(refused.status == 4);
    CHECK(refused.err.find("a symbolic link of another user") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "mine"));
}

TEST_CASE("many log: a second picture that has changed shapes all results") {
    const ManyFolder folder(1);
    fs::copy(folder / "in/00.png", folder / "ref.png");
    fs::copy(folder / "in/00.png", folder / "in/01.png");
    const std::vector<std::string> call{"compare", "in", "ref.png", "--json", "--log", "log", "--resume"};
    CHECK(lines_of(folder.run(call).out).size() == 2);
    CHECK(folder.run(call).out.empty());
    fs::last_write_time(folder / "ref.png", fs::file_time_type::clock::now());
    CHECK(lines_of(folder.run(call).out).size() == 2);
}

TEST_CASE("many log: that of another command, or of none, is refused") {
    const DoneFolder folder;
    const std::string before = read_text(folder / "log");
    const auto refused = [&](std::vector<std::string> call, const std::string& what) {
        const ProgramResult result = run_without_gpu(folder.path(), std::move(call));
        CHECK(result.status == 2);
        CHECK(result.err.starts_with("glproc: error: " + what));
    };
    refused({"blur", "in", "out/", "--sigma", "3", "--log", "log", "--resume"},
            "log: is the log of another command: blur --sigma 2\n  hint: this one is: blur --sigma 3\n");
    refused(folder.logged({"--depth", "16", "--resume"}),
            "log: is the log of another command: blur --sigma 2\n");
    refused({"invert", "in", "out/", "--log", "log", "--resume"}, "log: is the log of another command: ");
    CHECK(read_text(folder / "log") == before);

    write_text(folder / "notes", "my notes\n");
    refused(folder.blur("out/", {"--log", "notes"}),
            "notes: not a log of glproc; nothing is appended to it\n");
    CHECK(read_text(folder / "notes") == "my notes\n");
    refused(folder.blur("out/", {"--log", "in/00.png"}), "--log in/00.png is also an input\n");
    refused(folder.blur("out/", {"--log", "out/00.png"}), "--log out/00.png is also an output\n");
    refused(folder.blur("new/", {"--log", "new/00.png"}), "--log new/00.png is also an output\n");
    refused(folder.blur("out/", {"--resume"}), "--resume has no effect without --log\n");
    refused(folder.blur("in", {"--log", "log2", "--resume"}),
            "--resume cannot tell what is done if outputs replace their inputs\n");
    const ProgramResult nowhere =
        run_without_gpu(folder.path(), folder.blur("out/", {"--log", "nosuch/log"}));
    CHECK(nowhere.status == 4);
}

TEST_CASE("many log: a line that a power failure tore is done again") {
    const DoneFolder folder;
    std::string text = read_text(folder / "log");
    text.resize(text.size() - 20);
    write_text(folder / "log", text);
    CHECK(folder.resumed() == one_done);
    CHECK(lines_in(folder / "log").size() == 4);
    CHECK(folder.resumed() == nothing_done);
}

TEST_CASE("many log: a line of very many members takes no longer than its length explains") {
    const DoneFolder folder;
    std::string line = lines_in(folder / "log").front();
    line.pop_back();
    for (int i = 0; i < 1'000'000; ++i) { // each beside all others would take a quarter of an hour
        line += fmt::format(R"(,"k{}":1)", i);
    }
    write_text(folder / "log", read_text(folder / "log") + line + "}\n");
    CHECK(folder.resumed() == nothing_done);
}

TEST_CASE("many log: it is an error if it cannot be written") {
    const ManyFolder folder(3);
    ProgramCall call = glproc_call(folder.path(), folder.blur("out/", {"--log", "/dev/full"}));
    const ProgramResult result = run_program(call);
    CHECK(result.status == 4);
    CHECK(result.err.find("glproc: error: /dev/full: no space left on device\n") != std::string::npos);
}
