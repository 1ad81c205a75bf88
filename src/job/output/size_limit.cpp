#include "job/output/size_limit.hpp"

#include "glproc/base/error.hpp"
#include "job/output/encoding.hpp"

#include <utility>

#include <fmt/format.h>

namespace glproc::job {

std::vector<std::byte> encode_within(std::size_t most, const Image& image, const std::string& format,
                                     EncodeOptions options, std::string_view name) {
    const std::size_t noted = options.notes == nullptr ? 0 : options.notes->size();
    std::vector<std::byte> best;
    int good = static_cast<int>(quality_limit.low) - 1;
    int bad = static_cast<int>(quality_limit.high) + 1;
    std::size_t least = 0;
    while (good + 1 < bad) {
        options.quality = (good + bad) / 2;
        if (options.notes != nullptr) {
            options.notes->resize(noted); // each try says the same
        }
        std::vector<std::byte> file = encode(image, format, options);
        if (file.size() <= most) {
            good = *options.quality;
            best = std::move(file);
        } else {
            bad = *options.quality;
            least = file.size();
        }
    }
    if (best.empty()) {
        throw Error(ErrorCode::operation,
                    fmt::format("{}: has {} bytes even at quality {}; --max-size allows {}", name, least,
                                quality_limit.low, most),
                    "make the image smaller, for example with glproc resize");
    }
    return best;
}

} // namespace glproc::job
