#include "cli/words/magick.hpp"

#include "cli/words/thesaurus.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

/// "0x1.5+1+0.02" cut at x, comma and plus.
std::vector<std::string> numbers_in(const std::string& geometry) {
    std::vector<std::string> numbers(1);
    for (const char c : geometry) {
        if (c == 'x' || c == ',' || c == '+') {
            numbers.emplace_back();
        } else if (c != '%' && c != '!') {
            numbers.back() += c;
        }
    }
    return numbers;
}

/// The value of an adjustment in percent, where 0 changes nothing.
std::string share(const std::string& percent, double neutral) {
    return fmt::format("{:.4g}", (std::atof(percent.c_str()) - neutral) / 100);
}

/// "RADIUSxSIGMA": the radius follows from sigma.
std::string sigma_of(const std::string& value) {
    const std::vector<std::string> n = numbers_in(value);
    return "--sigma " + (n.size() > 1 ? n[1] : n[0]);
}

std::string unsharp_of(const std::string& value) {
    const std::vector<std::string> n = numbers_in(value);
    return sigma_of(value) + (n.size() > 2 ? " --amount " + n[2] : "") +
           (n.size() > 3 ? " --threshold " + n[3] : "");
}

std::string levels_of(const std::string& value) {
    const std::vector<std::string> n = numbers_in(value);
    return fmt::format("--black {}", share(n[0], 0)) +
           (n.size() > 1 ? fmt::format(" --white {}", share(n[1], 0)) : "") +
           (n.size() > 2 ? " --gamma " + n[2] : "");
}

/// Brightness, saturation and hue in percent of what they are.
std::string modulate_of(const std::string& value) {
    const std::vector<std::string> n = numbers_in(value);
    return fmt::format("--brightness {}", share(n[0], 100)) +
           (n.size() > 1 ? fmt::format(" --saturation {}", share(n[1], 0)) : "") +
           (n.size() > 2 ? fmt::format(" --hue {:.4g}", (std::atof(n[2].c_str()) - 100) * 1.8) : "");
}

std::string brightness_contrast_of(const std::string& value) {
    const std::vector<std::string> n = numbers_in(value);
    return fmt::format("--brightness {}", share(n[0], 0)) +
           (n.size() > 1 ? fmt::format(" --contrast {}", share(n[1], 0)) : "");
}

std::string threshold_of(const std::string& value) {
    return "--at " + (value.ends_with('%') ? share(value, 0) : value + "/255");
}

std::string margin_of(const std::string& value) {
    const std::vector<std::string> n = numbers_in(value);
    return n.size() > 1 ? fmt::format("--margin {0},{1},{0},{1}", n[0], n[1]) : "--margin " + n[0];
}

/// "WxH+X+Y", or "WxH" where something else says where.
std::string crop_of(const std::string& value) {
    const std::vector<std::string> n = numbers_in(value);
    return n.size() == 4 ? fmt::format("--rect {},{},{},{}", n[2], n[3], n[0], n[1]) : "--size " + value;
}

std::string size_of(const std::string& value) {
    std::string size = value;
    std::erase(size, '!');
    return size.find_first_of("x%") == std::string::npos ? size + "x" : size;
}

/// "800x600" keeps the aspect there; "800x600!" does not.
std::string resize_of(const std::string& value) {
    if (value.ends_with('>')) {
        return "'" + value + "'"; // which shells would take for a file
    }
    const bool is_box = value.find('x') != std::string::npos && !value.ends_with('x') &&
                        !value.starts_with('x') && !value.ends_with('!') && !value.ends_with('^');
    std::string size = size_of(value);
    std::erase(size, '^');
    return size + (is_box ? " --fit" : value.ends_with('^') ? " --fill" : "");
}

std::string depth_of(const std::string& value) {
    return value == "32" ? "f32" : value;
}

std::string digits_of(const std::string& value) {
    std::string digits = value;
    std::erase(digits, ':');
    return digits;
}

/// A flag of ImageMagick.
struct MagickFlag {
    std::string_view name;
    bool takes_value;
    std::string_view operation;      ///< empty for what is said of the file that is written
    std::string_view arguments = {}; ///< fixed ones
    std::string (*convert)(const std::string&) = nullptr; ///< those of a value
};

std::string compression_of(const std::string& value) {
    std::string name = value;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name == "group4" || name == "fax" ? "g4" : name == "zip" ? "deflate" : name == "rle" ? "packbits" : name;
}

std::string as_it_is(const std::string& value) {
    return value;
}

constexpr std::array<MagickFlag, 45> magick_flags{{
    {"resize", true, "resize", "", resize_of},
    {"scale", true, "resize", "", resize_of},
    {"sample", true, "resize", "--filter nearest", resize_of},
    {"thumbnail", true, "resize", "", resize_of},
    {"adaptive-resize", true, "resize", "", resize_of},
    {"blur", true, "blur", "", sigma_of},
    {"gaussian-blur", true, "blur", "", sigma_of},
    {"sharpen", true, "unsharp", "", sigma_of},
    {"unsharp", true, "unsharp", "", unsharp_of},
    {"median", true, "median", "--radius", as_it_is},
    {"edge", true, "sobel", "", nullptr},
    {"negate", false, "invert"},
    {"flip", false, "flip", "--axis y"},
    {"flop", false, "flip", "--axis x"},
    {"rotate", true, "rotate", "--angle", as_it_is},
    {"crop", true, "crop", "", crop_of},
    {"extent", true, "pad", "--size", as_it_is},
    {"border", true, "pad", "", margin_of},
    {"threshold", true, "threshold", "", threshold_of},
    {"auto-threshold", true, "threshold", "--method otsu", nullptr},
    {"monochrome", false, "threshold", "--method otsu"},
    {"normalize", false, "levels", "--auto"},
    {"auto-level", false, "levels", "--auto=0"},
    {"contrast-stretch", true, "levels", "--auto", nullptr},
    {"level", true, "levels", "", levels_of},
    {"gamma", true, "levels", "--gamma", as_it_is},
    {"modulate", true, "adjust", "", modulate_of},
    {"brightness-contrast", true, "adjust", "", brightness_contrast_of},
    {"equalize", false, "equalize"},
    {"colorspace", true, "gray", "", nullptr},
    {"despeckle", false, "median", "--radius 1"},
    {"convolve", true, "convolve", "--kernel", as_it_is},
    {"quality", true, "", "--quality", as_it_is},
    {"colors", true, "", "--colors", as_it_is},
    {"compress", true, "", "--compression", compression_of},
    {"strip", false, "", "--strip"},
    {"depth", true, "", "--depth", depth_of},
    {"flatten", false, "", "--flatten white"},
    {"alpha", true, "", "--flatten white", nullptr},
    {"interlace", true, "", "--progressive", nullptr},
    {"sampling-factor", true, "", "--subsampling", digits_of},
    {"format", true, "", "--to", as_it_is},
    {"background", true, "", "", nullptr},
    {"auto-orient", false, "", ""},
    {"gravity", true, "", "", nullptr},
}};

const MagickFlag* find_magick(std::string_view name) {
    const auto found = std::find_if(magick_flags.begin(), magick_flags.end(),
                                    [&](const MagickFlag& flag) { return flag.name == name; });
    return found == magick_flags.end() ? nullptr : &*found;
}

/// Beside the words that both write the same.
std::string arguments_of(const MagickFlag& flag, const std::string& value) {
    std::vector<std::string> parts;
    if (!flag.arguments.empty()) {
        parts.emplace_back(flag.arguments);
    }
    if (flag.convert != nullptr) {
        parts.push_back(flag.convert(value));
    }
    return fmt::format("{}", fmt::join(parts, " "));
}

void add(std::string& text, std::string_view word) {
    text += word.empty() ? "" : fmt::format("{}{}", text.empty() ? "" : " ", word);
}

} // namespace

std::optional<std::string> magick_call(const std::vector<std::string>& words) {
    std::vector<std::string> files;
    std::vector<std::string> operations;
    std::string settings;
    // Neither mogrify's calls nor those of `magick` name a command of ours first.
    const bool has_command = !words.empty() && !words.front().starts_with('-') &&
                             words.front().find_first_of("./") == std::string::npos;
    for (std::size_t i = has_command ? 1 : 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word.size() < 2 || (word[0] != '-' && word[0] != '+')) {
            files.push_back(word);
            continue;
        }
        const MagickFlag* flag = find_magick(std::string_view(word).substr(1));
        if (flag == nullptr || (flag->takes_value && i + 1 == words.size())) {
            return std::nullopt;
        }
        const std::string arguments = arguments_of(*flag, flag->takes_value ? words[++i] : "");
        if (flag->operation.empty()) {
            add(settings, arguments);
        } else {
            operations.emplace_back(flag->operation);
            add(operations.back(), arguments);
        }
    }
    const std::string in = files.empty() ? "in.png" : files.front();
    const std::string out = files.size() < 2 ? "out.png" : files.back();
    std::string call;
    if (operations.size() > 1) {
        call = fmt::format("glproc pipe {} {} {}", in, out, fmt::join(operations, " then "));
    } else {
        const std::string one = operations.empty() ? "convert" : operations.front();
        const std::size_t end = std::min(one.find(' '), one.size());
        call = fmt::format("glproc {} {} {}{}", one.substr(0, end), in, out, one.substr(end));
    }
    add(call, settings);
    return call;
}

std::optional<std::string> magick_arguments(const std::string& operation, const std::string& value) {
    const bool is_geometry = value.find_first_of("x+%") != std::string::npos &&
                             value.find_first_not_of("0123456789.x+%!") == std::string::npos;
    const MagickFlag* flag = is_geometry ? find_magick(operation) : nullptr;
    return flag != nullptr && flag->convert != nullptr && flag->operation == operation
               ? std::optional(arguments_of(*flag, value))
               : std::nullopt;
}

} // namespace glproc::cli
