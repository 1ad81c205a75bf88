// Whatever way a picture comes in and goes out, the same operation makes the same file of it and says the same. Each cell takes
// a picture with a fact (a profile, light, density, orientation, depth, alpha), an operation, a limit, a format and a road, and
// compares with the plainest road: one file to one file.
#include "seams/seams_folder.hpp"
#include "support/combinations.hpp"

#include <map>
#include <set>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

using Road = Outcome (*)(const SeamsFolder&, const Cell&);

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
