// stack: several files become one, whatever they are and however they are named.
#include "cli/glproc_program.hpp"

#include "glproc/files/file.hpp"

#include <fstream>

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

struct StackFolder : TempDir {
    Image put(const std::string& name, std::uint32_t seed, const Shape& shape = {41, 29, 3, Depth::u8}) const {
        Image image = random_image(shape, seed);
        save(image, *this / name);
        return image;
    }
    ProgramResult call(Words words) const {
        words.insert(words.begin(), "stack");
        return run_glproc(path(), std::move(words));
    }
    /// The result of a call that must succeed.
    Image result(const Words& words, const std::string& name) const {
        const ProgramResult done = call(words);
        INFO(done.err);
        REQUIRE(done.status == 0);
        CHECK(done.err.empty());
        return load(*this / name);
    }
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Image brightest(const std::vector<Image>& images) {
    Image most = images.front();
    for (const Image& image : images) {
        for (std::size_t i = 0; i < most.bytes().size(); ++i) {
            most.bytes()[i] = std::max(most.bytes()[i], image.bytes()[i]);
        }
    }
    return most;
}

} // namespace

TEST_CASE("stack: formats with rows and without them, files, folders and lists") {
    const StackFolder folder;
    std::filesystem::create_directory(folder / "in");
    std::vector<Image> images;
    for (const char* name : {"in/a.png", "in/b.ppm", "in/c.bmp", "in/d.tif", "in/e.tga", "in/f.png"}) {
        images.push_back(folder.put(name, static_cast<std::uint32_t>(images.size() + 1)));
    }
    const Image expected = brightest(images);
    const auto is_expected = [&](const Image& got) { return std::ranges::equal(got.bytes(), expected.bytes()); };
    CHECK(is_expected(folder.result({"in", "folder.png", "--by", "max"}, "folder.png")));
    CHECK(is_expected(folder.result({"in/f.png", "in/e.tga", "in/d.tif", "in/c.bmp", "in/b.ppm", "in/a.png", "files.ppm", "--by", "max"},
                                    "files.ppm")));
    std::ofstream(folder / "list.txt") << "in/b.ppm\nin/c.bmp\nin/d.tif\nin/e.tga\nin/f.png\n";
    CHECK(is_expected(folder.result({"in/a.png", "list.png", "--files-from", "list.txt", "--by", "max"}, "list.png")));
    CHECK(is_expected(folder.result({"in", "untrusted.png", "--by", "max", "--max-seconds", "20"}, "untrusted.png")));
}

TEST_CASE("stack: what does not fit together is refused with names, and nothing is written") {
    const StackFolder folder;
    folder.put("a.png", 1);
    folder.put("wide.png", 2, {42, 29, 3, Depth::u8});
    folder.put("grey.png", 3, {41, 29, 1, Depth::u8});
    folder.put("floats.tif", 4, {41, 29, 3, Depth::f32});
    std::ofstream(folder / "broken.png") << "\x89PNG\r\n\x1a\nnothing";
    const auto refused = [&](const Words& words, int status, const std::string& why) {
        const ProgramResult done = folder.call(words);
        INFO(done.err);
        CHECK(done.status == status);
        CHECK(contains(done.err, why));
        CHECK(!std::filesystem::exists(folder / "out.png"));
    };
    refused({"a.png", "out.png"}, 2, "stack takes several images");
    refused({"a.png", "wide.png", "out.png"}, 2, "wide.png is 42x29");
    refused({"a.png", "grey.png", "out.png"}, 2, "grey.png is 41x29 with 1 channels");
    refused({"a.png", "floats.tif", "out.png"}, 2, "floats.tif has floats");
    refused({"a.png", "broken.png", "out.png"}, 3, "broken.png");
    refused({"a.png", "missing.png", "out.png"}, 3, "missing.png");
    refused({"a.png", "-", "out.png"}, 2, "stdin cannot be one of several inputs");
    refused({"a.png", "a.png", "out.png", "--by", "medain"}, 2, "did you mean 'median'?");
    refused({"a.png", "a.png", "out.png", "--weights", "1,2,3"}, 2, "3 weights for 2 images");
    refused({"a.png", "a.png", "out.png", "--by", "stddev"}, 2, "PNG cannot hold float values");
    const ProgramResult pipe = run_glproc(folder.path(), {"pipe", "a.png", "out.png", "stack"});
    CHECK(pipe.status == 2);
}
