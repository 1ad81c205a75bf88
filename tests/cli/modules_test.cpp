// Formats, drawing and colour management where their module or its library is gone: what a person is told,
// and what `info` says.
#include "cli/glproc_program.hpp"

#include "glproc/files/file.hpp"
#include "glproc/files/usable.hpp"

#include <algorithm>
#include <optional>

using namespace glproc;
using namespace glproc::test;

namespace {

bool is_ready(std::string_view name) {
    const auto all = module_abilities();
    return std::ranges::any_of(
        all, [&](const ModuleAbility& one) { return one.name == name && one.state == "ready"; });
}

/// A picture, and calls of a program whose modules lie in a folder here, or nowhere.
struct ModuleFolder : TempDir {
    ModuleFolder() {
        std::filesystem::create_directory(*this / "modules");
        std::filesystem::copy(GLPROC_PROGRAM, *this / "glproc"); // away from its own
        save(Image(20, 10, 3, Depth::u8), path() / "in.png");
    }
    ProgramResult call(std::vector<std::string> words) const {
        ProgramCall call = glproc_call(path(), std::move(words));
        call.program = (*this / "glproc").string();
        call.environment["GLPROC_MODULES"] = (*this / "modules").string();
        return run_program(call);
    }
    /// A module that asks for a library with a number that no machine has. Returns the library's name.
    std::string with_another_library(const std::string& module, const std::string& library) const {
        const std::filesystem::path built =
            std::filesystem::path(GLPROC_PROGRAM).parent_path() / GLPROC_MODULE_FOLDER;
        std::string bytes = read_text(built / (module + ".so"));
        const std::size_t at = bytes.find(library + ".so.");
        REQUIRE(at != std::string::npos);
        const std::size_t end = bytes.find('\0', at);
        bytes[end - 1] = '~';
        write_text(*this / "modules" / (module + ".so"), bytes);
        return bytes.substr(at, end - at);
    }
};

struct Use {
    const char* module;
    std::vector<std::string> words;
    std::string error; ///< up to what it needs
    int status;
};

std::vector<Use> uses() {
    std::vector<Use> all;
    for (const std::string extension : {"webp", "jxl", "heic", "avif"}) {
        const char* module = extension == "webp" ? "webp" : extension == "jxl" ? "jxl" : "heif";
        all.push_back(
            {module, {"convert", "in.png", "o." + extension}, "o." + extension + ": this format", 4});
    }
    all.push_back({"exr", {"convert", "in.png", "o.exr", "--depth", "float"}, "o.exr: this format", 4});
    all.push_back({"draw", {"draw", "in.png", "o.png", "--text", "a"}, "drawing", 1});
    std::erase_if(all, [](const Use& use) { return !is_ready(use.module); });
    return all;
}

} // namespace

TEST_CASE("a module that the build lacks is named, and how to build it") {
    const ModuleFolder folder;
    std::string program = read_text(folder / "glproc"); // which has the list of its modules
    const std::size_t list = program.find("webp exr jxl heif lcms draw tiff");
    if (list == std::string::npos) {
        return; // of a build that does lack some; files/module_file_test.cpp tries those
    }
    const std::string without = "~~~~ ~~~ ~~~ ~~~~ ~~~~ ~~~~ tiff";
    program.replace(list, without.size(), without);
    write_text(folder / "glproc", program);
    for (const Use& use : uses()) {
        INFO(use.error);
        const ProgramResult done = folder.call(use.words);
        CHECK(done.status == use.status);
        CHECK(done.err.starts_with("glproc: error: " + use.error + " needs the module " + use.module +
                                   ", which this build lacks\n  hint: install lib"));
        CHECK(done.err.ends_with(" && scripts/build\n"));
    }
    CHECK(folder.call({"convert", "in.png", "-", "--to", "webp"}).status == 4);
    const std::string unknown = folder.call({"convert", "in.png", "o.xyz"}).err;
    CHECK(unknown.ends_with("apng, tif, tiff)\n"));
}

TEST_CASE("a module that is not installed is named, and how the program finds it") {
    const ModuleFolder folder;
    for (const Use& use : uses()) {
        INFO(use.error);
        const ProgramResult done = folder.call(use.words);
        CHECK(done.status == use.status);
        CHECK(done.err ==
              "glproc: error: " + use.error + " needs the module " + use.module +
                  ", which is not installed\n  hint: put the folder " GLPROC_MODULE_FOLDER ", with " +
                  use.module + ".so in it, beside the program, or its full path into GLPROC_MODULES\n");
        CHECK(names_in(folder.path()) == std::set<std::string>{"glproc", "in.png", "modules"});
    }
}

TEST_CASE("the step that is named helps: the folder of modules beside the program") {
    const ModuleFolder folder;
    const std::filesystem::path built =
        std::filesystem::path(GLPROC_PROGRAM).parent_path() / GLPROC_MODULE_FOLDER;
    std::filesystem::copy(built, folder / GLPROC_MODULE_FOLDER, std::filesystem::copy_options::recursive);
    for (const Use& use : uses()) {
        INFO(use.error);
        CHECK(folder.call(use.words).status == 0);
    }
}

TEST_CASE("a library that a module needs and the machine lacks is named, with its package") {
    const std::map<std::string, std::string> libraries{{"webp", "libwebp"},
                                                       {"jxl", "libjxl"},
                                                       {"heif", "libheif"},
                                                       {"exr", "libOpenEXR-3_1"},
                                                       {"draw", "libcairo"}};
    const ModuleFolder folder;
    for (const Use& use : uses()) {
        INFO(use.error);
        const std::string library = folder.with_another_library(use.module, libraries.at(use.module));
        const ProgramResult done = folder.call(use.words);
        CHECK(done.status == use.status);
        const std::size_t end = done.err.find('\n');
        CHECK(done.err.substr(0, end) ==
              "glproc: error: " + use.error + " needs " + library + ", which is not installed");
        // With libjxl.so.0 the library is another one than libjxl.so.0.7, but its package is known where
        // Debian built it.
        const bool is_known = library.starts_with("libjxl") && std::filesystem::exists("/usr/bin/dpkg-query");
        CHECK(done.err.substr(end).starts_with(
            "\n  hint: install " +
            (is_known ? "libjxl0." : "the package of your system that has " + library)));
    }
}
