#include "cli/describe_pictures.hpp"

#include "cli/companion.hpp"
#include "cli/file_info.hpp"
#include "cli/files/call.hpp"
#include "cli/files/input.hpp"
#include "cli/many/input_list.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/series.hpp"
#include "glproc/files/stored_form.hpp"
#include "glproc/image/exif_facts.hpp"
#include "glproc/image/stack_descriptions.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/output/encoding.hpp"
#include "job/page_files.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// Those of one image are not read for it.
void look_for_series(Described& described, std::span<const std::byte> file, Notes* notes) {
    if (described.info.frames > 1) {
        described.series = inspect_series(file, described.name);
    }
    if (described.series && !described.series->damage.empty()) {
        notes->push_back(fmt::format("{}: {} behind image {}", described.name, described.series->damage,
                                     described.series->count));
    }
    described.stack = stack_axes(described.info.metadata, described.info.form,
                                 described.series ? described.series->count : 1);
}

/// Enough to reach the frame header behind the metadata of most files.
std::vector<std::byte> head_of(const std::string& path) {
    constexpr std::size_t enough = std::size_t{1} << 18U;
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> head(enough);
    file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return head;
}

Described inspect_bytes(std::span<const std::byte> file, const std::string& name,
                        const DecodeOptions& options) {
    Described described{.name = name,
                        .info = inspect(file, name, options),
                        .stored = stored_form(file),
                        .taken = {},
                        .bytes = file.size()};
    described.taken = exif_facts(described.info.metadata.exif);
    look_for_series(described, file, options.notes);
    return described;
}

/// One of several, which was decoded for it.
Described describe_page(const Image& image, std::span<const std::byte> start, const std::string& name) {
    const Format format = sniff(start).value_or(Format::tga);
    return {.name = name,
            .info = {.format = format,
                     .title = title_of(format),
                     .form = image.form(),
                     .orientation = 1,
                     .frames = 1,
                     .metadata = image.metadata()},
            .stored = {},
            .taken = exif_facts(image.metadata().exif),
            .bytes = std::nullopt,
            .stack = stack_axes(image.metadata(), image.form(), 1)};
}

Described inspect_input(const std::string& path, const DecodeOptions& options) {
    if (begins_as_video(peek_input(path))) {
        throw Error(ErrorCode::input, input_name(path) + ": a video, not an image",
                    "glproc video VIDEO frame.png --frame 0 saves one frame as an image");
    }
    if (path == "-") {
        return inspect_bytes(read_input(path, "image"), input_name(path), options);
    }
    Described described{.name = input_name(path), .info = {}, .stored = {}, .taken = {}, .bytes = {}};
    described.info = inspect(std::filesystem::path(path), options);
    described.stored = stored_form(head_of(path));
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    described.bytes = unknown ? std::nullopt : std::optional<std::uint64_t>(size);
    described.taken = exif_facts(described.info.metadata.exif);
    look_for_series(described, described.info.frames > 1 ? read_input(path, "image") : std::vector<std::byte>(),
                    options.notes);
    return described;
}

/// Prints what one picture says of itself, or what is wrong with it; returns the exit status.
int describe_picture(const Arguments& arguments, const Settings& settings,
                     const std::function<Described(const DecodeOptions&)>& inspect) {
    try {
        Notes notes;
        DecodeOptions options = decode_options(arguments, &notes);
        options.alone = false; // what follows the picture is not asked for
        const Described described = inspect(options);
        if (described.series) { // all of them are described
            std::erase_if(notes,
                          [](const std::string& note) { return note.ends_with("the first one is used"); });
        }
        print_product(arguments.has("json") ? json_line(described_json(described))
                                            : described_text(described));
        for (const std::string& note : settings.silent ? Notes{} : notes) {
            print_warning(note);
        }
        return 0;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::output) {
            throw;
        }
        print_error(error.what(), error.hint());
        return static_cast<int>(error.code());
    }
}

bool is_video(const std::string& path) {
    try {
        std::error_code missing;
        return std::filesystem::is_regular_file(path, missing) && begins_as_video(peek_input(path));
    } catch (const Error&) { // which is said where it is opened
        return false;
    }
}

/// Of a page, which is read with the others of its file, what it says of itself may be parsed elsewhere
/// alone.
int describe_page_within(const Budget& budget, const Arguments& arguments, const Settings& settings,
                         const NamedPage& named, const std::string& name) {
    Notes notes;
    DecodeOptions options = decode_options(arguments, &notes);
    options.alone = false;
    const std::vector<std::byte> start = start_for_pages(named.path);
    const Image image = read_page(named, start, input_name(name), budget, options);
    const auto describe_it = [&] {
        return describe_picture(arguments, settings, [&](const DecodeOptions& told) {
            *told.notes = notes;
            return describe_page(image, start, name);
        });
    };
    const bool parses = !image.metadata().exif.empty() || !image.metadata().icc.empty();
    return parses ? run_within(budget, input_name(name), start, describe_it) : describe_it();
}

int describe_here(const Arguments& arguments, const Settings& settings, const ListedInput& input,
                  const NamedPage& named) {
    if (is_video(named.path)) {
        return describe_video(arguments, named.path);
    }
    return describe_picture(arguments, settings, [&](const DecodeOptions& options) {
        refuse_special(named.path, input.found);
        if (named.page == 0) {
            return inspect_input(named.path, options);
        }
        const std::vector<std::byte> start = start_for_pages(named.path);
        return describe_page(read_page(named, start, input.path, {}, options), start, input.path);
    });
}

/// In a process that may cost no more.
int describe_within(const Budget& budget, const Arguments& arguments, const Settings& settings,
                    const ListedInput& input, const NamedPage& named) {
    refuse_special(named.path, input.found);
    if (named.page != 0) {
        return describe_page_within(budget, arguments, settings, named, input.path);
    }
    const std::string name = input_name(named.path);
    const std::vector<std::byte> bytes = read_input(named.path, "image");
    return run_within(budget, name, bytes, [&] {
        return describe_picture(arguments, settings, [&](const DecodeOptions& options) {
            try {
                return inspect_bytes(bytes, name, options);
            } catch (const Error& error) {
                throw as_within(budget, name, error);
            }
        });
    });
}

int describe(const Budget& budget, const Arguments& arguments, const Settings& settings,
             const ListedInput& input) {
    const NamedPage named = named_page(input.path);
    if (!budget.any()) {
        return describe_here(arguments, settings, input, named);
    }
    try {
        return describe_within(budget, arguments, settings, input, named);
    } catch (const Error& error) {
        print_error(error.what(), error.hint());
        return static_cast<int>(error.code());
    }
}

/// What is named, and of folders the pictures in them.
std::vector<ListedInput> pictures_of(const Arguments& arguments) {
    std::vector<ListedInput> paths;
    for (const std::string& place : arguments.places) {
        std::error_code missing;
        if (place != "-" && std::filesystem::is_directory(place, missing)) {
            const std::vector<ListedInput> found = pictures_in(place, arguments.has("recursive"));
            paths.insert(paths.end(), found.begin(), found.end());
        } else {
            for (std::string& page : named_in(place, arguments)) {
                paths.push_back({std::move(page)});
            }
        }
    }
    return paths;
}

} // namespace

int describe_pictures(const Arguments& arguments, const Settings& settings) {
    const Budget budget = read_budget(arguments);
    int status = 0;
    for (const ListedInput& input : pictures_of(arguments)) {
        const int one = describe(budget, arguments, settings, input);
        status = status == 0 ? one : status;
    }
    return status;
}

} // namespace glproc::cli
