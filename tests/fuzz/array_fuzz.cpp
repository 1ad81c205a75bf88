// The readers of arrays: .npy and raw elements.
#include "fuzz/fuzz.hpp"
#include "glproc/files/npy.hpp"

using namespace glproc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = fuzz::as_file(data, size);
    fuzz::expect_only({ErrorCode::input}, [&] {
        const Array array = parse_npy(file, "fuzz.npy");
        std::size_t count = 1;
        for (const std::size_t side : array.shape) {
            count *= side;
        }
        fuzz::require(count == array.count(), "as many elements as the shape says");
        const Array again = parse_npy(format_npy(array), "again.npy");
        fuzz::require(again.type == array.type && again.shape == array.shape && again.bytes == array.bytes,
                      "what is written reads back");
    });
    fuzz::expect_only({ErrorCode::input}, [&] {
        const Array array = parse_raw(file, ArrayType::u32, "fuzz.raw");
        fuzz::require(array.bytes.size() == size, "raw bytes stay as they are");
    });
    return 0;
}
