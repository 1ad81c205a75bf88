// A hyperstack as ImageJ writes it, and a folder of such files.
#pragma once

#include "cli/glproc_program.hpp"
#include "files/handmade_tiff.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"

#include <string>
#include <utility>
#include <vector>

namespace glproc::test {

inline constexpr int stack_width = 8;
inline constexpr int stack_height = 6;

/// The value of a pixel of image `number`, counted from 0.
inline int stack_value(int number, int pixel) {
    return (number * 37 + pixel * 11) % 251;
}

/// So many images of 8 bits, the first of which has this description.
inline Bytes hyperstack(const std::string& text, int images = 24) {
    std::vector<TiffPage> pages;
    for (int i = 0; i < images; ++i) {
        Bytes pixels;
        for (int p = 0; p < stack_width * stack_height; ++p) {
            pixels.push_back(static_cast<std::byte>(stack_value(i, p)));
        }
        pages.push_back({stack_width, stack_height, 8, 1, pixels});
    }
    pages.front().more = {tiff_text(270, text)};
    return handmade_tiff(pages);
}

/// Of 24 images: three times, four slices, two channels.
inline const std::string imagej_text =
    "ImageJ=1.53t\nimages=24\nchannels=2\nslices=4\nframes=3\nhyperstack=true\nmode=color\n"
    "unit=um\nspacing=0.5\nfinterval=2.0\n";

struct StackFolder : TempDir {
    ProgramResult call(const std::vector<std::string>& words) const { return run_glproc(path(), words); }
    void must(const std::vector<std::string>& words) const {
        const ProgramResult done = call(words);
        INFO(done.err);
        REQUIRE(done.status == 0);
    }
    std::vector<Image> images(const std::string& name) const {
        const Bytes file = read_file(*this / name);
        const auto series = open_series(file, name);
        REQUIRE(series);
        std::vector<Image> all;
        while (auto one = series->next()) {
            all.push_back(std::move(one->image));
        }
        return all;
    }
};

} // namespace glproc::test
