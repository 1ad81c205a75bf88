#include "glproc/kinds/point_stage.hpp"

#include "glproc/base/error.hpp"
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
/// column, and their contents do not.
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

/// A file with a point() that consists of calls.
class Stage {
  public:
    /// `first_param` is where its parameters begin, and a value is kept where more follows. With `by_code` what
    /// its colours come in by is looked up.
    void call(const PointStep& step, std::size_t first_param, bool more, bool by_code = false) {
        auto at = std::find(known_.begin(), known_.end(), step.glsl);
        const auto index = static_cast<std::size_t>(at - known_.begin());
        if (at == known_.end()) {
            known_.push_back(step.glsl);
            files_ += included(step.glsl, index);
        }
        name_ += fmt::format("+{}:{}:{}{}", step.glsl, first_param, step.channels, by_code ? ":by-code" : "");
        calls_ += fmt::format("    first_param = {};\n", first_param);
        if (by_code) {
            entered_ = fmt::format("#define ENTERS_LATER\n"
                                   "vec3 entered(vec3 v) {{\n    first_param = {};\n    return entered_{}(v);\n}}\n",
                                   first_param, index);
            calls_ += "    v = vec4(COME_IN(v.rgb), v.a);\n";
        } else if (step.enters) {
            calls_ += fmt::format("    v = vec4(entered_{}(v.rgb), v.a);\n", index);
        }
        calls_ += fmt::format("    v = point_{}(v);\n", index);
        calls_ += more ? fmt::format("    v = kept(v, {});\n", step.channels) : "";
    }

    void look_up(std::size_t table, int channels) {
        name_ += fmt::format("+table:{}:{}", table, channels);
        calls_ += fmt::format("    v = looked_up({}, v, {});\n", table, channels);
    }

    std::string registered() const {
        register_glsl(name_, fmt::format("// Point operations one after another; made by point_stage.cpp.\n"
                                         "{}{}\nvec4 point(vec4 v) {{\n{}    return v;\n}}\n",
                                         files_, entered_, calls_));
        return name_;
    }

  private:
    std::string name_ = "run";
    std::string files_;
    std::string entered_;
    std::string calls_;
    std::vector<std::string> known_;
};

/// One past the last step that a table can do together with the step at `first`; `first` if a table gains
/// nothing.
std::size_t end_of_table(const std::vector<PointStep>& steps, std::size_t first) {
    const auto begin = steps.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end =
        std::find_if(begin, steps.end(), [](const PointStep& step) { return !step.channelwise; });
    const bool gains = std::any_of(begin, end, [](const PointStep& step) { return !step.quick; });
    return gains ? static_cast<std::size_t>(end - steps.begin()) : first;
}

} // namespace

std::size_t params_room(const Point& point) {
    const std::size_t count = point.computed ? point.computed->bytes() / sizeof(float) : point.params.size();
    return std::bit_ceil(std::max<std::size_t>(count, 16));
}

PointStages register_stages(const std::vector<PointStep>& steps, bool by_code) {
    constexpr std::size_t most_tables = 8; // of kinds/point.comp
    PointStages stages;
    Stage pixels;
    std::size_t first_param = 0;
    for (std::size_t i = 0; i < steps.size();) {
        const std::size_t end = stages.tables.size() < most_tables ? end_of_table(steps, i) : i;
        if (end == i) {
            const bool looks_up = by_code && steps[i].enters && !stages.enters;
            pixels.call(steps[i], first_param, i + 1 < steps.size(), looks_up);
            stages.enters = stages.enters || looks_up;
            first_param += steps[i++].params;
            continue;
        }
        const std::size_t first = i;
        Stage table;
        for (; i < end; ++i) {
            table.call(steps[i], first_param, i + 1 < end);
            first_param += steps[i].params;
        }
        const bool is_all = i == steps.size() && stages.tables.empty() && first == 0;
        pixels.look_up(stages.tables.size(), steps[i - 1].channels);
        stages.tables.push_back(table.registered());
        if (is_all) {
            return stages;
        }
    }
    stages.pixels = pixels.registered();
    return stages;
}

} // namespace glproc
