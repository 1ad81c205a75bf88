// Animations and pages on the command line: all pictures of a file go through an operation.
#include "cli/glproc_program.hpp"
#include "files/png_files.hpp"

#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

std::vector<Image> images_in(const fs::path& path) {
    const std::vector<std::byte> file = read_file(path);
    std::vector<Image> images;
    const auto series = open_series(file, path.native());
    while (series != nullptr) {
        std::optional<SeriesPicture> picture = series->next();
        if (!picture) {
            return images;
        }
        images.push_back(std::move(picture->image));
    }
    return images;
}

struct SeriesFolder : TempDir {
    SeriesFolder() {
        SeriesInfo like;
        like.plays = 3;
        const auto gif = write_series(*this / "in.gif", "gif", like);
        const auto tif = write_series(*this / "in.tif", "tif", like);
        for (int i = 0; i < 4; ++i) {
            Image image(40, 24, 3, Depth::u8);
            for (int x = 5 * i; x < 5 * i + 9; ++x) {
                for (int y = 3; y < 20; ++y) {
                    image.row(y)[3 * x + i % 3] = static_cast<std::byte>(200 - x);
                }
            }
            gif->write(image, {static_cast<std::uint32_t>(i * 5), 100});
            tif->write(i == 2 ? photo_like_image({.width = 19, .height = 13, .channels = 1}) : image, {});
        }
        gif->finish();
        tif->finish();
    }

    ProgramResult run(Words words) const { return run_glproc(path(), std::move(words)); }
    ProgramResult must(Words words) const {
        ProgramResult done = run(std::move(words));
        INFO(done.err);
        REQUIRE(done.status == 0);
        return done;
    }
};

} // namespace

TEST_CASE("series: every frame of an animation is what the operation makes of that frame alone") {
    const SeriesFolder folder;
    for (const std::string out : {"out.webp", "out.gif", "out.apng"}) {
        Words words{"resize", "in.gif", out, "50%", "--filter", "nearest"};
        if (out == "out.webp") {
            words.emplace_back("--lossless");
        }
        folder.must(words);
        const std::vector<Image> images = images_in(folder / out);
        REQUIRE(images.size() == 4);
        for (int i = 0; i < 4; ++i) {
            INFO(out << ", frame " << i);
            folder.must(
                {"resize", "in.gif#" + std::to_string(i + 1), "one.png", "50%", "--filter", "nearest", "-q"});
            CHECK(same_pixels(images[static_cast<std::size_t>(i)], load(folder / "one.png")));
        }
        const std::string told = folder.must({"info", out}).out;
        CHECK(told.find("  frames       4, 0.3 s, played 3 times\n") != std::string::npos);
    }
    const std::string json = folder.must({"info", "out.gif", "--json"}).out;
    CHECK(json.find("\"frames\":4,\"seconds\":0.3,\"plays\":3") != std::string::npos);
}

TEST_CASE("series: chains, stdin and stdout") {
    const SeriesFolder folder;
    folder.must({"pipe", "in.gif", "out.gif", "invert", "then", "flip", "horizontal"});
    ProgramCall call = glproc_call(folder.path(), {"pipe", "-", "-", "invert", "then", "flip", "horizontal"});
    call.input = read_text(folder / "in.gif");
    const ProgramResult piped = run_program(std::move(call));
    CHECK(piped.status == 0);
    CHECK(piped.out == read_text(folder / "out.gif"));
    CHECK(images_in(folder / "out.gif").size() == 4);
}

TEST_CASE("series: a format of still pictures gets the first frame, with a note") {
    const SeriesFolder folder;
    const ProgramResult done = folder.must({"invert", "in.gif", "out.png"});
    CHECK(done.err.find("glproc: warning: in.gif: has 4 frames; the first one is used\n") !=
          std::string::npos);
    folder.must({"convert", "in.gif", "in.apng"});
    fs::rename(folder / "in.apng", folder / "in.png");
    folder.must({"invert", "in.png", "out.png"}); // an animation already
    CHECK(images_in(folder / "out.png").size() == 4);
}

TEST_CASE("series: of an animated PNG whose second frame is corrupt the first image is used") {
    const SeriesFolder folder;
    folder.must({"convert", "in.gif", "in.apng"});
    const auto break_frame = [&](std::size_t number) { // its checksums are right
        std::vector<Chunk> chunks = chunks_of(read_file(folder / "in.apng"));
        std::size_t seen = 1;
        for (Chunk& chunk : chunks) {
            if (chunk.type == "fdAT" && ++seen == number) {
                std::fill(chunk.data.begin() + 4, chunk.data.end(), std::byte{0xff});
            }
        }
        REQUIRE(seen == 4);
        write_file(folder / "broken.png", png_of(chunks));
    };
    break_frame(2);
    const ProgramResult done = folder.must({"invert", "broken.png", "out.png"});
    CHECK(done.err == "glproc: warning: broken.png: its animation is broken; the first image is used\n");
    folder.must({"invert", "in.gif#1", "one.png"});
    CHECK(same_pixels(load(folder / "out.png"), load(folder / "one.png")));
    break_frame(3);
    const ProgramResult refused = folder.run({"invert", "broken.png", "out.png"});
    CHECK(refused.status == 3);
    CHECK(refused.err.ends_with("  hint: --keep-partial keeps the images before that\n"));
    CHECK(folder.must({"invert", "broken.png", "out.png", "--keep-partial"}).err.find("; the 2 images before that are kept\n") !=
          std::string::npos);
}

TEST_CASE("series: what all frames have to say is said once") {
    const SeriesFolder folder;
    const ProgramResult done = folder.must({"pipe", "in.gif", "out.gif", "convert", "--alpha", "add", "then",
                                            "pad", "--margin", "3", "--border", "#ff000080"});
    const std::string note = "glproc: warning: out.gif: pixels of a GIF are opaque or transparent";
    CHECK(done.err.find(note) != std::string::npos);
    CHECK(done.err.find(note) == done.err.rfind(note));
}

TEST_CASE("series: pages of a TIFF, each in its form") {
    const SeriesFolder folder;
    folder.must({"invert", "in.tif", "out.tif"});
    const std::vector<Image> images = images_in(folder / "out.tif");
    REQUIRE(images.size() == 4);
    CHECK(images[2].form() == Form{19, 13, 1, Depth::u8});
    for (int i = 0; i < 4; ++i) {
        folder.must({"invert", "in.tif#" + std::to_string(i + 1), "one.png"});
        CHECK(same_pixels(images[static_cast<std::size_t>(i)], load(folder / "one.png")));
    }
    CHECK(folder.must({"info", "out.tif"}).out.find("  pages        4\n") != std::string::npos);
    const ProgramResult refused = folder.run({"invert", "in.tif", "none.png"});
    CHECK(refused.status == 2);
    CHECK(refused.err == "glproc: error: in.tif: 4 pages do not fit into none.png, which holds one image\n"
                         "  hint: 'in.tif#1' is the first of them, and a TIFF holds all\n");
    CHECK_FALSE(fs::exists(folder / "none.png"));
    CHECK(folder.run({"invert", "in.tif#5", "none.png"}).err ==
          "glproc: error: in.tif#5: there is no image 5: the file has 4\n");
    CHECK(folder.run({"invert", "in.tif#0", "none.png"}).status == 2);
}

TEST_CASE("series: folders take files of several pictures, too") {
    const SeriesFolder folder;
    fs::create_directory(folder / "in");
    for (const char* name : {"in.gif", "in.tif"}) {
        fs::copy(folder / name, folder / "in" / name);
        folder.must({"invert", name, std::string("one") + fs::path(name).extension().string()});
    }
    folder.must({"invert", "in", "out/"});
    CHECK(read_text(folder / "out/in.gif") == read_text(folder / "one.gif"));
    CHECK(read_text(folder / "out/in.tif") == read_text(folder / "one.tif"));
}

TEST_CASE("series: what is broken leaves no file, and --keep-partial the frames before") {
    const SeriesFolder folder;
    const std::string whole = read_text(folder / "in.gif");
    write_text(folder / "cut.gif", whole.substr(0, whole.size() - 20));
    const ProgramResult failed = folder.run({"invert", "cut.gif", "out.gif"});
    CHECK(failed.status == 3);
    CHECK(failed.err.find("glproc: error: cut.gif: truncated GIF\n"
                          "  hint: --keep-partial keeps the images before that\n") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "out.gif"));
    CHECK(folder.must({"invert", "cut.gif", "out.gif", "--keep-partial"})
              .err.find("glproc: warning: cut.gif: truncated GIF; the 3 images before that are kept\n") !=
          std::string::npos);
    CHECK(images_in(folder / "out.gif").size() == 3);
    const ProgramResult many = folder.run({"invert", "in.gif", "many.gif", "--max-frames", "3"});
    CHECK(many.status == 3);
    CHECK(many.err.find("glproc: error: in.gif: 4 images are more than the limit of 3\n") !=
          std::string::npos);
}

TEST_CASE("series: decoders of files that are not trusted have a process of their own for each frame") {
    const SeriesFolder folder;
    folder.must({"invert", "in.gif", "trusted.gif"});
    folder.must({"invert", "in.gif", "out.gif", "--untrusted"});
    CHECK(read_text(folder / "out.gif") == read_text(folder / "trusted.gif"));
}

TEST_CASE("series: pages that are cut off a file are missed on every road, and --keep-partial keeps those before") {
    const SeriesFolder folder;
    for (const std::string name : {"in.tif", "in.gif"}) {
        if (!fs::exists(folder / name)) {
            continue;
        }
        const std::string whole = read_text(folder / name);
        const std::string cut = "cut" + fs::path(name).extension().native();
        const std::size_t images = images_in(folder / name).size();
        std::size_t kept = images; // whose directory or blocks end before
        std::size_t size = whole.size();
        const auto said = [&](const std::string& what) { return fmt::format("{}: truncated {}", cut, what); };
        const std::string format = name == "in.tif" ? "TIFF" : "GIF";
        for (; kept == images; size -= 20) { // until an image is lost
            write_text(folder / cut, whole.substr(0, size));
            const std::vector<std::byte> file = read_file(folder / cut);
            kept = static_cast<std::size_t>(inspect_series(file, cut).value_or(SeriesInfo{.count = 1}).count);
        }
        INFO(fmt::format("{} of {} images", kept, images));
        REQUIRE(kept > 1);
        const std::string out = "out" + fs::path(name).extension().native();
        for (const std::vector<std::string>& call : {std::vector<std::string>{"invert", cut, out}, {"stack", cut, "out.png", "--by", "max"},
                                                     {"montage", cut, "out.png"}, {"split", cut, "out{page}-{channel}.png"},
                                                     {"invert", cut, out, "--max-seconds", "60"}, {"invert", cut, "folder/"}}) {
            if (call.front() == "stack" && name == "in.tif") {
                continue; // its pages have several forms
            }
            INFO(fmt::format("{}", fmt::join(call, " ")));
            const ProgramResult failed = folder.run(call);
            CHECK(failed.status == 3);
            CHECK(failed.err.find("error: " + said(format) + "\n") != std::string::npos);
            if (call.back() == "folder/") {
                continue;
            }
            CHECK(failed.err.find("--keep-partial keeps the images before that") != std::string::npos);
            std::vector<std::string> keeping = call;
            keeping.emplace_back("--keep-partial");
            CHECK(folder.must(keeping).err.find(fmt::format("warning: {}; the {} images before that are kept\n", said(format), kept)) !=
                  std::string::npos);
        }
        CHECK(images_in(folder / out).size() == kept);
        CHECK(folder.must({"info", cut}).err.find(fmt::format("warning: {} behind image {}\n", said(format), kept)) != std::string::npos);
        CHECK(folder.must({"stats", cut}).err.find("warning: " + cut) != std::string::npos);
        CHECK(folder.must({"stats", fmt::format("{}#1..{}", cut, kept)}).err.empty()); // they are whole
        const ProgramResult beyond = folder.run({"stats", fmt::format("{}#1..{}", cut, images)});
        CHECK(beyond.status == 3);
        CHECK(beyond.err.find(fmt::format("the file has {} (truncated {} behind them)", kept, format)) != std::string::npos);
    }
}
