// Pictures that are named by their number in a file: "in.tif#3", "in.gif#2..9", "in.tif#1,4,7..9".
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/series.hpp"

#include <string>
#include <vector>

namespace glproc::job {

/// Pictures of a file. None is named where a file has all of the name.
struct NamedPages {
    std::string path;
    std::vector<int> numbers = {}; ///< counted from 1, rising

    bool is_named() const { return !numbers.empty(); }
    bool are_several() const { return numbers.size() > 1; }
    int count() const { return static_cast<int>(numbers.size()); }
};

/// The file of a place: "in.tif" of "in.tif#3".
std::string file_of(const std::string& place);

/// Of a place that names more than a file has.
Error no_such_page(const std::string& place, int page, const SeriesInfo& images);

/// What --keep-partial keeps of a file that is damaged behind so many images.
std::string images_kept(int count);

/// Those of the named pages that a file has: fewer than are named, where it is damaged behind them and
/// `keeps_partial`. Throws no_such_page().
NamedPages pages_within(NamedPages named, const std::string& place, const SeriesInfo& images,
                        bool keeps_partial);

/// Throws Error(usage) for numbers that count nothing.
NamedPages named_pages(const std::string& place);

struct NamedPage {
    std::string path;
    int page = 0; ///< counted from 1; 0: none is named
};

/// The same where one picture is taken. Throws Error(usage) for several.
NamedPage named_page(const std::string& place);

/// "in.tif#3".
std::string page_name(const std::string& path, int page);

/// "in.tif#2" of "in.tif#2..9", "in.tif#1" of "in.tif".
std::string first_page(const std::string& place);

/// "in.tif#2,5..6" as in.tif#2, in.tif#5 and in.tif#6.
std::vector<std::string> each_page(const NamedPages& pages);

/// The numbers 1 to `count`.
std::vector<int> numbers_to(int count);

} // namespace glproc::job
