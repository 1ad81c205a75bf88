// A folder of small pictures, and calls on all of them.
#pragma once

#include "cli/glproc_program.hpp"

#include <fmt/format.h>

namespace glproc::test {

/// in/a.png, in/b.png, … differ; "expected/" gets what one call each makes of them.
struct ManyFolder : TempDir {
    explicit ManyFolder(int count = 4, int width = 61, int height = 47) {
        std::filesystem::create_directory(*this / "in");
        for (int i = 0; i < count; ++i) {
            names.push_back(fmt::format("{}.png", fmt::format("{:02}", i)));
            save(photo_like_image({.width = width + i, .height = height, .channels = 3},
                                  static_cast<std::uint32_t>(i + 1)),
                 *this / ("in/" + names.back()));
        }
    }

    ProgramResult run(std::vector<std::string> arguments) const {
        return run_glproc(path(), std::move(arguments));
    }

    /// The command on in/ to a folder.
    std::vector<std::string> blur(const std::string& out, std::vector<std::string> flags = {}) const {
        std::vector<std::string> arguments{"blur", "in", out, "--sigma", "2"};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        return arguments;
    }

    /// The bytes of every file below a folder, by path; temporary files, too.
    std::map<std::string, std::string> content(const std::string& folder) const {
        std::map<std::string, std::string> files;
        if (!std::filesystem::exists(*this / folder)) {
            return files;
        }
        for (const auto& entry : std::filesystem::recursive_directory_iterator(*this / folder)) {
            if (entry.is_regular_file()) {
                files[std::filesystem::relative(entry.path(), *this / folder).string()] =
                    read_text(entry.path());
            }
        }
        return files;
    }

    std::vector<std::string> names;
};

inline std::vector<std::string> lines_in(const std::filesystem::path& path) {
    return lines_of(read_text(path));
}

} // namespace glproc::test
