// Videos in the window: the number of the frame that is shown, and its colours.
#ifdef GLPROC_WITH_VIDEO
#include "view/video_fixture.hpp"

#include "glproc/files/codec.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <imgui.h>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

/// Runs the glproc beside this program in the folder.
bool run_glproc(const TempDir& folder, std::vector<std::string> words) {
    const auto glproc = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "glproc";
    return run_program({.program = glproc.string(), .arguments = std::move(words), .folder = folder.path()})
               .status == 0;
}

} // namespace

TEST_CASE("film: frames are numbered as the command line numbers them, whatever they last") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mp4",
                      {"-vf", "settb=1/1000,setpts=if(lt(N\\,3)\\,N*0.02\\,1+N*0.31)/TB", "-vsync", "vfr",
                       "-enc_time_base", "1/1000", "-c:v", "libx264", "-pix_fmt", "yuv420p"},
                      false));
    Headless view(ContextOptions{}, 900, 600);
    view.app().open((folder / "film.mp4").string());
    view.settle();
    const auto number = [&] { return view.app().news().playing.frame; };
    const ProgramResult counted = run_program({.program = "/usr/bin/ffprobe",
                                               .arguments = {"-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames",
                                                             "-of", "csv=p=0", "film.mp4"},
                                               .folder = folder.path()}); // FFmpeg 7 leaves out the last
    REQUIRE(view.app().news().playing.frames == std::stoi(counted.out)); // at 0, 0.02, 0.04, 1.93, 2.24 s and so on
    CHECK(number() == 0);
    for (int i = 1; i < 6; ++i) {
        view.engine().step();
        view.settle();
        CHECK(number() == i);
    }
    for (int i = 4; i >= 0; --i) { // one each, though some last as long as many others
        view.engine().step_back();
        view.settle();
        CHECK(number() == i);
    }
    view.engine().step();
    view.settle();
    view.app().press('O', false, false); // the last that is saved
    view.settle();
    CHECK(view.app().command().ends_with(" out.mp4 --to 0.03s"));
    REQUIRE(run_glproc(folder, {"video", "film.mp4", "part.mkv", "--to", "0.03s", "-q"}));
    view.app().open((folder / "part.mkv").string());
    view.settle();
    CHECK(view.app().news().playing.frames == 2);
    view.app().open((folder / "film.mp4").string());
    view.engine().seek(1.25);
    view.settle();
    CHECK(number() == 2);
    view.engine().save({}, (folder / "seen.png").string());
    view.settle();
    REQUIRE(run_glproc(folder, {"video", "film.mp4", "made.png", "--frame", "2", "-q"}));
    CHECK(std::ranges::equal(load(folder / "seen.png").bytes(), load(folder / "made.png").bytes()));
}

TEST_CASE("film: buttons go a frame back and on") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mkv"));
    Headless view(ContextOptions{}, 1280, 800);
    view.app().open((folder / "film.mkv").string());
    view.settle();
    const auto click = [&](float x) { // in the bar below the video, behind Play
        ImGui::GetIO().MousePos = {x, 751};
        view.draw();
        for (const bool down : {true, false}) {
            ImGui::GetIO().MouseDown[0] = down;
            view.draw();
        }
        view.settle();
        return view.app().news().playing.frame;
    };
    CHECK(click(132) == 1);
    CHECK(click(132) == 2);
    CHECK(click(101) == 1);
    CHECK(click(101) == 0);
    CHECK(click(101) == 0);
}

TEST_CASE("film: HDR is shown, saved and copied as --to-sdr makes it, or with its values as they are") {
    const TempDir folder;
    REQUIRE(make_video(
        folder / "film.mkv",
        {"-vf",
         "format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"}));
    Headless view(ContextOptions{}, 900, 600);
    view.app().open((folder / "film.mkv").string());
    view.engine().seek(1);
    view.settle();
    CHECK(view.app().news().playing.beyond_sdr == "HDR");
    const auto is_frame_of = [&](const std::vector<std::string>& more) {
        view.engine().save({}, (folder / "seen.png").string());
        view.settle();
        std::vector<std::string> words{"video", "film.mkv", "made.png", "--frame", "10", "-q"};
        words.insert(words.end(), more.begin(), more.end());
        REQUIRE(run_glproc(folder, words));
        const Image seen = load(folder / "seen.png");
        const Image made = load(folder / "made.png");
        return seen.form() == made.form() && std::ranges::equal(seen.bytes(), made.bytes());
    };
    CHECK(is_frame_of({"--to-sdr"}));
    CHECK_FALSE(is_frame_of({}));
    CHECK(view.app().command().ends_with(" out.mkv --to-sdr"));
    view.engine().show_as_sdr(false);
    view.settle();
    CHECK(view.app().news().playing.frame == 10);
    CHECK(is_frame_of({}));
    CHECK(view.app().command().ends_with(" out.mkv"));
    REQUIRE(make_video(folder / "usual.mkv"));
    view.app().open((folder / "usual.mkv").string());
    view.settle();
    CHECK(view.app().news().playing.beyond_sdr.empty());
}

#endif
