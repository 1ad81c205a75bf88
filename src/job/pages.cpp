#include "job/pages.hpp"

#include "glproc/base/shell_word.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/page_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace glproc::job {

namespace {

std::optional<int> number_in(std::string_view digits) {
    constexpr std::size_t most_digits = 6;
    const bool is_number = !digits.empty() && digits.size() <= most_digits &&
                           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? std::optional(std::stoi(std::string(digits))) : std::nullopt;
}

std::string page_name(const std::string& path, int page) {
    return fmt::format("{}#{}", path, page);
}

NamedPages parts_of(const std::string& place) {
    const std::size_t mark = place.rfind('#');
    if (mark == std::string::npos || mark == 0) {
        return {place};
    }
    const std::string_view numbers = std::string_view(place).substr(mark + 1);
    const std::size_t dots = numbers.find("..");
    const std::optional<int> first = number_in(numbers.substr(0, dots));
    const std::optional<int> last = dots == std::string_view::npos ? first : number_in(numbers.substr(dots + 2));
    std::error_code missing;
    if (!first || !last || std::filesystem::exists(place, missing)) {
        return {place};
    }
    return {place.substr(0, mark), *first, *last};
}

} // namespace

std::string file_of(const std::string& place) {
    return parts_of(place).path;
}

Error no_such_page(const std::string& place, int page, const SeriesInfo& images) {
    return {ErrorCode::input, no_such_image(place, page, images)};
}

std::string images_kept(int count) {
    return count == 1 ? "the image before that is kept" : fmt::format("the {} images before that are kept", count);
}

NamedPages pages_within(NamedPages named, const std::string& place, const SeriesInfo& images, bool keeps_partial) {
    if (named.last <= images.count) {
        return named;
    }
    const Error error = no_such_page(place, named.last, images);
    if (images.damage.empty() || named.first > images.count) {
        throw error;
    }
    if (!keeps_partial) {
        throw Error(error.code(), error.what(), "--keep-partial keeps the images before that");
    }
    named.last = images.count;
    return named;
}

NamedPages named_pages(const std::string& place) {
    NamedPages pages = parts_of(place);
    const bool is_named = pages.path != place;
    if (is_named && (pages.first == 0 || pages.last < pages.first)) {
        throw Error(ErrorCode::usage, fmt::format("{}: images of a file are counted from 1{}", place,
                                                  pages.first == 0 ? "" : ", the smaller number first"));
    }
    return pages;
}

NamedPage named_page(const std::string& place) {
    const NamedPages pages = named_pages(place);
    if (pages.is_row()) {
        throw Error(ErrorCode::usage, fmt::format("{}: names {} images where one is taken", place, pages.count()),
                    fmt::format("{} is the first of them", shell_word(first_page(place))));
    }
    return {pages.path, pages.first};
}

std::string first_page(const std::string& place) {
    const NamedPages pages = named_pages(place);
    return page_name(pages.path, std::max(pages.first, 1));
}

std::vector<std::string> each_page(const std::string& place) {
    const NamedPages pages = named_pages(place);
    if (!pages.is_row()) {
        return {place};
    }
    std::vector<std::string> names;
    for (int page = pages.first; page <= pages.last; ++page) {
        names.push_back(page_name(pages.path, page));
    }
    return names;
}

} // namespace glproc::job
