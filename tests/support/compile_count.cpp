#include "support/compile_count.hpp"

#include <cstddef>
#include <functional>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include <ctime>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc::test {

namespace {

/// What was compiled. Functions of OpenGL are replaced by ones that count, because drivers compile a kernel
/// partly when it is linked and partly, llvmpipe most of it, when it is first dispatched.
struct Compiles {
    std::mutex mutex;
    std::size_t programs = 0;
    std::set<std::size_t> texts; ///< of all kernels, as hashes
    std::set<unsigned> undispatched;
    double seconds = 0; ///< of the CPU, on the threads that called
    std::size_t reported_programs = 0;
    double reported_seconds = 0;

    PFNGLSHADERSOURCEPROC shader_source = nullptr;
    PFNGLCOMPILESHADERPROC compile_shader = nullptr;
    PFNGLLINKPROGRAMPROC link_program = nullptr;
    PFNGLUSEPROGRAMPROC use_program = nullptr;
    PFNGLDISPATCHCOMPUTEPROC dispatch = nullptr;
};

Compiles& compiles() {
    static Compiles all;
    return all;
}

thread_local unsigned used_program = 0;

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void timed(const std::function<void()>& call) {
    const double begin = cpu_seconds();
    call();
    const std::lock_guard lock(compiles().mutex);
    compiles().seconds += cpu_seconds() - begin;
}

void GLAD_API_PTR shader_source(GLuint shader, GLsizei count, const GLchar* const* text,
                                const GLint* length) {
    {
        const std::lock_guard lock(compiles().mutex);
        compiles().texts.insert(std::hash<std::string_view>()(text[0]));
    }
    compiles().shader_source(shader, count, text, length);
}

void GLAD_API_PTR compile_shader(GLuint shader) {
    timed([=] { compiles().compile_shader(shader); });
}

void GLAD_API_PTR link_program(GLuint program) {
    {
        const std::lock_guard lock(compiles().mutex);
        ++compiles().programs;
        compiles().undispatched.insert(program);
    }
    timed([=] { compiles().link_program(program); });
}

void GLAD_API_PTR use_program(GLuint program) {
    used_program = program;
    compiles().use_program(program);
}

void GLAD_API_PTR dispatch(GLuint x, GLuint y, GLuint z) {
    bool is_first = false;
    {
        const std::lock_guard lock(compiles().mutex);
        is_first = compiles().undispatched.erase(used_program) != 0;
    }
    if (is_first) {
        timed([=] { compiles().dispatch(x, y, z); });
    } else {
        compiles().dispatch(x, y, z);
    }
}

template <class Function>
void replace(Function& of_driver, Function& kept, Function counting) {
    if (of_driver != counting) {
        kept = std::exchange(of_driver, counting);
    }
}

} // namespace

void count_compiles() {
    if (glad_glLinkProgram == nullptr) {
        return; // no context yet
    }
    Compiles& all = compiles();
    const std::lock_guard lock(all.mutex);
    replace(glad_glShaderSource, all.shader_source, &shader_source);
    replace(glad_glCompileShader, all.compile_shader, &compile_shader);
    replace(glad_glLinkProgram, all.link_program, &link_program);
    replace(glad_glUseProgram, all.use_program, &use_program);
    replace(glad_glDispatchCompute, all.dispatch, &dispatch);
}

std::string compiles_so_far() {
    const Compiles& all = compiles();
    return all.programs == 0 ? std::string()
                             : fmt::format("compiled {} programs, {} different, in {:.1f} s", all.programs,
                                           all.texts.size(), all.seconds);
}

std::string compiles_since_last_time() {
    Compiles& all = compiles();
    const std::size_t programs = all.programs - std::exchange(all.reported_programs, all.programs);
    const double seconds = all.seconds - std::exchange(all.reported_seconds, all.seconds);
    return fmt::format("{:4} programs {:6.1f} s", programs, seconds);
}

} // namespace glproc::test
