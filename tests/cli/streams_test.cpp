// stdin, stdout, stderr: pipes, terminals, and streams that are closed, broken or full.
#include "cli/glproc_program.hpp"

#include <csignal>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A folder with a picture, as a file and as bytes.
struct PictureFolder : TempDir {
    explicit PictureFolder(const std::string& file = "in.png", int channels = 3)
        : picture(photo_like_image({.width = 37, .height = 23, .channels = channels})) {
        save(picture, *this / file);
        bytes = read_text(*this / file);
    }
    Image picture;
    std::string bytes;
};

/// A call that copies: sigma 0 keeps every bit.
ProgramCall copy_call(const PictureFolder& folder, const std::string& in, const std::string& out) {
    return glproc_call(folder.path(), {"blur", in, out, "--sigma", "0"});
}

ProgramCall quiet(ProgramCall call) {
    call.arguments.emplace_back("--quiet");
    return call;
}

} // namespace

TEST_CASE("streams: stdin to stdout keeps the format of the input") {
    for (const auto& [file, signature] :
         {std::pair{"in.png", "\x89PNG"}, {"in.ppm", "P6"}, {"in.bmp", "BM"}}) {
        INFO(file);
        const PictureFolder folder(file);
        ProgramCall call = quiet(copy_call(folder, "-", "-"));
        call.input = folder.bytes;
        const ProgramResult result = run_program(call);
        CHECK(result.status == 0);
        CHECK(result.err.empty());
        CHECK(result.out.starts_with(signature));
        CHECK(same_pixels(decode_text(result.out, file), folder.picture));
        CHECK(names_in(folder.path()).size() == 1);
    }
}

TEST_CASE("streams: --to chooses the format") {
    const PictureFolder folder;
    for (const char* to : {"ppm", ".ppm", "PPM"}) {
        ProgramCall call = quiet(copy_call(folder, "in.png", "-"));
        call.arguments.insert(call.arguments.end(), {"--to", to});
        const ProgramResult result = run_program(call);
        CHECK(result.status == 0);
        CHECK(result.out.starts_with("P6"));
        CHECK(same_pixels(decode_text(result.out, "out.ppm"), folder.picture));
    }
    ProgramCall call = quiet(copy_call(folder, "in.png", "out.data"));
    call.arguments.insert(call.arguments.end(), {"--to", "ppm"});
    CHECK(run_program(call).status == 0);
    CHECK(read_text(folder / "out.data").starts_with("P6"));
}

TEST_CASE("streams: the format of a file without signature is that of its name") {
    const PictureFolder folder("in.tga");
    const ProgramResult result = run_program(quiet(copy_call(folder, "in.tga", "-")));
    CHECK(result.status == 0);
    CHECK(same_pixels(decode_text(result.out, "out.tga"), folder.picture));
}

TEST_CASE("streams: an input format that cannot be written asks for --to") {
    // The smallest PSD: one grey pixel.
    const std::string psd("8BPS\0\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\1\0\10\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\7", 41);
    ProgramCall call = glproc_call({}, {"blur", "-", "-", "--sigma", "0"});
    call.environment = environment_without_gpu();
    call.input = psd;
    const ProgramResult result = run_program(call);
    CHECK(result.status == 2);
    CHECK(result.err == "glproc: error: stdout gets the format of the input, but psd cannot be written\n"
                        "  hint: name another format: --to png\n");
}

TEST_CASE("streams: a format that cannot hold the picture is refused before any GPU work") {
    const PictureFolder folder("in.png", 4);
    const ProgramResult result =
        run_without_gpu(folder.path(), {"blur", "in.png", "out.jpg", "--sigma", "2"});
    CHECK(result.status == 2);
    CHECK(result.err.starts_with("glproc: error: out.jpg: JPEG cannot hold an alpha channel\n  hint: "));
    CHECK(names_in(folder.path()).size() == 1);
}

TEST_CASE("streams: reports read stdin, too") {
    const PictureFolder folder;
    ProgramCall call = quiet(glproc_call(folder.path(), {"histogram", "-", "--bins", "2", "--json"}));
    call.input = folder.bytes;
    const ProgramResult result = run_program(call);
    CHECK(result.status == 0);
    CHECK(result.out.find(R"("input":"-","width":37,"height":23)") != std::string::npos);
}

TEST_CASE("streams: stdin that is empty, closed or broken off") {
    const PictureFolder folder;
    ProgramCall call = copy_call(folder, "-", "out.png");
    call.environment = environment_without_gpu();
    SECTION("empty") {}
    SECTION("closed") {
        call.in = Stream::closed;
    }
    SECTION("broken off") {
        call.input = folder.bytes.substr(0, folder.bytes.size() / 2);
    }
    const ProgramResult result = run_program(call);
    CHECK(result.status == 3);
    CHECK(result.err.starts_with("glproc: error: stdin: "));
    // Closed is as empty: a file that was opened in stdin's place would be read here.
    CHECK((!call.input.empty() || result.err == "glproc: error: stdin: empty file\n"));
    CHECK(names_in(folder.path()).size() == 1);
}

TEST_CASE("streams: a second picture on stdin is an error, not lost") {
    const PictureFolder folder;
    save(folder.picture, folder / "in.jpg");
    save(folder.picture, folder / "in.ppm");
    for (const char* name : {"in.png", "in.jpg"}) {
        INFO(name);
        const std::string once = read_text(folder / name);
        ProgramCall call = quiet(copy_call(folder, "-", "out.ppm"));
        call.input = once;
        CHECK(run_program(call).status == 0);
        std::filesystem::remove(folder / "out.ppm");
        call.input = once + once;
        const ProgramResult result = run_program(call);
        CHECK(result.status == 3);
        CHECK(result.err == "glproc: error: stdin: holds more than one image, and only one is read\n");
        CHECK(!std::filesystem::exists(folder / "out.ppm"));
    }
    ProgramCall call = quiet(copy_call(folder, "-", "out.ppm"));
    call.input = read_text(folder / "in.ppm") + " \n# a comment\n";
    CHECK(run_program(call).status == 0);
}

TEST_CASE("streams: a terminal gets no picture and gives none") {
    const PictureFolder folder;
    ProgramCall out = copy_call(folder, "in.png", "-");
    out.environment = environment_without_gpu();
    out.out = Stream::terminal;
    const ProgramResult refused = run_program(out);
    CHECK(refused.status == 2);
    CHECK(refused.out.empty());
    CHECK(refused.err.starts_with("glproc: error: stdout is a terminal: it gets no image\n"));

    ProgramCall in = copy_call(folder, "-", "out.png");
    in.environment = environment_without_gpu();
    in.in = Stream::terminal;
    const ProgramResult starved = run_program(in);
    CHECK(starved.status == 2);
    CHECK(starved.err.starts_with("glproc: error: stdin is a terminal: it has no image\n"));
}

TEST_CASE("streams: a stdout that takes nothing is an error, for every product") {
    const PictureFolder folder;
    const auto [stream, reason] = GENERATE(std::pair{Stream::closed, "bad file descriptor"},
                                           std::pair{Stream::full, "no space left on device"});
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"blur", "in.png", "-", "--sigma", "1"},
          {"histogram", "in.png"},
          {"info"},
          {"--help"},
          {"--version"}}) {
        INFO(words.front() << ", " << reason);
        ProgramCall call = glproc_call(folder.path(), words);
        call.out = stream;
        const ProgramResult result = run_program(call);
        CHECK(result.status == 4);
        CHECK(without_software_warning(result.err) == std::string("glproc: error: stdout: ") + reason + "\n");
    }
}

TEST_CASE("streams: a reader that has gone away ends the program as SIGPIPE does, without a word") {
    const PictureFolder folder;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"blur", "in.png", "-", "--sigma", "1"},
          {"histogram", "in.png", "--plot", "plot.png"},
          {"info"},
          {"--help"},
          {"--version"}}) {
        INFO(words.front());
        ProgramCall call = glproc_call(folder.path(), words);
        call.out = Stream::broken;
        const ProgramResult result = run_program(call);
        CHECK(result.signal == SIGPIPE);
        CHECK(without_software_warning(result.err).empty());

        call.ignored_signal = SIGPIPE; // then the write fails, and the caller wants to know
        const ProgramResult told = run_program(call);
        CHECK(told.status == 4);
        CHECK(without_software_warning(told.err) == "glproc: error: stdout: broken pipe\n");
    }
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.png", "plot.png"});
}

TEST_CASE("streams: the work goes on when stderr has no reader") {
    const PictureFolder folder;
    ProgramCall call = copy_call(folder, "in.png", "out.png");
    call.arguments.emplace_back("-v");
    call.err = Stream::broken;
    CHECK(run_program(call).status == 0);
    CHECK(same_pixels(load(folder / "out.png"), folder.picture));
}

TEST_CASE("streams: a closed stdout does not divert the product into a file") {
    const PictureFolder folder;
    ProgramCall call = copy_call(folder, "in.png", "out.png");
    call.in = call.out = call.err = Stream::closed;
    CHECK(run_program(call).status == 0);
    CHECK(same_pixels(load(folder / "out.png"), folder.picture));
    CHECK(read_text(folder / "in.png") == folder.bytes);
}

TEST_CASE("streams: success is silent in a pipe, one line with -v or on a terminal") {
    const PictureFolder folder;
    const auto check_line = [](const std::string& err) {
        const auto lines = lines_of(without_software_warning(err));
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].starts_with("out.png: 37x23, blur, "));
        CHECK(lines[0].ends_with(" s"));
    };
    ProgramCall call = copy_call(folder, "in.png", "out.png");
    const ProgramResult silent = run_program(call);
    CHECK(silent.status == 0);
    CHECK(without_software_warning(silent.err).empty());

    call.err = Stream::terminal;
    check_line(run_program(call).err);
    CHECK(run_program(quiet(call)).err.empty());

    call.err = Stream::pipe;
    call.arguments.emplace_back("-v");
    check_line(run_program(call).err);
}

TEST_CASE("streams: the software warning comes once where there seems to be a GPU, and not with -q") {
    const PictureFolder folder;
    const ProgramResult info = run_glproc(folder.path(), {"info", "--json"});
    const bool software = info.out.find(R"("software":true)") != std::string::npos;
    bool gpu = false;
    for (const char* name : {"/dev/dri/renderD128", "/dev/dri/renderD129", "/dev/nvidia0", "/dev/nvidia1"}) {
        gpu = gpu || std::filesystem::exists(name);
    }
    ProgramCall call = copy_call(folder, "in.png", "out.png");
    const auto warnings = lines_of(run_program(call).err);
    CHECK(warnings.size() == (software && gpu ? 1U : 0U));
    CHECK(lines_of(info.err) == warnings);
    CHECK(run_program(quiet(call)).err.empty());
    if (software) { // a renderer chosen by name needs no warning
        const bool zink = info.out.find("zink") != std::string::npos;
        call.arguments.insert(call.arguments.end(), {"--device", zink ? "zink" : "llvmpipe"});
        CHECK(run_program(call).err.empty());
    }
}

TEST_CASE("streams: colour on terminals only, and not with NO_COLOR") {
    ProgramCall call = glproc_call({}, {"blurr"});
    const std::string plain = "glproc: error: unknown command 'blurr' (did you mean 'blur'?)\n";
    CHECK(run_program(call).err == plain);
    call.err = Stream::terminal;
    CHECK(run_program(call).err == "glproc: \x1b[1;31merror:\x1b[0m" + plain.substr(plain.find(" unknown")));
    call.environment["NO_COLOR"] = "1";
    CHECK(run_program(call).err == plain);
    call.environment["NO_COLOR"] = "";
    CHECK(run_program(call).err != plain);
    call.environment["TERM"] = "dumb";
    CHECK(run_program(call).err == plain);
}

TEST_CASE("streams: a progress bar after half a second, on terminals only") {
    const PictureFolder folder;
    ProgramCall call = copy_call(folder, "-", "out.png");
    call.input = folder.bytes;
    call.hold_input = true;
    call.err = Stream::terminal;
    const auto shows_bar = [](const ProgramResult& so_far) {
        return so_far.err.find("] decode") != std::string::npos;
    };
    {
        const auto begin = std::chrono::steady_clock::now(); // before the program's, so that it cannot be less
        RunningProgram program(call);
        CHECK(program.wait_until(shows_bar));
        CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(500));
        program.close_input();
        const ProgramResult result = program.wait();
        CHECK(result.status == 0);
        const std::string last = result.err.substr(result.err.rfind('\r'));
        CHECK(last.starts_with("\r\x1b[K")); // the bar is gone before anything else is printed
        CHECK(last.find("] ") == std::string::npos);
        CHECK(last.find("out.png: 37x23, ") != std::string::npos);
    }
    const auto after_a_while = [](const ProgramCall& later) {
        RunningProgram program(later);
        program.wait_until([begin = std::chrono::steady_clock::now()](const ProgramResult&) {
            return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(900);
        });
        program.close_input();
        return program.wait();
    };
    call.environment["TERM"] = "dumb";
    CHECK(after_a_while(call).err.find('\x1b') == std::string::npos);
    call.err = Stream::pipe;
    call.arguments.emplace_back("-v");
    CHECK(!shows_bar(after_a_while(call)));
}

TEST_CASE("streams: bars follow the width of the terminal") {
    const TempDir folder;
    save(constant_image({.width = 8, .height = 8, .channels = 1}, 1), folder / "white.pgm");
    ProgramCall call = quiet(glproc_call(folder.path(), {"histogram", "white.pgm", "--bins", "2"}));
    const auto bar = [&] {
        const std::string text = run_program(call).out;
        return std::count(text.begin(), text.end(), '#');
    };
    CHECK(bar() == 40);
    call.out = Stream::terminal;
    for (const auto& [columns, expected] : {std::pair{80, 40}, {120, 80}, {30, 10}}) {
        INFO(columns);
        call.columns = static_cast<unsigned short>(columns);
        CHECK(bar() == expected);
    }
}

TEST_CASE("streams: the bar never goes back, and its time left hardly rises") {
    const TempDir folder;
    save(photo_like_image({.width = 3000, .height = 2000, .channels = 3}), folder / "in.ppm");
    ProgramCall call = glproc_call(folder.path(), {"equalize", "in.ppm", "out.ppm", "--memory", "1"});
    call.err = Stream::terminal;
    const ProgramResult result = run_program(call);
    REQUIRE(result.status == 0);
    int last = 0;
    std::istringstream drawn(result.err);
    for (std::string line; std::getline(drawn, line, '\r');) {
        const std::size_t percent = line.find(" %");
        if (percent != std::string::npos) {
            const int now = std::stoi(line.substr(line.rfind(' ', percent - 1) + 1));
            CHECK(now >= last);
            last = now;
        }
    }
    CHECK(last <= 100);
}

TEST_CASE("streams: a TGA without a name is recognised by its end") {
    const PictureFolder folder("in.tga");
    const std::string file = read_text(folder.path() / "in.tga");
    for (const std::string out : {"png", "tga"}) {
        ProgramCall call = glproc_call(folder.path(), {"convert", "-", "out." + out, "-q"});
        call.input = file;
        const ProgramResult read = run_program(call);
        INFO(read.err);
        CHECK(read.status == 0);
        CHECK(same_pixels(load(folder.path() / ("out." + out)), folder.picture));
    }
    ProgramCall cut = glproc_call(folder.path(), {"convert", "-", "out.png", "-q"});
    cut.input = file.substr(0, file.size() - 26); // as version 1 ends
    CHECK(run_program(cut).err.find("stdin: unknown image format") != std::string::npos);
    write_text(folder.path() / "noname", file);
    CHECK(run_glproc(folder.path(), {"info", "noname"}).out.find("noname: TGA, ") != std::string::npos);
}
