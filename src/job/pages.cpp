#include "job/pages.hpp"

#include "glproc/base/shell_word.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/page_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace glproc::job {

namespace {

std::optional<int> number_in(std::string_view digits) {
    constexpr std::size_t most_digits = 6;
    const bool is_number = !digits.empty() && digits.size() <= most_digits &&
                           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? std::optional(std::stoi(std::string(digits))) : std::nullopt;
}

constexpr std::size_t most_named = 1'000'000;

/// Of "2", "2..9" and "1,4,7..9"; nothing for another text.
std::optional<std::vector<int>> numbers_in(std::string_view list) {
    std::vector<int> numbers;
    while (true) {
        const std::string_view row = list.substr(0, list.find(','));
        const std::size_t dots = row.find("..");
        const std::optional<int> first = number_in(row.substr(0, dots));
        const std::optional<int> last = dots == std::string_view::npos ? first : number_in(row.substr(dots + 2));
        if (!first || !last) {
            return std::nullopt;
        }
        numbers.push_back(*first);
        for (int number = *first + 1; number <= *last; ++number) {
            numbers.push_back(number);
        }
        if (*last < *first) {
            numbers.push_back(*last); // which is wrong, and said by named_pages()
        }
        if (row.size() == list.size()) {
            return numbers;
        }
        if (numbers.size() > most_named) {
            return std::nullopt;
        }
        list.remove_prefix(row.size() + 1);
    }
}

NamedPages parts_of(const std::string& place) {
    const std::size_t mark = place.rfind('#');
    if (mark == std::string::npos || mark == 0) {
        return {place};
    }
    auto numbers = numbers_in(std::string_view(place).substr(mark + 1));
    std::error_code missing;
    if (!numbers || std::filesystem::exists(place, missing)) {
        return {place};
    }
    return {place.substr(0, mark), std::move(*numbers)};
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
    if (named.numbers.back() <= images.count) {
        return named;
    }
    const Error error = no_such_page(place, named.numbers.back(), images);
    if (images.damage.empty() || named.numbers.front() > images.count) {
        throw error;
    }
    if (!keeps_partial) {
        throw Error(error.code(), error.what(), "--keep-partial keeps the images before that");
    }
    std::erase_if(named.numbers, [&](int number) { return number > images.count; });
    return named;
}

NamedPages named_pages(const std::string& place) {
    NamedPages pages = parts_of(place);
    const bool counts = !pages.is_named() || pages.numbers.front() > 0;
    if (!counts || std::ranges::adjacent_find(pages.numbers, std::greater_equal<>()) != pages.numbers.end()) {
        throw Error(ErrorCode::usage, fmt::format("{}: images of a file are counted from 1{}", place,
                                                  counts ? ", the smaller number first" : ""));
    }
    return pages;
}

NamedPage named_page(const std::string& place) {
    const NamedPages pages = named_pages(place);
    if (pages.are_several()) {
        throw Error(ErrorCode::usage, fmt::format("{}: names {} images where one is taken", place, pages.count()),
                    fmt::format("{} is the first of them", shell_word(first_page(place))));
    }
    return {pages.path, pages.is_named() ? pages.numbers.front() : 0};
}

std::string page_name(const std::string& path, int page) {
    return fmt::format("{}#{}", path, page);
}

std::string first_page(const std::string& place) {
    const NamedPages pages = named_pages(place);
    return page_name(pages.path, pages.is_named() ? pages.numbers.front() : 1);
}

std::vector<std::string> each_page(const NamedPages& pages) {
    std::vector<std::string> names;
    for (const int number : pages.numbers) {
        names.push_back(page_name(pages.path, number));
    }
    return names;
}

std::vector<int> numbers_to(int count) {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 1);
    return numbers;
}

} // namespace glproc::job
