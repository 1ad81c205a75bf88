#include "glproc/files/y4m.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

namespace glproc {

namespace {

struct Colours {
    std::string_view name;
    int bits;
    int across;
    int down;
    bool centred_across;
    bool centred_down;
};

/// Where 4:2:0 does not say, its samples lie as JPEG has them, in the middle.
constexpr std::array<Colours, 11> known{{{"420jpeg", 8, 2, 2, true, true},
                                         {"420mpeg2", 8, 2, 2, false, true},
                                         {"420paldv", 8, 2, 2, false, false},
                                         {"420", 8, 2, 2, true, true},
                                         {"422", 8, 2, 1, false, false},
                                         {"444", 8, 1, 1, false, false},
                                         {"420p10", 10, 2, 2, false, true},
                                         {"422p10", 10, 2, 1, false, false},
                                         {"444p10", 10, 1, 1, false, false},
                                         {"420p8", 8, 2, 2, false, true},
                                         {"422p8", 8, 2, 1, false, false}}};

[[noreturn]] void fail(std::string_view name, const std::string& why) {
    throw Error(ErrorCode::input, fmt::format("{}: {}", name, why));
}

int side(std::string_view text, std::string_view name) {
    constexpr int most = 1 << 20;
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most) {
        fail(name, fmt::format("corrupt YUV4MPEG2: '{}' is not a size", text));
    }
    return number;
}

void take_colours(Y4mHeader& header, std::string_view text, std::string_view name) {
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Colours& one) { return one.name == text; });
    if (found == known.end()) {
        throw Error(ErrorCode::input, fmt::format("{}: YUV4MPEG2 with C{} is not supported", name, text),
                    "4:2:0, 4:2:2 and 4:4:4 of 8 and 10 bits are: ffmpeg -pix_fmt yuv420p");
    }
    header.bits = found->bits;
    header.across = found->across;
    header.down = found->down;
    header.centred_across = found->centred_across;
    header.centred_down = found->centred_down;
}

} // namespace

Y4mHeader parse_y4m(std::string_view line, std::string_view name) {
    Y4mHeader header;
    std::istringstream words{std::string(line)};
    std::string word;
    words >> word;
    if (word != y4m_magic) {
        fail(name, "not a YUV4MPEG2 stream");
    }
    take_colours(header, "420jpeg", name);
    while (words >> word) {
        const std::string_view value = std::string_view(word).substr(1);
        if (word[0] == 'W') {
            header.width = side(value, name);
        } else if (word[0] == 'H') {
            header.height = side(value, name);
        } else {
            header.parameters.push_back(word);
        }
        if (word[0] == 'C') {
            take_colours(header, value, name);
        }
        if (word == "XCOLORRANGE=FULL" || word == "XCOLORRANGE=LIMITED") {
            header.full_range = word.ends_with("FULL");
        }
    }
    if (header.width == 0 || header.height == 0) {
        fail(name, "corrupt YUV4MPEG2: no size");
    }
    return header;
}

std::string format_y4m(const Y4mHeader& header) {
    std::string line = fmt::format("{} W{} H{}", y4m_magic, header.width, header.height);
    for (const std::string& parameter : header.parameters) {
        line += " " + parameter;
    }
    return line + "\n";
}

} // namespace glproc
