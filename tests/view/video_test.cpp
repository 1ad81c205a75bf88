// Videos in the window, where the build plays any.
#ifdef GLPROC_WITH_VIDEO
#include "view/video_fixture.hpp"
#include "view/keys.hpp"

#include "glproc/files/codec.hpp"
#include "support/catch.hpp"
#include "video/clips.hpp"

#include <chrono>
#include <sstream>
#include <thread>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

double brightness(const Headless& view) {
    const Image area = const_cast<Headless&>(view).app().picture_area();
    return area.at(area.width() / 2, area.height() / 2, 0);
}

} // namespace

TEST_CASE("film: it opens at its first frame, steps, and goes to a time") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mkv"));
    Headless view(ContextOptions{}, 900, 600);
    view.app().open((folder / "film.mkv").string());
    view.settle();
    REQUIRE(view.app().news().playing.is_video);
    CHECK(view.app().news().playing.duration == Approx(2).margin(0.1));
    CHECK(view.app().news().playing.rate == Approx(10));
    const double first = brightness(view);
    CHECK(view.app().news().playing.seconds == 0);
    view.engine().step();
    view.settle();
    CHECK(view.app().news().playing.seconds == Approx(0.1).margin(0.01));
    CHECK(brightness(view) > first);
    view.engine().seek(1.55);
    view.settle();
    CHECK(view.app().news().playing.seconds == Approx(1.5).margin(0.01));
    const double late = brightness(view);
    CHECK(late > first + 60);
    view.document().add(*find_operation("invert"));
    view.settle();
    CHECK(brightness(view) == Approx(255 - late).margin(1));
    view.engine().seek(0);
    view.settle();
    CHECK(brightness(view) == Approx(255 - first).margin(1));
}

TEST_CASE("film: a grey one is shown as the images that the program makes of it") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mkv", {"-pix_fmt", "gray"}));
    Headless view(ContextOptions{}, 900, 600);
    view.app().open((folder / "film.mkv").string());
    view.settle();
    CHECK(view.app().news().source.form.channels == 1);
    const double first = brightness(view);
    view.document().add(*find_operation("invert"));
    view.settle();
    CHECK(brightness(view) == Approx(255 - first).margin(1));
}

TEST_CASE("film: it plays in its own time, and stops at its end unless it is to go round") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mkv"));
    Headless view(ContextOptions{}, 400, 300);
    view.app().open((folder / "film.mkv").string());
    view.settle();
    view.engine().loop(false);
    view.engine().play(true);
    const auto begin = std::chrono::steady_clock::now();
    view.engine().wait(); // until it has ended
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    view.settle();
    CHECK_FALSE(view.app().news().playing.plays);
    CHECK(view.app().news().playing.seconds > 1.5);
    CHECK(took.count() > 1.5);
    view.engine().loop(true);
    view.engine().seek(1.8);
    view.engine().play(true);
    while (view.app().news().playing.seconds > 1.5) { // until it has begun again
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        view.draw();
    }
    CHECK(view.app().news().playing.plays);
    view.engine().play(false);
    view.settle();
}

TEST_CASE("film: it plays no slower than it is long", "[.clock]") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mkv"));
    Headless view(ContextOptions{}, 400, 300);
    view.app().open((folder / "film.mkv").string());
    view.settle();
    view.engine().loop(false);
    view.engine().play(true);
    const auto begin = std::chrono::steady_clock::now();
    view.engine().wait();
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(3)); // of two
}

TEST_CASE("film: the frame that is shown is saved, and a picture takes the film's place") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mkv"));
    Headless view(ContextOptions{}, 400, 300);
    view.app().open((folder / "film.mkv").string());
    view.engine().seek(1);
    view.settle();
    view.engine().save({}, (folder / "frame.png").string());
    view.settle();
    const Image frame = load(folder / "frame.png");
    CHECK(frame.width() == 96);
    CHECK(frame.at(48, 32, 0) == Approx(93).margin(3)); // luma 96 of 16 to 235
    view.app().open((folder / "frame.png").string());
    view.settle();
    CHECK_FALSE(view.app().news().playing.is_video);
    view.engine().step(); // of no video: nothing
    view.settle();
    CHECK_FALSE(view.app().news().message_is_fault);
}

TEST_CASE("film: a phone's video stands upright, with pixels of their shape") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mp4", {"-vf", "setsar=3/2", "-c:v", "libx264", "-pix_fmt", "yuv420p"},
                      false));
    ffmpeg(folder.path(), turned("film.mp4", 90, "turned.mp4"));
    Headless view(ContextOptions{}, 900, 900);
    const auto shape = [&] {
        const ScreenPlace place = view.app().viewport().place();
        return place.width / place.height;
    };
    view.app().open((folder / "film.mp4").string()); // 96x64
    view.settle();
    CHECK(shape() == Approx(96 * 1.5 / 64));
    view.app().open((folder / "turned.mp4").string());
    view.settle();
    CHECK(view.app().news().source.form.width == 64);
    CHECK(shape() == Approx(64 / (96 * 1.5)));
    view.document().add(*find_operation("rotate"));
    view.settle();
    CHECK(shape() == Approx(96 * 1.5 / 64));
}

TEST_CASE("film: Copy command gives a call that makes a video") {
    const TempDir folder;
    Headless view(ContextOptions{}, 400, 300);
    view.document().add(*find_operation("invert"));
    for (const auto& [name, out] : {std::pair<std::string, std::string>{"film.mkv", "out.mkv"},
                                    {"film.nut", "out.nut"},
                                    {"film.avi", "out.mkv"}}) {
        const std::string path = (folder / name).string();
        REQUIRE(make_video(path));
        view.app().open(path);
        view.settle();
        CHECK(view.app().command() == "glproc video " + path + " " + out + " invert");
    }
    view.engine().save({}, (folder / "frame.png").string());
    view.app().open((folder / "frame.png").string());
    view.settle();
    CHECK(view.app().command() == "glproc pipe " + (folder / "frame.png").string() + " out.png invert");
}

TEST_CASE("film: a broken one is said to be one") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mp4", {"-c:v", "libx264", "-pix_fmt", "yuv420p"}, false));
    std::filesystem::resize_file(folder / "film.mp4", 1000);
    Headless view(ContextOptions{}, 400, 300);
    const auto said = [&](const std::string& name) {
        view.app().open((folder / name).string());
        view.settle();
        CHECK(view.app().news().message_is_fault);
        return view.app().news().message;
    };
    CHECK(said("film.mp4").find("not a video, or a broken one: moov atom not found") != std::string::npos);
    std::filesystem::copy_file(folder / "film.mp4",
                               folder / "film.tga"); // which has no mark, so its name counts
    CHECK(said("film.tga").find("TGA") != std::string::npos);
}

TEST_CASE("film: keys play it and go from frame to frame") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mkv"));
    Headless view(ContextOptions{}, 900, 600);
    view.app().open((folder / "film.mkv").string());
    view.settle();
    const auto press = [&](int key) {
        REQUIRE(view.app().takes(key));
        view.app().press(key, false, false);
        view.settle();
    };
    press(right_key);
    press(right_key);
    CHECK(view.app().news().playing.seconds == Approx(0.2).margin(0.01));
    press(left_key);
    CHECK(view.app().news().playing.seconds == Approx(0.1).margin(0.01));
    press(left_key);
    press(left_key);
    CHECK(view.app().news().playing.seconds == Approx(0).margin(0.01));
    view.app().press(space_key, false, false);
    view.draw();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    view.draw();
    CHECK(view.app().news().playing.plays);
    view.app().press(space_key, false, false);
    view.draw();
    view.settle();
    CHECK_FALSE(view.app().news().playing.plays);
}

namespace {

/// Saves under the name that is offered, and waits for it.
void save_video(Headless& view) {
    view.app().press('S', true, false);
    view.settle();
    pass_key(enter_key, true, 0);
    view.draw();
    pass_key(enter_key, false, 0);
    view.draw();
    REQUIRE(view.app().jobs().jobs().size() == 1);
    const auto begin = std::chrono::steady_clock::now();
    while (view.app().jobs().is_busy() && std::chrono::steady_clock::now() - begin < std::chrono::seconds(900)) {
        view.draw();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    INFO(view.app().jobs().jobs()[0].message);
    CHECK(view.app().jobs().jobs()[0].state == JobState::done);
}

/// Runs what Copy command copies, in the folder.
void run_copied(const Headless& view, const TempDir& folder) {
    const std::string command = "cd '" + folder.path().string() + "' && '" +
                                std::filesystem::read_symlink("/proc/self/exe").parent_path().string() + "'/" +
                                const_cast<Headless&>(view).app().command();
    REQUIRE(run_program({.program = "/bin/sh", .arguments = {"-c", command}}).status == 0);
}

/// A line for each frame, with the sum of its values.
std::string frames_of(const std::filesystem::path& path) {
    return run_program({.program = "/usr/bin/ffmpeg",
                        .arguments = {"-v", "error", "-i", path.string(), "-f", "framemd5", "-"}})
        .out;
}

/// The sums alone.
std::vector<std::string> sums_of(const std::filesystem::path& path) {
    std::istringstream lines(frames_of(path));
    std::vector<std::string> sums;
    for (std::string line; std::getline(lines, line);) {
        if (line.front() != '#') {
            sums.push_back(line.substr(line.rfind(' ')));
        }
    }
    return sums;
}

} // namespace

TEST_CASE("film: it is saved as a film, as the copied command does it") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mkv"));
    Headless view(ContextOptions{}, 900, 600);
    view.app().open((folder / "film.mkv").string());
    view.document().add(*find_operation("invert"));
    view.settle();
    save_video(view);
    run_copied(view, folder);
    CHECK(frames_of(folder / "film-edited.mkv") == frames_of(folder / "out.mkv"));
    CHECK(frames_of(folder / "film-edited.mkv").size() > 500);
    CHECK(frames_of(folder / "film-edited.mkv") != frames_of(folder / "film.mkv"));
}

TEST_CASE("film: a part of it is marked and saved, from the frame that was shown to the one that was shown") {
    const TempDir folder;
    REQUIRE(make_video(folder / "film.mkv"));
    Headless view(ContextOptions{}, 900, 600);
    view.app().open((folder / "film.mkv").string());
    view.settle();
    const auto mark = [&](double seconds, int key) {
        view.engine().seek(seconds);
        view.settle();
        view.app().press(key, false, false);
        view.settle();
    };
    mark(0.35, 'I'); // the frame of 0.3 s is shown
    mark(1.25, 'O');
    CHECK(view.app().command().find("--from 0.3s --to 1.25s") != std::string::npos);
    save_video(view);
    const auto all = sums_of(folder / "film.mkv");
    const auto part = sums_of(folder / "film-edited.mkv");
    REQUIRE(all.size() == 20);
    CHECK(part == std::vector<std::string>(all.begin() + 3, all.begin() + 13));
    run_copied(view, folder);
    CHECK(frames_of(folder / "film-edited.mkv") == frames_of(folder / "out.mkv"));
    mark(1.25, 'O'); // again: up to the end
    CHECK(view.app().command().find("--to") == std::string::npos);
    mark(0.75, 'O');
    mark(1.75, 'I'); // behind it
    CHECK(view.app().command().find("--from 1.7s") != std::string::npos);
    CHECK(view.app().command().find("--to") == std::string::npos);
    view.app().open((folder / "film.mkv").string());
    view.settle();
    CHECK(view.app().command().find("--from") == std::string::npos);
}

#endif
