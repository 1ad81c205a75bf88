#include "glproc/gl/program.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/debug.hpp"
#include "glproc/gl/stopwatch.hpp"
#include "glproc/gl/watch.hpp"
#include "glproc/gl/wrong_kernel.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

/// Kernels that mention it have a form that compiles sooner.
constexpr const char* one_picture = "ONE_PICTURE";

/// "kinds/separable/direct.comp AXIS=0 BORDER=1": identifies a program, and is its label.
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

/// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/).
std::uint64_t hash(std::string_view text) {
    std::uint64_t result = 0xCBF29CE484222325U;
    for (const char c : text) {
        result = (result ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    }
    return result;
}

/// Reads kernels with this in the place where main() begins.
GlslReader with_main(const GlslReader& read, const std::string& main) {
    return [read, main](std::string_view name) {
        std::optional<std::string> text = read(name);
        constexpr std::string_view begin = "void main() {";
        const std::size_t at = text && name.ends_with(".comp") ? text->find(begin) : std::string::npos;
        if (at != std::string::npos) {
            text->replace(at, begin.size(), main);
        }
        return text;
    };
}

/// Kernels whose first work group does nothing, as if the driver had miscompiled them.
GlslReader wrong(const GlslReader& read) {
    return with_main(read, "void main() {if (gl_WorkGroupID == uvec3(0u)) { return; }");
}

/// Kernels that call a function which is declared and not there.
GlslReader unlinkable(const GlslReader& read) {
    return with_main(read, "void glproc_fault();\nvoid main() { glproc_fault();");
}

/// Reads kernels that no compiler accepts.
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

void ShaderTraits::destroy(unsigned id) {
    glDeleteShader(id);
}

Program::Program(std::string_view kernel, const Defines& defines, const std::optional<ProgramStore>& store,
                 const GlslReader& read, AskForThreads* ask_for_threads)
    : kernel_(kernel), source_(load_shader(kernel, defines, read)), identity_(hash(source_.text)),
      handle_(glCreateProgram()) {
    if (watch_program != nullptr) {
        watch_program(identity_, source_);
    }
    label_object(GL_PROGRAM, id(), program_key(kernel, defines));
    if (!store || !store->load(id(), source_.text)) {
        glProgramParameteri(id(), GL_PROGRAM_BINARY_RETRIEVABLE_HINT, store ? GL_TRUE : GL_FALSE);
        // Only now, and once: threads take milliseconds to start.
        if (ask_for_threads != nullptr && *ask_for_threads != nullptr) {
            constexpr unsigned enough = 16;
            std::exchange(*ask_for_threads, nullptr)(enough);
        }
        begin_link();
    }
}

bool Program::mentions(std::string_view name) const {
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const std::string_view text = source_.text;
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]))) {
            return true;
        }
    }
    return false;
}

void Program::begin_link() {
    shader_ = Handle<ShaderTraits>(glCreateShader(GL_COMPUTE_SHADER));
    const char* text = source_.text.c_str();
    glShaderSource(shader_.get(), 1, &text, nullptr);
    glCompileShader(shader_.get());
    glAttachShader(id(), shader_.get());
    glLinkProgram(id());
}

void Program::complete(const std::optional<ProgramStore>& store) {
    if (is_complete_) {
        return;
    }
    if (shader_) {
        check_link();
        glDetachShader(id(), shader_.get());
        shader_ = {};
        if (store) {
            store->save(id(), source_.text, false);
        }
    }
    glGetProgramiv(id(), GL_COMPUTE_WORK_GROUP_SIZE, group_size_.data());
    reflect_uniforms();
    reflect_storage();
    is_complete_ = true;
}

void Program::check_link() const {
    GLint ok = 0;
    GLint length = 0;
    glGetShaderiv(shader_.get(), GL_COMPILE_STATUS, &ok);
    if (ok == 0) {
        glGetShaderiv(shader_.get(), GL_INFO_LOG_LENGTH, &length);
        const std::string log = info_log(length, [&](GLsizei size, GLsizei* out, char* data) {
            glGetShaderInfoLog(shader_.get(), size, out, data);
        });
        throw Error(ErrorCode::operation, fmt::format("{} does not compile", kernel_),
                    rewrite_log(log, source_.files));
    }
    glGetProgramiv(id(), GL_LINK_STATUS, &ok);
    if (ok == 0) {
        glGetProgramiv(id(), GL_INFO_LOG_LENGTH, &length);
        const std::string log = info_log(length, [&](GLsizei size, GLsizei* out, char* data) {
            glGetProgramInfoLog(id(), size, out, data);
        });
        throw WrongKernel(ErrorCode::operation, fmt::format("{} does not link", kernel_),
                          rewrite_log(log, source_.files));
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

bool ProgramCache::has(std::string_view kernel, const Defines& defines) const {
    return programs_.contains(program_key(kernel, defines));
}

Program& ProgramCache::program(std::string_view kernel, const Defines& defines) {
    auto& program = programs_[program_key(kernel, defines)];
    if (!program) {
        const GlslReader& files = default_glsl_reader();
        const GlslReader read = kernel == broken_kernel_       ? broken(files)
                                : kernel == unlinkable_kernel_ ? unlinkable(files)
                                : kernel == wrong_kernel_      ? wrong(files)
                                                               : files;
        Defines all = defines;
        if (is_for_one_picture_ && read(kernel).value_or("").find(one_picture) != std::string::npos) {
            all.emplace(one_picture, "1");
        }
        program = std::make_unique<Program>(kernel, all, store_, read, &ask_for_threads_);
    }
    return *program;
}

const Program& ProgramCache::get(std::string_view kernel, const Defines& defines) {
    const auto found = programs_.find(program_key(kernel, defines));
    if (found != programs_.end() && found->second->is_complete()) {
        return *found->second;
    }
    const Stopwatch stopwatch(milliseconds_);
    Program& result = program(kernel, defines);
    try {
        result.complete(store_);
    } catch (const Error&) {
        programs_.erase(program_key(kernel, defines));
        throw;
    }
    return result;
}

const Program& ProgramCache::begin(std::string_view kernel, const Defines& defines) {
    const Stopwatch stopwatch(milliseconds_);
    return program(kernel, defines);
}

} // namespace glproc
