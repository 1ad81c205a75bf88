#include "cli/files/size_limit.hpp"

#include "cli/files/picture_output.hpp"
#include "glproc/base/error.hpp"

#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

std::size_t parse_size_limit(const std::string& text) {
    const char unit = text.empty() ? '\0' : text.back();
    const bool kilo = unit == 'K' || unit == 'k';
    const bool mega = unit == 'M' || unit == 'm';
    const double scale = kilo ? 1024 : mega ? 1024 * 1024 : 1;
    const std::string number = text.substr(0, text.size() - (kilo || mega ? 1 : 0));
    constexpr double most = 1e12;
    if (number.empty() || number.find_first_not_of("0123456789.") != std::string::npos) {
        throw Error(ErrorCode::usage, fmt::format("--max-size {} is not a file size", text),
                    "300K, 1.5M, or a number of bytes");
    }
    return static_cast<std::size_t>(parse_number({"max-size", "", {1 / scale, most / scale}}, number) * scale);
}

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

} // namespace glproc::cli
