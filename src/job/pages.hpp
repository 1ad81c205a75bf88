// Pictures that are named by their number in a file: "in.tif#3", "in.gif#2..9".
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/series.hpp"

#include <string>
#include <vector>

namespace glproc::job {

/// One picture of a file, or a row of them. No page is named where a file has all of the name.
struct NamedPages {
    std::string path;
    int first = 0; ///< counted from 1; 0: none is named
    int last = 0;

    int count() const { return last - first + 1; }
    bool is_row() const { return last > first; }
};

/// The file of a place: "in.tif" of "in.tif#3".
std::string file_of(const std::string& place);

/// Of a place that names more than a file has.
Error no_such_page(const std::string& place, int page, const SeriesInfo& images);

/// What --keep-partial keeps of a file that is damaged behind so many images.
std::string images_kept(int count);

/// Those of the named pages that a file has: fewer than are named, where it is damaged behind them and `keeps_partial`. Throws
/// no_such_page().
NamedPages pages_within(NamedPages named, const std::string& place, const SeriesInfo& images, bool keeps_partial);

/// Throws Error(usage) for numbers that count nothing.
NamedPages named_pages(const std::string& place);

struct NamedPage {
    std::string path;
    int page = 0; ///< counted from 1; 0: none is named
};

/// The same where one picture is taken. Throws Error(usage) for a row of them.
NamedPage named_page(const std::string& place);

/// "in.tif#2" of "in.tif#2..9", "in.tif#1" of "in.tif".
std::string first_page(const std::string& place);

/// "in.tif#2..4" as in.tif#2, in.tif#3 and in.tif#4; another place as it is. Throws Error(usage).
std::vector<std::string> each_page(const std::string& place);

} // namespace glproc::job
