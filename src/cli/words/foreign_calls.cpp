#include "cli/words/foreign_calls.hpp"

#include "cli/arguments.hpp"
#include "cli/words/magick.hpp"
#include "cli/words/magick_files.hpp"
#include "cli/words/magick_names.hpp"
#include "cli/words/own_files.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/number.hpp"
#include "glproc/files/inspect.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;
using Answer = std::optional<std::string>;

/// What follows the files, as a pattern: "$" is a number, "*" any word, else the word itself.
struct ForeignCall {
    std::string_view words;
    std::string_view call;                               ///< with $1 for the first value, and so on
    Answer (*make)(const Numbers&, const Form&) = nullptr; ///< in place of the values as they stand
};

/// A share of each side, as percent.
Answer by_share(const Numbers& n, const Form&) {
    return fmt::format("{:.6g}%x{:.6g}%", n[0] * 100, n.back() * 100);
}

/// The value at this place, from 0, of a window that is sorted.
Answer by_rank(const Numbers& n, const Form&) {
    const bool is_odd = std::fmod(n[0], 2) == 1 && std::fmod(n[1], 2) == 1;
    const double last = n[0] * n[1] - 1;
    if (!is_odd || n[2] < 0 || n[2] > last) {
        return std::nullopt;
    }
    const std::string radius = n[0] == n[1] ? fmt::format("{:.0f}", (n[0] - 1) / 2)
                                            : fmt::format("{:.0f},{:.0f}", (n[0] - 1) / 2, (n[1] - 1) / 2);
    return fmt::format("--radius {} --percentile {:.6g}", radius, last > 0 ? 100 * n[2] / last : 0);
}

/// OpenCV's Gaussian of so many pixels across.
Answer by_window(const Numbers& n, const Form&) {
    const double radius = (n[0] - 1) / 2;
    return radius < 1 || radius != std::floor(radius) || n.back() != n[0]
               ? Answer()
               : fmt::format("--sigma {:.6g} --radius {:.0f}", 0.3 * (radius - 1) + 0.8, radius);
}

/// A box of so many pixels across.
Answer by_radius(const Numbers& n, const Form&) {
    const double radius = (n[0] - 1) / 2;
    return radius < 1 || radius != std::floor(radius) ? Answer() : fmt::format("{:.0f}", radius);
}

/// The image at X,Y of a canvas, all of it inside.
Answer as_margins(const Numbers& n, const Form& image) {
    const double right = n[2] - n[0] - image.width;
    const double bottom = n[3] - n[1] - image.height;
    return image.width == 0 || n[0] < 0 || n[1] < 0 || right < 0 || bottom < 0
               ? Answer()
               : fmt::format("{:.0f},{:.0f},{:.0f},{:.0f}", n[0], n[1], right, bottom);
}

/// A matrix that takes points of the image to those of the result, which holds all of it.
Answer as_inverse(const Numbers& n, const Form& image) {
    const double area = n[0] * n[3] - n[1] * n[2];
    if (area == 0 || image.width == 0) {
        return std::nullopt;
    }
    const auto reach = [&](double a, double b) { // from the smallest to the largest of the corners
        const std::array<double, 4> at{0, a * image.width, b * image.height,
                                       a * image.width + b * image.height};
        return std::pair(std::floor(*std::min_element(at.begin(), at.end())),
                         std::ceil(*std::max_element(at.begin(), at.end())));
    };
    const auto [left, right] = reach(n[0], n[1]);
    const auto [top, bottom] = reach(n[2], n[3]);
    const auto row = [&](double a, double b) {
        return fmt::format("{:.6g},{:.6g},{:.6g}", a + 0.0, b + 0.0, a * left + b * top + 0.0);
    };
    return fmt::format("{},{} --size {:.0f}x{:.0f}", row(n[3] / area, -n[1] / area),
                       row(-n[2] / area, n[0] / area), right - left, bottom - top);
}

/// "255 0 0" of each channel.
Answer as_colour(const Numbers& n, const Form&) {
    const bool is_code = std::all_of(n.begin(), n.end(), [](double v) { return v >= 0 && v <= 255; });
    const auto code = [&](std::size_t i) {
        return static_cast<int>(std::lround(n[std::min(i, n.size() - 1)]));
    };
    return is_code ? Answer(fmt::format("'#{:02x}{:02x}{:02x}'", code(0), code(1), code(2))) : std::nullopt;
}

constexpr auto calls = std::to_array<ForeignCall>({
    {"gaussblur $", "blur IN OUT --sigma $1"},
    {"gaussianblur $", "blur IN OUT $", by_window},
    {"gaussianblur $ 0", "blur IN OUT $", by_window},
    {"gaussianblur $ $ 0", "blur IN OUT $", by_window},
    {"cv2.blur $", "box IN OUT --radius $", by_radius},
    {"cv2.dilate $", "dilate IN OUT --radius $", by_radius},
    {"cv2.erode $", "erode IN OUT --radius $", by_radius},
    {"gaussianblur $ $", "blur IN OUT $", by_window},
    {"medianblur $", "median IN OUT $",
     [](const Numbers& n, const Form& f) {
         return by_rank({n[0], n[0], (n[0] * n[0] - 1) / 2}, f);
     }},
    {"rank $ $ $", "median IN OUT $", by_rank},
    {"extractarea $ $ $ $", "crop IN OUT $3x$4+$1+$2"},
    {"embed $ $ $ $", "pad IN OUT --margin $", as_margins},
    {"gravity * $ $", "pad IN OUT --size $2x$3 --gravity $1"},
    {"zoom $ $", "resize IN OUT $ --filter nearest", by_share},
    {"resize --fx $ --fy $", "resize IN OUT $", by_share},
    {"affine $ $ $ $", "warp IN OUT --affine $", as_inverse},
    {"flatten --background $", "convert IN OUT --background $", as_colour},
    {"flatten --background $ $ $", "convert IN OUT --background $", as_colour},
    {"join vertical", "append INS OUT --direction down"},
    {"join horizontal", "append INS OUT"},
    {"flip 0", "flip IN OUT vertical"},
    {"flip 1", "flip IN OUT horizontal"},
    {"flip -1", "rotate IN OUT 180"},
    {"rot d90", "rotate IN OUT 90"},
    {"rot d180", "rotate IN OUT 180"},
    {"rot d270", "rotate IN OUT 270"},
    {"threshold $ $ threshbinary", "threshold IN OUT --at $1/255"},
    {"threshold $ $ threshbinaryinv", "pipe IN OUT threshold --at $1/255 then invert"},
    {"threshold $ $ threshotsu", "threshold IN OUT --rule otsu --luma rec601"},
    {"cvtcolor colorbgr2gray", "gray IN OUT --luma rec601"},
    {"cvtcolor colorrgb2gray", "gray IN OUT --luma rec601"},
    {"cvtcolor colorbgr2hsv", "color IN OUT hsv"},
    {"cvtcolor colorbgr2lab", "color IN OUT lab"},
});

Error usage(const std::string& what, const std::string& hint) {
    return {ErrorCode::usage, what, hint};
}

bool exists(const std::string& path) {
    std::error_code missing;
    return std::filesystem::exists(path, missing);
}

Texts parts_of(std::string_view text) {
    std::istringstream stream{std::string(text)};
    return {std::istream_iterator<std::string>(stream), {}};
}

/// "THRESH_BINARY", "extract_area", also with cv2. before it.
std::string bare(std::string_view word) {
    word.remove_prefix(word.starts_with("cv2.") ? 4 : 0);
    std::string text = lower(std::string(word));
    if (!text.starts_with('-')) {
        std::erase_if(text, [](char c) { return c == '-' || c == '_'; });
    }
    return text;
}

Answer number_in(const std::string& word) {
    double number = 0;
    return read_number(word, number).ptr == word.data() + word.size() && !word.empty() ? Answer(word)
                                                                                       : std::nullopt;
}

/// All that is no file, the words of "255 0 0" each by itself.
Texts values_in(const Texts& words) {
    Texts values;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (!looks_like_file(words[i])) {
            std::ranges::move(parts_of(words[i]), std::back_inserter(values));
        }
    }
    return values;
}

/// The values that a pattern asks for; nothing where others stand there.
std::optional<Texts> matched(const ForeignCall& call, const std::string& word, const Texts& values) {
    const Texts pattern = parts_of(call.words);
    const bool is_of_cv = pattern.front().starts_with("cv2."); // whose blur is another one
    if (pattern.front() != (is_of_cv ? lower(word) : bare(word)) || pattern.size() != values.size() + 1) {
        return std::nullopt;
    }
    Texts found;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string& asked = pattern[i + 1];
        const bool is_open = asked == "*" || (asked == "$" && number_in(values[i]));
        if (!is_open && asked != bare(values[i])) {
            return std::nullopt;
        }
        if (is_open) {
            found.push_back(values[i]);
        }
    }
    return found;
}

Form form_of(const Texts& files) {
    try {
        return files.empty() || !exists(files.front()) ? Form{} : inspect(files.front()).form;
    } catch (const Error&) { // the call itself will say it
        return {};
    }
}

Answer with_values(const ForeignCall& call, const Texts& values, const Texts& files) {
    std::string text(call.call);
    if (call.make != nullptr) {
        Numbers numbers(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            read_number(values[i], numbers[i]);
        }
        const Answer made = call.make(numbers, form_of(files));
        return made ? Answer(text.replace(text.find('$'), 1, *made)) : std::nullopt;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string mark = fmt::format("${}", i + 1);
        const std::size_t at = text.find(mark);
        text = at == std::string::npos ? text : text.replace(at, mark.size(), values[i]);
    }
    return text;
}

/// The row of the table for these words, with their files.
Answer from_table(const Texts& words) {
    const Texts values = values_in(words);
    for (const ForeignCall& call : calls) {
        if (const std::optional<Texts> found = matched(call, words.front(), values)) {
            Texts files;
            std::copy_if(words.begin() + 1, words.end(), std::back_inserter(files), looks_like_file);
            const Answer made = with_values(call, *found, files);
            return made ? Answer(call_with(*made, files)) : std::nullopt;
        }
    }
    return std::nullopt;
}

/// Without the program before it, and with each file of "a.png b.png" as a word of its own.
Texts as_typed_here(const Texts& words) {
    constexpr std::array<std::string_view, 4> programs{"magick", "gm", "vips", "ffmpeg"};
    const bool names_program =
        words.size() > 1 && std::find(programs.begin(), programs.end(), words.front()) != programs.end();
    Texts meant(words.begin() + (names_program ? 1 : 0), words.end());
    if (meant.front().starts_with("cv2.") && !exists(meant.front())) {
        meant.front().erase(0, 4);
    }
    const std::string command = bare(meant.front());
    if (command != "arrayjoin" && command != "bandjoin") {
        return meant;
    }
    Texts apart;
    for (const std::string& word : meant) {
        std::ranges::move(files_of(word), std::back_inserter(apart));
    }
    return apart;
}

} // namespace

std::string call_meant(const Texts& words) {
    try {
        static_cast<void>(parse_arguments(words));
    } catch (const Error& error) {
        return error.hint().empty() ? std::string(error.what()) : error.hint();
    }
    Texts quoted;
    std::transform(words.begin(), words.end(), std::back_inserter(quoted), shell_word);
    return fmt::format("glproc {}", fmt::join(quoted, " "));
}

void refuse_foreign_call(const std::vector<std::string>& words) {
    if (words.empty() || words.front().empty()) {
        return;
    }
    if (const Answer call = from_table(words)) {
        const Command* command = find_command(words.front());
        throw usage(command == nullptr ? fmt::format("unknown command '{}' (did you mean '{}'?)",
                                                     words.front(), call->substr(7, call->find(' ', 7) - 7))
                                       : fmt::format("{} takes other values here", words.front()),
                    *call);
    }
    for (const std::string& word : words) {
        const MagickFile file = magick_file(word);
        if (word.ends_with(']') && file.path != word && exists(file.path.substr(0, file.path.rfind('#')))) {
            Texts meant = words;
            std::replace(meant.begin(), meant.end(), word, file.path);
            throw usage(fmt::format("{}: no such file", word),
                        file.part.empty() ? call_meant(meant)
                                          : magick_call(words).value_or("glproc help crop"));
        }
    }
    if (const Texts meant = as_typed_here(words); meant != words) {
        throw usage(fmt::format("unknown command '{}'", words.front()), call_meant(meant));
    }
    const Command* named = find_command(bare(words.front()));
    if (named != nullptr && find_command(words.front()) == nullptr &&
        !looks_like_file(words.front())) { // "Canny"
        Texts meant = words;
        meant.front() = named->name;
        throw usage(fmt::format("unknown command '{}' (did you mean '{}'?)", words.front(), named->name),
                    call_meant(meant));
    }
}

} // namespace glproc::cli
