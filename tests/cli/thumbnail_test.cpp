// thumbnail: small pictures of large ones, alone and by the folder.
#include "cli/glproc_program.hpp"

#include "glproc/files/file.hpp"

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// A TIFF structure that says how the picture lies.
std::vector<std::byte> exif_block(int orientation) {
    std::vector<std::byte> block(26 + 4);
    const std::string head("MM\0*\0\0\0\10\0\1\1\22\0\3\0\0\0\1\0", 19);
    std::transform(head.begin(), head.end(), block.begin(), [](char c) { return static_cast<std::byte>(c); });
    block[19] = static_cast<std::byte>(orientation);
    return block;
}

std::vector<std::byte> icc_block() {
    std::vector<std::byte> block(300, std::byte{7});
    const std::string acsp = "acsp";
    std::transform(acsp.begin(), acsp.end(), block.begin() + 36, [](char c) { return static_cast<std::byte>(c); });
    block[2] = std::byte{1};
    block[3] = std::byte{44};
    std::fill(block.begin(), block.begin() + 2, std::byte{0});
    const std::string rgb = "RGB ";
    std::transform(rgb.begin(), rgb.end(), block.begin() + 16, [](char c) { return static_cast<std::byte>(c); });
    return block;
}

struct ThumbnailFolder : TempDir {
    void put(const std::string& name, int width, int height, int channels = 3, Metadata metadata = {},
             const EncodeOptions& options = {}) const {
        Image image = photo_like_image({.width = width, .height = height, .channels = channels});
        image.set_metadata(std::move(metadata));
        save(image, *this / name, options);
    }
    /// Of a call that must succeed.
    ProgramResult call(Words words) const {
        words.insert(words.begin(), "thumbnail");
        ProgramResult done = run_glproc(path(), std::move(words));
        INFO(done.err);
        REQUIRE(done.status == 0);
        return done;
    }
    std::string size(const std::string& name) const {
        const Image image = load(*this / name);
        return std::to_string(image.width()) + "x" + std::to_string(image.height());
    }
};

} // namespace

TEST_CASE("thumbnail: it fits, is never enlarged, and lies upright") {
    const ThumbnailFolder folder;
    folder.put("wide.jpg", 612, 377);
    folder.put("tall.jpg", 612, 377, 3, {.exif = exif_block(6)});
    folder.put("small.png", 40, 30, 4);
    folder.put("grey.jpg", 612, 377, 1, {}, {.progressive = true});
    const auto made = [&](const std::string& in, const std::string& size) {
        folder.call({in, "out.png", size});
        return folder.size("out.png");
    };
    CHECK(made("wide.jpg", "64") == "64x39");
    CHECK(made("wide.jpg", "64x20") == "32x20");
    CHECK(made("wide.jpg", "x64") == "104x64");
    CHECK(made("tall.jpg", "64") == "39x64");
    CHECK(made("tall.jpg", "64x") == "64x104");
    CHECK(made("small.png", "64") == "40x30");
    CHECK(made("small.png", "20") == "20x15");
    CHECK(made("grey.jpg", "64") == "64x39");
    folder.call({"wide.jpg", "out.png"});
    CHECK(folder.size("out.png") == "256x158");
}

TEST_CASE("thumbnail: of the metadata the profile alone stays, unless told otherwise") {
    const ThumbnailFolder folder;
    folder.put("in.jpg", 300, 200, 3,
               {.icc = icc_block(), .exif = exif_block(1), .density = Density{300, 300, Density::Unit::inch}, .texts = {{"Comment", "hello"}}});
    const auto metadata = [&](const Words& flags) {
        Words words{"in.jpg", "out.jpg", "64"};
        words.insert(words.end(), flags.begin(), flags.end());
        folder.call(words);
        return load(folder / "out.jpg").metadata();
    };
    const Metadata usual = metadata({});
    CHECK(usual.icc == icc_block());
    CHECK(usual.exif.empty());
    CHECK(usual.texts.empty());
    CHECK(metadata({"--strip=all"}).icc.empty());
    const Metadata all = metadata({"--strip=none"});
    CHECK(all.icc == icc_block());
    CHECK(find_text(all, comment_text) != nullptr);
}

TEST_CASE("thumbnail: the same bytes with and without a device, from a file, a pipe and a confined decoder") {
    const ThumbnailFolder folder;
    folder.put("rgb.jpg", 613, 379);
    folder.put("turned.jpg", 613, 379, 3, {.exif = exif_block(8)});
    folder.put("grey.jpg", 613, 379, 1);
    folder.put("alpha.png", 613, 379, 4);
    for (const std::string name : {"rgb.jpg", "turned.jpg", "grey.jpg", "alpha.png"}) {
        INFO(name);
        folder.call({name, "alone.png", "50"});
        const std::string expected = read_text(folder / "alone.png");
        folder.call({name, "device.png", "50", "--device", "cpu"});
        CHECK(read_text(folder / "device.png") == expected);
        folder.call({name, "confined.png", "50", "--untrusted"});
        CHECK(read_text(folder / "confined.png") == expected);
        folder.call({name, "one.png", "50", "--method", "gpu"});
        CHECK(read_text(folder / "one.png") == expected);
        ProgramCall call = glproc_call(folder.path(), {"thumbnail", "-", "-", "50", "--to", "png"});
        call.input = read_text(folder / name);
        const ProgramResult piped = run_program(std::move(call));
        CHECK(piped.status == 0);
        CHECK(piped.out == expected);
    }
}

TEST_CASE("thumbnail: pictures that need no device take none, alone and by the folder") {
    const ThumbnailFolder folder;
    fs::create_directory(folder / "in");
    for (const std::string name : {"a", "b", "c"}) {
        folder.put("in/" + name + ".jpg", 500, 300);
    }
    const auto without = [&](Words words) {
        words.insert(words.begin(), "thumbnail");
        return run_without_gpu(folder.path(), std::move(words));
    };
    CHECK(without({"in/a.jpg", "a.jpg", "40"}).status == 0);
    for (const std::string jobs : {"1", "2", "5"}) {
        const ProgramResult done = without({"in", "out" + jobs + "/", "40", "--jobs", jobs});
        INFO(done.err);
        CHECK(done.status == 0);
        for (const std::string name : {"a.jpg", "b.jpg", "c.jpg"}) {
            CHECK(read_text(folder / ("out" + jobs + "/" + name)) == read_text(folder / "a.jpg"));
        }
    }
    CHECK(without({"in/a.jpg", "a.jpg", "40", "--require-gpu"}).status == 5);
    CHECK(without({"in/a.jpg", "a.jpg", "40", "--device", "cpu"}).status == 5);
    folder.put("in/d.png", 500, 300, 4); // colour weighted by alpha
    folder.call({"in", "mixed/", "40"});
    CHECK(folder.size("mixed/d.png") == "40x24");
    CHECK(read_text(folder / "mixed/a.jpg") == read_text(folder / "a.jpg"));
}

TEST_CASE("thumbnail: a dry run makes nothing, and films and broken files are refused") {
    const ThumbnailFolder folder;
    fs::create_directory(folder / "in");
    folder.put("in/a.jpg", 500, 300);
    CHECK(folder.call({"in", "out/", "40", "--dry-run"}).out == "in/a.jpg -> out/a.jpg\n");
    CHECK_FALSE(fs::exists(folder / "out"));
    write_text(folder / "film.mp4", std::string("\0\0\0\30ftypisom\0\0\2\0isomiso2", 24));
    const ProgramResult video = run_without_gpu(folder.path(), {"thumbnail", "film.mp4", "out.jpg", "40"});
    CHECK(video.status == 3);
    CHECK(video.err.find("film.mp4: a video, not an image") != std::string::npos);
    const std::string whole = read_text(folder / "in/a.jpg");
    write_text(folder / "cut.jpg", whole.substr(0, whole.size() / 2));
    const ProgramResult cut = run_without_gpu(folder.path(), {"thumbnail", "cut.jpg", "out.jpg", "40"});
    CHECK(cut.status == 3);
    CHECK(cut.err.find("cut.jpg: truncated JPEG") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "out.jpg"));
    const ProgramResult large = run_without_gpu(folder.path(), {"thumbnail", "in/a.jpg", "out.jpg", "40", "--max-pixels", "1000"});
    CHECK(large.status == 3);
    CHECK(large.err.find("500x300 pixels are more than the limit of 1000") != std::string::npos);
}

TEST_CASE("blur, resize, twins, pipes and histogram of photos need no device, and have the same bytes as with one") {
    const ThumbnailFolder folder;
    folder.put("in.jpg", 613, 379);
    for (const Words& words : {Words{"blur", "in.jpg", "out.jpg", "--sigma", "2"}, Words{"resize", "in.jpg", "out.jpg", "200x"},
                               Words{"resize", "in.jpg", "out.jpg", "150%", "--max-size", "20K"}, Words{"sobel", "in.jpg", "out.jpg"},
                               Words{"bilateral", "in.jpg", "out.jpg", "--sigma", "2"},
                               Words{"pipe", "in.jpg", "out.jpg", "levels", "--auto", "then", "sobel", "then", "trim"}}) {
        INFO(words.front());
        CHECK(run_without_gpu(folder.path(), words).status == 0);
        const std::string alone = read_text(folder / "out.jpg");
        Words on_device = words;
        on_device.insert(on_device.end(), {"--device", "cpu"});
        CHECK(run_glproc(folder.path(), on_device).status == 0);
        CHECK(read_text(folder / "out.jpg") == alone);
    }
    const Words count{"histogram", "in.jpg", "--json", "--channels", "luma,r,g,b"};
    Words on_device = count;
    on_device.insert(on_device.end(), {"--device", "cpu"});
    const ProgramResult alone = run_without_gpu(folder.path(), count);
    CHECK(alone.status == 0);
    CHECK(alone.out == run_glproc(folder.path(), on_device).out);
    CHECK(run_without_gpu(folder.path(), {"histogram", "in.jpg", "--plot", "plot.png"}).status == 5);
    const ProgramResult said = run_glproc(folder.path(), {"blur", "in.jpg", "out.jpg", "--sigma", "2", "--timing=json"});
    CHECK(said.err.find("\"device\":\"the processor\"") != std::string::npos);
}
