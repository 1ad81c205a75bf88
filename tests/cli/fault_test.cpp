// What a user sees of a failing GPU: a message, an exit status, and never half a result or a black one.
#include "cli/glproc_program.hpp"
#include "glproc/files/npy.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

const std::string old_content = "what was there before";

/// Every operation once, by a method that uses the GPU.
const std::vector<std::vector<std::string>>& calls() {
    static const std::vector<std::vector<std::string>> all{
        {"blur", "in.ppm", "out.ppm", "--sigma", "2", "--method", "direct"},
        {"blur", "in.ppm", "out.ppm", "--sigma", "2", "--method", "tiled"},
        {"box", "in.ppm", "out.ppm", "--radius", "3", "--method", "fast"},
        {"equalize", "in.ppm", "out.ppm", "--method", "gpu"},
        {"integral", "in.ppm", "out.npy", "--method", "rows_columns"},
        {"scan", "in.npy", "out.npy", "--method", "blocked"},
        {"histogram", "in.ppm", "--method", "fused", "--plot", "out.ppm"},
    };
    return all;
}

/// Inputs, and something old where outputs go.
struct FaultFolder : TempDir {
    FaultFolder() {
        save(photo_like_image({.width = 31, .height = 17, .channels = 3}), *this / "in.ppm");
        Array numbers{ArrayType::u32, {5000}, std::vector<std::byte>(20000, std::byte{1})};
        const auto file = format_npy(numbers);
        write_text(*this / "in.npy", {reinterpret_cast<const char*>(file.data()), file.size()});
        write_text(*this / "out.ppm", old_content);
        write_text(*this / "out.npy", old_content);
    }

    ProgramResult run(std::vector<std::string> words, const std::string& fault) const {
        words.emplace_back("-q");
        ProgramCall call = glproc_call(path(), std::move(words));
        call.environment["GLPROC_FAULT"] = fault;
        return run_program(std::move(call));
    }

    bool untouched() const {
        return read_text(*this / "out.ppm") == old_content && read_text(*this / "out.npy") == old_content &&
               names_in(path()) == std::set<std::string>{"in.npy", "in.ppm", "out.npy", "out.ppm"};
    }
};

/// Runs with "NAME:1", "NAME:2" … until nothing fails any more; says how often something did.
int failures_of(const std::vector<std::string>& words, const std::string& name, const std::string& message) {
    for (int n = 1;; ++n) {
        const FaultFolder folder;
        const ProgramResult result = folder.run(words, name + ":" + std::to_string(n));
        INFO(words[0] << ", " << name << ":" << n << ", " << result.err);
        if (result.status == 0) {
            CHECK(result.err.empty());
            CHECK_FALSE(folder.untouched());
            return n - 1;
        }
        REQUIRE(result.status == 6);
        CHECK(result.out.empty());
        CHECK(folder.untouched());
        const auto lines = lines_of(result.err);
        REQUIRE(lines.size() == 2);
        CHECK(lines[0].starts_with("glproc: error: " + message));
        CHECK(lines[1].starts_with("  hint: "));
    }
}

} // namespace

TEST_CASE("fault: full GPU memory is exit 6 with a hint, whichever allocation meets it") {
    for (const auto& words : calls()) {
        INFO(words[0]);
        CHECK(failures_of(words, "alloc", "out of GPU memory: allocating ") >= 2);
    }
}

TEST_CASE("fault: a reset of the GPU is exit 6, whichever pass meets it") {
    for (const auto& words : calls()) {
        INFO(words[0]);
        CHECK(failures_of(words, "context_lost", "the GPU was reset: pass ") >= 1);
    }
}

TEST_CASE(
    "fault: a kernel that does not compile is exit 1 with the compiler's words, also where it is kept") {
    const FaultFolder folder;
    const FaultFolder fresh;
    const TempDir cache;
    ProgramCall call = glproc_call(fresh.path(), calls()[0]);
    call.arguments.emplace_back("-q");
    call.environment["GLPROC_CACHE"] = std::nullopt;
    call.environment["XDG_CACHE_HOME"] = cache.path().string();
    REQUIRE(run_program(call).status == 0);
    call.folder = folder.path();
    call.environment["GLPROC_FAULT"] = "compile:kinds/separable/direct.comp";
    const ProgramResult result = run_program(call);
    INFO(result.err);
    CHECK(result.status == 1);
    CHECK(result.err.starts_with("glproc: error: kinds/separable/direct.comp does not compile\n  hint: "));
    CHECK(result.err.find("GLPROC_FAULT") != std::string::npos);
    CHECK(folder.untouched());
}

TEST_CASE("fault: one that does not exist is a usage error") {
    const FaultFolder folder;
    const ProgramResult result = folder.run(calls()[0], "aloc:1");
    CHECK(result.status == 2);
    CHECK(result.err == "glproc: error: GLPROC_FAULT names no fault: 'aloc:1'\n"
                        "  hint: known: alloc:N, compile:KERNEL, context_lost[:N], kernel:KERNEL, link:KERNEL\n");
    CHECK(folder.untouched());
}
