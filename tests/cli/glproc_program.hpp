// The program under test, and what every test of it needs.
#pragma once

#include "glproc/files/codec.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/run_program.hpp"
#include "support/temp_dir.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace glproc::test {

/// The environment without what a person may have set for their own runs.
inline std::map<std::string, std::optional<std::string>> plain_environment() {
    return {{"NO_COLOR", std::nullopt}, {"TERM", "xterm"}, {"COLUMNS", std::nullopt}, {"GLPROC_CACHE", "off"}};
}

/// The environment of a machine where no OpenGL context can be had: whoever asks for one fails with status 5.
inline std::map<std::string, std::optional<std::string>> environment_without_gpu() {
    return {{"NO_COLOR", std::nullopt},        {"COLUMNS", std::nullopt},
            {"DISPLAY", std::nullopt},         {"WAYLAND_DISPLAY", std::nullopt},
            {"XDG_RUNTIME_DIR", std::nullopt}, {"GLPROC_DEVICE", std::nullopt},
            {"GLPROC_BACKEND", std::nullopt},  {"__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent"}};
}

/// A call of glproc in `folder`; tests change what they are about.
inline ProgramCall glproc_call(const std::filesystem::path& folder, std::vector<std::string> arguments) {
    ProgramCall call;
    call.program = GLPROC_PROGRAM;
    call.arguments = std::move(arguments);
    call.folder = folder;
    call.environment = plain_environment();
    return call;
}

inline ProgramResult run_glproc(const std::filesystem::path& folder, std::vector<std::string> arguments) {
    return run_program(glproc_call(folder, std::move(arguments)));
}

/// The same where no context can be had, so that what succeeds or fails otherwise did so before any GPU work.
inline ProgramResult run_without_gpu(const std::filesystem::path& folder,
                                     std::vector<std::string> arguments) {
    ProgramCall call = glproc_call(folder, std::move(arguments));
    call.environment = environment_without_gpu();
    return run_program(std::move(call));
}

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// Names of everything in a folder, hidden files too.
inline std::set<std::string> names_in(const std::filesystem::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        names.insert(entry.path().filename().string());
    }
    return names;
}

/// stderr without the notes on the choice of a device: of a software renderer where there seems to be a GPU, or of none at all.
inline std::string without_software_warning(const std::string& text) {
    std::string rest;
    for (const std::string& line : lines_of(text)) {
        const bool tells_choice = line.find("the processor was chosen") != std::string::npos;
        if (!tells_choice && line.find(", a software renderer, although ") == std::string::npos) {
            rest += line + "\n";
        }
    }
    return rest;
}

inline bool same_pixels(const Image& a, const Image& b) {
    return a.width() == b.width() && a.height() == b.height() && a.channels() == b.channels() &&
           a.depth() == b.depth() && std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin());
}

inline Image decode_text(const std::string& bytes, const std::string& name) {
    return decode(std::as_bytes(std::span(bytes)), name);
}

} // namespace glproc::test
