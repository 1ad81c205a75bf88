// The two halves of scripts/lint-kernels that need the loader:
//
//   glproc_expand_kernels [--all] GLSL_DIR OUT_DIR KNOWN
//       writes variants of every kernel as one file each and prints how many: so many that every two values of
//       their defines meet, with --all every one of them. Those whose hash is in the file KNOWN are not written;
//       the hashes of the others go to OUT_DIR/hashes
//   glproc_expand_kernels --explain GLSL_DIR
//       turns glslangValidator's output on those files into messages with file:line
//
// A kernel's name holds no dot and no plus, so that a variant's file name, with + for /, leads back to it.
//
// A kernel of a kind includes a file that it is given as the define OPERATION. Its header names the kind as that define's only
// value; in its place come all files of glsl/ that call themselves one: "// Kind: point".
#include "glsl_folder.hpp"

#include "glproc/base/error.hpp"
#include "glproc/shader/loader.hpp"
#include "glproc/shader/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>
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

using glproc::tools::operations_of;
using glproc::tools::read_file;

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) {
        throw Error(ErrorCode::output, fmt::format("cannot write {}", path.string()));
    }
}

std::vector<fs::path> kernels_in(const fs::path& folder) {
    std::vector<fs::path> kernels;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
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

/// "kinds/point.comp" as part of a file name, and back.
std::string flat(std::string name) {
    std::replace(name.begin(), name.end(), '/', '+');
    return name;
}
std::string unflat(std::string name) {
    std::replace(name.begin(), name.end(), '+', '/');
    return name;
}

/// The variants of a kernel, with the operations of its kind.
std::vector<Defines> variants_of(const fs::path& glsl_dir, const std::string& text, const std::string& file) {
    std::vector<Defines> result;
    for (Defines& defines : glproc::all_variants(text, file)) {
        const auto operation = defines.find("OPERATION");
        if (operation == defines.end()) {
            result.push_back(std::move(defines));
            continue;
        }
        for (const std::string& name : operations_of(glsl_dir, operation->second)) {
            for (Defines& own : glproc::all_variants(read_file(glsl_dir / name), name)) {
                own.insert(defines.begin(), defines.end());
                own["OPERATION"] = name;
                result.push_back(std::move(own));
            }
        }
    }
    return result;
}

std::set<std::string> lines_of(const fs::path& path) {
    std::set<std::string> lines;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        lines.insert(line);
    }
    return lines;
}

void expand(const fs::path& glsl_dir, const fs::path& out_dir, const fs::path& known_file, bool all) {
    const glproc::GlslReader read = glproc::tools::folder_reader({glsl_dir});
    const std::vector<fs::path> kernels = kernels_in(glsl_dir);
    const std::set<std::string> known = lines_of(known_file);
    fs::create_directories(out_dir);
    std::ofstream hashes(out_dir / "hashes");
    std::size_t count = 0;
    std::size_t written = 0;
    for (const fs::path& kernel : kernels) {
        const std::string file = kernel.lexically_relative(glsl_dir).generic_string();
        const std::string stem = flat(file.substr(0, file.find('.')));
        std::vector<Defines> variants = variants_of(glsl_dir, read_file(kernel), file);
        if (!all) {
            variants = glproc::covering_pairs(variants);
        }
        std::size_t number = 0;
        for (const Defines& defines : variants) {
            const std::string name = flat(variant_name(stem, defines, number));
            const std::string text = glproc::load_shader(file, defines, read).text;
            const std::string hash = fmt::format("{:016x}", std::hash<std::string>()(text));
            if (!known.contains(hash)) {
                write_file(out_dir / name, text);
                hashes << hash << '\n';
                ++written;
            }
            ++number;
        }
        count += number;
    }
    fmt::print("{} variants of {} kernels, {} of them new,\n", count, kernels.size(), written);
}

/// The names that the source numbers of a variant stand for. Of the defines only OPERATION decides what is included.
std::vector<std::string> sources_of(const std::string& variant, const glproc::GlslReader& read) {
    const std::string kernel = unflat(variant.substr(0, variant.find('.'))) + ".comp";
    Defines defines;
    constexpr std::string_view operation = "OPERATION=";
    if (const std::size_t at = variant.find(operation); at != std::string::npos) {
        const std::size_t begin = at + operation.size();
        defines["OPERATION"] = unflat(variant.substr(begin, variant.find(".glsl", begin) + 5 - begin));
    }
    return glproc::load_shader(kernel, defines, read).files;
}

/// A mistake in a kernel shows in many of its variants: each message is printed once, with the first variant.
void explain(const fs::path& glsl_dir) {
    const glproc::GlslReader read = glproc::tools::folder_reader({glsl_dir});
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
        const std::string_view flag = arguments.size() > 1 ? arguments[1] : "";
        if (flag == "--explain" && arguments.size() == 3) {
            explain(arguments[2]);
        } else if (flag == "--all" && arguments.size() == 5) {
            expand(arguments[2], arguments[3], arguments[4], true);
        } else if (!flag.starts_with("--") && arguments.size() == 4) {
            expand(arguments[1], arguments[2], arguments[3], false);
        } else {
            std::fputs("usage: glproc_expand_kernels [--all] GLSL_DIR OUT_DIR KNOWN | --explain GLSL_DIR\n",
                       stderr);
            return static_cast<int>(ErrorCode::usage);
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
