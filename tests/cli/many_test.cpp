// Many pictures in one call: what goes in, what comes out, and in which order.
#include "cli/many_folder.hpp"

#include "glproc/image/array.hpp"

#include <sys/stat.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;

std::string error(const std::string& text) {
    return "glproc: error: " + text + "\n";
}

} // namespace

TEST_CASE("many: every picture is what a call for it alone writes, whatever --jobs and --memory") {
    const ManyFolder folder(7);
    fs::create_directory(folder / "expected");
    for (const std::string& name : folder.names) {
        REQUIRE(folder.run({"blur", "in/" + name, "expected/" + name, "--sigma", "2"}).status == 0);
    }
    const auto expected = folder.content("expected");
    for (const std::vector<std::string>& flags :
         {std::vector<std::string>{}, {"--jobs", "1"}, {"-j", "5"}, {"--memory", "1"}, {"--device", "all"}}) {
        INFO((flags.empty() ? "" : flags.front() + flags.back()));
        const ProgramResult result = folder.run(folder.blur("out/", flags));
        CHECK(result.status == 0);
        CHECK(result.out.empty());
        CHECK(without_software_warning(result.err).empty());
        CHECK(folder.content("out") == expected);
        fs::remove_all(folder / "out");
    }
}

TEST_CASE("many: a picture that one call reads and writes in rows has the same bytes") {
    const TempDir folder;
    Image large(4100, 4100, 1, Depth::u16); // more than 32 MiB
    for (int y = 0; y < large.height(); y += 7) {
        std::fill_n(large.row(y), large.row_bytes(), static_cast<std::byte>(y));
    }
    save(large, folder / "large.png");
    REQUIRE(run_glproc(folder.path(), {"blur", "large.png", "one.png", "--sigma", "1"}).status == 0);
    for (const char* memory : {"4096", "64"}) { // decoded as a whole, and in rows on the thread of the GPU
        CHECK(run_glproc(folder.path(), {"blur", "large.png", "out/", "--sigma", "1", "--memory", memory})
                  .status == 0);
        CHECK(read_text(folder / "out/large.png") == read_text(folder / "one.png"));
    }
}

TEST_CASE("many: reports come in the order of the inputs, one line of JSON each") {
    const ManyFolder folder(9);
    save(photo_like_image({.width = 900, .height = 800, .channels = 3}), folder / "in/00.png"); // the slowest
    std::vector<std::string> call{"histogram", "--json", "--bins", "2", "--jobs", "4"};
    std::string expected;
    for (const std::string& name : folder.names) {
        call.push_back("in/" + name);
        expected += folder.run({"histogram", "in/" + name, "--json", "--bins", "2"}).out;
    }
    const ProgramResult result = folder.run(call);
    CHECK(result.status == 0);
    CHECK(result.out == expected);
    CHECK(folder.run({"stats", "in", "--json"}).out.find("\"input\":\"in/00.png\"") != std::string::npos);
    CHECK(lines_of(folder.run({"histogram", "in/00.png", "in/01.png", "--bins", "1"}).out).size() == 6);
}

TEST_CASE("many: what a report writes for one input only is refused") {
    const ManyFolder folder(2);
    const auto refused = [&](std::vector<std::string> flags, const std::string& what) {
        flags.insert(flags.begin(), {"histogram", "in"});
        const ProgramResult result = run_without_gpu(folder.path(), flags);
        CHECK(result.status == 2);
        CHECK(result.err.starts_with(error(what)));
    };
    refused({"--plot", "p.png"}, "--plot writes one image, but there are several inputs");
}

TEST_CASE("many: tables say whose each line is, under one header") {
    const ManyFolder folder(2);
    fs::copy(folder / "in/00.png", folder / "in/a,\"b\".png");
    const ProgramResult result = folder.run({"histogram", "in", "--bins", "1", "--format", "csv"});
    CHECK(result.status == 0);
    const std::vector<std::string> lines = lines_of(result.out);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] == "file,bin,lo,hi,luma");
    CHECK(lines[1].starts_with("in/00.png,0,0,255,"));
    CHECK(lines[2].starts_with("in/01.png,0,0,255,"));
    CHECK(lines[3].starts_with("\"in/a,\"\"b\"\".png\",0,0,255,"));
}

TEST_CASE("many: a folder is compared with the pictures of the same names in another") {
    const ManyFolder folder(3);
    fs::create_directories(folder / "ref");
    fs::copy(folder / "in/00.png", folder / "ref/00.png");
    save(photo_like_image({.width = 62, .height = 47, .channels = 3}, 99), folder / "ref/01.png");
    save(photo_like_image({.width = 62, .height = 47, .channels = 3}, 99), folder / "ref/09.png");
    const ProgramResult result = folder.run({"compare", "in", "ref", "--format", "csv", "--max-diff", "0"});
    CHECK(result.status == 1);
    const std::vector<std::string> lines = lines_of(result.out);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == "file,mse,psnr,ssim,max_diff,x,y,pixels");
    CHECK(lines[1].starts_with("in/00.png,0,inf,"));
    CHECK(lines[2].starts_with("in/01.png,"));
    CHECK(result.err.find("in/02.png: ref/02.png: no such file") != std::string::npos);
    CHECK(result.err.find("in/01.png: the images differ by up to ") != std::string::npos);
    CHECK(result.err.find("ref/09.png: no image of this name among the inputs") != std::string::npos);
    CHECK(result.err.find("1 done, 0 skipped, 3 failed") != std::string::npos);
    fs::remove(folder / "ref/01.png");
    fs::remove(folder / "in/01.png");
    fs::remove(folder / "in/02.png");
    CHECK(folder.run({"compare", "in", "ref"}).status == 1);
    fs::remove(folder / "ref/09.png");
    CHECK(folder.run({"compare", "in", "ref"}).status == 0);
}

TEST_CASE("many: each image of a folder meets the image of its name in another, and a result is written") {
    const ManyFolder folder(2);
    fs::create_directories(folder / "in/sub");
    fs::create_directories(folder / "with/sub");
    fs::copy(folder / "in/00.png", folder / "in/sub/x.png");
    for (const std::string name : {"00.png", "01.png", "sub/x.png"}) {
        REQUIRE(folder.run({"invert", "in/" + name, "with/" + name}).status == 0);
    }
    const std::vector<std::string> call{"blend", "in", "out/", "-r", "--with", "with", "--mode", "difference"};
    const ProgramResult result = folder.run(call);
    INFO(result.err);
    CHECK(result.status == 0);
    CHECK(result.err.find("no image of this name") == std::string::npos);
    for (const std::string name : {"00.png", "01.png", "sub/x.png"}) {
        REQUIRE(folder.run({"blend", "in/" + name, "one.png", "--with", "with/" + name, "--mode", "difference"}).status == 0);
        CHECK(read_text(folder / ("out/" + name)) == read_text(folder / "one.png"));
    }
    REQUIRE(folder.run({"pipe", "in", "piped/", "-r", "blend", "--with", "with", "--mode", "difference"}).status == 0);
    CHECK(read_text(folder / "piped/sub/x.png") == read_text(folder / "out/sub/x.png"));
    fs::remove(folder / "with/sub/x.png");
    const ProgramResult missing = folder.run(call);
    CHECK(missing.status == 3);
    CHECK(missing.err.find("in/sub/x.png: with/sub/x.png: no such file") != std::string::npos);
    CHECK(missing.err.find("2 done, 0 skipped, 1 failed") != std::string::npos);
}

TEST_CASE("many: what one picture cannot have is its failure, with its hint") {
    const ManyFolder folder(2);
    save(random_image({9, 7, 4, Depth::u16}, 1), folder / "in/deep.png");
    save(random_image({9, 7, 3, Depth::u8}, 1), folder / "in/photo.jpg");
    const ProgramResult gif_fails = folder.run({"convert", "in", "gif/", "--to", "gif"});
    CHECK(gif_fails.status == 2);
    CHECK(gif_fails.err.find("gif/deep.gif: GIF cannot hold 16-bit values") != std::string::npos);
    CHECK(folder.run({"convert", "in", "out/"}).status == 0);
    CHECK(names_in(folder / "out") == Names{"00.png", "01.png", "deep.png", "photo.jpg"});
    CHECK(folder.run({"convert", "in", "out/", "--quality", "70"}).status == 0);
    const ProgramResult hint = folder.run({"convert", "in", "jpg/", "--to", "jpg"});
    CHECK(hint.status == 2);
    CHECK(
        hint.err.find("jpg/deep.jpg: JPEG cannot hold an alpha channel\n  hint: --background white --depth 8 "
                      "makes it fit; ") != std::string::npos);
    CHECK(folder.run({"convert", "in", "fit/", "--to", "jpg", "--fit-format"}).status == 0);
    CHECK(load(folder / "fit/deep.jpg").form().channels == 3);
}

TEST_CASE("many: a dry run lists what would be done, and does nothing") {
    const ManyFolder folder(2);
    const ProgramResult result = run_without_gpu(
        folder.path(), {"blur", "in", "out/", "--sigma", "1", "--name", "p{n:03}.{ext}", "--dry-run"});
    CHECK(result.status == 0);
    CHECK(result.out == "in/00.png -> out/p001.png\nin/01.png -> out/p002.png\n");
    CHECK_FALSE(fs::exists(folder / "out"));
    const ProgramResult missing = run_without_gpu(folder.path(), {"resize", "phtos", "out/", "50%"});
    CHECK(missing.status == 3);
    CHECK(missing.err == "glproc: error: phtos: no such file or folder\n");
}

TEST_CASE("many: a folder is every picture in it by name, -r below it, too") {
    const ManyFolder folder(1);
    fs::create_directories(folder / "in/sub/deep");
    fs::copy(folder / "in/00.png", folder / "in/Z.PNG");
    fs::copy(folder / "in/00.png", folder / "in/sub/deep/x.png");
    fs::copy(folder / "in/00.png", folder / "in/.hidden.png");
    write_text(folder / "in/notes.txt", "no picture");
    CHECK(folder.run(folder.blur("out/")).status == 0);
    CHECK(names_in(folder / "out") == Names{"00.png", "Z.PNG"});
    CHECK(folder.run(folder.blur("all/", {"-r"})).status == 0);
    CHECK(names_in(folder / "all") == Names{"00.png", "Z.PNG", "sub"});
    CHECK(names_in(folder / "all/sub/deep") == Names{"x.png"});

    // The folder of outputs is not searched, and so a second call does the same.
    CHECK(folder.run(folder.blur("in/sub/soft/", {"-r"})).status == 0);
    const auto once = folder.content("in/sub/soft");
    CHECK(folder.run(folder.blur("in/sub/soft", {"-r"})).status == 0);
    CHECK(folder.content("in/sub/soft") == once);
    CHECK(once.size() == 3);

    fs::create_directories(folder / "empty/sub");
    const ProgramResult empty = run_without_gpu(folder.path(), {"blur", "empty", "out/", "--sigma", "2"});
    CHECK(empty.status == 3);
    CHECK(empty.err ==
          error("empty: no images in this folder") + "  hint: -r also looks into its subfolders\n");
}

TEST_CASE("many: names from a list, and from stdin") {
    const ManyFolder folder(3);
    fs::copy(folder / "in/01.png", folder / "in/a\nb.png");
    write_text(folder / "list", "in/01.png\n\nin/00.png");
    ProgramCall call = glproc_call(folder.path(), {"stats", "--files-from", "list", "--json"});
    std::vector<std::string> lines = lines_of(run_program(call).out);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].find("in/01.png") != std::string::npos);
    CHECK(lines[1].find("in/00.png") != std::string::npos);

    call = glproc_call(folder.path(), {"blur", "--files-from", "-", "-0", "out/", "--sigma", "1"});
    call.input = std::string("in/a\nb.png\0in/02.png\0", 21);
    CHECK(run_program(call).status == 0);
    CHECK(names_in(folder / "out") == Names{"a\nb.png", "02.png"});

    call.input = "";
    CHECK(run_program(call).status == 3);
    CHECK(run_program(call).err == error("stdin: no names in this list"));
    CHECK(folder.run({"blur", "in", "out/", "--sigma", "1", "-0"}).err ==
          error("--null has no effect without --files-from"));
    CHECK(folder.run({"resize", "--files-from", "list", "cut/", "10x10"}).status == 0);
    CHECK(load(folder / "cut/00.png").width() == 10);
}

TEST_CASE("many: names and formats of outputs") {
    const ManyFolder folder(2);
    const auto names_with = [&](std::vector<std::string> flags) {
        fs::remove_all(folder / "out");
        CHECK(folder.run(folder.blur("out/", std::move(flags))).status == 0);
        Names names;
        for (const auto& [name, bytes] : folder.content("out")) {
            names.insert(name);
        }
        return names;
    };
    CHECK(names_with({"--to", "jpg"}) == Names{"00.jpg", "01.jpg"});
    CHECK(read_text(folder / "out/00.jpg").starts_with("\xFF\xD8"));
    CHECK(names_with({"--name", "{stem}-soft.{ext}"}) == Names{"00-soft.png", "01-soft.png"});
    CHECK(names_with({"--name", "{n}.{ext}", "--to", "ppm"}) == Names{"1.ppm", "2.ppm"});
    fs::create_directory(folder / "in/sub");
    fs::copy(folder / "in/00.png", folder / "in/sub/x.png");
    CHECK(names_with({"-r", "--name", "soft-{stem}.png"}) ==
          Names{"soft-00.png", "soft-01.png", "sub/soft-x.png"});
    CHECK(names_with({"-r", "--name", "{stem}/{dir}.png"}) == Names{"00/.png", "01/.png", "x/sub.png"});
    CHECK(folder.run({"blur", "in/sub/x.png", "flat/", "--sigma", "1", "--name", "{dir}/{stem}.{ext}"})
              .status == 0);
    CHECK(fs::exists(folder / "flat/in/sub/x.png"));
    CHECK(folder.run({"integral", "in", "sums/"}).status == 0);
    CHECK(names_in(folder / "sums") == Names{"00.npy", "01.npy"});
}

TEST_CASE("many: names that cannot be are refused before any work") {
    const ManyFolder folder(2);
    const auto refused = [&](std::vector<std::string> call, const std::string& text) {
        const ProgramResult result = run_without_gpu(folder.path(), std::move(call));
        CHECK(result.status == 2);
        CHECK(result.err.starts_with("glproc: error: " + text));
        CHECK(!fs::exists(folder / "out"));
    };
    fs::create_directory(folder / "other");
    fs::copy(folder / "in/00.png", folder / "other/00.png");
    refused({"blur", "in", "other", "out/", "--sigma", "1"},
            "in/00.png and other/00.png would both be written to out/00.png");
    refused({"blur", "in", "in/00.png", "out/", "--sigma", "1"},
            "in/00.png and in/00.png would both be written to out/00.png");
    refused(folder.blur("out/", {"--name", "x.png"}),
            "in/00.png and in/01.png would both be written to out/x.png");
    refused(folder.blur("out/", {"--name", "{stm}.png"}), "--name {stm}.png: {stm} is unknown");
    refused(folder.blur("out/", {"--name", "{stem"}), "--name {stem: {stem is unknown");
    refused(folder.blur("out/", {"--name", "../{stem}.png"}),
            "in/00.png: its output ../00.png would lie outside out/");
    refused(folder.blur("out/", {"--name", "{stem}.xyz"}), "out/00.xyz: unknown output format '.xyz'");
    refused(folder.blur("out/", {"--to", "xyz"}), "unknown --to 'xyz'");
    refused(folder.blur("out/", {"--quality", "80"}),
            "--quality is for JPEG, WebP, JPEG XL, HEIC and AVIF, which out/00.png is not");
    refused({"blur", "in/00.png", "-", "out/", "--sigma", "1"}, "stdin cannot be one of several inputs");
    refused({"integral", "in", "out/", "--to", "xyz"}, "unknown --to 'xyz'");
}

TEST_CASE("many: an output may replace its own input, never that of another picture") {
    const ManyFolder folder(3);
    const auto before = folder.content("in");
    const ProgramResult refused = run_without_gpu(
        folder.path(), {"blur", "in/00.png", "in/01.png", "in", "--sigma", "1", "--name", "0{n}.{ext}"});
    CHECK(refused.status == 2);
    CHECK(refused.err.starts_with(
        error("in/01.png is an input, and the output of in/00.png would replace it")));
    fs::create_directory(folder / "links");
    fs::create_symlink("../in/01.png", folder / "links/00.png");
    CHECK(run_without_gpu(folder.path(), folder.blur("links")).status == 2);
    CHECK(folder.content("in") == before);
    CHECK(folder.run(folder.blur("in")).status == 0);
    CHECK(folder.content("in").size() == 3);
    CHECK(folder.content("in") != before);
}

TEST_CASE("many: the folder of outputs is there, or its name ends in a slash") {
    const ManyFolder folder(2);
    ProgramResult result = run_without_gpu(folder.path(), folder.blur("out"));
    CHECK(result.status == 2);
    CHECK(result.err == error("out: no such folder, which several inputs need") + "  hint: out/ creates it\n");
    write_text(folder / "file", "old");
    for (const char* out : {"file", "file/", "file/below/"}) {
        result = run_without_gpu(folder.path(), folder.blur(out));
        CHECK(result.status == 4);
        CHECK(result.err.starts_with(error(out + std::string(": ")).substr(0, 15)));
    }
    CHECK(read_text(folder / "file") == "old");
    CHECK(folder.run(folder.blur("deep/er/")).status == 0);
    CHECK(names_in(folder / "deep/er").size() == 2);
    CHECK(folder.run({"blur", "in/00.png", "deep", "--sigma", "1"}).status == 0); // a glob may match one file
    CHECK(fs::exists(folder / "deep/00.png"));
}

TEST_CASE("many: existing outputs are replaced, -n keeps them") {
    const ManyFolder folder(3);
    fs::create_directory(folder / "out");
    write_text(folder / "out/01.png", "old");
    const ProgramResult kept = folder.run(folder.blur("out", {"-n", "-v", "--log", "log"}));
    CHECK(kept.status == 0);
    CHECK(read_text(folder / "out/01.png") == "old");
    CHECK(kept.err.find("glproc: 2 done, 1 skipped, 0 failed: blur, ") != std::string::npos);
    CHECK(read_text(folder / "log").find(R"("status":"skipped","input":"in/01.png")") != std::string::npos);
    CHECK(folder.run(folder.blur("out")).status == 0);
    CHECK(read_text(folder / "out/01.png") != "old");
}

TEST_CASE("many: shards do all once between them") {
    const ManyFolder folder(7);
    REQUIRE(folder.run(folder.blur("all/")).status == 0);
    Names seen;
    for (const char* shard : {"1/3", "2/3", "3/3"}) {
        CHECK(folder.run(folder.blur("out/", {"--shard", shard})).status == 0);
        const Names now = names_in(folder / "out");
        CHECK(now.size() > seen.size());
        seen = now;
    }
    CHECK(folder.content("out") == folder.content("all"));
    CHECK(folder.run(folder.blur("none/", {"--shard", "8/8"})).status == 0); // more machines than pictures
    CHECK(folder.content("none").empty());
    for (const auto& [text, what] : {std::pair{"0/3", "--shard 0/3: there is no such part"},
                                     {"4/3", "--shard 4/3: there is no such part"},
                                     {"1/0", "--shard 1/0: there is no such part"},
                                     {"2", "--shard 2 is not of the form I/N"},
                                     {"-1/3", "--shard -1/3 is not of the form I/N"},
                                     {"1/3x", "--shard 1/3x is not of the form I/N"}}) {
        const ProgramResult result = run_without_gpu(folder.path(), folder.blur("bad/", {"--shard", text}));
        CHECK(result.status == 2);
        CHECK(result.err.starts_with(error(what)));
    }
}

TEST_CASE("many: the summary, the times and the bar") {
    const ManyFolder folder(3);
    const ProgramResult told = folder.run(folder.blur("out/", {"-v", "--timing=json"}));
    const std::vector<std::string> lines = lines_of(without_software_warning(told.err));
    REQUIRE(lines.size() == 5);
    CHECK(lines[0] == "out/00.png: 61x47, blur");
    CHECK(lines[2] == "out/02.png: 63x47, blur");
    CHECK(lines[3].starts_with("glproc: 3 done, 0 skipped, 0 failed: blur, "));
    CHECK(lines[3].ends_with(" images/s"));
    CHECK(lines[4].starts_with(R"({"schema":"glproc.timing/1","device":")"));
    CHECK(lines[4].find(R"("pictures":3})") != std::string::npos);

    const ManyFolder large(1, 2400, 2000);
    for (int i = 1; i < 40; ++i) { // for seconds, as the bar does not appear at once
        std::filesystem::copy_file(large / "in/00.png", large / ("in/" + std::to_string(i) + ".png"));
    }
    ProgramCall call = glproc_call(large.path(), large.blur("out/", {"--sigma", "9", "--jobs", "1"}));
    call.err = Stream::terminal;
    const ProgramResult bar = run_program(call);
    CHECK(bar.status == 0);
    CHECK(bar.err.find(" of 40 images, ") != std::string::npos);
    CHECK(bar.err.find("/s  ") != std::string::npos);
    CHECK(bar.err.find("glproc: 40 done, 0 skipped, 0 failed") != std::string::npos);
}

TEST_CASE("many: one output file of one input takes the flags of many, too") {
    const ManyFolder folder(1);
    CHECK(folder.run({"blur", "in/00.png", "out.png", "--sigma", "2", "--log", "log"}).status == 0);
    CHECK(lines_in(folder / "log").size() == 1);
    CHECK(fs::exists(folder / "out.png"));
}
