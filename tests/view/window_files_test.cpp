// Files of the window: the chooser, the folder behind it, and what is remembered.
#include "glproc/files/series.hpp"
#include "view/folder.hpp"
#include "view/session.hpp"
#include "view/window_fixture.hpp"

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

constexpr int enter = 257;
constexpr int escape = 256;
constexpr int down = 264;
constexpr int backspace = 259;

void write(const std::filesystem::path& path, const std::string& text = "x") {
    std::ofstream(path) << text;
}

std::vector<std::string> names(const std::vector<FolderEntry>& entries) {
    std::vector<std::string> result;
    for (const FolderEntry& entry : entries) {
        result.push_back(entry.name);
    }
    return result;
}

using Names = std::vector<std::string>;

/// A window whose folder holds more than its photo.
struct WindowInFolder : Window {
    WindowInFolder() {
        std::filesystem::create_directory(*this / "inner");
        std::filesystem::copy(*this / "photo.png", *this / "inner" / "other.png");
        std::filesystem::copy(*this / "photo.png", *this / "second.png");
        write(*this / "notes.txt");
    }
    const FileChooser& chooser() { return view.app().chooser(); }
};

} // namespace

TEST_CASE("folder: names stand in the order that a person expects, folders first") {
    const TempDir folder;
    for (const char* name :
         {"10.png", "2.png", "B.png", "a.png", ".hidden", "a2b.png", "a02b.png", "a10.png"}) {
        write(folder / name);
    }
    std::filesystem::create_directory(folder / "z");
    CHECK(names(entries_of(folder.path())) ==
          Names{"z", "2.png", "10.png", "a.png", "a02b.png", "a2b.png", "a10.png", "B.png"});
    CHECK(entries_of(folder / "nosuch").empty());
    CHECK(entries_of(folder / "2.png").empty());
    CHECK_FALSE(is_before("a", "a"));
    CHECK(is_before("9", "00000000000000000000000000000000010"));
}

TEST_CASE("folder: a name is completed as far as there is one way") {
    const TempDir folder;
    write(folder / "photo-1.png");
    write(folder / "photo-2.png");
    std::filesystem::create_directory(folder / "inner");
    write(folder / "inner" / "x.png");
    CHECK(completed("ph", folder.path()) == "photo-");
    CHECK(completed("photo-2", folder.path()) == "photo-2.png");
    CHECK(completed("i", folder.path()) == "inner/");
    CHECK(completed("inner/", folder.path()) == "inner/x.png");
    CHECK(completed("q", folder.path()) == "q");
    CHECK(completed((folder / "inner").string(), "/") == (folder / "inner").string() + "/");
    CHECK(typed_path("~/a", "/b") == home_folder() / "a");
    CHECK(typed_path("~", "/b") == home_folder() / "");
    CHECK(typed_path("~a", "/b") == "/b/~a");
    CHECK(typed_path("a", "/b") == "/b/a");
    CHECK(typed_path("/a", "/b") == "/a");
}

TEST_CASE("folder: from picture to picture, and round again") {
    const TempDir folder;
    for (const char* name : {"10.png", "9.jpg", "notes.txt", "film.mp4"}) {
        write(folder / name);
    }
    const auto path = [&](const char* name) { return (folder / name).string(); };
    CHECK(beside(path("9.jpg"), 1) == path("10.png"));
    CHECK(beside(path("10.png"), 1) == path("film.mp4"));
    CHECK(beside(path("film.mp4"), 1) == path("9.jpg"));
    CHECK(beside(path("9.jpg"), -1) == path("film.mp4"));
    CHECK(beside(path("95.png"), 1) == path("film.mp4")); // it was deleted meanwhile
    CHECK(beside(path("95.png"), -1) == path("10.png"));
    const TempDir lonely;
    write(lonely / "a.png");
    CHECK(beside((lonely / "a.png").string(), 1).empty());
}

TEST_CASE("window: a folder opens at its first image, and one without images is refused") {
    const TempDir folder;
    for (const char* name : {"10.png", "9.png"}) {
        save(Image(16, 16, 3, Depth::u8), folder / name);
    }
    write(folder / "1 notes.txt");
    std::filesystem::create_directory(folder / "empty");
    Headless view(ContextOptions{}, width, height);
    for (const std::string& named : {folder.path().string(), folder.path().string() + "/"}) {
        view.app().open((folder / "10.png").string());
        view.settle();
        view.app().open(named);
        view.settle();
        CHECK(view.app().news().name == "9.png");
        CHECK(view.app().session().recent.front() == (folder / "9.png").string());
    }
    view.app().open((folder / "empty").string());
    view.settle();
    CHECK(view.app().news().message_is_fault);
    CHECK(view.app().news().message == (folder / "empty").string() + ": this folder holds no image or video");
    CHECK(view.app().news().name == "9.png");
    CHECK(view.app().session().recent.front() == (folder / "9.png").string());
}

TEST_CASE("folder: files have their size and the time at which they were written") {
    const TempDir folder;
    write(folder / "a.png", "12345");
    const FolderEntry entry = entries_of(folder.path()).at(0);
    CHECK(entry.bytes == 5);
    CHECK(std::abs(std::difftime(entry.written, std::time(nullptr))) < 60);
}

TEST_CASE("session: it is what it was, and survives nonsense") {
    const TempDir folder;
    Session session;
    session.width = 900;
    session.height = 701;
    session.is_light = true;
    for (int i = 0; i < 20; ++i) {
        session.note((folder / ("a " + std::to_string(i) + ".png")).string());
    }
    session.note((folder / "a 15.png").string());
    session.note("line\nbreak.png");
    CHECK(session.recent.size() == Session::most_recent);
    CHECK(session.recent.front() == (folder / "a 15.png").string());
    CHECK(session.recent[1] == (folder / "a 19.png").string());
    CHECK(std::count(session.recent.begin(), session.recent.end(), session.recent.front()) == 1);
    CHECK(session.folder == folder.path().string());
    const auto file = folder / "new" / "folders" / "view";
    write_session(session, file);
    CHECK(read_session(file) == session);
    write(folder / "broken", "size 1 2\nsize 99999999999999999 5\nsize a\nwhat\n\nrecent\ncolours green\n");
    CHECK(read_session(folder / "broken").width == Session().width);
    CHECK_FALSE(read_session(folder / "broken").is_light);
    CHECK(read_session(folder / "nosuch") == Session());
    write(folder / "file");
    write_session(session, folder / "file" / "view"); // where there can be no folder
}

TEST_CASE("chooser: a path that is typed is opened, absolute, from home or from the folder") {
    WindowInFolder window;
    for (const std::string& typed : {(window / "second.png").string(), std::string("second.png")}) {
        window.view.app().open((window / "photo.png").string());
        window.view.settle();
        window.press('O', true);
        CHECK(window.chooser().folder() == window.path());
        window.type(typed);
        window.press(enter);
        CHECK(window.news().name == "second.png");
    }
    window.press('O', true);
    window.type("nosuch.png");
    window.press(enter);
    CHECK(window.news().message_is_fault);
    CHECK(window.news().name == "second.png");
}

TEST_CASE("chooser: letters leave the names that have them, arrows choose, and Enter enters folders") {
    WindowInFolder window;
    window.press('O', true);
    CHECK(names(window.chooser().entries()) == Names{"inner", "notes.txt", "photo.png", "second.png"});
    window.type("SEC");
    CHECK(names(window.chooser().entries()) == Names{"second.png"});
    window.press(enter); // the only one
    CHECK(window.news().name == "second.png");
    window.press('O', true);
    window.press(down);
    window.press(enter);
    CHECK(window.chooser().folder() == window / "inner");
    CHECK(names(window.chooser().entries()) == Names{"other.png"});
    window.press(down);
    window.press(enter);
    CHECK(window.news().name == "other.png");
    CHECK(window.view.app().session().recent.front() == (window / "inner" / "other.png").string());
    window.press('O', true);
    window.type((window / "inner").string());
    window.press(enter);
    CHECK(window.chooser().folder() == window / "inner");
    window.press(escape);
    window.press('1');
    CHECK_FALSE(window.view.app().viewport().fits()); // the question is gone
}

TEST_CASE("chooser: a second click on a row opens it") {
    WindowInFolder window;
    window.press('O', true);
    const Point2 row = window.chooser().place_of(3);
    window.point_at(float(row.x), float(row.y));
    for (int i = 0; i < 2; ++i) {
        window.hold(true);
        window.hold(false);
    }
    window.view.settle();
    CHECK(window.news().name == "second.png");
}

TEST_CASE("chooser: the result is saved under a name, and the same is offered that the photo has") {
    WindowInFolder window;
    window.add("invert");
    window.press('S', true);
    window.press(enter);
    window.view.settle();
    REQUIRE(std::filesystem::exists(window / "photo-edited.png"));
    const Image saved = load(window / "photo-edited.png");
    const Image expected = window.expected();
    CHECK(std::ranges::equal(saved.bytes(), expected.bytes()));
    window.press('S', true);
    window.press(backspace);
    window.type("inner/x.jpg");
    window.press(enter);
    window.view.settle();
    CHECK(std::filesystem::exists(window / "inner" / "x.jpg"));
}

TEST_CASE("window: quitting asks only where operations would be lost") {
    WindowInFolder window;
    window.add("invert");
    window.press('Q', true);
    CHECK_FALSE(window.view.app().wants_to_quit());
    window.press(escape);
    CHECK_FALSE(window.view.app().wants_to_quit());
    window.press('Z', true);
    window.press('Y', true);
    window.press('S', true);
    window.press(enter);
    window.view.settle();
    CHECK_FALSE(window.document().is_changed());
    window.add("blur");
    CHECK(window.document().is_changed());
    window.press('Q', true);
    CHECK_FALSE(window.view.app().wants_to_quit());
    window.press(enter);
    CHECK(window.view.app().wants_to_quit());
}

TEST_CASE("chooser: the open image is replaced only if a person says so twice") {
    WindowInFolder window;
    window.add("invert");
    const Image before = load(window / "photo.png");
    const auto is_as_before = [&] { return std::ranges::equal(load(window / "photo.png").bytes(), before.bytes()); };
    window.press('S', true);
    window.type("photo.png");
    window.press(enter);
    CHECK(window.chooser().refusal().starts_with("This is the image that is open."));
    CHECK(is_as_before());
    window.press(escape);
    window.press('S', true); // another time, nothing was said yet
    window.type("photo.png");
    window.press(enter);
    CHECK(is_as_before());
    window.press(enter);
    window.view.settle();
    CHECK_FALSE(is_as_before());
}

TEST_CASE("window: after a file that cannot be opened the image that is still seen is the one that is saved and copied") {
    WindowInFolder window;
    write(window / "third.png");
    window.view.app().open((window / "third.png").string());
    window.view.settle();
    REQUIRE(window.news().message_is_fault);
    window.add("invert");
    CHECK(window.view.app().command() == "glproc pipe " + (window / "photo.png").string() + " out.png invert");
    window.press('S', true);
    window.type("photo.png");
    window.press(enter);
    CHECK(window.chooser().refusal().starts_with("This is the image that is open."));
    window.press(escape);
    window.press(266); // page up goes on from what was asked for
    CHECK(window.news().name == "second.png");
}

TEST_CASE("window: of a file with several images it says which is shown") {
    WindowInFolder window;
    const auto writer = write_series(window / "moving.gif", "moving.gif", {.plays = 0});
    for (const int red : {0, 255, 0}) {
        Image frame(16, 16, 3, Depth::u8);
        for (int i = 0; i < 256; ++i) {
            frame.row(i / 16)[i % 16 * 3] = static_cast<std::byte>(red);
        }
        writer->write(frame, {1, 10});
    }
    writer->finish();
    const auto is_red = [&] {
        const Image area = window.view.app().picture_area();
        return area.at(area.width() / 2, area.height() / 2, 0) == 255;
    };
    window.view.app().open((window / "moving.gif").string());
    window.view.settle();
    CHECK(window.news().name == "moving.gif, frame 1 of 3");
    CHECK_FALSE(is_red());
    window.view.app().open((window / "moving.gif#2").string());
    window.view.settle();
    CHECK(window.news().name == "moving.gif, frame 2 of 3");
    CHECK(is_red());
    window.view.app().open((window / "photo.png").string());
    window.view.settle();
    CHECK(window.news().name == "photo.png");
}

TEST_CASE("chooser: a name that no image can have stays to be changed") {
    WindowInFolder window;
    window.add("invert");
    window.press('S', true);
    window.type("out.xyz");
    window.press(enter);
    CHECK(window.chooser().refusal().find("unknown output format '.xyz'") != std::string::npos);
    window.type("out.png"); // in the place of what was refused, which is selected
    window.press(enter);
    window.view.settle();
    CHECK(std::filesystem::exists(window / "out.png"));
}

TEST_CASE("window: what could not be saved is not taken for saved") {
    WindowInFolder window;
    window.add("invert");
    window.press('S', true);
    window.type("nosuch/x.png");
    window.press(enter);
    window.view.settle();
    CHECK(window.chooser().refusal().starts_with("There is no folder "));
    CHECK(window.document().is_changed());
    window.press(escape);
    window.view.engine().save(window.document().steps(), (window / "nosuch" / "x.png").string());
    window.view.settle();
    CHECK(window.news().message_is_fault);
    window.press('Q', true);
    CHECK_FALSE(window.view.app().wants_to_quit());
}

TEST_CASE("window: a message goes by itself, and by a click anywhere on it") {
    WindowInFolder window;
    window.view.app().open((window / "nosuch.png").string());
    window.view.settle();
    const auto before = window.view.app().next_change();
    REQUIRE(before);
    CHECK(*before > 5);
    for (int i = 0; i < 40; ++i) { // half a second each
        ImGui::GetIO().DeltaTime = 0.5F;
        window.view.draw();
    }
    CHECK_FALSE(window.view.app().next_change());
    window.view.app().open((window / "nosuch.png").string());
    window.view.settle();
    REQUIRE(window.view.app().next_change());
    const Point2 cross = window.view.app().message_cross();
    window.point_at(float(cross.x) - 60, float(cross.y) + 4);
    window.hold(true);
    window.hold(false);
    CHECK_FALSE(window.view.app().next_change());
}
