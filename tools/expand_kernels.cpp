// The two halves of scripts/lint-kernels that need the loader:
//
//   glproc_expand_kernels GLSL_DIR OUT_DIR
//       writes every variant of every kernel as one file, prints how many
//   glproc_expand_kernels --explain GLSL_DIR
//       turns glslangValidator's output on those files into messages with file:line
//
// A kernel's name holds no dot, so that a variant's file name leads back to it.
#include "glproc/error.hpp"
#include "glproc/shader/loader.hpp"
#include "glproc/shader/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using glproc::Defines;
using glproc::Error;
using glproc::ErrorCode;

std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    if (!in) {
        throw Error(ErrorCode::input, fmt::format("cannot read {}", path.string()));
    }
    return text;
}

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) {
        throw Error(ErrorCode::output, fmt::format("cannot write {}", path.string()));
    }
}

glproc::GlslReader folder_reader(const fs::path& folder) {
    return [folder](std::string_view name) -> std::optional<std::string> {
        const fs::path path = folder / name;
        return fs::is_regular_file(path) ? std::optional(read_file(path)) : std::nullopt;
    };
}

std::vector<fs::path> kernels_in(const fs::path& folder) {
    std::vector<fs::path> kernels;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".comp") {
            kernels.push_back(entry.path());
        }
    }
    if (kernels.empty()) {
        throw Error(ErrorCode::input, fmt::format("there is no kernel in {}", folder.string()));
    }
    std::sort(kernels.begin(), kernels.end());
    return kernels;
}

/// "blur_direct.AXIS=0,BORDER=1.comp", or the variant's number in place of its defines where they are too
/// long for a file name.
std::string variant_name(const std::string& kernel, const Defines& defines, std::size_t number) {
    constexpr std::size_t longest = 200;
    std::string name = kernel;
    char separator = '.';
    for (const auto& [macro, value] : defines) {
        name += fmt::format("{}{}={}", separator, macro, value);
        separator = ',';
    }
    return (name.size() > longest ? fmt::format("{}.variant-{}", kernel, number) : name) + ".comp";
}

void expand(const fs::path& glsl_dir, const fs::path& out_dir) {
    const glproc::GlslReader read = folder_reader(glsl_dir);
    const std::vector<fs::path> kernels = kernels_in(glsl_dir);
    fs::create_directories(out_dir);
    std::size_t count = 0;
    for (const fs::path& kernel : kernels) {
        const std::string file = kernel.filename().string();
        std::size_t number = 0;
        for (const Defines& defines : glproc::all_variants(read_file(kernel), file)) {
            const std::string name = variant_name(kernel.stem().string(), defines, number);
            write_file(out_dir / name, glproc::load_shader(file, defines, read).text);
            ++number;
        }
        count += number;
    }
    fmt::print("{} variants of {} kernels\n", count, kernels.size());
}

/// The names that the source numbers of a variant stand for. Includes do not depend on the defines, so none
/// are
/// needed.
std::vector<std::string> sources_of(const std::string& variant, const glproc::GlslReader& read) {
    const std::string kernel = variant.substr(0, variant.find('.')) + ".comp";
    return glproc::load_shader(kernel, {}, read).files;
}

/// A mistake in a kernel shows in many of its variants: each message is printed once, with the first variant.
void explain(const fs::path& glsl_dir) {
    const glproc::GlslReader read = folder_reader(glsl_dir);
    std::string variant;
    std::vector<std::string> files;
    std::vector<std::pair<std::string, std::string>> first_seen; // message, variant
    std::map<std::string, std::size_t> occurrences;
    for (std::string line; std::getline(std::cin, line);) {
        if (line.ends_with(".comp")) {
            variant = fs::path(line).filename().string();
            files = sources_of(variant, read);
            continue;
        }
        if (line.empty() || line.ends_with("No code generated.")) {
            continue;
        }
        const std::string message = glproc::rewrite_log(line, files);
        if (++occurrences[message] == 1) {
            first_seen.emplace_back(message, variant);
        }
    }
    for (const auto& [message, where] : first_seen) {
        fmt::print("{} [{} times, first in {}]\n", message, occurrences[message], where);
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        const std::span arguments(argv, static_cast<std::size_t>(argc));
        if (arguments.size() != 3) {
            std::fputs("usage: glproc_expand_kernels GLSL_DIR OUT_DIR | --explain GLSL_DIR\n", stderr);
            return static_cast<int>(ErrorCode::usage);
        }
        if (std::string_view(arguments[1]) == "--explain") {
            explain(arguments[2]);
        } else {
            expand(arguments[1], arguments[2]);
        }
        return 0;
    } catch (const Error& error) {
        std::cerr << error.what() << '\n';
        if (!error.hint().empty()) {
            std::cerr << "hint: " << error.hint() << '\n';
        }
        return static_cast<int>(error.code());
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
