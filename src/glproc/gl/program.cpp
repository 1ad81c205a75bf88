#include "glproc/gl/program.hpp"

#include "glproc/error.hpp"
#include "glproc/gl/debug.hpp"

#include <chrono>
#include <vector>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

struct ShaderTraits {
    using Type = unsigned;
    static void destroy(unsigned id) { glDeleteShader(id); }
};

/// "blur_direct.comp AXIS=0 BORDER=1": what identifies a program, and its label.
std::string program_key(std::string_view kernel, const Defines& defines) {
    std::string key(kernel);
    for (const auto& [name, value] : defines) {
        key += fmt::format(" {}={}", name, value);
    }
    return key;
}

template <class GetLog>
std::string info_log(int length, GetLog get) {
    std::string log(static_cast<std::size_t>(length > 0 ? length : 1), '\0');
    GLsizei written = 0;
    get(static_cast<GLsizei>(log.size()), &written, log.data());
    log.resize(static_cast<std::size_t>(written));
    return log;
}

std::string resource_name(unsigned program, GLenum interface, GLuint index, GLint length) {
    std::string name(static_cast<std::size_t>(length), '\0');
    GLsizei written = 0;
    glGetProgramResourceName(program, interface, index, length, &written, name.data());
    name.resize(static_cast<std::size_t>(written));
    return name.substr(0, name.find('[')); // arrays are listed as "u_name[0]"
}

GLint count_resources(unsigned program, GLenum interface) {
    GLint count = 0;
    glGetProgramInterfaceiv(program, interface, GL_ACTIVE_RESOURCES, &count);
    return count;
}

/// Reads kernels that no compiler takes.
GlslReader broken(const GlslReader& read) {
    return [read](std::string_view name) {
        std::optional<std::string> text = read(name);
        if (text && name.ends_with(".comp")) {
            *text += "#error GLPROC_FAULT\n";
        }
        return text;
    };
}

} // namespace

void ProgramTraits::destroy(unsigned id) {
    glDeleteProgram(id);
}

Program::Program(std::string_view kernel, const Defines& defines, const std::optional<ProgramStore>& store,
                 const GlslReader& read) {
    const ShaderSource source = load_shader(kernel, defines, read);
    handle_ = Handle<ProgramTraits>(glCreateProgram());
    label_object(GL_PROGRAM, id(), program_key(kernel, defines));
    if (!store || !store->load(id(), source.text)) {
        glProgramParameteri(id(), GL_PROGRAM_BINARY_RETRIEVABLE_HINT, store ? GL_TRUE : GL_FALSE);
        link(kernel, source);
        if (store) {
            store->save(id(), source.text);
        }
    }
    glGetProgramiv(id(), GL_COMPUTE_WORK_GROUP_SIZE, group_size_.data());
    reflect_uniforms();
    reflect_storage();
    text_ = source.text;
}

void Program::link(std::string_view kernel, const ShaderSource& source) {
    const Handle<ShaderTraits> shader(glCreateShader(GL_COMPUTE_SHADER));
    const char* text = source.text.c_str();
    glShaderSource(shader.get(), 1, &text, nullptr);
    glCompileShader(shader.get());
    GLint ok = 0;
    GLint length = 0;
    glGetShaderiv(shader.get(), GL_COMPILE_STATUS, &ok);
    if (ok == 0) {
        glGetShaderiv(shader.get(), GL_INFO_LOG_LENGTH, &length);
        const std::string log = info_log(length, [&](GLsizei size, GLsizei* out, char* data) {
            glGetShaderInfoLog(shader.get(), size, out, data);
        });
        throw Error(ErrorCode::operation, fmt::format("{} does not compile", kernel),
                    rewrite_log(log, source.files));
    }
    glAttachShader(id(), shader.get());
    glLinkProgram(id());
    glDetachShader(id(), shader.get());
    glGetProgramiv(id(), GL_LINK_STATUS, &ok);
    if (ok == 0) {
        glGetProgramiv(id(), GL_INFO_LOG_LENGTH, &length);
        const std::string log = info_log(length, [&](GLsizei size, GLsizei* out, char* data) {
            glGetProgramInfoLog(id(), size, out, data);
        });
        throw Error(ErrorCode::operation, fmt::format("{} does not link", kernel),
                    rewrite_log(log, source.files));
    }
}

void Program::reflect_uniforms() {
    int images = 0;
    int samplers = 0;
    for (GLuint i = 0; i < static_cast<GLuint>(count_resources(id(), GL_UNIFORM)); ++i) {
        constexpr std::array<GLenum, 4> properties{GL_BLOCK_INDEX, GL_TYPE, GL_LOCATION, GL_NAME_LENGTH};
        std::array<GLint, 4> values{};
        glGetProgramResourceiv(id(), GL_UNIFORM, i, static_cast<GLsizei>(properties.size()),
                               properties.data(), static_cast<GLsizei>(values.size()), nullptr,
                               values.data());
        const auto [block, type, location, length] = values;
        if (block != -1) {
            continue; // a member of a uniform block
        }
        Slot slot{Slot::Kind::uniform, location};
        if (type == GL_UNSIGNED_INT_IMAGE_2D) {
            slot = {Slot::Kind::image, images++};
            glProgramUniform1i(id(), location, slot.index);
        } else if (type == GL_UNSIGNED_INT_SAMPLER_2D) {
            slot = {Slot::Kind::sampler, samplers++};
            glProgramUniform1i(id(), location, slot.index);
        }
        std::string name = resource_name(id(), GL_UNIFORM, i, length);
        name.resize(std::min(name.size(), name.find("[0]"))); // an array, by its own name
        if (!name.starts_with("gl_")) { // NVIDIA lists gl_SubgroupSize among the uniforms
            slots_.emplace(name, slot);
        }
    }
}

void Program::reflect_storage() {
    for (GLuint i = 0; i < static_cast<GLuint>(count_resources(id(), GL_SHADER_STORAGE_BLOCK)); ++i) {
        constexpr GLenum property = GL_NAME_LENGTH;
        GLint length = 0;
        glGetProgramResourceiv(id(), GL_SHADER_STORAGE_BLOCK, i, 1, &property, 1, nullptr, &length);
        glShaderStorageBlockBinding(id(), i, i);
        slots_.emplace(resource_name(id(), GL_SHADER_STORAGE_BLOCK, i, length),
                       Slot{Slot::Kind::storage, static_cast<int>(i)});
    }
}

const Program& ProgramCache::get(std::string_view kernel, const Defines& defines) {
    auto& program = programs_[program_key(kernel, defines)];
    if (!program) {
        const auto begin = std::chrono::steady_clock::now();
        const GlslReader read =
            kernel == broken_kernel_ ? broken(default_glsl_reader()) : default_glsl_reader();
        program = std::make_unique<Program>(kernel, defines, store_, read);
        milliseconds_ +=
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }
    return *program;
}

} // namespace glproc
