// Every road runs by two machines, a device or the processor alone, and the same file comes out.
#include "seams/seams_folder.hpp"

#include "glproc/base/random_words.hpp"
#include "glproc/files/series.hpp"

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

/// Series, folders of them, and streams.
struct MachinesFolder : SeamsFolder {
    MachinesFolder() {
        for (const std::string name : {"z.gif", "z.png", "few.tif"}) {
            const auto series = write_series(*this / name, name.substr(name.find('.') + 1), SeriesInfo{.count = 3});
            for (int i = 0; i < 3; ++i) {
                series->write(photo_like_image({.width = 41, .height = 29, .channels = 3}, static_cast<std::uint32_t>(i + 1)), {1, 10});
            }
            series->finish();
        }
        fs::create_directory(*this / "mixed");
        for (const std::string name : {"z.gif", "z.tif", "plain.png", "deep.png"}) {
            fs::copy_file(*this / name, *this / ("mixed/" + name));
        }
        std::string frames;
        for (const std::string name : {"plain.png", "alpha.png", "deep.png"}) {
            save(picture_of(name), *this / "it.pam");
            frames += read_text(*this / "it.pam");
        }
        write_text(*this / "frames.pam", frames);
        write_text(*this / "film.y4m", video("420jpeg", std::size_t{21} * 15, 1));
        write_text(*this / "deep.y4m", video("422p10", std::size_t{21} * 29, 2));
    }

    /// Three frames of 41x29 pixels whose planes of chroma have so many samples.
    static std::string video(const std::string& kind, std::size_t chroma, std::size_t bytes) {
        std::string text = fmt::format("YUV4MPEG2 W41 H29 F25:1 Ip A1:1 C{}\n", kind);
        RandomWords words;
        for (int frame = 0; frame < 3; ++frame) {
            text += "FRAME\n";
            for (std::size_t i = 0; i < std::size_t{41} * 29 + 2 * chroma; ++i) {
                const std::uint32_t word = words();
                text += static_cast<char>(word >> 24U);
                text += bytes == 2 ? std::string(1, static_cast<char>(word >> 30U)) : "";
            }
        }
        return text;
    }
};

struct Made {
    int status = 0;
    std::string said;
    std::map<std::string, std::string> files;

    bool operator==(const Made&) const = default;
};

/// A call, by the device where there is one.
Made made_by(const MachinesFolder& folder, const Words& words, const std::string& input, bool alone) {
    fs::remove_all(folder / "out");
    fs::create_directory(folder / "out");
    ProgramCall call = glproc_call(folder.path(), words);
    if (alone) {
        call.environment = environment_without_gpu();
    } else {
        call.arguments.insert(call.arguments.end(), {"--device", "cpu"});
    }
    if (!input.empty()) {
        call.input = read_text(folder / input);
    }
    const ProgramResult result = run_program(std::move(call));
    Made made{.status = result.status, .said = without_software_warning(result.err), .files = {{"stdout", result.out}}};
    for (const auto& entry : fs::recursive_directory_iterator(folder / "out")) {
        if (entry.is_regular_file()) {
            made.files[entry.path().filename().string()] = read_text(entry.path());
        }
    }
    return made;
}

const std::vector<Words> works{{"blur", "--sigma", "1"}, {"resize", "50%"}, {"rotate", "90"}, {"adjust", "--exposure", "1"}, {"gray"},
                               {"threshold", "50%"}, {"levels", "--auto"}, {"crop", "20x10+3+2"}, {"median", "--radius", "1"},
                               {"blend", "--with", "profile.png", "--mode", "multiply"},
                               {"pipe", "levels", "--auto", "then", "resize", "50%"}};

} // namespace

TEST_CASE("seams: pages, frames, streams and folders of them are the same with a device and without any") {
    const MachinesFolder folder;
    struct Road {
        Words places;
        std::string input = {};
    };
    const std::vector<Road> roads{{{"z.tif", "out/z.tif"}},      {{"z.gif", "out/z.gif"}},           {{"z.png", "out/z.png"}},
                                  {{"z.tif#2..3", "out/z.tif"}}, {{"few.tif", "out/few.tif", "--max-memory", "2G"}},
                                  {{"mixed", "out/"}},           {{"-", "-"}, "frames.pam"},         {{"-", "-"}, "film.y4m"},
                                  {{"-", "-"}, "deep.y4m"},      {{"-", "out/it.tif", "--to", "tif"}, "few.tif"}};
    int done = 0;
    for (const Words& work : works) {
        for (const Road& road : roads) {
            INFO(fmt::format("{} {} < {}", fmt::join(work, " "), fmt::join(road.places, " "), road.input));
            const Words words = with(with({work[0]}, road.places), tail_of(work));
            const Made by_device = made_by(folder, words, road.input, false);
            const Made alone = made_by(folder, words, road.input, true);
            CHECK(alone.status == by_device.status);
            CHECK(alone.said == by_device.said);
            CHECK((alone.files == by_device.files)); // without printing them
            done += alone.status == 0 ? 1 : 0;
        }
    }
    CHECK(done > 80); // others are refused by both
}

TEST_CASE("seams: reports of streams are the same with a device and without any") {
    const MachinesFolder folder;
    for (const std::string& input : Words{"frames.pam", "film.y4m", "deep.y4m"}) {
        for (const std::string& command : Words{"stats", "histogram"}) {
            INFO(command << " < " << input);
            const Made alone = made_by(folder, {command, "-", "--json"}, input, true);
            CHECK(alone.status == 0);
            CHECK(alone == made_by(folder, {command, "-", "--json"}, input, false));
        }
    }
}

TEST_CASE("seams: a series whose second page needs a device says so where there is none, and leaves no file") {
    const MachinesFolder folder;
    const Made made = made_by(folder, {"blur", "z.tif", "out/z.tif", "--sigma", "2", "--method", "window"}, "", true);
    CHECK(made.status == 5);
    CHECK(made.said.find("no usable OpenGL") != std::string::npos);
    CHECK(made.files.size() == 1);
}

TEST_CASE("seams: labels in arrays are the same with a device and without any") {
    const MachinesFolder folder;
    for (const Words& words : {Words{"watershed", "grey.png", "out/a.npy"}, Words{"watershed", "z.tif#3", "out/a.npy", "--prominence", "20%"},
                               Words{"watershed", "grey.png", "out/a.npy", "--split"}, Words{"components", "grey.png", "out/a.npy"}}) {
        INFO(fmt::format("{}", fmt::join(words, " ")));
        const Made alone = made_by(folder, words, "", true);
        CHECK(alone.status == 0);
        CHECK(alone == made_by(folder, words, "", false));
    }
}

TEST_CASE("seams: a small image starts no device, be it a file, a page, an animation or pages") {
    const MachinesFolder folder;
    for (const Words& places : {Words{"plain.png", "out/a.png"}, Words{"few.tif#2", "out/a.png"}, Words{"few.tif", "out/a.tif"},
                                Words{"few.tif#2..3", "out/a.tif"}, Words{"z.gif", "out/a.gif"}, Words{"z.png", "out/a.png"}}) {
        INFO(fmt::format("{}", fmt::join(places, " ")));
        ProgramCall call = glproc_call(folder.path(), with(with({"blur"}, places), {"--sigma", "1", "-v"}));
        fs::create_directory(folder / "out");
        call.environment["GLPROC_BACKEND"] = std::nullopt;
        call.environment["GLPROC_DEVICE"] = std::nullopt;
        const ProgramResult result = run_program(std::move(call));
        CHECK(result.status == 0);
        CHECK(result.err.find("the processor") != std::string::npos);
        fs::remove_all(folder / "out");
    }
}
