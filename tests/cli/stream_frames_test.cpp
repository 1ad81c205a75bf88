// Streams of pictures through stdin and stdout: PNM and PAM one after another, and YUV4MPEG2.
#include "cli/glproc_program.hpp"

#include <csignal>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

ProgramCall stream_call(std::vector<std::string> arguments, const std::string& input,
                        const fs::path& folder = {}) {
    ProgramCall call = glproc_call(folder, std::move(arguments));
    call.input = input;
    return call;
}

ProgramResult stream(std::vector<std::string> arguments, const std::string& input,
                     const fs::path& folder = {}) {
    return run_program(stream_call(std::move(arguments), input, folder));
}

/// Pictures of different sizes and depths, as bytes of files.
std::vector<std::string> pictures(const std::string& extension) {
    std::vector<std::string> files;
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        for (const int side : {1, 7, 200}) {
            const Image image =
                photo_like_image({.width = side + 3, .height = side, .channels = 3, .depth = depth});
            const std::vector<std::byte> bytes = encode(image, extension);
            files.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }
    }
    return files;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) {
        text += part;
    }
    return text;
}

/// A video of smooth frames, each another.
std::string video(const std::string& colours, int width, int height, int frames,
                 const std::string& parameters = " F25:1 Ip A1:1") {
    const bool deep = colours.ends_with("p10");
    const int cw = colours.starts_with("444") ? width : (width + 1) / 2;
    const int ch = colours.starts_with("420") ? (height + 1) / 2 : height;
    std::string text = fmt::format("YUV4MPEG2 W{} H{}{} C{}\n", width, height, parameters, colours);
    const auto plane = [&](int w, int h, int base) {
        for (int y = 0; y < h; ++y) {
            for (int x = 0; x < w; ++x) {
                const int code = (base + (x + y) % 16) << (deep ? 2 : 0);
                text += static_cast<char>(code & 255);
                text += deep ? std::string(1, static_cast<char>(code >> 8)) : "";
            }
        }
    };
    for (int i = 0; i < frames; ++i) {
        text += "FRAME\n";
        plane(width, height, 100 + i * 5);
        plane(cw, ch, 120);
        plane(cw, ch, 122 + i);
    }
    return text;
}

std::string error(const std::string& text) {
    return "glproc: error: " + text + "\n";
}

} // namespace

TEST_CASE("frames: PNM and PAM one after another are worked on one by one") {
    for (const char* extension : {"ppm", "pam"}) {
        const std::vector<std::string> files = pictures(extension);
        std::vector<std::string> expected;
        for (const std::string& file : files) {
            expected.push_back(stream({"blur", "-", "-", "--sigma", "1", "--to", extension}, file).out);
        }
        const std::string all = joined(files);
        CHECK(stream({"blur", "-", "-", "--sigma", "1", "--to", extension}, all).out == joined(expected));
        const TempDir folder;
        write_text(folder / "all", all);
        const std::string program = GLPROC_PROGRAM;
        ProgramCall call =
            glproc_call(folder.path(), {"-c", program + " blur - out." + extension + " --sigma 1 < all"});
        call.program = "/bin/sh"; // stdin is a file
        const ProgramResult result = run_program(call);
        CHECK(result.status == 0);
        CHECK(read_text(folder / (std::string("out.") + extension)) == joined(expected));
    }
}

TEST_CASE("frames: white space may stand between pictures, and kinds may change") {
    const std::string grey = "P5 # a comment\n2 1 255\nab";
    const std::string wide = "P5 1 1 65535\nab";
    const std::string bits = "P4 9 1\n\xff\x80";
    const ProgramResult result = stream({"stats", "-", "--json"}, grey + "\n " + wide + grey + bits + "\n");
    CHECK(result.status == 0);
    const std::vector<std::string> lines = lines_of(result.out);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] == lines[2]);
    CHECK(lines[1].find("\"width\":1") != std::string::npos);
}

TEST_CASE("frames: a broken one ends the call with exit 3, after the good ones were delivered") {
    const std::string good = "P5 3 2 255\nabcdef";
    const std::string video_of_two = video("420jpeg", 6, 4, 2);
    const TempDir folder;
    const auto broken = [&](const std::string& input, const std::string& why, std::size_t delivered) {
        const ProgramResult result = stream({"blur", "-", "-", "--sigma", "0"}, input);
        CHECK(result.status == 3);
        CHECK(result.err.starts_with("glproc: error: stdin: " + why));
        CHECK(result.out.size() == delivered);
    };
    broken(good + good + "P5 3 2 255\nabc", "truncated", 2 * good.size());
    broken(good + good + "P5 3 x 255\nabc", "the data after an image are not binary PNM or PAM\n",
           2 * good.size());
    broken(good + good + "GIF89a", "the data after an image are not binary PNM or PAM\n", 2 * good.size());
    broken(good + good + "P5 2000000000 2000000000 255\n", "an image of ", 2 * good.size());
    broken(video_of_two + "FRAME\nabc", "truncated YUV4MPEG2: the last frame is not whole\n",
           video_of_two.size());
    broken(video_of_two + "FRAMX\nabc", "corrupt YUV4MPEG2: FRAME is missing\n", video_of_two.size());
    broken(video_of_two + "FRA", "corrupt YUV4MPEG2: the line before a frame does not end\n",
           video_of_two.size());

    const ProgramResult to_file =
        stream({"blur", "-", "out.pgm", "--sigma", "0"}, good + good + "P5 3", folder.path());
    CHECK(to_file.status == 3);
    CHECK(read_text(folder / "out.pgm").size() == 2 * good.size());
}

TEST_CASE("frames: a format of one picture takes no stream") {
    const TempDir folder;
    const std::string two = "P5 1 1 255\naP5 1 1 255\nb";
    for (const std::vector<std::string>& call :
         {std::vector<std::string>{"blur", "-", "out.png", "--sigma", "1"},
          {"blur", "-", "-", "--to", "png", "--sigma", "1"}}) {
        const ProgramResult result = stream(call, two, folder.path());
        CHECK(result.status == 3);
        CHECK(result.err == error("stdin: holds more than one image, and only one is read") +
                                "  hint: PNM and PAM hold a stream of images: --to pam\n");
        CHECK(names_in(folder.path()).empty());
    }
    const ProgramResult arrays = stream({"integral", "-", "out.npy"}, two, folder.path());
    CHECK(arrays.status == 2);
    const std::string one_video = video("420jpeg", 4, 4, 1);
    CHECK(stream({"blur", "-", "out.png", "--sigma", "1"}, one_video, folder.path())
              .err.starts_with("glproc: error: out.png: stdin is a video, which this format cannot hold\n"));
    CHECK(stream({"blur", "-", "-", "--sigma", "1", "--quality", "80"}, one_video)
              .err.starts_with("glproc: error: --quality is for images, but stdin is a video\n"));
    CHECK(names_in(folder.path()).empty());
}

TEST_CASE("film: frames go through, with their header") {
    for (const char* colours :
         {"420jpeg", "420mpeg2", "420paldv", "420", "422", "444", "420p10", "422p10", "444p10"}) {
        INFO(colours);
        const std::string in = video(colours, 34, 18, 3);
        const ProgramResult result = stream({"blur", "-", "-", "--sigma", "0"}, in);
        CHECK(result.status == 0);
        CHECK(result.err.empty());
        REQUIRE(result.out.size() == in.size());
        const std::size_t header = in.find('\n') + 1;
        CHECK(result.out.substr(0, header) == fmt::format("YUV4MPEG2 W34 H18 F25:1 Ip A1:1 C{}\n", colours));
        // To RGB and back: two roundings, of which the first counts up to twice for a colour difference.
        const int step = std::string(colours).ends_with("p10") ? 2 : 1;
        int worst = 0;
        for (std::size_t i = header; i < in.size(); i += static_cast<std::size_t>(step)) {
            const auto code = [&](const std::string& text) {
                const int low = static_cast<unsigned char>(text[i]);
                return step == 1 ? low : low + 256 * static_cast<unsigned char>(text[i + 1]);
            };
            worst = std::max(worst, std::abs(code(in) - code(result.out)));
        }
        CHECK(worst <= (std::string(colours).starts_with("444") ? step == 1 ? 1 : 0 : 16 * step * step));
    }
}

TEST_CASE("film: --matrix and --range say what codes mean, and the size and the stream do without them") {
    const auto inverted = [](const std::string& in, std::vector<std::string> flags) {
        flags.insert(flags.begin(), {"invert", "-", "-"});
        const ProgramResult result = stream(flags, in);
        CHECK(result.status == 0);
        return result.out;
    };
    const std::string small = video("444", 8, 6, 1);
    CHECK(inverted(small, {}) == inverted(small, {"--matrix", "bt601", "--range", "limited"}));
    CHECK(inverted(small, {}) != inverted(small, {"--range", "full"}));
    const std::string wide = video("444", 1280, 2, 1);
    CHECK(inverted(wide, {}) == inverted(wide, {"--matrix", "bt709"}));
    const std::string full = video("444", 8, 6, 1, " F25:1 XCOLORRANGE=FULL");
    CHECK(inverted(full, {}) == inverted(full, {"--range", "full"}));
    // Limited black, 16, is white when inverted: 235; full black is 0 and becomes 255.
    const std::string black = "YUV4MPEG2 W1 H1 C444\nFRAME\n" + std::string("\x10\x80\x80");
    CHECK(inverted(black, {}).ends_with("FRAME\n\xEB\x80\x80"));
    const std::string zero = "YUV4MPEG2 W1 H1 C444\nFRAME\n" + std::string("\0\x80\x80", 3);
    CHECK(inverted(zero, {"--range", "full"}).ends_with("FRAME\n\xFF\x80\x80"));
    // A pixel away from grey tells the matrices apart.
    const std::string red = "YUV4MPEG2 W1 H1 C444\nFRAME\n" + std::string("\x64\x70\xB0");
    const auto flipped = [&](const char* matrix) {
        return stream({"gray", "-", "-", "--matrix", matrix}, red).out;
    };
    CHECK(flipped("bt601") != flipped("bt709"));
    CHECK(flipped("bt709") != flipped("bt2020"));
}

TEST_CASE("film: a result of another size has a header of its own, and reports are lines") {
    const std::string in = video("420jpeg", 40, 20, 3);
    const ProgramResult half = stream({"resize", "-", "-", "20x10"}, in);
    CHECK(half.status == 0);
    CHECK(half.out.starts_with("YUV4MPEG2 W20 H10 F25:1 Ip A1:1 C420jpeg\nFRAME\n"));
    CHECK(half.out.size() == half.out.find('\n') + 1 + 3 * (6 + 300));
    const ProgramResult lines = stream({"histogram", "-", "--json", "--bins", "2"}, in);
    CHECK(lines_of(lines.out).size() == 3);
    CHECK(lines.out.find(R"("input":"-","width":40,"height":20,"depth":8)") != std::string::npos);
    const ProgramResult chain = stream({"pipe", "-", "-", "invert", "then", "invert"}, in);
    CHECK(chain.status == 0);
    CHECK(chain.out.size() == in.size());
}

TEST_CASE("film: headers that are wrong or not supported") {
    for (const auto& [header, why] :
         {std::pair{"YUV4MPEG2 W4 H4 C411", "YUV4MPEG2 with C411 is not supported\n"},
          {"YUV4MPEG2 W4 H4 C420p12", "YUV4MPEG2 with C420p12 is not supported\n"},
          {"YUV4MPEG2 W0 H4", "corrupt YUV4MPEG2: '0' is not a size\n"},
          {"YUV4MPEG2 Wx H4", "corrupt YUV4MPEG2: 'x' is not a size\n"},
          {"YUV4MPEG2 W4", "corrupt YUV4MPEG2: no size\n"},
          {"YUV4MPEGX W4 H4", "not a YUV4MPEG2 stream\n"},
          {"YUV4MPEG2 W99999999 H4", "corrupt YUV4MPEG2: '99999999' is not a size\n"}}) {
        ProgramCall call = stream_call({"invert", "-", "-"}, std::string(header) + "\nFRAME\n");
        call.environment = environment_without_gpu();
        const ProgramResult result = run_program(call);
        CHECK(result.status == 3);
        if (std::string(header).starts_with("YUV4MPEG2")) {
            CHECK(result.err.starts_with("glproc: error: stdin: " + std::string(why)));
        }
        CHECK(result.out.empty());
    }
    const ProgramResult endless = stream({"invert", "-", "-"}, "YUV4MPEG2" + std::string(10000, ' '));
    CHECK(endless.status == 3);
    CHECK(endless.err == error("stdin: corrupt YUV4MPEG2: the first line does not end"));
    const std::string empty = "YUV4MPEG2 W4 H4 C420jpeg\n"; // a video without frames is one
    CHECK(stream({"invert", "-", "-"}, empty).status == 0);
}

TEST_CASE("film: what comes goes out at once, in little memory") {
    const std::string in = video("420jpeg", 64, 48, 40);
    const std::size_t frame = 6 + 64 * 48 * 3 / 2;
    ProgramCall call = stream_call({"invert", "-", "-"}, in.substr(0, in.size() - 10 * frame));
    call.hold_input = true;
    RunningProgram program(call);
    const bool came =
        program.wait_until([&](const ProgramResult& so_far) { return so_far.out.size() >= 29 * frame; });
    CHECK(came); // while more is to come
    program.close_input();
    CHECK(program.wait().status == 0);
}

TEST_CASE("film: a reader that goes away ends the call") {
    ProgramCall call = stream_call({"invert", "-", "-"}, video("420jpeg", 640, 480, 10));
    call.hold_input = true;
    call.out = Stream::broken;
    const ProgramResult result = run_program(call);
    CHECK((result.signal == SIGPIPE || result.status == 4));
}

TEST_CASE("frames: a stream of frames that are too large or too many is refused") {
    const std::string text = video("420", 16, 12, 5);
    const auto refused = [&](const std::string& flag, const std::string& value, const std::string& error) {
        const ProgramResult result = stream({"invert", "-", "-", flag, value, "-q"}, text);
        CHECK(result.status == 3);
        CHECK(result.err == "glproc: error: stdin: " + error);
    };
    refused("--max-pixels", "191",
            "frames of 16x12 pixels are more than the limit of 191\n"
            "  hint: if you trust the stream: --max-pixels 192\n");
    refused("--max-frames", "4", "more than 4 frames\n  hint: --max-frames allows more\n");
    CHECK(stream({"invert", "-", "-", "--max-pixels", "192", "--max-frames", "5", "-q"}, text).status == 0);
}
