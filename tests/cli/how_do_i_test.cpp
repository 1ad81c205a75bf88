// Every command of docs/how-do-i.md does what a reader who copies it expects: it ends well.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

namespace fs = std::filesystem;

/// The commands in the second column of the table.
std::vector<std::string> commands_in(const std::string& page) {
    std::vector<std::string> commands;
    for (const std::string& line : lines_of(page)) {
        const std::string begin = " | `glproc ";
        const std::size_t at = line.starts_with("| ") ? line.find(begin) : std::string::npos;
        if (at != std::string::npos) {
            const std::size_t first = at + begin.find('g');
            commands.push_back(line.substr(first, line.find('`', first) - first));
        }
    }
    return commands;
}

void make_files(const fs::path& folder) {
    for (const char* name : {"photos", "others"}) {
        fs::create_directory(folder / name);
        for (const char* picture : {"a.jpg", "b.jpg"}) {
            save(photo_like_image({.width = 61, .height = 47, .channels = 3}, 1), folder / name / picture);
        }
    }
    save(photo_like_image({.width = 61, .height = 47, .channels = 3}, 2), folder / "photo.jpg");
    save(photo_like_image({.width = 61, .height = 47, .channels = 3}, 3), folder / "other.jpg");
    save(photo_like_image({.width = 20, .height = 20, .channels = 4}, 4), folder / "icon.png");
    write_text(folder / "look.cube", "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n");
}

} // namespace

TEST_CASE("how do I: every command of the page runs") {
    const TempDir folder;
    make_files(folder.path());
    const std::vector<std::string> commands =
        commands_in(read_text(fs::path(GLPROC_SOURCE_DIR) / "docs/how-do-i.md"));
    REQUIRE(commands.size() >= 40);
    const std::string program = fs::path(GLPROC_PROGRAM).parent_path().string();
    for (const std::string& command : commands) {
        INFO(command);
        ProgramCall call = glproc_call(folder.path(), {"-c", "PATH=" + program + ":$PATH; " + command});
        call.program = "/bin/bash";
        const ProgramResult result = run_program(std::move(call));
        CHECK(without_software_warning(result.err).empty());
        CHECK(result.status == 0);
    }
}
