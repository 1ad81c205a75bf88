// Videos whose frames are stored turned or mirrored, or of pixels that are no squares.
#include "video/video_program.hpp"

#include <array>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Gives a QuickTime file another display matrix: x' = a x + c y, y' = b x + d y.
void set_matrix(const std::filesystem::path& path, const std::array<int, 4>& abcd) {
    std::string bytes = read_text(path);
    const std::size_t header = bytes.find("tkhd");
    REQUIRE(header != std::string::npos);
    const auto put = [&](std::size_t at, int value) {
        for (std::size_t i = 0; i < 4; ++i) {
            bytes.at(header + 44 + 4 * at + i) =
                static_cast<char>(static_cast<unsigned>(value) * 65536U >> (24 - 8 * i));
        }
    };
    put(0, abcd[0]);
    put(1, abcd[1]);
    put(3, abcd[2]);
    put(4, abcd[3]);
    write_text(path, bytes);
}

std::string shape(const TempDir& folder, const std::string& video) {
    const std::string tags = ffprobe(folder.path(), {"-select_streams", "v:0", "-show_entries",
                                                     "stream=width,height,sample_aspect_ratio:"
                                                     "stream_side_data=rotation",
                                                     "-of", "csv=p=0", video});
    return tags.substr(0, tags.find_last_not_of("\n,") + 1);
}

} // namespace

TEST_CASE("video: operations see upright frames, however they are stored") {
    const TempDir folder;
    ffmpeg(folder.path(),
           test_picture("96x64", "0.2") + Words{"-c:v", "qtrle", "-pix_fmt", "rgb24", "stored.mov"});
    for (const std::array<int, 4>& matrix : {std::array<int, 4>{1, 0, 0, 1},
                                             {0, 1, -1, 0},
                                             {-1, 0, 0, -1},
                                             {0, -1, 1, 0},
                                             {-1, 0, 0, 1},
                                             {1, 0, 0, -1},
                                             {0, 1, 1, 0},
                                             {0, -1, -1, 0}}) {
        INFO(fmt::format("{} {} {} {}", matrix[0], matrix[1], matrix[2], matrix[3]));
        std::filesystem::copy_file(folder / "stored.mov", folder / "in.mov",
                                   std::filesystem::copy_options::overwrite_existing);
        set_matrix(folder / "in.mov", matrix);
        ffmpeg(folder.path(), {"-i", "in.mov", "expected-%d.png"}); // turned by ffmpeg
        const Image expected = load(folder / "expected-3.png");
        const bool lies = matrix[0] == 0;
        REQUIRE(expected.width() == (lies ? 64 : 96));

        must_work(folder, Words{"in.mov", "ours-%d.png"} + identity);
        CHECK(same_pixels(load(folder / "ours-3.png"), expected));
        must_work(folder, Words{"in.mov", "one.png", "--frame", "2"} + identity);
        CHECK(same_pixels(load(folder / "one.png"), expected));
        must_work(folder, Words{"in.mov", "part.png", "--frame", "2", "crop", "--rect", "5,7,40,30"});
        REQUIRE(
            run_glproc(folder.path(), {"crop", "expected-3.png", "crop.png", "--rect", "5,7,40,30"}).status ==
            0);
        CHECK(same_pixels(load(folder / "part.png"), load(folder / "crop.png")));

        // A video is written upright, too, and does not say that it is to be turned once more.
        must_work(folder, Words{"in.mov", "out.mkv", "--codec", "ffv1"} + identity);
        CHECK((raw_frames(folder.path(), "out.mkv", "rgb24") == raw_frames(folder.path(), "in.mov", "rgb24")));
        for (const std::string name : {"out.mkv", "out.mp4"}) {
            must_work(folder, Words{"in.mov", name, "--codec", "h264", "--preset", "ultrafast"} + identity);
            CHECK(shape(folder, name).starts_with(lies ? "64,96" : "96,64"));
            CHECK(
                ffprobe(folder.path(), {"-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", name})
                    .find_first_of("123456789") == std::string::npos);
        }
    }
}

TEST_CASE("video: the shape of pixels turns and stretches with the picture") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.2") +
                              Words{"-vf", "setsar=3/2", "-c:v", "ffv1", "-pix_fmt", "yuv420p", "in.mkv"});
    for (const auto& [chain, expected] :
         {std::pair<Words, std::string>{identity, "96,64,3:2"},
          {{"rotate", "--angle", "90"}, "64,96,2:3"},
          {{"rotate", "--angle", "180"}, "96,64,3:2"},
          {{"resize", "48x64"}, "48,64,3:1"},
          {{"resize", "50%"}, "48,32,3:2"},
          {{"resize", "34x"}, "34,23,3:2"}, // 22.7 rows, rounded
          {{"resize", "48x64", "--fill"}, "48,64,3:2"},
          {{"crop", "--rect", "2,2,40,40"}, "40,40,3:2"},
          {{"rotate", "--angle", "270", "then", "resize", "64x48"}, "64,48,1:3"},
          {{"resize", "64x48", "then", "rotate", "--angle", "90"}, "48,64,16:27"}}) {
        INFO(expected);
        must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"} + chain);
        CHECK(shape(folder, "out.mkv") == expected);
    }
    // Players scale; ffmpeg's own filter is of the same mind.
    ffmpeg(folder.path(), {"-i", "in.mkv", "-vf", "scale=48:64", "-c:v", "ffv1", "theirs.mkv"});
    CHECK(shape(folder, "theirs.mkv") == "48,64,3:1");

    // A phone that turns such a video.
    ffmpeg(folder.path(), {"-i", "in.mkv", "-c:v", "libx264", "flat.mp4"});
    ffmpeg(folder.path(), turned("flat.mp4", 90, "turned.mp4"));
    must_work(folder, Words{"turned.mp4", "out.mp4", "--preset", "ultrafast"} + identity);
    CHECK(shape(folder, "out.mp4") == "64,96,2:3");

    // Pictures carry it as the proportion of their density, there and back.
    must_work(folder, Words{"in.mkv", "frame-%d.png"} + identity);
    const auto density = load(folder / "frame-1.png").metadata().density;
    REQUIRE(density.has_value());
    CHECK(density->y / density->x == 1.5);
    must_work(folder, Words{"frame-%d.png", "back.mkv", "--codec", "ffv1", "rotate", "--angle", "90"});
    CHECK(shape(folder, "back.mkv") == "64,96,2:3");
}
