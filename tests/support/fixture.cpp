#define CATCH_CONFIG_EXTERNAL_INTERFACES // Catch2 2: listeners outside of the main file

#include "support/fixture.hpp"

#include "glproc/base/error.hpp"
#include "glproc/shader/embedded.hpp"
#include "support/catch.hpp"
#include "support/compile_count.hpp"
#include "support/dispatch_dump.hpp"
#include "support/warnings.hpp"

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace glproc::test {

namespace {

std::vector<std::string>& warnings() {
    static std::vector<std::string> all;
    return all;
}

std::unique_ptr<Context>& shared_context() {
    static std::unique_ptr<Context> context;
    return context;
}

std::string variable(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

Backend backend_of(const std::string& name) {
    if (name == "glfw") {
        return Backend::glfw;
    }
    if (name == "egl") {
        return Backend::egl;
    }
    if (name == "auto") {
        return Backend::automatic;
    }
    throw Error(ErrorCode::usage, "GLPROC_BACKEND is " + name, "auto, glfw or egl");
}

#if __has_include(<catch2/catch_all.hpp>)
using ListenerBase = Catch::EventListenerBase;
std::string name_of(const Catch::TestCaseStats& stats) { return stats.testInfo->name; }
#else
using ListenerBase = Catch::TestEventListenerBase;
std::string name_of(const Catch::TestCaseStats& stats) { return stats.testInfo.name; }
#endif

/// Empties Mesa's cache of compiled programs where ctest names one. A program from there was compiled without
/// a warning, or the same warning would fail a test once and never again.
void forget_compiled() {
    const std::string folder = variable("MESA_SHADER_CACHE_DIR", "");
    if (!folder.empty()) {
        std::error_code ignored;
        std::filesystem::remove_all(std::filesystem::path(folder) / "mesa_shader_cache", ignored);
    }
}

/// Destroys the shared context after the last test, and says what was compiled: with GLPROC_TEST_COMPILES set, by each test.
class Cleanup : public ListenerBase {
  public:
    using ListenerBase::ListenerBase;
    void testCaseStarting(const Catch::TestCaseInfo& /*info*/) override { count_compiles(); }
    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        if (!variable("GLPROC_TEST_COMPILES", "").empty()) {
            std::cerr << compiles_since_last_time() << ": " << name_of(stats) << '\n';
        }
    }
    void testRunEnded(const Catch::TestRunStats& stats) override {
        shared_context().reset();
        if (!stats.totals.testCases.allPassed()) {
            forget_compiled();
        }
        if (const std::string compiles = compiles_so_far(); !compiles.empty()) {
            std::cerr << compiles << '\n';
        }
    }
};

CATCH_REGISTER_LISTENER(Cleanup)

const bool dumps = dump_dispatches(variable("GLPROC_TEST_DISPATCHES", ""));

} // namespace

ContextOptions gpu_options() {
    ContextOptions options;
    options.backend = backend_of(variable("GLPROC_BACKEND", "auto"));
    options.device = variable("GLPROC_DEVICE", "auto");
    options.debug = true;
    return options;
}

ContextOptions second_context_options() {
    ContextOptions options = gpu_options();
    options.backend = Backend::egl;
    return options;
}

Context& gpu() {
    std::unique_ptr<Context>& context = shared_context();
    if (!context) {
        ContextOptions options = gpu_options();
        options.memory_bytes = std::uint64_t{512} << 20U; // as of software renderers, so that bands are cut alike everywhere
        options.warn = [](const std::string& what) { warnings().push_back(what); };
        context = std::make_unique<Context>(options);
        count_compiles();
        std::cerr << "renderer: " << context->device().renderer << ", " << context->device().version << ", "
                  << context->device().backend << '\n';
    }
    return *context;
}

const std::vector<std::string>& gpu_warnings() {
    return warnings();
}

void with_second_context(const ContextOptions& options, const std::function<void(Context&)>& work) {
    std::exception_ptr failure;
    std::thread([&] {
        try {
            Context context(options);
            work(context);
        } catch (...) {
            failure = std::current_exception();
        }
    }).join();
    if (failure) {
        std::rethrow_exception(failure);
    }
}

ScopedKernels::ScopedKernels(const std::map<std::string, std::string>& kernels, const GlslReader& lib)
    : variable_("GLPROC_GLSL_DIR", folder_.path().string()) {
    const auto write = [&](std::string_view name, std::string_view text) {
        const std::filesystem::path path = folder_.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    };
    for (const auto& [name, text] : embedded_glsl()) {
        if (name.starts_with("lib/") || name.starts_with("transfer/") ||
            name == "copy.comp") { // what every context needs
            write(name, lib(name).value_or(""));
        }
    }
    for (const auto& [name, text] : kernels) {
        write(name, text);
    }
}

} // namespace glproc::test
