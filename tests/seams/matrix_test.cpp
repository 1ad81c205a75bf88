// Whatever way a picture comes in and goes out, the same operation makes the same file of it and says the same. Each cell takes
// a picture with a fact (a profile, light, density, orientation, depth, alpha), an operation, a limit, a format and a road, and
// compares with the plainest road: one file to one file.
#include "cli/glproc_program.hpp"
#include "files/metadata_files.hpp"
#include "support/combinations.hpp"

#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"
#include "glproc/image/made_profile.hpp"

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// A picture in a file: what it is tells the name.
const Words pictures{"plain.png", "profile.png", "deep.png", "alpha.png", "density.png", "turned.jpg",
                     "light.pfm", "numbers.tif", "grey.png",  "turned.tif", "wide.tif"};

const std::vector<Words> operations{{"blur", "--sigma", "1"}, {"resize", "50%"},   {"rotate", "90"},
                                    {"adjust", "--exposure", "1"}, {"gray"},       {"threshold", "50%"},
                                    {"levels", "--auto"},     {"convert"},         {"crop", "20x10+3+2"},
                                    {"blend", "--with", "profile.png", "--mode", "multiply"},
                                    {"blend", "--with", "light.pfm", "--mode", "screen"},
                                    {"blend", "--with", "z.tif#3", "--mask", "grey.png"},
                                    {"match", "--reference", "plain.png"}};

const std::vector<Words> limits{{}, {"--untrusted"}, {"--max-seconds", "60"}, {"--max-memory", "2G"}, {"--memory", "64M"}};

const Words formats{"png", "tif", "jpg", "pam"};

/// Of z.tif.
const Words pages{"numbers.tif", "turned.tif", "wide.tif"};

Image picture_of(const std::string& name) {
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

    std::string stem() const { return fs::path(picture).stem().string(); }
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
        fs::create_directory(*this / "in");
        for (const std::string& name : pictures) {
            save(picture_of(name), *this / name);
            fs::create_directory(*this / ("in/" + name));
            fs::copy_file(*this / name, *this / ("in/" + name + "/" + name));
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
        fs::remove_all(*this / "out");
        fs::create_directory(*this / "out");
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
        if (!made.empty() && fs::exists(*this / made)) {
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

using Road = Outcome (*)(const SeamsFolder&, const Cell&);

Words tail_of(const Words& words) {
    return {words.begin() + 1, words.end()};
}

Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Outcome plainest(const SeamsFolder& folder, const Cell& cell) {
    const std::string out = "out/it." + cell.format;
    return folder.run(cell, {cell.operation[0]}, {cell.picture, out}, tail_of(cell.operation), out);
}

Outcome from_stdin(const SeamsFolder& folder, const Cell& cell) {
    const std::string out = "out/it." + cell.format;
    return folder.run(cell, {cell.operation[0]}, {"-", out}, tail_of(cell.operation), out, true);
}

Outcome to_stdout(const SeamsFolder& folder, const Cell& cell) {
    return folder.run(cell, {cell.operation[0]}, {cell.picture, "-"}, with({"--to", cell.format}, tail_of(cell.operation)), "");
}

Outcome first_page(const SeamsFolder& folder, const Cell& cell) {
    const std::string out = "out/it." + cell.format;
    return folder.run(cell, {cell.operation[0]}, {cell.picture + "#1", out}, tail_of(cell.operation), out);
}

Outcome of_folder(const SeamsFolder& folder, const Cell& cell) {
    return folder.run(cell, {cell.operation[0]}, {"in/" + cell.picture, "out/"},
                      with({"--to", cell.format}, tail_of(cell.operation)), fmt::format("out/{}.{}", cell.stem(), cell.format));
}

Outcome of_list(const SeamsFolder& folder, const Cell& cell) {
    return folder.run(cell, {cell.operation[0], "--files-from"}, {cell.picture + ".list", "out/"},
                      with({"--to", cell.format, "--name", "it.{ext}"}, tail_of(cell.operation)), "out/it." + cell.format);
}

Outcome by_pipe(const SeamsFolder& folder, const Cell& cell) {
    const std::string out = "out/it." + cell.format;
    Cell unlimited = cell; // flags stand before the operation
    unlimited.limit.clear();
    return folder.run(unlimited, {"pipe"}, {cell.picture, out}, with(cell.limit, cell.operation), out);
}

const std::vector<std::pair<std::string, Road>> roads{{"stdin", from_stdin}, {"stdout", to_stdout}, {"page", first_page},
                                                      {"folder", of_folder}, {"list", of_list},     {"pipe", by_pipe}};

} // namespace

TEST_CASE("seams: whatever road a picture takes, the same file comes out and the same is said") {
    const SeamsFolder folder;
    std::vector<std::size_t> sizes{pictures.size(), operations.size(), limits.size(), formats.size(), roads.size()};
    std::map<std::string, Outcome> known;
    int files = 0;
    for (const std::vector<std::size_t>& at : index_combinations(sizes)) {
        const Cell cell{pictures[at[0]], operations[at[1]], limits[at[2]], formats[at[3]]};
        const auto& [name, road] = roads[at[4]];
        const auto [plain, is_new] = known.try_emplace(cell.text());
        if (is_new) {
            plain->second = plainest(folder, cell);
        }
        const Outcome got = road(folder, cell);
        INFO(cell.text() << " by " << name);
        CHECK(got.status == plain->second.status);
        CHECK(got.said == plain->second.said);
        CHECK((got.file == plain->second.file)); // without printing it
        files += got.file.empty() ? 0 : 1;
    }
    CHECK(files > 50); // and the rest is refused in the same words
}

TEST_CASE("seams: a page between others is what it is by itself, in its place") {
    const SeamsFolder folder;
    for (const Words& operation : operations) {
        for (const Words& limit : limits) {
            if (limit == Words{"--untrusted"}) { // which reads no TIFF
                continue;
            }
            INFO(fmt::format("{} {}", fmt::join(operation, " "), fmt::join(limit, " ")));
            const Words rest = with(tail_of(operation), limit);
            if (run_glproc(folder.path(), with({operation[0], "z.tif", "out.tif"}, rest)).status != 0) {
                CHECK(operation[0] == "match"); // which takes no floats
                CHECK(run_glproc(folder.path(), with({operation[0], pages[0], "one.tif"}, rest)).status == 2);
                continue;
            }
            for (std::size_t i = 0; i < pages.size(); ++i) {
                const std::string number = std::to_string(i + 1);
                REQUIRE(run_glproc(folder.path(), with({operation[0], pages[i], "one.tif"}, rest)).status == 0);
                REQUIRE(run_glproc(folder.path(), with({operation[0], "z.tif#" + number, "page.tif"}, rest)).status == 0);
                const Image one = load(folder / "one.tif");
                DecodeOptions options;
                options.page = static_cast<int>(i) + 1;
                for (const Image& page : {decode(read_file(folder / "out.tif"), "out.tif", options), load(folder / "page.tif")}) {
                    CHECK(same_pixels(page, one));
                    CHECK(page.metadata().icc == one.metadata().icc);
                    CHECK(page.metadata().exif == one.metadata().exif);
                }
            }
        }
    }
}

TEST_CASE("seams: frames of a stream are what each is by itself") {
    const SeamsFolder folder;
    Words files;
    std::string frames;
    for (const std::string name : {"plain.png", "alpha.png", "deep.png"}) {
        files.push_back(fs::path(name).stem().string() + ".pam");
        save(picture_of(name), folder / files.back());
        frames += read_text(folder / files.back());
    }
    for (const Words& operation : operations) {
        INFO(fmt::format("{}", fmt::join(operation, " ")));
        std::string each;
        std::set<std::string> said;
        int status = 0;
        for (const std::string& file : files) {
            const ProgramResult one = run_glproc(folder.path(), with({operation[0], file, "-"}, tail_of(operation)));
            status = std::max(status, one.status);
            each += one.out;
            for (const std::string& line : lines_of(without_software_warning(one.err))) {
                said.insert(line);
            }
        }
        ProgramCall call = glproc_call(folder.path(), with({operation[0], "-", "-"}, tail_of(operation)));
        call.input = frames;
        const ProgramResult all = run_program(std::move(call));
        CHECK(all.status == status);
        if (status == 0) {
            CHECK((all.out == each));
            const std::vector<std::string> lines = lines_of(without_software_warning(all.err));
            CHECK(std::set<std::string>(lines.begin(), lines.end()) == said);
        }
    }
}
