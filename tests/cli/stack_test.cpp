// stack: several files become one, whatever they are and however they are named.
#include "cli/glproc_program.hpp"

#include "glproc/files/series.hpp"

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
    refused({"a.png", "grey.png", "out.png"}, 2, "grey.png is 41x29 with 1 channel");
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

TEST_CASE("stack: more images than it takes are refused before one of them is read") {
    const TempDir folder;
    const auto writer = write_series(folder / "z.gif", "gif", SeriesInfo{.count = 2});
    Image image(2, 1, 3, Depth::u8);
    writer->write(image, {1, 10});
    image.bytes()[0] = std::byte{9};
    writer->write(image, {1, 10});
    writer->finish();
    // The second frame, which ends before the mark of the end, over and over: broken, as decoding would find.
    const std::string file = read_text(folder / "z.gif");
    const std::size_t second = file.find("\x21\xF9\x04", file.find("\x21\xF9\x04") + 1);
    std::string frame = file.substr(second, file.size() - 1 - second);
    const auto flags = static_cast<unsigned char>(frame[8 + 9]);
    frame[8 + 10 + ((flags & 0x80U) == 0 ? 0 : std::size_t{3} << ((flags & 7U) + 1))] = 40; // bits of a code
    std::string many = file.substr(0, second);
    for (int i = 1; i < 20000; ++i) {
        many += frame;
    }
    write_text(folder / "z.gif", many + file.back());
    for (const std::string in : {"z.gif", "z.gif#1..20000"}) {
        const ProgramResult refused = run_glproc(folder.path(), {"stack", in, "out.png"});
        CHECK(refused.status == 2);
        CHECK(refused.err == "glproc: error: 20000 images are more than stack takes, 16384\n");
    }
    const ProgramResult allowed = run_glproc(folder.path(), {"stack", "z.gif#1..9", "out.png"});
    CHECK(allowed.status == 3); // then it is read
}
