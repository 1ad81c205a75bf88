// The header of YUV4MPEG2.
#include "fuzz/fuzz.hpp"
#include "glproc/files/y4m.hpp"

#include <string>

using namespace glproc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::Cost cost(size, 0);
    fuzz::expect_only({ErrorCode::input}, [&] {
        const Y4mHeader header = parse_y4m({reinterpret_cast<const char*>(data), size}, "fuzz.y4m");
        fuzz::require(header.width >= 1 && header.height >= 1, "a frame has pixels");
        const std::string line = format_y4m(header);
        const Y4mHeader again = parse_y4m({line.data(), line.size() - 1}, "again.y4m");
        fuzz::require(again.width == header.width && again.height == header.height &&
                          again.bits == header.bits && again.across == header.across &&
                          again.down == header.down && again.full_range == header.full_range &&
                          again.parameters == header.parameters,
                      "what is written reads back");
    });
    return 0;
}
