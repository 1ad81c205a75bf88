// Pictures that a format cannot hold as they are: the flags that make them fit, and --fit-format.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

} // namespace

TEST_CASE("formats: --background and --gray make pictures fit that would not") {
    const TempDir folder;
    Image picture(3, 1, 4, Depth::u8);
    const std::vector<std::uint8_t> rgba{255, 0, 0, 255, 10, 20, 30, 0, 200, 100, 50, 51};
    std::copy(rgba.begin(), rgba.end(), picture.values<std::uint8_t>().begin());
    save(picture, folder / "in.png");
    const auto run = [&](Words words) {
        words.insert(words.begin(), {"blur", "in.png", "--sigma", "0"});
        return run_glproc(folder.path(), words);
    };
    CHECK(
        run({"out.jpg"}).err.find("\n  hint: --background white makes it fit; formats that hold it: png, ") !=
        std::string::npos);
    CHECK(run({"out.pgm"}).err.find("\n  hint: --background white --gray makes it fit; ") !=
          std::string::npos);
    REQUIRE(run({"out.ppm", "--background", "#00f"}).status == 0);
    CHECK(read_text(folder / "out.ppm") ==
          std::string("P6\n3 1\n255\n\xff\0\0\0\0\xff\x28\x14\xd6", 20)); // 200 / 5; 50 / 5 + 255 x 4 / 5
    REQUIRE(run({"out.pgm", "--background", "white", "--gray"}).status == 0);
    CHECK(read_text(folder / "out.pgm") == std::string("P5\n3 1\n255\n\x36\xff\xe4", 14)); // 54.2, 255, 227.5
    REQUIRE(run({"out.png", "--grey"}).status == 0);
    const Image grey = load(folder / "out.png");
    CHECK(grey.channels() == 2);
    CHECK(grey.at(0, 0, 0) == 54);
    CHECK(grey.at(1, 0, 1) == 0);
    CHECK(run({"out.png", "--background", "whte"}).err ==
          "glproc: error: --background whte is not a colour (did you mean 'white'?)\n"
          "  hint: --background takes a CSS name, #rrggbb, or R,G,B from 0 to 1\n");
    save(Image(2, 2, 2, Depth::u8), folder / "in.png");
    CHECK(run({"out.png", "--flatten", "red"}).status == 2);
    CHECK(run({"out.pgm", "--flatten", "gray"}).status == 0);
}

TEST_CASE("formats: --fit-format writes grey where a format holds colour alone") {
    const TempDir folder;
    const auto converted = [&](Words words) {
        words.insert(words.begin(), "convert");
        words.insert(words.end(), {"--fit-format", "-q"});
        const ProgramResult done = run_glproc(folder.path(), words);
        INFO(done.err);
        REQUIRE(done.status == 0);
        return load(folder / words[2]);
    };
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        for (const int channels : {1, 2}) {
            const std::string in = channels == 1 ? "grey.png" : "alpha.png";
            const Image image =
                photo_like_image({.width = 31, .height = 17, .channels = channels, .depth = depth});
            save(image, folder / in);
            INFO(in << ", " << static_cast<int>(depth) << " bits");
            const ProgramResult alone = run_glproc(folder.path(), {"convert", in, "out.ppm"});
            CHECK(alone.status == (channels == 1 ? 0 : 2)); // grey loses nothing in colours
            CHECK((alone.err.find("--fit-format makes it fit") != std::string::npos) == (channels == 2));
            const Image out = converted({in, "out.ppm"});
            REQUIRE(out.form() == Form{31, 17, 3, depth});
            const Image flat = converted({in, "flat.png", "--background", "white"});
            int differing = 0;
            for (int y = 0; y < 17; ++y) {
                for (int x = 0; x < 31; ++x) {
                    for (int c = 0; c < 3; ++c) {
                        differing += out.at(x, y, c) != flat.at(x, y, 0) ? 1 : 0;
                    }
                }
            }
            CHECK(differing == 0);
        }
    }
    CHECK(converted({"grey.png", "out.hdr"}).channels() == 3);
}
