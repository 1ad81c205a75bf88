#include "cli/describe_pictures.hpp"

#include "cli/companion.hpp"
#include "cli/confined/decoder_process.hpp"
#include "cli/files/input.hpp"
#include "cli/files/joined_inputs.hpp"
#include "cli/files/pages.hpp"
#include "cli/files/picture_output.hpp"
#include "cli/json.hpp"
#include "cli/many/input_list.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/series.hpp"
#include "glproc/files/stored_form.hpp"
#include "glproc/image/exif_facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// A file and what it says about itself.
struct Described {
    std::string name;
    PictureInfo info;
    StoredForm stored;
    ExifFacts taken;
    std::optional<std::uint64_t> bytes; ///< of the file
    std::optional<SeriesInfo> series = std::nullopt; ///< of a file of several pictures
};

void look_for_series(Described& described, std::span<const std::byte> file) {
    if (described.info.frames > 1) {
        described.series = inspect_series(file, described.name);
    }
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
    look_for_series(described, file);
    return described;
}

/// One of several, which is decoded for it.
Described inspect_page(std::span<const std::byte> file, const std::string& name, DecodeOptions options, int page) {
    Described described{.name = name,
                        .info = inspect(file, name),
                        .stored = {},
                        .taken = {},
                        .bytes = std::nullopt};
    options.page = page;
    const Image image = decode(file, name, options);
    described.info.form = image.form();
    described.info.metadata = image.metadata();
    described.info.orientation = 1;
    described.info.frames = 1;
    described.taken = exif_facts(image.metadata().exif);
    return described;
}

Described inspect_input(const std::string& path, const DecodeOptions& options) {
    if (begins_as_film(peek_input(path))) {
        throw Error(
            ErrorCode::input, input_name(path) + ": a video, not an image",
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
    if (described.info.frames > 1) {
        look_for_series(described, read_input(path, "image"));
    }
    return described;
}

/// "12, 1.2 s, played for ever"
std::string series_text(const PictureInfo& info, const std::optional<SeriesInfo>& series) {
    if (!series) {
        return fmt::format("{}; the first one is read", info.frames);
    }
    if (series->kind == SeriesKind::pages) {
        return fmt::format("{}", series->count);
    }
    const std::string plays = series->plays == 0   ? "for ever"
                              : series->plays == 1 ? "once"
                                                   : fmt::format("{} times", series->plays);
    return fmt::format("{}, {:.6g} s, played {}", series->count, series->seconds, plays);
}

std::string_view channels_text(int channels) {
    constexpr std::array<std::string_view, 4> texts{"grey", "grey and alpha", "RGB", "RGBA"};
    return texts.at(static_cast<std::size_t>(channels) - 1);
}

/// How the file is stored, as EXIF numbers it; decoding makes it upright.
std::string_view orientation_text(int orientation) {
    constexpr std::array<std::string_view, 8> texts{
        "upright",
        "mirrored left to right",
        "upside down",
        "mirrored top to bottom",
        "mirrored along the main diagonal",
        "to be rotated right by 90 degrees",
        "mirrored along the other diagonal",
        "to be rotated left by 90 degrees",
    };
    return texts.at(static_cast<std::size_t>(orientation) - 1);
}

std::string density_text(const Density& density) {
    if (density.unit == Density::Unit::none) {
        return fmt::format("{:.6g}:{:.6g}, as a proportion", density.x, density.y);
    }
    const bool metric = density.unit == Density::Unit::centimetre;
    const Density told = metric ? density : density.in(Density::Unit::inch);
    const std::string across = fmt::format("{:.6g}", told.x);
    const std::string down = fmt::format("{:.6g}", told.y);
    return fmt::format("{} pixels per {}", across == down ? across : fmt::format("{}x{}", across, down),
                       metric ? "cm" : "inch");
}

Json density_json(const std::optional<Density>& density) {
    if (!density) {
        return nullptr;
    }
    const bool metric = density->unit == Density::Unit::centimetre;
    const Density told = metric ? *density : density->in(Density::Unit::inch);
    const bool proportion = density->unit == Density::Unit::none;
    return Json::object({{"x", json_number(told.x)},
                         {"y", json_number(told.y)},
                         {"unit", proportion ? Json() : Json(metric ? "cm" : "inch")}});
}

/// "12.3 MB", as shops count, and the bytes.
std::string size_text(std::uint64_t bytes) {
    constexpr std::array<std::string_view, 4> units{"kB", "MB", "GB", "TB"};
    if (bytes < 1000) {
        return fmt::format("{} bytes", bytes);
    }
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    for (; value >= 1000 && unit + 1 < units.size(); ++unit) {
        value /= 1000;
    }
    return fmt::format("{:.3g} {} ({} bytes)", value, units.at(unit), bytes);
}

std::string place_text(double latitude, double longitude) {
    return fmt::format("{:.5f} {}, {:.5f} {}", std::abs(latitude), latitude < 0 ? "S" : "N",
                       std::abs(longitude), longitude < 0 ? "W" : "E");
}

std::string picture_text(const Described& described) {
    const auto& [name, info, stored, taken, bytes, series] = described;
    const Form& form = info.form;
    std::string text = fmt::format("{}: {}, {}x{}, {}-bit{} {}\n", printable_name(name), info.title,
                                   form.width, form.height, static_cast<int>(form.depth),
                                   form.depth == Depth::f32 ? " float" : "", channels_text(form.channels));
    const auto line = [&](std::string_view what, const std::string& value) {
        text += fmt::format("  {:<12} {}\n", what, value);
    };
    if (info.metadata.density) {
        line("resolution", density_text(*info.metadata.density));
    }
    if (!info.metadata.icc.empty()) {
        const std::string profile = profile_name(info.metadata.icc);
        line("profile", fmt::format("{} ({} bytes)", profile.empty() ? "without a name" : profile,
                                    info.metadata.icc.size()));
    }
    if (info.orientation != 1) {
        line("orientation", fmt::format("{}, {}", info.orientation, orientation_text(info.orientation)));
    }
    if (info.frames != 1) {
        line(series && series->kind == SeriesKind::pages ? "pages" : "frames", series_text(info, series));
    }
    if (!info.metadata.exif.empty()) {
        line("EXIF", fmt::format("{} bytes", info.metadata.exif.size()));
    }
    if (!info.metadata.xmp.empty()) {
        line("XMP", fmt::format("{} bytes", info.metadata.xmp.size()));
    }
    if (!info.metadata.iptc.empty()) {
        line("IPTC", fmt::format("{} bytes", info.metadata.iptc.size()));
    }
    if (bytes) {
        line("file", size_text(*bytes));
    }
    if (!stored.colours.empty()) {
        line("stored as", stored.colours);
    }
    if (!stored.compression.empty()) {
        line("compression", stored.compression);
    }
    if (info.metadata.jpeg) {
        line("quality", fmt::format("about {}{}{}", info.metadata.jpeg->quality,
                                    stored.sampling.empty() ? "" : ", sampling ", stored.sampling));
    }
    if (!taken.date.empty()) {
        line("date", printable_name(taken.date));
    }
    if (!taken.camera.empty()) {
        line("camera", printable_name(taken.camera));
    }
    if (taken.latitude && taken.longitude) {
        line("place", place_text(*taken.latitude, *taken.longitude));
    }
    return text;
}

Json text_json(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

Json packing_json(const std::optional<JpegPacking>& packing, const std::string& sampling) {
    return packing ? Json::object({{"quality", packing->quality}, {"sampling", text_json(sampling)}})
                   : Json();
}

Json place_json(const ExifFacts& taken) {
    return taken.latitude && taken.longitude ? Json::object({{"latitude", json_number(*taken.latitude)},
                                                             {"longitude", json_number(*taken.longitude)}})
                                             : Json();
}

Json picture_json(const Described& described) {
    const auto& [name, info, stored, taken, bytes, series] = described;
    const Form& form = info.form;
    const std::string profile = profile_name(info.metadata.icc);
    const bool is_animation = series && series->kind == SeriesKind::frames;
    return Json::object({{"schema", "glproc.picture/1"},
                         {"input", name},
                         {"format", info.title},
                         {"width", form.width},
                         {"height", form.height},
                         {"depth", static_cast<int>(form.depth)},
                         {"float", form.depth == Depth::f32},
                         {"channels", form.channels},
                         {"alpha", form.has_alpha()},
                         {"resolution", density_json(info.metadata.density)},
                         {"profile", info.metadata.icc.empty() ? Json() : Json(profile)},
                         {"orientation", info.orientation},
                         {"frames", info.frames},
                         {"seconds", is_animation ? json_number(series->seconds) : Json()},
                         {"plays", is_animation ? Json(series->plays) : Json()},
                         {"size", bytes ? Json(*bytes) : Json()},
                         {"stored_as", text_json(stored.colours)},
                         {"compression", text_json(stored.compression)},
                         {"jpeg", packing_json(info.metadata.jpeg, stored.sampling)},
                         {"date", text_json(taken.date)},
                         {"camera", text_json(taken.camera)},
                         {"place", place_json(taken)},
                         {"bytes", Json::object({{"icc", info.metadata.icc.size()},
                                                 {"exif", info.metadata.exif.size()},
                                                 {"xmp", info.metadata.xmp.size()},
                                                 {"iptc", info.metadata.iptc.size()}})}});
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
            std::erase_if(notes, [](const std::string& note) { return note.ends_with("the first one is used"); });
        }
        print_product(arguments.has("json") ? json_line(picture_json(described)) : picture_text(described));
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

bool is_film(const std::string& path) {
    try {
        std::error_code missing;
        return std::filesystem::is_regular_file(path, missing) && begins_as_film(peek_input(path));
    } catch (const Error&) { // which is said where it is opened
        return false;
    }
}

/// The same, where there is a budget in a process that may cost no more.
int describe(const Budget& budget, const Arguments& arguments, const Settings& settings,
             const ListedInput& input) {
    const NamedPage named = named_page(input.path);
    const std::string& path = named.path;
    if (!budget.any()) {
        if (is_film(path)) {
            return describe_film(arguments, path);
        }
        return describe_picture(arguments, settings, [&](const DecodeOptions& options) {
            refuse_special(path, input.found);
            return named.page == 0 ? inspect_input(path, options)
                                   : inspect_page(read_input(path, "image"), input.path, options, named.page);
        });
    }
    try {
        refuse_special(path, input.found);
        const std::vector<std::byte> bytes = read_input(path, "image");
        return run_within(budget, input_name(path), bytes, [&] {
            return describe_picture(arguments, settings, [&](const DecodeOptions& options) {
                try {
                    return named.page == 0 ? inspect_bytes(bytes, input_name(path), options)
                                                 : inspect_page(bytes, input.path, options, named.page);
                } catch (const Error& error) {
                    throw as_within(budget, input_name(path), error);
                }
            });
        });
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
