// The reader of .cube files.
#include "fuzz/fuzz.hpp"
#include "glproc/math/cube.hpp"

using namespace glproc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::expect_only({ErrorCode::input}, [&] {
        const Cube cube = parse_cube(fuzz::as_file(data, size), "fuzz.cube");
        const auto side = static_cast<std::size_t>(cube.size);
        fuzz::require(cube.size >= 2, "two entries or more");
        fuzz::require(cube.values.size() == 3 * (cube.has_three_axes ? side * side * side : side),
                      "as many entries as the size says");
    });
    return 0;
}
