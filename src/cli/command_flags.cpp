// How flags of commands are found by their word, and the flags that all commands share.
#include "cli/commands.hpp"

#include "cli/files/file_flags.hpp"
#include "cli/help/help.hpp"
#include "cli/settings.hpp"

#include <algorithm>
#include <utility>

namespace glproc::cli {

const Flag* find_flag(const std::vector<Flag>& flags, std::string_view word) {
    const std::string_view dashed = word.substr(0, word.find('='));
    const bool is_long = dashed.starts_with("--");
    const std::string_view name = dashed.substr(std::min<std::size_t>(dashed.size(), is_long ? 2 : 1));
    const bool is_short = dashed.starts_with('-') && name.size() == 1;
    const auto found = std::find_if(flags.begin(), flags.end(), [&](const Flag& flag) {
        return is_long ? name == flag.info.name || (!flag.info.alias.empty() && name == flag.info.alias)
                       : is_short && flag.letter == name.front();
    });
    return found == flags.end() ? nullptr : &*found;
}

bool is_flag(std::string_view word) {
    constexpr std::string_view digits = "0123456789";
    const std::size_t first = word.find_first_of(digits);
    const bool is_number = (first == 1 || (first == 2 && word[1] == '.')) && word != "-0" &&
                           word.find_first_not_of("0123456789.,x%+-/:eE", 1) == std::string_view::npos;
    return word.size() > 1 && word.front() == '-' && !is_number;
}

bool takes_next_word(const Flag& flag) {
    return flag.takes_value() && flag.implied.empty();
}

std::string variant_flag(const OpInfo& op) {
    const bool is_taken = std::any_of(op.fields.begin(), op.fields.end(), [&](const FieldInfo& field) {
        return (field.name == "method" || field.alias == "method") && field.name != op.bench.field;
    });
    return is_taken ? "variant" : "method";
}

const std::vector<Flag>& global_flags() {
    static const std::vector<Flag> all = [] {
        Flag device =
            with_value("device", "auto|gpu|cpu|all|N|NAME",
                       "the device by kind, number or part of its name. For a single image auto takes the "
                       "GPU or the CPU, whichever finishes sooner with the same result; otherwise the GPU. "
                       "all spreads several images over every GPU. GLPROC_DEVICE sets the default");
        device.info.default_value = ContextOptions{}.device;
        Flag backend = choice("backend", ContextOptions{}.backend,
                              "how to open OpenGL; GLPROC_BACKEND sets the default");
        Flag memory = with_value(
            "memory", "SIZE",
            "limit GPU memory, such as 512M or 1.5G; a plain number is MiB. Larger images are processed in tiles, "
            "with the same result. By default half of the free GPU memory, or 512 MiB on a software renderer");
        memory.info.range = FieldText<int>::range(memory_limit);
        memory.info.unit = "MiB";
        Flag timing =
            choice("timing", TimingFormat::text,
                   "print the time of each stage to stderr; decoding overlaps the start of OpenGL, so the "
                   "sum exceeds the total");
        timing.implied = std::exchange(timing.info.default_value, "");
        Flag help = with_value("help", "all", "print help; --help=all explains every flag and value");
        help.letter = 'h';
        help.implied = name_of(HelpDetail::brief);
        return in_group(global_group,
                        {device, backend, toggle("require-gpu", 0, "fail rather than use a software renderer"), memory,
                         timing, toggle("quiet", 'q', "no progress bar and no summary; -qq: no warnings "
                                                      "either"),
                         toggle("verbose", 'v', "print the summary even if stderr is not a terminal; with --timing the "
                                                "time of every pass on the device"),
                         help, toggle("version", 0, "print the version")});
    }();
    return all;
}

} // namespace glproc::cli
