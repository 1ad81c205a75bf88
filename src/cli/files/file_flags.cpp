#include "cli/files/file_flags.hpp"

#include "cli/confined/budget.hpp"
#include "cli/files/input.hpp"
#include "cli/files/picture_output.hpp"
#include "cli/settings.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

Flag with_value(const std::string& name, const std::string& value, const std::string& help) {
    Flag flag;
    flag.info.name = name;
    flag.info.value = value;
    flag.info.help = help;
    return flag;
}

Flag toggle(const std::string& name, char letter, const std::string& help) {
    Flag flag = with_value(name, "", help);
    flag.letter = letter;
    return flag;
}

Flag number(const std::string& name, const Limit& limit, const std::string& default_value,
            const std::string& help) {
    Flag flag = with_value(name, "N", help);
    flag.info.range = FieldText<int>::range(limit);
    flag.info.default_value = default_value;
    return flag;
}

std::vector<Flag> in_group(const std::string& group, std::vector<Flag> flags) {
    for (Flag& flag : flags) {
        flag.group = group;
    }
    return flags;
}

std::vector<Flag> budget_flags() {
    return in_group(
        "Reading pictures",
        {number("max-seconds", max_seconds_limit, "",
                "give up a picture that is not decoded within this time"),
         number("max-memory", max_memory_limit, "", "MiB; give up a picture whose decoding takes more"),
         toggle(
             "untrusted", 0,
             "the files may be hostile: only robust formats, tight limits, and decoders in a process without "
             "files or network")});
}

std::vector<Flag> salvage_flags(Input input) {
    if (input != Input::image) {
        return {};
    }
    return in_group("Reading pictures",
                    {toggle("keep-partial", 0,
                            "of a truncated or damaged PNG, JPEG, PNM or TIFF keep the rows that can be read")});
}

std::vector<Flag> input_flags(Input input) {
    if (input == Input::image) {
        return in_group(
            "Reading pictures",
            {number("max-pixels", max_pixels_limit, fmt::format("{}", DecodeOptions{}.max_pixels),
                    "refuse an IN with more pixels than this, as a small file may unpack to a huge picture"),
             number("max-frames", max_frames_limit, "",
                    fmt::format("refuse a film or stream of more frames than this, by default {} of a film",
                                default_max_frames))});
    }
    return in_group(
        "Reading arrays",
        {optional_choice<ArrayType>("dtype", "the element type of a raw IN; .npy files name their own")});
}

namespace {

Flag flatten_flag() {
    Flag flag =
        with_value("flatten", "COLOUR", "put transparent parts on this colour, and write no alpha channel");
    flag.info.range = FieldText<Colour>::range({});
    return flag;
}

Flag gray_flag() {
    Flag flag = toggle("gray", 0, "write grey, the luma of Rec. 709");
    flag.info.alias = "grey";
    return flag;
}

Flag quality_flag() {
    return number(
        "quality", quality_limit, "",
        fmt::format("quality of JPEG, WebP, JPEG XL, HEIC and AVIF; higher is larger. By default {}, "
                    "but from JPEG to JPEG that of IN",
                    default_quality));
}

Flag subsampling_flag() {
    Flag flag = choice("subsampling", Subsampling::automatic, "the resolution at which a JPEG keeps colour");
    for (const auto& row : enum_rows<Subsampling>) {
        flag.info.choices.push_back({std::string(row.name), std::string(row.when)});
    }
    return flag;
}

Flag strip_flag() {
    Flag flag = choice("strip", Strip::profile_stays, "write no metadata but the ICC profile; =all leaves that out, too");
    flag.implied = std::exchange(flag.info.default_value, "");
    for (const auto& row : enum_rows<Strip>) {
        flag.info.choices.push_back({std::string(row.name), std::string(row.when)});
    }
    return flag;
}

} // namespace

std::vector<Flag> film_flags(const OpInfo& op) {
    if (op.input != Input::image) {
        return {};
    }
    const std::vector<Flag> flags{
        optional_choice<YcbcrMatrix>("matrix",
                                     "of YUV4MPEG2; by default bt709 for more than 1279 columns or 576 rows, "
                                     "else bt601"),
        optional_choice<YcbcrRange>("range", "of YUV4MPEG2; by default what the stream says, else limited")};
    return in_group("Reading pictures", flags);
}

std::vector<Flag> many_flags(const OpInfo& op) {
    if (op.input != Input::image) {
        return {};
    }
    std::vector<Flag> flags{
        toggle("recursive", 'r', "of a folder as IN: the pictures in the folders below it, too"),
        with_value("files-from", "LIST", "read the names of inputs from this file, one a line; - is stdin"),
        toggle("null", '0', "the names in LIST end in NUL, as find -print0 writes them")};
    if (op.product != Product::report) {
        flags.push_back(with_value(
            "name", "PATTERN",
            "the name of an output: {stem} and {ext} of its input, {dir} its folder, {n} its number, {n:04} "
            "with so many digits"));
        flags.back().info.default_value = "{stem}.{ext}";
    }
    Flag jobs = number("jobs", jobs_limit, "", "threads that decode and encode; by default as many as cores");
    jobs.letter = 'j';
    const std::vector<Flag> rest{
        jobs, with_value("log", "FILE", "append one line of JSON a picture to this file"),
        toggle("resume", 0, "skip what the log says is done and what has not changed since"),
        toggle("dry-run", 0, "list what would be done, and do nothing"),
        toggle("fail-fast", 0, "stop after the first picture that fails"),
        with_value("shard", "I/N",
                   "take every N-th input, from the I-th on: the call on N machines does all")};
    flags.insert(flags.end(), rest.begin(), rest.end());
    return in_group(many_group, flags);
}

std::vector<Flag> output_flags(const OpInfo& op) {
    const Flag no_clobber = toggle(
        "no-clobber", 'n', "do not replace an existing output: fail, or skip it where there are several");
    switch (op.product) {
    case Product::image:
        return in_group(
            writing_group,
            {with_value(
                 "to", "EXT",
                 "the output format; by default the extension of OUT decides, and - gets the format of IN"),
             optional_choice<Depth>("depth",
                                    "the bit depth of OUT (default that of IN); the operation works in the "
                                    "larger of the two depths"),
             quality_flag(), subsampling_flag(), toggle("progressive", 0, "write a progressive JPEG"),
             toggle("no-optimize", 0, "write a JPEG with the standard's Huffman tables, which is larger"),
             with_value("max-size", "SIZE",
                        "the highest quality at which the file is no larger than this: 300K, 2M, or bytes"),
             toggle("lossless", 0, "keep every pixel exactly in WebP and JPEG XL"),
             number("png-level", png_level_limit, fmt::format("{}", EncodeOptions{}.png_level),
                    "PNG compression effort; the pixels are the same at every level"),
             flatten_flag(),
             toggle("fit-format", 0,
                    "do what the format needs instead of failing: 8 bits, white below transparency, grey or "
                    "colour"),
             gray_flag(), strip_flag(),
             choice("transfer", TransferRule::automatic,
                    "what becomes of values where IN and OUT mean different ones: light or sRGB"),
             no_clobber});
    case Product::array:
        return in_group(
            "Writing arrays",
            {choice("to", ArrayFormat::npy,
                    "the output format; raw is the elements alone, little-endian, under any name"),
             no_clobber});
    case Product::report:
        break;
    }
    std::vector<Flag> flags = {choice("format", ReportFormat::text, "the format of the report"),
                               toggle("json", 0, "the same as --format json")};
    if (std::any_of(op.fields.begin(), op.fields.end(),
                    [](const auto& field) { return field.names_picture; })) {
        flags.push_back(no_clobber);
    }
    return in_group("Reports", flags);
}

} // namespace glproc::cli
