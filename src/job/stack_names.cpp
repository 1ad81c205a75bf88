#include "job/stack_names.hpp"

#include "glproc/base/error.hpp"
#include "glproc/image/stack_descriptions.hpp"
#include "job/page_files.hpp"
#include "job/page_names.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace glproc::job {

namespace {

/// "t=0..9"
struct Choice {
    char axis = 'z';
    std::string_view value;
};

bool is_choice(std::string_view text) {
    return text.size() > 1 && text[1] == '=' &&
           std::string_view("zct").find(text[0]) != std::string_view::npos;
}

/// What stands behind the mark: "c=dapi,t=0..9". Names of channels may have commas. Nothing where it is
/// something else.
std::optional<std::vector<Choice>> choices_in(std::string_view text) {
    if (!is_choice(text)) {
        return std::nullopt;
    }
    std::vector<Choice> choices;
    while (!text.empty()) {
        std::size_t end = text.find(',');
        while (end != std::string_view::npos && !is_choice(text.substr(end + 1))) {
            end = text.find(',', end + 1);
        }
        const std::string_view part = text.substr(0, end);
        choices.push_back({part[0], part.substr(2)});
        text.remove_prefix(std::min(part.size() + 1, text.size()));
    }
    return choices;
}

/// Of a list of numbers that says nothing: "1,,2".
bool is_wrong_list(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789.,") == std::string_view::npos;
}

std::optional<int> whole_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number >= 0 ? std::optional(number)
                                                                                   : std::nullopt;
}

struct Row {
    int first = 0;
    int last = 0;
};

Row row_of(const Choice& choice, const StackAxes& stack, const std::string& place) {
    if (choice.axis == 'c') {
        const auto found = std::ranges::find(stack.channels, choice.value);
        if (found != stack.channels.end()) {
            const auto number = static_cast<int>(found - stack.channels.begin());
            return {number, number};
        }
    }
    const std::size_t dots = choice.value.find("..");
    const std::optional<int> first = whole_number(choice.value.substr(0, dots));
    const std::optional<int> last =
        dots == std::string_view::npos ? first : whole_number(choice.value.substr(dots + 2));
    const int size = stack.size(choice.axis);
    if (!first || !last || *last < *first || *last >= size) {
        const bool has_names = choice.axis == 'c' && !stack.channels.empty();
        throw Error(
            ErrorCode::usage,
            fmt::format("{}: {} is {}{}{}", place, choice.axis, size == 1 ? "" : "0 to ", size - 1,
                        has_names ? fmt::format(", or one of: {}", fmt::join(stack.channels, ", ")) : ""));
    }
    return {*first, *last};
}

/// "5,13..15"
std::string list_of(const std::vector<int>& numbers) {
    std::string list;
    for (auto first = numbers.begin(); first != numbers.end();) {
        auto end = first + 1;
        while (end != numbers.end() && *end == *(end - 1) + 1) {
            ++end;
        }
        list += fmt::format("{}{}", list.empty() ? "" : ",", *first);
        list += end - first > 1 ? fmt::format("..{}", *(end - 1)) : "";
        first = end;
    }
    return list;
}

} // namespace

std::optional<StackAxes> stack_of(const std::string& path, int images, const Reading& reading) {
    const Image first = read_page({path, 1}, start_for_pages(path), path, reading.budget, reading.options);
    return stack_axes(first.metadata(), first.form(), images);
}

std::string place_by_number(const std::string& place, const Reading& reading) {
    const std::size_t mark = place.rfind('#');
    if (mark == std::string::npos || mark == 0) {
        return place;
    }
    const std::string path = place.substr(0, mark);
    const std::string_view wanted = std::string_view(place).substr(mark + 1);
    const auto choices = choices_in(wanted);
    std::error_code missing;
    if (std::filesystem::exists(place, missing) || !std::filesystem::is_regular_file(path, missing)) {
        return place;
    }
    if (!choices) {
        if (is_wrong_list(wanted) && !named_pages(place).is_named()) {
            throw Error(ErrorCode::usage, place + ": names no image",
                        "images are named by number: #3, #2..9, #1,4,7..9");
        }
        return place;
    }
    Notes said;
    const auto images = static_cast<int>(all_pages(path, reading, nullptr, said).size());
    const std::optional<StackAxes> stack = stack_of(path, images, reading);
    if (!stack) {
        throw Error(ErrorCode::usage,
                    fmt::format("{} does not tell which of its images is which slice, channel or time", path),
                    "name them by number: #3, #2..9");
    }
    std::vector<int> numbers;
    for (int image = 0; image < images; ++image) {
        const bool is_chosen = std::ranges::all_of(*choices, [&](const Choice& choice) {
            const Row row = row_of(choice, *stack, place);
            const int along = place_along(*stack, choice.axis, image);
            return along >= row.first && along <= row.last;
        });
        if (is_chosen) {
            numbers.push_back(image + 1);
        }
    }
    if (numbers.empty()) {
        throw Error(ErrorCode::usage, place + ": names no image");
    }
    return fmt::format("{}#{}", path, list_of(numbers));
}

} // namespace glproc::job
