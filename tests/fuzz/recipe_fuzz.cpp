// Recipes: operations and their flags as text.
#include "cli/pipe/recipe.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/scratch.hpp"

#include <string>

using namespace glproc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::string path = fuzz::scratch_folder() / "recipe";
    fuzz::write_scratch(path, data, size);
    const fuzz::Cost cost(size, 0);
    fuzz::expect_only({ErrorCode::input, ErrorCode::usage}, [&] {
        const std::vector<cli::PipeStep> steps = cli::read_recipe(path);
        fuzz::require(!steps.empty(), "a recipe has steps"); // how many a chain may have, it says itself
    });
    return 0;
}
