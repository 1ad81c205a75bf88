#include "cli/files/file_flags.hpp"

#include "cli/companion.hpp"
#include "cli/files/input.hpp"
#include "cli/settings.hpp"
#include "job/budget.hpp"
#include "job/output/encoding.hpp"

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

Flag amount(const std::string& name, const Limit& limit, const std::string& unit,
            const std::string& default_value, const std::string& help) {
    Flag flag = number(name, limit, default_value, help);
    flag.info.value = "SIZE";
    flag.info.unit = unit;
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
        "Input",
        {number("max-seconds", max_seconds_limit, "",
                "give up on an image that takes longer to decode, or an animation that takes longer in all"),
         amount("max-memory", max_memory_limit, "MiB", "",
                "give up on an image that takes more memory to decode: 512M, 2G, or MiB"),
         toggle("untrusted", 0,
                "treat the files as hostile: only robust formats, tight limits, decoders without access to "
                "files or network")});
}

std::vector<Flag> salvage_flags(Input input) {
    if (input != Input::image) {
        return {};
    }
    return in_group(
        "Input",
        {toggle(
            "keep-partial", 0,
            "keep the readable rows of a truncated or damaged PNG, JPEG, PNM or TIFF, and of an animation "
            "the frames before the damage")});
}

std::vector<Flag> input_flags(Input input) {
    if (input == Input::image) {
        return in_group(
            "Input",
            {number("max-pixels", max_pixels_limit, fmt::format("{}", DecodeOptions{}.max_pixels),
                    "refuse images with more pixels (200M is 200 million); a small file can unpack to a huge "
                    "image"),
             number("max-frames", max_frames_limit, "",
                    fmt::format("refuse videos and streams with more frames; for videos {} by default",
                                default_max_frames))});
    }
    return in_group("Array input", {optional_choice<ArrayType>(
                                       "dtype", "element type of a raw IN; .npy files state their own")});
}

namespace {

Flag background_flag() {
    Flag flag =
        with_value("background", "COLOUR", "the colour behind transparent parts; no alpha is written");
    flag.info.range = FieldText<Colour>::range({});
    flag.info.alias = "flatten";
    return flag;
}

Flag gray_flag() {
    Flag flag = toggle("gray", 0, "write grey (luma of Rec. 709)");
    flag.info.alias = "grey";
    return flag;
}

Flag colours_flag() {
    Flag flag =
        number("colors", colours_limit, "",
               "write a palette of at most N colours, in PNG and GIF: dithered if the image has more. PNG "
               "takes 1, 2, 4 or 8 bits a pixel, so 2 makes the smallest files");
    flag.info.alias = "colours";
    return flag;
}

Flag compression_flag() {
    Flag flag = optional_choice<TiffCompression>("compression",
                                                 "compression of a TIFF, without loss; by default deflate");
    for (const auto& row : enum_rows<TiffCompression>) {
        flag.info.choices.push_back({std::string(row.name), std::string(row.when)});
    }
    return flag;
}

Flag quality_flag() {
    return number(
        "quality", quality_limit, "",
        fmt::format("quality of JPEG, WebP, JPEG XL, HEIC and AVIF: higher means larger files. By default "
                    "{}, but JPEG to JPEG keeps the quality of IN",
                    default_quality));
}

Flag subsampling_flag() {
    Flag flag = choice("subsampling", Subsampling::automatic, "chroma resolution of a JPEG");
    for (const auto& row : enum_rows<Subsampling>) {
        flag.info.choices.push_back({std::string(row.name), std::string(row.when)});
    }
    return flag;
}

Flag strip_flag() {
    Flag flag = choice("strip", Strip::profile_stays,
                       "leave out all metadata except the ICC profile; =all "
                       "drops the profile as well");
    flag.implied = std::exchange(flag.info.default_value, "");
    for (const auto& row : enum_rows<Strip>) {
        flag.info.choices.push_back({std::string(row.name), std::string(row.when)});
    }
    return flag;
}

} // namespace

std::vector<Flag> video_flags(const OpInfo& op) {
    if (op.input != Input::image) {
        return {};
    }
    std::vector<Flag> flags{
        optional_choice<YcbcrMatrix>("matrix",
                                     "colour matrix of a YUV4MPEG2 stream; by default bt709 above 1279 "
                                     "columns or 576 rows, otherwise bt601"),
        optional_choice<YcbcrRange>("range", "value range of a YUV4MPEG2 stream; by default what the stream "
                                             "says, otherwise limited")};
    if (op.name == compare_command) {
        flags.push_back(
            with_value(video_plot_flag, "FILE.svg", "of two videos: draw PSNR and SSIM of each frame"));
    }
    return in_group("Input", flags);
}

std::vector<Flag> many_flags(const OpInfo& op) {
    if (op.input != Input::image) {
        return {};
    }
    std::vector<Flag> flags{
        toggle("recursive", 'r', "also read subfolders of a folder"),
        with_value("files-from", "LIST", "read input names from a file, one per line; - is stdin"),
        toggle("null", '0', "names in LIST end in NUL, as find -print0 writes them")};
    if (op.joins) {
        Flag over = choice(
            over_flag, JoinOver::pages,
            "of one file of several images: what becomes one, as ImageJ, OME-XML or tifffile number it");
        for (const auto& row : enum_rows<JoinOver>) {
            over.info.choices.push_back({std::string(row.name), std::string(row.when)});
        }
        flags.push_back(std::move(over));
        return in_group(many_group, flags);
    }
    if (op.has_output() || !op.others.empty()) {
        flags.push_back(with_value(
            "name", "PATTERN",
            "output names: {stem} and {ext} of the input, {dir} its folder, {page} its page, {n} its number, "
            "{n:04} with four digits"));
        flags.back().info.default_value = "{stem}.{ext}";
    }
    Flag jobs = number("jobs", jobs_limit, "", "threads that decode and encode; by default one per core");
    jobs.letter = 'j';
    const std::vector<Flag> rest{
        jobs,
        with_value("log", "FILE", "append a line of JSON per image to this file"),
        toggle("resume", 0, "skip images that the log lists as done and that are unchanged"),
        toggle("dry-run", 0, "list what would be done, then stop"),
        toggle("fail-fast", 0, "stop after the first image that fails"),
        with_value("shard", "I/N",
                   "take every N-th input, starting with the I-th, so that N machines share the work")};
    flags.insert(flags.end(), rest.begin(), rest.end());
    return in_group(many_group, flags);
}

namespace {

std::vector<Flag> product_flags(const OpInfo& op) {
    const Flag no_clobber =
        toggle("no-clobber", 'n', "keep existing outputs: fail, or skip them if there are several");
    const Flag force = toggle(
        "force", 'y', "replace OUT although glproc did not write it, or it has more pages than are left");
    switch (op.product) {
    case Product::image:
        return in_group(
            writing_group,
            {with_value(
                 "to", "EXT",
                 "output format; by default the extension of OUT decides, and - keeps the format of IN"),
             optional_choice<Depth>("depth",
                                    "bits per channel of OUT, by default as in IN; the operation works at "
                                    "the larger of the two"),
             quality_flag(), subsampling_flag(), toggle("progressive", 0, "write a progressive JPEG"),
             toggle("no-optimize", 0, "write a JPEG with the standard Huffman tables, which makes it larger"),
             with_value("max-size", "SIZE",
                        "take the best quality that fits this file size: 300K, 2M, or bytes"),
             toggle("lossless", 0, "keep every pixel exactly, in WebP and JPEG XL"),
             number("png-level", png_level_limit, fmt::format("{}", EncodeOptions{}.png_level),
                    "PNG compression effort; pixels are the same at every level"),
             colours_flag(), compression_flag(), background_flag(),
             toggle("fit-format", 0,
                    "convert as the format requires instead of failing: 8 bits, white behind transparency, "
                    "grey or colour"),
             gray_flag(), strip_flag(),
             choice("transfer", TransferRule::automatic,
                    "convert between linear light and sRGB if IN and OUT differ"),
             no_clobber, force});
    case Product::array:
        return in_group("Array output",
                        {choice("to", ArrayFormat::npy,
                                "output format; raw is the elements alone, little-endian, under any name"),
                         no_clobber, force});
    case Product::report:
        break;
    }
    if (!op.files.empty()) {
        Flag to = with_value("to", "EXT", "output format; by default the extension of OUT decides");
        to.info.choices = op.files;
        for (const Choice& format : op.files) {
            to.info.range += (to.info.range.empty() ? "" : "|") + format.name;
        }
        return in_group("File output", {to, no_clobber, force});
    }
    std::vector<Flag> flags = {choice("format", ReportFormat::text, "format of the report"),
                               toggle("json", 0, "same as --format json")};
    if (std::any_of(op.fields.begin(), op.fields.end(),
                    [](const auto& field) { return field.names_picture; })) {
        flags.push_back(no_clobber);
    }
    return in_group("Report", flags);
}

} // namespace

std::vector<Flag> output_flags(const OpInfo& op) {
    std::vector<Flag> flags = product_flags(op);
    for (const OpInfo& other : op.others) {
        for (const Flag& flag : product_flags(other)) {
            const bool is_known = std::any_of(flags.begin(), flags.end(), [&](const Flag& known) {
                return known.info.name == flag.info.name;
            });
            if (!is_known) {
                flags.push_back(flag);
            }
        }
    }
    return flags;
}

} // namespace glproc::cli
