// Limits hold for pipes that never end, stall in the middle, or are read once only.
#include "cli/glproc_program.hpp"
#include "glproc/files/file.hpp"
#include "support/inputs.hpp"

#include <chrono>
#include <string>
#include <thread>

#include <sys/stat.h>

using namespace glproc;
using namespace glproc::test;

namespace {

std::string grey_pgm(int values) {
    return "P5 20 10 255\n" + std::string(static_cast<std::size_t>(values), 'x');
}

ProgramResult piped(const TempDir& folder, const std::string& input, const std::vector<std::string>& words, bool holds) {
    ProgramCall call = glproc_call(folder.path(), words);
    call.input = input;
    call.hold_input = holds;
    call.patience = std::chrono::seconds(30);
    return run_program(std::move(call));
}

} // namespace

TEST_CASE("a pipe without an end is left at the limit of memory") {
    const TempDir folder;
    const std::string endless(std::size_t{80} << 20U, '\0');
    const ProgramResult result = piped(folder, endless, {"invert", "-", "o.png", "--max-memory", "64"}, true);
    CHECK(result.status == 3);
    CHECK(result.err.find("more than 32 MiB of data without an end") != std::string::npos);
    CHECK_FALSE(result.timed_out);
}

TEST_CASE("a stream that stalls within a frame is left at the limit of time") {
    const TempDir folder;
    const std::vector<std::string> words{"invert", "-", "o.pgm", "--max-seconds", "0.3"};
    for (const std::string& input : {grey_pgm(200) + grey_pgm(100), std::string("YUV4MPEG2 W64 ")}) {
        const ProgramResult result = piped(folder, input, words, true);
        INFO(result.err);
        CHECK(result.status == 3);
        CHECK(result.err.find("stdin: not read within 0.3 s") != std::string::npos);
    }
    CHECK(piped(folder, grey_pgm(200) + grey_pgm(200), words, false).status == 0);
}

TEST_CASE("a named pipe is opened once") {
    const TempDir folder;
    save(photo_like_image({20, 10, 3, Depth::u8}), folder / "a.png");
    const std::vector<std::byte> file = read_file(folder / "a.png");
    REQUIRE(::mkfifo((folder / "f.png").c_str(), 0600) == 0);
    for (int turn = 0; turn < 5; ++turn) {
        std::thread writer([&] { // open() returns as soon as somebody reads, who must be the one that goes on
            write_file(folder / "f.png", file);
        });
        ProgramCall call = glproc_call(folder.path(), {"convert", "f.png", "o.png"});
        call.patience = std::chrono::seconds(30);
        CHECK(run_program(std::move(call)).status == 0);
        writer.join();
    }
}
