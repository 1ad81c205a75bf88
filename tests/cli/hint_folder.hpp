// Hints as a person types them.
#pragma once

#include "cli/glproc_program.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/npy.hpp"

#include <string>
#include <vector>

namespace glproc::test {

using Words = std::vector<std::string>;

/// A folder with the files that hints name.
struct HintFolder : TempDir {
    HintFolder() {
        const Form photo{.width = 320, .height = 240, .channels = 3};
        for (const char* name : {"in.png", "in.jpg", "other.png", "o.jpg", "z.tif#6", "-dash.png"}) {
            const std::string path = name;
            save(photo_like_image(photo, 1), *this / (path.find('#') == path.npos ? path : "z.tif"));
        }
        for (const char* name : {"a.png", "b.png", "c.png", "mask.png"}) {
            save(photo_like_image({.width = 320, .height = 240, .channels = 1}, 2), *this / name);
        }
        save(photo_like_image({.width = 40, .height = 20, .channels = 4}, 3), *this / "logo.png");
        write_file(*this / "map.npy", format_npy({ArrayType::f32, {4, 4, 2}, std::vector<std::byte>(128)}));
        write_file(*this / "in.npy", format_npy({ArrayType::i32, {8}, std::vector<std::byte>(32)}));
    }
};

/// What a shell makes of a line, with this build's program first in PATH.
inline ProgramResult typed(const std::filesystem::path& folder, const std::string& line) {
    const std::string program = std::filesystem::path(GLPROC_PROGRAM).parent_path().string();
    ProgramCall call = glproc_call(folder, {"-c", "PATH=" + program + ":$PATH; " + line});
    call.program = "/bin/bash";
    return run_program(std::move(call));
}

/// Runs a hint, except those that take minutes.
inline void check_runs(const std::filesystem::path& folder, const std::string& hint) {
    INFO(hint);
    REQUIRE(hint.starts_with("glproc "));
    if (hint.starts_with("glproc bench")) {
        return;
    }
    const ProgramResult result = typed(folder, hint);
    INFO(result.err);
    CHECK(result.status == 0);
}

/// The hint of a call that is refused: what follows "glproc ", or all of it.
inline std::string hint_of(const std::filesystem::path& folder, const Words& words) {
    const ProgramResult result = run_without_gpu(folder, words);
    CHECK(result.status == 2);
    const std::size_t at = result.err.find("\n  hint: ");
    if (at == std::string::npos) {
        return "";
    }
    const std::string hint = result.err.substr(at + 9, result.err.size() - at - 10);
    const std::size_t call = hint.find("glproc ");
    return call == std::string::npos ? hint : hint.substr(call);
}

struct Case {
    Words words;
    std::string hint;
};

} // namespace glproc::test
