// A report that brings a picture along: histogram --plot.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// A folder with an input.
struct PlotFolder : TempDir {
    PlotFolder() { save(photo_like_image({.width = 31, .height = 17, .channels = 3}), *this / "in.png"); }

    ProgramResult run(std::vector<std::string> flags) const {
        return run_glproc(path(), with_input(std::move(flags)));
    }

    /// stderr of a call that fails before any GPU work and leaves nothing behind.
    std::string error(int status, std::vector<std::string> flags) const {
        const auto before = names_in(path());
        const ProgramResult result = run_without_gpu(path(), with_input(std::move(flags)));
        CHECK(result.status == status);
        CHECK(result.out.empty());
        CHECK(names_in(path()) == before);
        return result.err;
    }

  private:
    static std::vector<std::string> with_input(std::vector<std::string> flags) {
        flags.insert(flags.begin(), {"histogram", "in.png", "-q"});
        return flags;
    }
};

} // namespace

TEST_CASE("plot: it is written, and stdout is what it is without it") {
    const PlotFolder folder;
    for (const char* format : {"text", "json", "csv"}) {
        const ProgramResult plain = folder.run({"--bins", "20", "--format", format});
        const ProgramResult plotted = folder.run({"--bins", "20", "--format", format, "--plot", "plot.png"});
        CHECK(plotted.status == 0);
        CHECK(plotted.err.empty());
        CHECK(plotted.out == plain.out);
        const Image plot = load(folder / "plot.png");
        CHECK(plot.width() == 640);
        CHECK(plot.height() == 400);
        CHECK(plot.channels() == 3);
        CHECK(plot.depth() == Depth::u8);
    }
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.png", "plot.png"});
}

TEST_CASE("plot: the format is that of the extension, the size of style seed that of one panel") {
    const PlotFolder folder;
    const auto plot = [&](std::vector<std::string> flags) {
        flags.insert(flags.end(), {"--plot", "plot.ppm"});
        REQUIRE(folder.run(flags).status == 0);
        return read_text(folder / "plot.ppm");
    };
    CHECK(plot({"--plot-size", "300x200", "--channels", "luma,r"}).starts_with("P6\n300 200\n255\n"));
    CHECK(plot({"--plot-size", "57x13", "--plot-style", "seed"}).starts_with("P6\n57 13\n255\n"));
    CHECK(plot({"--plot-size", "57x13", "--plot-style", "seed", "--channels", "luma,r"})
              .starts_with("P6\n57 26\n255\n"));
    CHECK(plot({"--plot-style", "seed", "--bins", "20"}).starts_with("P6\n20 100\n255\n"));
}

TEST_CASE("plot: SVG") {
    const PlotFolder folder;
    for (const std::string flag : {"--plot-style=figure", "--plot-log", "--plot-scale=each"}) {
        REQUIRE(folder.run({"--channels", "r,g,luma", "--plot", "plot.svg", flag}).status == 0);
        const std::string svg = read_text(folder / "plot.svg");
        CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"400\""));
        CHECK(svg.ends_with("</svg>\n"));
        for (const char* label : {">red</text>", ">green</text>", ">luma</text>", ">8-bit value</text>"}) {
            CHECK(svg.find(label) != std::string::npos);
        }
        CHECK(svg.find(">blue</text>") == std::string::npos);
    }
    CHECK(folder.error(4, {"--plot", "nosuch/plot.svg"}) ==
          "glproc: error: nosuch/plot.svg: nosuch: no such folder\n");
    write_text(folder / "in.svg", "old");
    CHECK(folder.error(4, {"--plot", "in.svg", "-n"}).starts_with("glproc: error: in.svg: exists already\n"));
}

TEST_CASE("plot: what does not go together is refused, and nothing is written") {
    const PlotFolder folder;
    const auto refused = [&](std::vector<std::string> flags) {
        const ProgramResult result = folder.run(std::move(flags));
        CHECK(result.status == 2);
        CHECK(result.out.empty());
        CHECK(names_in(folder.path()) == std::set<std::string>{"in.png"});
        return result.err;
    };
    CHECK(refused({"--plot", "plot.svg", "--plot-style", "seed"}) ==
          "glproc: error: --plot-style columns draws pixels, which SVG cannot hold\n"
          "  hint: name an image file, such as plot.png\n");
    CHECK(refused({"--plot", "plot.png", "--plot-style", "seed", "--plot-log"}) ==
          "glproc: error: --plot-log has no effect with --plot-style columns\n");
    CHECK(refused({"--plot", "plot.png", "--plot-scale", "each", "--plot-log"}) ==
          "glproc: error: --plot-log and --plot-scale each cannot be given together\n");
    CHECK(refused({"--plot", "plot.png", "--plot-size", "100x100"}) ==
          "glproc: error: a plot of 100x100 pixels has no room for axes and labels\n"
          "  hint: ask for 240x160 or more, or for --plot-style columns, which has none\n");
    CHECK(folder.error(2, {"--plot-log"}) == "glproc: error: --plot-log has no effect without --plot\n");
}

TEST_CASE("plot: every variant draws the same file") {
    const PlotFolder folder;
    std::set<std::string> plots;
    for (const char* variant : {"auto", "cpu", "shared_reduce", "fused"}) {
        REQUIRE(folder.run({"--channels", "r,g,b,luma", "--method", variant, "--plot", "plot.ppm"}).status ==
                0);
        plots.insert(read_text(folder / "plot.ppm"));
    }
    CHECK(plots.size() == 1);
}

TEST_CASE("plot: sizes that make no sense are told before any GPU work") {
    const PlotFolder folder;
    const std::string range = "\n  hint: --plot-size takes 1 to 16384 pixels\n";
    const std::string form = "\n  hint: --plot-size WxH, for instance --plot-size 512x100\n";
    const auto error = [&](const std::string& size) {
        return folder.error(2, {"--plot", "plot.png", "--plot-size", size});
    };
    CHECK(error("0x5") == "glproc: error: --plot-size 0 is out of range" + range);
    CHECK(error("5x0") == "glproc: error: --plot-size 0 is out of range" + range);
    CHECK(error("16385x5") == "glproc: error: --plot-size 16385 is out of range" + range);
    CHECK(error("5x99999999999") == "glproc: error: --plot-size 99999999999 is out of range" + range);
    CHECK(error("-1x5") == "glproc: error: --plot-size -1 is out of range" + range);
    CHECK(error("axb") == "glproc: error: --plot-size a is not a whole number" + range);
    CHECK(error("1.5x2") == "glproc: error: --plot-size 1.5 is not a whole number" + range);
    for (const char* size : {"256", "x", "5x", "x5", "1x2x3", "1,2"}) {
        CHECK(error(size) == "glproc: error: --plot-size " + std::string(size) + " is not a size" + form);
    }
    CHECK(folder.error(2, {"--plot-size", "5x5"}) ==
          "glproc: error: --plot-size has no effect without --plot\n");
}

TEST_CASE("plot: files that cannot be written are told before any GPU work") {
    const PlotFolder folder;
    const auto error = [&](int status, const std::string& file) {
        return folder.error(status, {"--plot", file});
    };
    CHECK(error(2, "-") == "glproc: error: --plot - is not a file: stdout gets the report\n"
                           "  hint: --plot plot.png\n");
    CHECK(error(2, "plot.xyz").starts_with("glproc: error: plot.xyz: unknown output format '.xyz' (known: "));
    CHECK(error(2, "plot").starts_with("glproc: error: plot: no extension tells the output format"));
    CHECK(error(2, "plot.pgm").starts_with("glproc: error: plot.pgm: PGM cannot hold colour (RGB)\n"));
    CHECK(error(4, "nosuch/plot.png") == "glproc: error: nosuch/plot.png: nosuch: no such folder\n");
    CHECK(error(4, "in.png/plot.png") == "glproc: error: in.png/plot.png: not a directory\n");
    CHECK(folder.error(2, {"--plot"}) == "glproc: error: --plot needs a value\n");
}

TEST_CASE("plot: it never replaces the input, by whatever name") {
    const PlotFolder folder;
    const std::string before = read_text(folder / "in.png");
    std::filesystem::create_symlink("in.png", folder / "link.png");
    std::filesystem::create_hard_link(folder / "in.png", folder / "hard.png");
    std::filesystem::create_directory(folder / "folder");
    for (const std::string& name :
         {std::string("in.png"), std::string("./in.png"), std::string("link.png"), std::string("hard.png"),
          std::string("folder/../in.png"), (folder / "in.png").string()}) {
        CHECK(folder.error(2, {"--plot", name}) == "glproc: error: --plot " + name +
                                                       " would replace the input\n"
                                                       "  hint: give it another name\n");
    }
    ProgramCall redirected =
        glproc_call(folder.path(), {"-c", "\"$0\" histogram - --plot in.png <in.png", GLPROC_PROGRAM});
    redirected.program = "/bin/sh";
    CHECK(run_program(redirected).status == 2);
    CHECK(read_text(folder / "in.png") == before);
}

TEST_CASE("plot: -n keeps an existing file, without it the file is replaced") {
    const PlotFolder folder;
    write_text(folder / "plot.png", "old");
    CHECK(folder.error(4, {"--plot", "plot.png", "-n"}) ==
          "glproc: error: plot.png: exists already\n  hint: leave out --no-clobber to replace it\n");
    CHECK(read_text(folder / "plot.png") == "old");
    CHECK(folder.run({"--plot", "plot.png"}).status == 0);
    CHECK(load(folder / "plot.png").width() == 640);
    CHECK(folder.run({"-n"}).status == 0); // the report alone has nothing to keep
}

TEST_CASE("plot: where it cannot be finished stdout stays empty and the old file whole") {
    const PlotFolder folder;
    write_text(folder / "plot.ppm", "old");
    ProgramCall call = glproc_call(
        folder.path(), {"histogram", "in.png", "-q", "--plot", "plot.ppm", "--plot-size", "400x300"});
    call.largest_file = 100'000;
    const ProgramResult result = run_program(call);
    CHECK(result.status == 4);
    CHECK(result.err == "glproc: error: plot.ppm: file too large\n");
    CHECK(result.out.empty());
    CHECK(read_text(folder / "plot.ppm") == "old");
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.png", "plot.ppm"});
}
