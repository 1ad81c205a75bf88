// Recipes: operations and their flags as text.
#include "cli/pipe/recipe.hpp"
#include "fuzz/fuzz.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace glproc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::string path =
        (std::filesystem::temp_directory_path() / ("glproc-fuzz-" + std::to_string(::getpid()))).string();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    const fuzz::Cost cost(size, 0);
    fuzz::expect_only({ErrorCode::input, ErrorCode::usage}, [&] {
        const std::vector<cli::PipeStep> steps = cli::read_recipe(path);
        fuzz::require(!steps.empty() && steps.size() <= cli::max_pipe_steps,
                      "a recipe has steps, and not too many");
    });
    return 0;
}
