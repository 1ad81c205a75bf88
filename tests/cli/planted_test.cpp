// A folder of a stranger's pictures that looks like an installation of glproc: nothing in it is taken for
// one.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

/// Programs, and modules that cannot be loaded: who looks at them fails.
struct PlantedFolder : TempDir {
    PlantedFolder() {
        for (const fs::path& folder :
             {path() / GLPROC_MODULE_FOLDER, path() / GLPROC_LIBDIR / GLPROC_MODULE_FOLDER}) {
            fs::create_directories(folder);
            for (const char* name : {"webp", "heif", "jxl", "exr", "lcms", "draw"}) {
                write_text(folder / (std::string(name) + ".so"), "planted");
            }
        }
        for (const char* name : {"glproc", "glproc-video", "glproc-view"}) {
            write_text(path() / name, "#!/bin/sh\necho planted\n");
            fs::permissions(path() / name, fs::perms::owner_all);
        }
        save(photo_like_image({.width = 9, .height = 7, .channels = 3}), path() / "a.webp");
    }

    /// As a shell starts it: by its name alone.
    ProgramResult run(std::vector<std::string> words) const {
        words.insert(words.begin(), "glproc");
        ProgramCall call = glproc_call(path(), std::move(words));
        call.program = "/usr/bin/env";
        call.environment = plain_environment();
        call.environment["PATH"] = fs::path(GLPROC_PROGRAM).parent_path().string() + ":/usr/bin:/bin";
        return run_program(std::move(call));
    }
};

bool has_webp() {
    return std::ranges::count(writable_extensions(), "webp") == 1;
}

} // namespace

TEST_CASE("planted: formats come from the installation, not from the current folder") {
    if (!has_webp()) {
        WARN("skipped: this build has no WebP");
        return;
    }
    const PlantedFolder folder;
    const std::vector<std::vector<std::string>> calls{
        {"info", "a.webp"},
        {"invert", "a.webp", "o.png"},
        {"invert", "a.webp", "o.png", "--max-seconds", "60"},
        {"invert", "a.webp", "o.png", "--untrusted"}};
    for (const std::vector<std::string>& call : calls) {
        const ProgramResult result = folder.run(call);
        INFO(result.err);
        CHECK(result.status == 0);
        CHECK(result.out.find("planted") == std::string::npos);
    }
    ProgramCall relative = glproc_call(folder.path(), {"info", "a.webp"});
    relative.environment["GLPROC_MODULES"] = "glproc-modules"; // of the current folder, whatever that may be
    fs::create_directory(folder.path() / "glproc-modules");
    write_text(folder.path() / "glproc-modules/webp.so", "planted");
    CHECK(run_program(std::move(relative)).status == 0);
}

TEST_CASE("planted: companions come from the installation or from full paths in PATH") {
    const PlantedFolder folder;
    const TempDir installed;
    fs::copy_file(GLPROC_PROGRAM, installed.path() / "glproc");
    for (const std::string& nameless : std::vector<std::string>{":", ".:", "./:", "../" + folder.path().filename().string() + ":"}) {
        for (const char* command : {"view", "video"}) {
            ProgramCall call = glproc_call(folder.path(), {command, "a.mp4", "o.mp4"});
            call.program = (installed.path() / "glproc").string();
            call.environment["PATH"] = nameless + "/nonexistent";
            const ProgramResult result = run_program(std::move(call));
            INFO(nameless << " " << command);
            CHECK(result.status == 2);
            CHECK(result.out.find("planted") == std::string::npos);
        }
    }
}
