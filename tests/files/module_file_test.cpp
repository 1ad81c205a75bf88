// What is said where a module cannot be used: three reasons, each with the step that mends it.
#include "files/metadata_files.hpp"

#include "glproc/files/module_file.hpp"
#include "glproc/files/usable.hpp"

#include <algorithm>

using namespace glproc;
using namespace glproc::test;

TEST_CASE("a module that was not built says with which package it is") {
    const ModuleInfo clay{"clay", "clay tablets", "libclay-dev"};
    CHECK_FALSE(is_built(clay));
    const LoadedModule& loaded = loaded_module(clay);
    CHECK(loaded.symbol == nullptr);
    CHECK(loaded.state == ModuleState::not_built);
    CHECK(loaded.problem == "needs the module clay, which this build lacks");
    CHECK(loaded.hint ==
          "install libclay-dev and build again: cmake --preset release -DGLPROC_CLAY=AUTO && scripts/build");
    try {
        use_module<int>(clay, ErrorCode::output, "o.clay: this format");
        FAIL("it was there");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::output);
        CHECK(error.what() ==
              std::string("o.clay: this format needs the module clay, which this build lacks"));
        CHECK(error.hint() == loaded.hint);
    }
}

TEST_CASE("every format says whether it is read and written, and modules whether they are there") {
    for (const FormatAbility& format : format_abilities()) {
        INFO(format.title);
        REQUIRE_FALSE(format.extensions.empty());
        const auto written = writable_extensions();
        for (const std::string& extension : format.extensions) {
            const bool is_written = std::ranges::count(written, extension) == 1;
            CHECK(is_written == (format.can_write && extension != "psd"));
            CHECK(is_lacking(extension) == (!is_written && extension != "psd" && extension != "pic"));
        }
        CHECK(format.can_read == (format.can_write || format.title == "PSD" || format.title == "Softimage PIC"));
    }
    for (const ModuleAbility& module : module_abilities()) {
        INFO(module.name << ": " << module.problem);
        CHECK((module.state == "ready") == module.problem.empty());
        CHECK((module.state == "ready") == module.hint.empty());
        CHECK((module.state == "ready" ||
               module.state == "not built")); // in a build folder all of its own are there
    }
}

TEST_CASE("formats that a build lacks are known, and name what it lacks") {
    for (const FormatAbility& format : format_abilities()) {
        for (const std::string& extension : format.extensions) {
            if (!is_lacking(extension))
                continue;
            const auto error = error_of([&] { check_encodable("o." + extension); });
            REQUIRE(error.has_value());
            CHECK_THAT(error->what(),
                       Catch::Matchers::Matches("o\\.[a-z]+: this format needs .*, which this build lacks"));
            CHECK(error->hint().starts_with("install lib"));
        }
    }
    if (is_lacking("tif")) {
        check_error(ErrorCode::input, "a.tif: this format needs libtiff, which this build lacks",
                    [] { decode(bytes_of("II*") + Bytes(10), "a.tif"); });
    }
}
