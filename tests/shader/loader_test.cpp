#include "glproc/shader/loader.hpp"

#include "glproc/base/error.hpp"
#include "glproc/shader/embedded.hpp"
#include "support/catch.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using glproc::Defines;
using glproc::Error;
using glproc::ErrorCode;
using glproc::load_shader;
using glproc::rewrite_log;
using glproc::ShaderSource;

namespace {

using Files = std::map<std::string, std::string, std::less<>>;

glproc::GlslReader reader(const Files& files) {
    return [files](std::string_view name) -> std::optional<std::string> {
        const auto file = files.find(name);
        return file == files.end() ? std::nullopt : std::optional(file->second);
    };
}

ShaderSource load(const Files& files, const Defines& defines = {}) {
    return load_shader("a.comp", defines, reader(files));
}

/// The text of the Error that loading throws, or "" if it throws none.
std::string load_error(const Files& files, const Defines& defines = {}) {
    try {
        load(files, defines);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::operation);
        return error.what();
    }
    return {};
}

/// Sets GLPROC_GLSL_DIR for a scope.
class GlslDir {
  public:
    explicit GlslDir(const char* value) {
        if (const char* old = std::getenv(name)) {
            old_ = old;
        }
        set(value);
    }
    GlslDir(const GlslDir&) = delete;
    GlslDir& operator=(const GlslDir&) = delete;
    ~GlslDir() { set(old_ ? old_->c_str() : nullptr); }

  private:
    static constexpr const char* name = "GLPROC_GLSL_DIR";
    static void set(const char* value) { value == nullptr ? unsetenv(name) : setenv(name, value, 1); }
    std::optional<std::string> old_;
};

} // namespace

TEST_CASE("defines follow the version line, and #line keeps the numbers after them") {
    const ShaderSource source =
        load({{"a.comp", "#version 430 core\nvoid main() {}\n"}}, {{"B", "2"}, {"A", "x"}});
    CHECK(source.text == "#version 430 core\n#define A x\n#define B 2\n#line 2 0\nvoid main() {}\n");
    CHECK(source.files == std::vector<std::string>{"a.comp"});
}

TEST_CASE("comments and blank lines may precede the version line") {
    const ShaderSource source =
        load({{"a.comp", "// a\n\n/* b\n#version 100 */\n#version 430 // c\nx\n"}}, {{"A", "1"}});
    CHECK(source.text == "// a\n\n/* b\n#version 100 */\n#version 430 // c\n#define A 1\n#line 6 0\nx\n");
}

TEST_CASE("a comment separates words") {
    CHECK(load({{"a.comp", "#version/**/430\n"}}).text == "#version/**/430\n#line 2 0\n");
}

TEST_CASE("an include is replaced by the file, and #line returns to the includer") {
    const ShaderSource source = load(
        {{"a.comp", "#version 430\n#include \"lib/x.glsl\"\nvoid main() {}\n"}, {"lib/x.glsl", "int x;\n"}});
    CHECK(source.text == "#version 430\n#line 2 0\n#line 1 1\nint x;\n#line 3 0\nvoid main() {}\n");
    CHECK(source.files == std::vector<std::string>{"a.comp", "lib/x.glsl"});
}

TEST_CASE("includes nest, relative to glsl/ at every depth") {
    const ShaderSource source = load({{"a.comp", "#version 430\n#include \"lib/x.glsl\"\nend\n"},
                                      {"lib/x.glsl", "x1\n#include \"lib/y.glsl\"\nx3\n"},
                                      {"lib/y.glsl", "y1\n"}});
    CHECK(source.text ==
          "#version 430\n#line 2 0\n#line 1 1\nx1\n#line 1 2\ny1\n#line 3 1\nx3\n#line 3 0\nend\n");
    CHECK(source.files == std::vector<std::string>{"a.comp", "lib/x.glsl", "lib/y.glsl"});
}

TEST_CASE("a file is expanded once, and its later includes keep the line numbers") {
    const ShaderSource source =
        load({{"a.comp", "#version 430\n#include \"x\"\n#include \"x\"\n#include \"y\"\nend\n"},
              {"x", "x1\n"},
              {"y", "#include \"x\"\ny2\n"}});
    CHECK(source.text ==
          "#version 430\n#line 2 0\n#line 1 1\nx1\n#line 3 0\n#line 4 0\n#line 1 2\n\ny2\n#line 5 0\nend\n");
    CHECK(source.files == std::vector<std::string>{"a.comp", "x", "y"});
}

TEST_CASE("include cycles end, whether through a file itself, another or the kernel") {
    const ShaderSource source = load({{"a.comp", "#version 430\n#include \"x\"\nend\n"},
                                      {"x", "#include \"x\"\n#include \"y\"\n"},
                                      {"y", "#include \"x\"\n#include \"a.comp\"\ny3\n"}});
    CHECK(source.text ==
          "#version 430\n#line 2 0\n#line 1 1\n\n#line 1 2\n\n\ny3\n#line 3 1\n#line 3 0\nend\n");
    CHECK(source.files == std::vector<std::string>{"a.comp", "x", "y"});
}

TEST_CASE("blanks and comments around an include do not matter") {
    const std::string include =
        GENERATE(as<std::string>{}, "  #include \"x\"", "#  include\t\"x\"  ", "#include\"x\"",
                 "#include \"x\" // why", "/* why */ #include /**/ \"x\" /* why */");
    CAPTURE(include);
    const ShaderSource source = load({{"a.comp", "#version 430\n" + include + "\nend\n"}, {"x", "x1\n"}});
    CHECK(source.text == "#version 430\n#line 2 0\n#line 1 1\nx1\n#line 3 0\nend\n");
}

TEST_CASE("includes in comments are ignored") {
    const std::string lines =
        GENERATE(as<std::string>{}, "// #include \"x\"\n", "/* #include \"x\" */\n",
                 "/*\n#include \"x\"\n*/\n", "/* // */ // /*\n// continued \\\n#include \"x\"\n",
                 "a /* b */ c /*\n// */ d /*\n#include \"x\"\n*/\n");
    const std::string text = "#version 430\n" + lines + "end\n";
    CAPTURE(text);
    const ShaderSource source = load({{"a.comp", text}, {"x", "x1\n"}});
    CHECK(source.text == "#version 430\n#line 2 0\n" + lines + "end\n");
    CHECK(source.files.size() == 1);
}

TEST_CASE("an include after a closed comment is not ignored") {
    const std::string comment =
        GENERATE(as<std::string>{}, "/* a */", "// /*", "/* a\n */", "a / b * c", "/**/", "/*//*/");
    CAPTURE(comment);
    CHECK(load({{"a.comp", "#version 430\n" + comment + "\n#include \"x\"\n"}, {"x", ""}}).files.size() == 2);
}

TEST_CASE("line numbers stay right after a condition that may skip an include") {
    const std::string end = GENERATE(as<std::string>{}, "#endif", "#else", "# elif 1");
    const ShaderSource source =
        load({{"a.comp", "#version 430\n#if A\n#include \"x\"\n" + end + "\nend\n"}, {"x", "x1\n"}});
    CHECK(source.text ==
          "#version 430\n#line 2 0\n#if A\n#line 1 1\nx1\n#line 4 0\n" + end + "\n#line 5 0\nend\n");
}

TEST_CASE("a condition without an include before it is left alone") {
    const ShaderSource source =
        load({{"a.comp", "#version 430\n#if A\n#else\n#endif\n#include \"x\"\n"}, {"x", ""}});
    CHECK(source.text == "#version 430\n#line 2 0\n#if A\n#else\n#endif\n#line 1 1\n#line 6 0\n");
}

TEST_CASE("extension lines stay where they are") {
    const ShaderSource source = load({{"a.comp", "#version 430\n#extension GL_A : enable\n#include \"x\"\n"},
                                      {"x", "#extension GL_B : enable\n"}},
                                     {{"A", "1"}});
    CHECK(source.text == "#version 430\n#define A 1\n#line 2 0\n#extension GL_A : enable\n#line 1 1\n"
                         "#extension GL_B : enable\n#line 4 0\n");
}

TEST_CASE("CRLF files load like LF files") {
    const ShaderSource source = load({{"a.comp", "#version 430\r\n#include \"x\"\r\nend\r\n"},
                                      {"x", "x1 // \\\r\n#include \"x\"\r\nx3\r\n"}});
    CHECK(source.text ==
          "#version 430\n#line 2 0\n#line 1 1\nx1 // \\\n#include \"x\"\nx3\n#line 3 0\nend\n");
}

TEST_CASE("files without a final newline load") {
    CHECK(load({{"a.comp", "#version 430"}}).text == "#version 430\n#line 2 0\n");
    CHECK(load({{"a.comp", "#version 430\n#include \"x\""}, {"x", "x1"}}).text ==
          "#version 430\n#line 2 0\n#line 1 1\nx1\n#line 3 0\n");
}

TEST_CASE("an empty file can be included") {
    const ShaderSource source = load({{"a.comp", "#version 430\n#include \"x\"\nend\n"}, {"x", ""}});
    CHECK(source.text == "#version 430\n#line 2 0\n#line 1 1\n#line 3 0\nend\n");
    CHECK(source.files == std::vector<std::string>{"a.comp", "x"});
}

TEST_CASE("a kernel that does not exist is an error with its name") {
    CHECK(load_error({}) == "there is no shader \"a.comp\"");
}

TEST_CASE("an included file that does not exist is an error at the include") {
    CHECK(load_error({{"a.comp", "#version 430\n\n#include \"x\"\n"}}) == "a.comp:3: there is no file \"x\"");
    CHECK(load_error({{"a.comp", "#version 430\n#include \"lib/x\"\n"},
                      {"lib/x", "\n\n\n#include \"y\"\n"}}) == "lib/x:4: there is no file \"y\"");
}

TEST_CASE("a malformed include is an error at its line") {
    const std::string include =
        GENERATE(as<std::string>{}, "#include", "#include x", "#include <x>", "#include \"x", "#include xy\"",
                 "#include \"\"", "#include \"x\" y", "#include \"x\" \"x\"", "#include \"x//y\"");
    CAPTURE(include);
    CHECK(load_error({{"a.comp", "#version 430\n" + include + "\n"}, {"x", ""}}) ==
          "a.comp:2: malformed #include");
}

TEST_CASE("an include that would cut a comment in two is an error") {
    const std::string text =
        GENERATE(as<std::string>{}, "#include \"x\" /*\n*/\n", "/**/ #include \"x\" /*\n*/\n",
                 "#include \"x\" // \\\n\n", "/*  \\*/#include \"x\" /*\n*/\n");
    CAPTURE(text);
    const std::string expected = "a.comp:2: a comment that spans lines cannot share a line with #include";
    CHECK(load_error({{"a.comp", "#version 430\n" + text}, {"x", ""}}) == expected);
    CHECK(load_error({{"a.comp", "#version 430 /*\n*/ #include \"x\"\n"}, {"x", ""}}) ==
          "a.comp:1: a comment that starts on the #version line must end there");
    CHECK(load_error({{"a.comp", "#version 430\n/*\n*/ #include \"x\"\n"}, {"x", ""}}) ==
          "a.comp:3: a comment that spans lines cannot share a line with #include");
}

TEST_CASE("a kernel whose first line of code is not #version is an error at that line") {
    CHECK(load_error({{"a.comp", ""}}) == "a.comp:1: the first line of code is not #version");
    CHECK(load_error({{"a.comp", "// #version 430\n/*\n#version 430 */\n"}}) ==
          "a.comp:3: the first line of code is not #version");
    CHECK(load_error({{"a.comp", "\n#define A\n#version 430\n"}}) ==
          "a.comp:2: the first line of code is not #version");
    CHECK(load_error({{"a.comp", "#include \"x\"\n"}, {"x", "#version 430\n"}}) ==
          "a.comp:1: the first line of code is not #version");
    CHECK(load_error({{"a.comp", "#versions 430\n"}}) == "a.comp:1: the first line of code is not #version");
}

TEST_CASE("a define must have the name of a GLSL macro that is ours") {
    const Files files{{"a.comp", "#version 430\n"}};
    const std::string odd = GENERATE(as<std::string>{}, "", "1A", "A B", "A-B", "A(x)", "\xc3\xa4");
    CAPTURE(odd);
    CHECK(load_error(files, {{odd, "1"}}) == "define \"" + odd + "\" is not an identifier");
    const std::string reserved = GENERATE(as<std::string>{}, "GL_A", "__A", "A__B", "A__");
    CAPTURE(reserved);
    CHECK(load_error(files, {{reserved, "1"}}) == "define \"" + reserved + "\" is a name that GLSL reserves");
    const std::string fine = GENERATE(as<std::string>{}, "A", "_a9", "GLA", "A_GL_", "Z_z_0");
    CAPTURE(fine);
    CHECK(load_error(files, {{fine, "1"}}).empty());
}

TEST_CASE("the value of a define is one line of anything") {
    const Files files{{"a.comp", "#version 430\n"}};
    CHECK(load(files, {{"A", ""}, {"B", "vec2(1, 2)"}}).text ==
          "#version 430\n#define A \n#define B vec2(1, 2)\n#line 2 0\n");
    const std::string value = GENERATE(as<std::string>{}, "1\n2", "1\r", "1\\");
    CHECK(load_error(files, {{"A", value}}) == "the value of define \"A\" is not one line");
}

TEST_CASE("without GLPROC_GLSL_DIR the default reader gives the embedded files") {
    const GlslDir variable(GENERATE(as<const char*>{}, nullptr, ""));
    const glproc::GlslReader read = glproc::default_glsl_reader();
    REQUIRE_FALSE(glproc::embedded_glsl().empty());
    for (const auto& [name, text] : glproc::embedded_glsl()) {
        CHECK(read(name) == std::string(text));
    }
    CHECK(read("no such file") == std::nullopt);
}

TEST_CASE("GLPROC_GLSL_DIR makes the default reader read that folder alone") {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "glproc_loader_test";
    std::filesystem::create_directories(folder / "lib");
    std::ofstream(folder / "mine.comp", std::ios::binary) << "#version 430\r\n#include \"lib/mine.glsl\"\r\n";
    std::ofstream(folder / "lib" / "mine.glsl", std::ios::binary) << "mine";
    const std::optional<glproc::GlslReader> read = [&] {
        const GlslDir variable(folder.c_str());
        CHECK(load_shader("mine.comp", {}).text == "#version 430\n#line 2 0\n#line 1 1\nmine\n#line 3 0\n");
        return glproc::default_glsl_reader();
    }();
    CHECK((*read)("mine.comp") == "#version 430\r\n#include \"lib/mine.glsl\"\r\n");
    CHECK((*read)("lib") == std::nullopt);
    CHECK((*read)("no such file") == std::nullopt);
    REQUIRE_FALSE(glproc::embedded_glsl().empty());
    CHECK((*read)(glproc::embedded_glsl().begin()->first) == std::nullopt);
    std::filesystem::remove_all(folder);
}

namespace {

const std::vector<std::string> log_files{"blur.comp", "lib/border.glsl"};

} // namespace

TEST_CASE("Mesa's log is rewritten with columns") {
    CHECK(rewrite_log("0:12(3): error: `foo' undeclared\n"
                      "1:7(24): warning: `x' used uninitialized\n"
                      "0:30(1): preprocessor error: #endif without #if\n",
                      log_files) == "blur.comp:12:3: error: `foo' undeclared\n"
                                    "lib/border.glsl:7:24: warning: `x' used uninitialized\n"
                                    "blur.comp:30:1: preprocessor error: #endif without #if\n");
}

TEST_CASE("NVIDIA's log is rewritten and keeps its error numbers") {
    CHECK(rewrite_log("0(12) : error C1008: undefined variable \"foo\"\n"
                      "1(7) : warning C7050: \"x\" might be used before being initialized\n",
                      log_files) ==
          "blur.comp:12: error C1008: undefined variable \"foo\"\n"
          "lib/border.glsl:7: warning C7050: \"x\" might be used before being initialized\n");
}

TEST_CASE("the logs of AMD, Intel and glslangValidator are rewritten") {
    CHECK(rewrite_log("ERROR: 0:12: 'foo' : undeclared identifier \n"
                      "WARNING: 1:7: extension not supported\n"
                      "ERROR: 1:8: error(#143) Undeclared identifier: foo\n",
                      log_files) == "blur.comp:12: error: 'foo' : undeclared identifier \n"
                                    "lib/border.glsl:7: warning: extension not supported\n"
                                    "lib/border.glsl:8: error: error(#143) Undeclared identifier: foo\n");
}

TEST_CASE("other log lines pass through untouched") {
    const std::string log = GENERATE(
        as<std::string>{}, "", "\n", "\n\nx", "Compute info\n------------\n",
        "error: linking with uncompiled shader\n", "ERROR: 2 compilation errors.  No code generated.\n\n\n",
        "ERROR: shader.comp:1: '' : compilation terminated \n", "see 0:12(3): error: x\n", "0:12: x\n",
        "0(12) x\n", "0:12(3) x\n", "\r\n");
    CAPTURE(log);
    CHECK(rewrite_log(log, log_files) == log);
}

TEST_CASE("log lines with a source number that has no file pass through untouched") {
    const std::string log =
        GENERATE(as<std::string>{}, "2:12(3): error: x\n", "2(12) : error C1008: x\n", "ERROR: 2:12: x\n",
                 "99999999999999999999:1(1): error: x\n", "ERROR: 99999999999999999999:1: x\n");
    CAPTURE(log);
    CHECK(rewrite_log(log, log_files) == log);
    CHECK(rewrite_log("0:1(1): error: x\n", {}) == "0:1(1): error: x\n");
}

TEST_CASE("a log keeps its line ends and may lack the last one") {
    CHECK(rewrite_log("0(1) : error A: x\r\n\n0(2) : error A: y", log_files) ==
          "blur.comp:1: error A: x\r\n\nblur.comp:2: error A: y");
}

TEST_CASE("a log line of a megabyte is rewritten") {
    const std::string message(1 << 20, 'x');
    CHECK(rewrite_log("0:1(2): error: " + message, log_files) == "blur.comp:1:2: error: " + message);
}
