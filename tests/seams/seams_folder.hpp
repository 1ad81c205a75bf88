// Pictures with facts, operations and limits that the tests of seams cross with each other.
#pragma once

#include "cli/glproc_program.hpp"
#include "files/metadata_files.hpp"

#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"
#include "glproc/image/made_profile.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::test {

using Words = std::vector<std::string>;

/// A picture in a file: what it is tells the name.
inline const Words pictures{"plain.png", "profile.png", "deep.png", "alpha.png", "density.png", "turned.jpg",
                     "light.pfm", "numbers.tif", "grey.png",  "turned.tif", "wide.tif"};

inline const std::vector<Words> operations{{"blur", "--sigma", "1"}, {"resize", "50%"},   {"rotate", "90"},
                                    {"adjust", "--exposure", "1"}, {"gray"},       {"threshold", "50%"},
                                    {"levels", "--auto"},     {"convert"},         {"crop", "20x10+3+2"},
                                    {"blend", "--with", "profile.png", "--mode", "multiply"},
                                    {"blend", "--with", "light.pfm", "--mode", "screen"},
                                    {"blend", "--with", "z.tif#3", "--mask", "grey.png"},
                                    {"match", "--with", "plain.png"}};

inline const std::vector<Words> limits{{}, {"--untrusted"}, {"--max-seconds", "60"}, {"--max-memory", "2G"}, {"--memory", "64M"}};

inline const Words formats{"png", "tif", "jpg", "pam"};

/// Of z.tif.
inline const Words pages{"numbers.tif", "turned.tif", "wide.tif"};

inline Image picture_of(const std::string& name) {
    const bool is_float = name == "light.pfm" || name == "numbers.tif";
    const Depth depth = is_float ? Depth::f32 : name == "deep.png" || name == "wide.tif" ? Depth::u16 : Depth::u8;
    const int channels = name == "alpha.png" ? 4 : name == "grey.png" ? 1 : 3;
    Image image = photo_like_image({.width = 41, .height = 29, .channels = channels, .depth = depth});
    Metadata metadata;
    if (name == "profile.png" || name == "wide.tif") {
        metadata.icc = made_profile({.name = "wide", .chromaticities = adobe_rgb_chromaticities, .gamma = 2.2});
    }
    if (name.starts_with("turned")) {
        metadata.exif = exif_block(6, false);
    }
    if (name == "density.png") {
        metadata.density = Density{300, 300, Density::Unit::inch};
    }
    image.set_metadata(std::move(metadata));
    return image;
}

struct Cell {
    std::string picture;
    Words operation;
    Words limit;
    std::string format;

    std::string stem() const { return std::filesystem::path(picture).stem().string(); }
    std::string text() const {
        return fmt::format("{} {} {} to {}", picture, fmt::join(operation, " "), fmt::join(limit, " "), format);
    }
};

/// What came of a call: the file, or why there is none, with the warnings.
struct Outcome {
    int status = 0;
    std::string file;
    std::string said;

    bool operator==(const Outcome&) const = default;
};

struct SeamsFolder : TempDir {
    SeamsFolder() {
        std::filesystem::create_directory(*this / "in");
        for (const std::string& name : pictures) {
            save(picture_of(name), *this / name);
            std::filesystem::create_directory(*this / ("in/" + name));
            std::filesystem::copy_file(*this / name, *this / ("in/" + name + "/" + name));
            write_text(*this / (name + ".list"), name + "\n");
        }
        const auto series = write_series(*this / "z.tif", "tif", SeriesInfo{.count = 3});
        for (const std::string& name : pages) {
            series->write(load(*this / name), {});
        }
        series->finish();
    }

    /// `places` are the input and the output; `made` is where the file lies then, empty for standard output.
    Outcome run(const Cell& cell, const Words& before, const Words& places, const Words& after, const std::string& made,
                bool by_stdin = false) const {
        std::filesystem::remove_all(*this / "out");
        std::filesystem::create_directory(*this / "out");
        Words words = before;
        words.insert(words.end(), places.begin(), places.end());
        words.insert(words.end(), after.begin(), after.end());
        words.insert(words.end(), cell.limit.begin(), cell.limit.end());
        ProgramCall call = glproc_call(path(), words);
        if (by_stdin) {
            call.input = read_text(*this / cell.picture);
        }
        const ProgramResult done = run_program(std::move(call));
        Outcome outcome{.status = done.status, .file = made.empty() ? done.out : "", .said = {}};
        if (!made.empty() && std::filesystem::exists(*this / made)) {
            outcome.file = read_text(*this / made);
        }
        outcome.said = plainly(without_software_warning(done.err), cell, places.front());
        return outcome;
    }

    /// With the names of the plainest road, and without what a call on many pictures adds up.
    static std::string plainly(const std::string& said, const Cell& cell, const std::string& in) {
        std::string text;
        for (std::string line : lines_of(said)) {
            for (const std::string& name : {"in/" + cell.picture + "/" + cell.picture, std::string("stdin"), in}) {
                if (const std::size_t at = line.find(name); name != "-" && at != std::string::npos) {
                    line.replace(at, name.size(), cell.picture);
                }
            }
            if (const std::string named = "glproc: error: " + cell.picture + ": "; line.starts_with(named)) { // as a batch names each
                line.erase(15, cell.picture.size() + 2);
            }
            for (const std::string& name : {fmt::format("out/{}.{}", cell.stem(), cell.format), std::string("stdout")}) {
                if (const std::size_t at = line.find(name); at != std::string::npos) {
                    line.replace(at, name.size(), "out/it." + cell.format);
                }
            }
            text += line.find(" failed") == std::string::npos ? line + "\n" : "";
        }
        return text;
    }
};

inline Words tail_of(const Words& words) {
    return {words.begin() + 1, words.end()};
}

inline Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

} // namespace glproc::test
