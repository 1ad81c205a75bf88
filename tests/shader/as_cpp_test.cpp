#include "glproc/shader/as_cpp.hpp"

#include "support/catch.hpp"

#include <optional>
#include <string>

using namespace glproc;

namespace {

std::string cpp_of(const std::string& body) {
    const GlslReader read = [&](std::string_view) { return std::optional<std::string>("#version 430 core\n" + body); };
    const std::string text = as_cpp(load_shader("a.comp", {}, read), "glsl");
    const std::string line = "#line 2 \"glsl/a.comp\"\n";
    return text.substr(text.find(line) + line.size());
}

} // namespace

TEST_CASE("GLSL as C++: only the spelling changes") {
    CHECK(cpp_of("float f(inout vec4 v, out float a[2]) { return 1.5e-3 * v.x + 2.0lf; } // text\n") ==
          "float f(vec4& v, float (&a)[2]) { return 1.5e-3F * v.x + 2.0; } \n");
    CHECK(cpp_of("uniform float u_params[16];\nfloat later(vec2 v);\n") == "float u_params[16];\n\n");
    CHECK(cpp_of("layout(std430) readonly buffer b_params { float params[]; };\n") == "const float* params = nullptr;\n");
    CHECK(cpp_of("struct Share {\n    float part;\n    float whole;\n};\n") ==
          "struct Share { Share() = default; Share(float part_, float whole_) : part(part_), whole(whole_) {}\n    float part;\n"
          "    float whole;\n};\n");
}
