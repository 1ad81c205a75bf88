// Second pictures meet the colours that a picture has at their step, not those of its file, and floats are converted as codes are.
#include "cli/glproc_program.hpp"
#include "glproc/files/file.hpp"
#include "support/matchers.hpp"
#include "support/inputs.hpp"

#include <algorithm>

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

struct Colours : TempDir {
    Colours() {
        const Image photo = with_depth(photo_like_image({61, 37, 3, Depth::u8}), Depth::u16);
        save(photo, *this / "a.png");
        save(with_depth(photo_like_image({61, 37, 3, Depth::u8}, 2), Depth::u16), *this / "b.png");
        run({"profile", "a.png", "p3.png", "--to", "display-p3"});
        run({"convert", "a.png", "light.exr"});
        run({"convert", "b.png", "other.exr"});
        run({"convert", "a.png", "codes.tif", "--depth", "f32"});
        run({"profile", "codes.tif", "p3.tif", "--to", "display-p3"});
    }
    std::string run(const Words& words) const {
        const ProgramResult result = run_glproc(path(), words);
        INFO(result.err);
        CHECK(result.status == 0);
        return result.err;
    }
    Image made(const Words& words, const std::string& out) const {
        run(words);
        return load(*this / out);
    }
};

double largest_difference(const Image& a, const Image& b) {
    REQUIRE(a.form() == b.form());
    double largest = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            for (int c = 0; c < a.channels(); ++c) {
                largest = std::max(largest, std::abs(a.at(x, y, c) - b.at(x, y, c)));
            }
        }
    }
    return largest;
}

} // namespace

TEST_CASE("chain: a second picture comes in the profile that its step gets") {
    const Colours folder;
    const std::vector<std::pair<std::string, Words>> first_steps{{"a.png", {"profile", "--to", "display-p3"}},
                                                                 {"p3.png", {"convert", "--to-srgb"}}};
    for (const auto& [in, first] : first_steps) {
        INFO(in);
        Words alone{first.front(), in, "one.png"};
        alone.insert(alone.end(), first.begin() + 1, first.end());
        folder.run(alone);
        const Image wanted = folder.made({"blend", "one.png", "two.png", "--with", "b.png", "--opacity", "0.5"}, "two.png");
        Words steps = first;
        for (const char* word : {"then", "blend", "--with", "b.png", "--opacity", "0.5"}) {
            steps.emplace_back(word);
        }
        for (const Words& road : {Words{"pipe", in, "o.png"}, Words{"pipe", in, "o.png", "--memory", "1M"},
                                  Words{"pipe", in, "out/"}, Words{"pipe", in, "b.png", "many/"}}) {
            Words words = road;
            words.insert(words.end(), steps.begin(), steps.end());
            const std::string out = road.back() == "out/" ? "out/" + in : road.back() == "many/" ? "many/" + in : "o.png";
            const Image made = folder.made(words, out);
            CHECK_THAT(made, IsBitwise(wanted));
            CHECK(made.metadata().icc == wanted.metadata().icc);
        }
    }
}

TEST_CASE("chain: a second picture comes in the light that its step gets, or numbers are told") {
    const Colours folder;
    // light, numbers, encoded values: what the file held is of no account for the third step
    const Words steps{"pipe", "light.exr", "o.tif", "color", "lab", "then", "color", "srgb", "--from", "lab",
                      "then", "blend", "--with", "other.exr", "--opacity", "0.5"};
    const Image encoded = folder.made(steps, "o.tif");
    const Image wanted = folder.made({"blend", "a.png", "w.tif", "--with", "b.png", "--opacity", "0.5", "--depth", "f32"}, "w.tif");
    CHECK(largest_difference(encoded, wanted) < 1e-4);
    CHECK(folder.run({"pipe", "a.png", "n.tif", "--depth", "f32", "color", "lab", "then", "blend", "--with", "b.png"})
              .find("b.png: meets numbers at its step") != std::string::npos);
}

TEST_CASE("further pictures of floats come in the profile of the first") {
    const Colours folder;
    const Image codes = load(folder / "codes.tif");
    const Image light = load(folder / "light.exr");
    CHECK(largest_difference(codes, load(folder / "p3.tif")) > 0.02); // another profile, other values
    CHECK(folder.run({"blend", "codes.tif", "o.tif", "--with", "p3.tif"}).find("p3.tif: its colours become those of") !=
          std::string::npos);
    CHECK(largest_difference(load(folder / "o.tif"), codes) < 1e-4);
    CHECK(largest_difference(folder.made({"blend", "light.exr", "o.exr", "--with", "p3.tif"}, "o.exr"), light) < 1e-4);
    CHECK(largest_difference(folder.made({"blend", "p3.tif", "o.tif", "--with", "light.exr"}, "o.tif"), load(folder / "p3.tif")) <
          1e-4);
    CHECK(largest_difference(folder.made({"stack", "light.exr", "p3.tif", "s.exr", "--by", "mean"}, "s.exr"), light) < 1e-4);
    CHECK(run_glproc(folder.path(), {"compare", "codes.tif", "p3.tif", "--min-psnr", "80"}).status == 0);
}

TEST_CASE("chain: colours that are taken for sRGB, whatever the profile says, are told") {
    const Colours folder;
    const std::string told = "color: colours are taken for sRGB";
    CHECK(folder.run({"color", "p3.png", "o.tif", "lab"}).find(told) != std::string::npos);
    CHECK(folder.run({"pipe", "a.png", "o.tif", "profile", "--to", "display-p3", "then", "color", "lab"}).find(told) != std::string::npos);
    CHECK(folder.run({"color", "a.png", "o.tif", "lab"}).empty());
    CHECK(folder.run({"pipe", "p3.png", "o.tif", "convert", "--to-srgb", "then", "color", "lab"}).find(told) == std::string::npos);
}
