// Commands that are programs of their own: how glproc finds them, and what it says of them itself.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

/// A folder with a copy of glproc in it, away from the programs that were built.
struct Folder : TempDir {
    Folder() {
        std::filesystem::create_directory(path() / "bin");
        std::filesystem::create_directory(path() / "path");
        std::filesystem::copy_file(GLPROC_PROGRAM, path() / "bin/glproc");
    }

    /// A script of this name that prints `word` and its arguments.
    void add(const std::string& name, const std::string& word) const {
        write_text(path() / name,
                   "#!/bin/sh\nprintf '%s' " + word + "\nprintf ' [%s]' \"$@\"\necho\nexit 7\n");
        std::filesystem::permissions(path() / name, std::filesystem::perms::owner_all);
    }

    ProgramResult run(Words words) const {
        ProgramCall call{.program = (path() / "bin/glproc").string(),
                         .arguments = std::move(words),
                         .folder = path(),
                         .environment = environment_without_gpu()};
        call.environment["PATH"] = (path() / "path").string() + ":/usr/bin:/bin";
        return run_program(std::move(call));
    }
};

} // namespace

TEST_CASE("companion: without its program the command says what to install") {
    const Folder folder;
    folder.add("glproc-view", "here"); // not in the folder that a person happens to be in
    const ProgramResult result = folder.run({"view", "photo.jpg"});
    CHECK(result.status == 2);
    CHECK(result.err == "glproc: error: view is a program of its own, glproc-view, which is not installed\n"
                        "  hint: build it with scripts/build, or install its package, glproc-view\n");
    CHECK(folder.run({"view", "--help"}).status == 0);
}

TEST_CASE("companion: the program beside glproc comes before the one in PATH, and gets every word") {
    const Folder folder;
    folder.add("path/glproc-view", "path");
    const Words call{"--device", "view", "view", "a b.jpg", "-q", "blur", "--sigma", "2", "then", "invert"};
    const std::string words = " [--device] [view] [a b.jpg] [-q] [blur] [--sigma] [2] [then] [invert]\n";
    CHECK(folder.run(call).out == "path" + words);
    folder.add("bin/glproc-view", "beside");
    const ProgramResult result = folder.run(call);
    CHECK(result.out == "beside" + words);
    CHECK(result.status == 7);
}

TEST_CASE("companion: what is wrong with the call is said before any program starts") {
    const Folder folder;
    folder.add("path/glproc-view", "path");
    const auto refused = [&](const Words& words, const std::string& error) {
        const ProgramResult result = folder.run(words);
        CHECK(result.status == 2);
        CHECK(result.out.empty());
        CHECK(result.err.starts_with("glproc: error: " + error));
    };
    refused({"view", "--bogus"}, "unknown flag '--bogus'");
    refused({"view", "photo.jpg", "then", "blur"}, "'then' stands between two operations");
    refused({"view", "photo.jpg", "blurr", "--sigma", "2"},
            "unknown operation 'blurr' (did you mean 'blur'?)");
    refused({"view", "photo.jpg", "other.jpg"}, "unknown operation 'other.jpg'");
    refused({"view", "photo.jpg", "blur"}, "blur needs --sigma");
    refused({"view", "photo.jpg", "blur", "--sigma", "-1"}, "--sigma -1 is out of range");
}
