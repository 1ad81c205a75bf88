#include "glproc/kinds/point_stage.hpp"

#include "glproc/error.hpp"
#include "glproc/shader/loader.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// The functions and constants that a file defines. As everywhere in glsl/, definitions begin at the first
/// column, and what is within them does not.
std::vector<std::string> names_in(const std::string& file) {
    const auto text = default_glsl_reader()(file);
    if (!text) {
        throw Error(ErrorCode::operation, fmt::format("there is no file \"{}\"", file));
    }
    std::vector<std::string> names;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || std::isalpha(static_cast<unsigned char>(line.front())) == 0) {
            continue;
        }
        std::istringstream words(line.substr(0, line.find_first_of("([=;")));
        std::string type;
        std::string name;
        for (std::string word; words >> word;) {
            type = std::exchange(name, word);
        }
        if (!type.empty()) {
            names.push_back(name);
        }
    }
    return names;
}

/// The file under names of its own.
std::string included(const std::string& file, std::size_t index) {
    const std::vector<std::string> names = names_in(file);
    std::string text;
    for (const std::string& name : names) {
        text += fmt::format("#define {0} {0}_{1}\n", name, index);
    }
    text += fmt::format("#include \"{}\"\n", file);
    for (const std::string& name : names) {
        text += fmt::format("#undef {}\n", name);
    }
    return text;
}

} // namespace

std::size_t params_room(const Point& point) {
    const std::size_t count = point.computed ? point.computed->bytes() / sizeof(float) : point.params.size();
    return std::bit_ceil(std::max<std::size_t>(count, 32));
}

std::string register_stage(const std::vector<PointStep>& steps) {
    std::string name = "run";
    std::string files;
    std::string calls;
    std::vector<std::string> known;
    std::size_t first_param = 0;
    for (const PointStep& step : steps) {
        name += fmt::format("+{}:{}:{}", step.glsl, step.params, step.channels);
        auto at = std::find(known.begin(), known.end(), step.glsl);
        const auto index = static_cast<std::size_t>(at - known.begin());
        if (at == known.end()) {
            known.push_back(step.glsl);
            files += included(step.glsl, index);
        }
        calls += fmt::format("    first_param = {};\n    v = point_{}(v);\n", first_param, index);
        calls += &step == &steps.back() ? "" : fmt::format("    v = kept(v, {});\n", step.channels);
        first_param += step.params;
    }
    register_glsl(name, fmt::format("// Point operations one after another; made by point_stage.cpp.\n"
                                    "{}\nvec4 point(vec4 v) {{\n{}    return v;\n}}\n",
                                    files, calls));
    return name;
}

} // namespace glproc
