// Writes the twins of an operation's GLSL as C++: every variant that its header declares.
//
//   glproc_twins GLSL_DIR KIND_DIR KIND OPERATION > FILE.cpp
//
// KIND_DIR holds KIND.glsl, what the kind gives its operations, with the defines of that, and KIND.inl, its loops.
#include "glsl_folder.hpp"

#include "glproc/shader/as_cpp.hpp"
#include "glproc/shader/variants.hpp"

#include <cctype>
#include <cstdio>
#include <exception>
#include <iostream>
#include <set>
#include <span>
#include <utility>

namespace {

namespace fs = std::filesystem;
using glproc::Defines;

/// "threshold/range.glsl" as part of a name.
std::string name_of(const std::string& operation) {
    std::string name = operation;
    std::replace_if(name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return name;
}

/// What is defined in a text must not be seen in the next.
std::string undefined(const std::string& text) {
    static const std::regex macro(R"((?:^|\n)#define (\w+))");
    std::set<std::string> names;
    for (std::sregex_iterator i(text.begin(), text.end(), macro); i != std::sregex_iterator(); ++i) {
        names.insert((*i)[1]);
    }
    std::string result;
    for (const std::string& name : names) {
        result += fmt::format("#undef {}\n", name);
    }
    return result;
}

std::string key_of(const Defines& defines) {
    std::string key;
    for (const auto& [name, value] : defines) {
        key += fmt::format("{}{}={}", key.empty() ? "" : " ", name, value);
    }
    return key;
}

/// The variants of a kind with those of an operation. How colours come in is the kernel's to choose.
std::vector<Defines> variants_of(const std::string& kind, const std::string& kind_text, const std::string& operation,
                                 const std::string& text) {
    std::vector<Defines> result;
    std::set<std::string> keys;
    for (const Defines& defines : glproc::all_variants(kind_text, kind)) {
        for (Defines own : glproc::all_variants(text, operation)) {
            if (const auto entry = own.find("ENTRY"); entry != own.end()) {
                entry->second = "2";
            }
            own.insert(defines.begin(), defines.end());
            if (keys.insert(key_of(own)).second) {
                result.push_back(std::move(own));
            }
        }
    }
    return result;
}

void write(const fs::path& glsl_dir, const fs::path& kind_dir, const std::string& kind, const std::string& operation) {
    const glproc::GlslReader read = glproc::tools::folder_reader({glsl_dir, kind_dir});
    const std::string file = kind + ".glsl";
    const std::string type = std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(kind[0])))) + kind.substr(1);
    fmt::print("// The twins of {}; made by glproc_twins.\n#include \"glproc/shader/glsl.hpp\"\n\n#include \"glproc/kinds/twin.hpp\"\n\n",
               operation);
    std::string rows;
    int number = 0;
    for (Defines& defines : variants_of(file, *read(file), operation, *read(operation))) {
        const std::string key = key_of(defines);
        defines["OPERATION"] = operation;
        const std::string text = glproc::as_cpp(glproc::load_shader(file, defines, read), glsl_dir.string());
        fmt::print("#define {0}TwinClass V{1}\nnamespace glproc {{\nnamespace {{\nusing namespace glsl;\nstruct V{1} {{\n{2}"
                   "#include \"glproc/kinds/twins/{3}.inl\"\n}};\n}}\n}}\n#undef {0}TwinClass\n{4}",
                   type, number, text, kind, undefined(text));
        rows += fmt::format("    {{\"{}\", &V{}::run}},\n", key, number);
        ++number;
    }
    fmt::print("namespace glproc::twins {{\nstd::span<const {0}TwinRow> {1}() {{\n    static const {0}TwinRow rows[] = {{\n{2}    }};\n"
               "    return rows;\n}}\n}} // namespace glproc::twins\n",
               type, name_of(operation), rows);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const std::span arguments(argv, static_cast<std::size_t>(argc));
        if (arguments.size() != 5) {
            std::fputs("usage: glproc_twins GLSL_DIR KIND_DIR KIND OPERATION\n", stderr);
            return 2;
        }
        write(arguments[1], arguments[2], arguments[3], arguments[4]);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
