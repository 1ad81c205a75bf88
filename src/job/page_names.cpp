#include "job/page_names.hpp"

#include "glproc/base/error.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/input_file.hpp"
#include "job/pages.hpp"

#include <fmt/format.h>

namespace glproc::job {

namespace {

/// Of those that are whole.
SeriesInfo images_in(const std::string& path, const Reading& reading) {
    constexpr SeriesKind any{};
    const SeriesInfo one{.kind = any, .count = 1};
    if (!may_hold_series(path)) {
        return one;
    }
    if (const OpenFile file(path); !reading.budget.any() && has_pages_in_file(file, path)) {
        return inspect_series(file, path).value_or(one);
    }
    return inspect_series_within(reading.budget, read_input(path, "image"), input_name(path)).value_or(one);
}

void note_damage(const std::string& in, const std::string& damage, int kept, Notes& notes) {
    notes.push_back(fmt::format("{}: {}; {}", input_name(in), damage, images_kept(kept)));
}

/// Where all images of a file are wanted, those that are not whole are missed.
void miss_broken_images(const std::string& in, const SeriesInfo& images, const Reading& reading,
                        Notes& notes) {
    if (images.damage.empty()) {
        return;
    }
    if (!reading.options.keep_partial) {
        throw Error(ErrorCode::input, fmt::format("{}: {}", input_name(in), images.damage),
                    "--keep-partial keeps the images before that");
    }
    note_damage(in, images.damage, images.count, notes);
}

} // namespace

std::vector<std::string> all_pages(const std::string& in, const Reading& reading, const OpInfo* joins,
                                   Notes& notes) {
    if (named_pages(in).is_named()) {
        return {in};
    }
    const SeriesInfo images = images_in(in, reading);
    const int count = images.count;
    check_count(reading, count, input_name(in));
    if (joins != nullptr) { // before any name is made
        check_joined(joins->name, static_cast<std::size_t>(count), joins->most_joined);
    }
    miss_broken_images(in, images, reading, notes);
    return count < 2 ? std::vector{in} : each_page({in, numbers_to(count)});
}

std::vector<std::string> named_in(const std::string& place, const Reading& reading, Notes& notes) {
    const NamedPages named = named_pages(place);
    if (!named.are_several()) {
        return {place};
    }
    const SeriesInfo images = images_in(named.path, reading);
    const NamedPages there = pages_within(named, place, images, reading.options.keep_partial);
    if (there.count() < named.count()) {
        note_damage(place, images.damage, there.count(), notes);
    }
    check_count(reading, there.count(), place);
    return each_page(there);
}

} // namespace glproc::job
