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
#include <vector>

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

/// A twin: what it is compiled for, and by which of that it is found.
struct Variant {
    Defines defines;
    Defines key;
};

/// The variants of a kind with those of an operation, as far as twins tell them apart.
std::vector<Variant> variants_of(const std::string& kind, const std::string& kind_text, const std::string& operation,
                                 const std::string& text) {
    const glproc::TwinRules of_kind = glproc::twin_rules(kind_text, kind);
    const glproc::TwinRules own = glproc::twin_rules(text, operation);
    std::vector<Variant> result;
    std::set<std::string> keys;
    for (const Defines& defines : glproc::all_variants(kind_text, kind)) {
        for (const Defines& chosen : glproc::all_variants(text, operation)) {
            Variant variant{chosen, chosen};
            variant.defines.insert(defines.begin(), defines.end());
            variant.key.insert(defines.begin(), defines.end());
            for (const auto& [name, value] : of_kind.fixed) { // of defines that the operation has
                if (variant.key.erase(name) > 0) {
                    variant.defines[name] = value;
                }
            }
            for (const auto& [name, value] : own.fixed) {
                variant.defines[name] = value;
                if (defines.contains(name)) {
                    variant.key[name] = value;
                } else {
                    variant.key.erase(name);
                }
            }
            for (std::size_t i = 0; i < own.numbers.size(); ++i) {
                variant.defines[own.numbers[i]] = fmt::format("numbers[{}]", i); // in an #if that is an error
                variant.key.erase(own.numbers[i]);
            }
            if (keys.insert(key_of(variant.key)).second) {
                result.push_back(std::move(variant));
            }
        }
    }
    return result;
}

void write(const fs::path& glsl_dir, const fs::path& kind_dir, const std::string& kind, const std::string& operation) {
    const glproc::GlslReader read = glproc::tools::folder_reader({glsl_dir, kind_dir});
    const std::string file = kind + ".glsl";
    const std::string type = std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(kind[0])))) + kind.substr(1);
    fmt::print("// The twins of {}; made by glproc_twins.\n#include \"glproc/shader/glsl.hpp\"\n\n#include \"glproc/kinds/twin.hpp\"\n\n#include <array>\n\n",
               operation);
    std::string rows;
    int number = 0;
    for (Variant& variant : variants_of(file, *read(file), operation, *read(operation))) {
        variant.defines["OPERATION"] = operation;
        const std::string text = glproc::as_cpp(glproc::load_shader(file, variant.defines, read), glsl_dir.string());
        fmt::print("#define {0}TwinClass V{1}\nnamespace glproc {{\nnamespace {{\nusing namespace glsl;\nstruct V{1} {{\n"
                   "const int* numbers = nullptr;\n{2}#include \"glproc/kinds/twins/{3}.inl\"\n}};\n}}\n}}\n#undef {0}TwinClass\n{4}",
                   type, number, text, kind, undefined(text));
        rows += fmt::format("    {{\"{}\", &V{}::run}},\n", key_of(variant.key), number);
        ++number;
    }
    std::string names;
    for (const std::string& name : glproc::twin_rules(*read(operation), operation).numbers) {
        names += fmt::format("\"{}\", ", name);
    }
    fmt::print("#line 1 \"twins\"\nnamespace glproc::twins {{\nnamespace {{\nconstexpr TwinRow<{0}Twin> rows[] = {{\n{2}}};\n"
               "constexpr std::array<std::string_view, {3}> numbers{{{4}}};\n}}\n"
               "extern const TwinFile<{0}Twin> {1};\nconstinit const TwinFile<{0}Twin> {1}{{\"{5}\", rows, numbers}};\n}} // namespace glproc::twins\n",
               type, name_of(operation), rows, glproc::twin_rules(*read(operation), operation).numbers.size(), names, operation);
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
