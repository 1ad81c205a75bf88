// Calls of glproc beside the window.
#include "view/engine/job_queue.hpp"

#include "view/window_fixture.hpp"

#include <chrono>
#include <filesystem>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

/// Until nothing runs, or too long.
void wait_for(JobQueue& jobs) {
    const auto begin = std::chrono::steady_clock::now();
    while (jobs.is_busy() && std::chrono::steady_clock::now() - begin < std::chrono::seconds(900)) {
        jobs.look();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

} // namespace

TEST_CASE("jobs: the share is the last one that is said") {
    CHECK(share_in("[##   ] blur  45 %, 3 s left", 0) == 0.45);
    CHECK(share_in("  7 %", 0) == 0.07);
    CHECK(share_in("100 %", 0) == 1);
    for (const char* text : {"", "3 s", " %", "a %", "12345678901234567890 %"}) {
        INFO(text);
        CHECK(share_in(text, 0.25) == 0.25);
    }
}

TEST_CASE("jobs: calls run one after another, and say why they fail") {
    const TempDir folder;
    save(photo_like_image({40, 30, 3, Depth::u8}), folder / "a.png");
    const std::string in = (folder / "a.png").string();
    const std::string out = (folder / "b.png").string();
    JobQueue jobs;
    jobs.add("first", {"glproc", "pipe", in, out, "invert"});
    jobs.add("second", {"glproc", "pipe", out, (folder / "c.png").string(), "invert"}); // needs the first
    jobs.add("third", {"glproc", "pipe", (folder / "nosuch.png").string(), out, "invert"});
    CHECK(jobs.jobs()[0].state == JobState::runs);
    CHECK(jobs.jobs()[1].state == JobState::waits);
    wait_for(jobs);
    REQUIRE(jobs.jobs().size() == 3);
    INFO(jobs.jobs()[0].message << jobs.jobs()[1].message);
    CHECK(jobs.jobs()[0].state == JobState::done);
    CHECK(jobs.jobs()[1].state == JobState::done);
    CHECK(jobs.jobs()[2].state == JobState::failed);
    CHECK(jobs.jobs()[2].message == (folder / "nosuch.png").string() + ": no such file");
    const Image before = load(folder / "a.png");
    const Image after = load(folder / "c.png"); // inverted twice
    CHECK(std::ranges::equal(before.bytes(), after.bytes()));
    jobs.remove(0);
    CHECK(jobs.jobs().size() == 2);
}

TEST_CASE("jobs: what runs is stopped, and what waits is taken away") {
    const TempDir folder;
    save(photo_like_image({3000, 2000, 3, Depth::u8}), folder / "a.png");
    const std::string in = (folder / "a.png").string();
    const std::string out = (folder / "b.png").string();
    JobQueue jobs;
    jobs.add("long",
             {"glproc", "pipe", in, out, "bilateral", "--sigma", "20", "then", "bilateral", "--sigma", "20"});
    jobs.add("waits", {"glproc", "pipe", in, out, "invert"});
    jobs.remove(1);
    CHECK(jobs.jobs().size() == 1);
    jobs.remove(0);
    wait_for(jobs);
    REQUIRE(jobs.jobs().size() == 1);
    CHECK(jobs.jobs()[0].state == JobState::stopped);
    CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("jobs: the operations of the window are applied to a folder") {
    Window window;
    std::filesystem::create_directory(window / "in");
    save(photo_like_image({60, 50, 3, Depth::u8}), window / "in" / "1.png");
    save(photo_like_image({50, 60, 3, Depth::u8}), window / "in" / "2.png");
    window.view.app().open((window / "in" / "1.png").string());
    window.add("invert");
    JobQueue& jobs = window.view.app().jobs();
    std::vector<std::string> words{"glproc", "pipe", (window / "in").string(),
                                   (window / "out").string() + "/"};
    for (const std::string& word : words_of(window.document().steps())) {
        words.push_back(word);
    }
    jobs.add("folder", words);
    CHECK(window.view.app().next_change());
    window.press('Q', true);
    CHECK_FALSE(window.view.app().wants_to_quit());
    window.press(escape_key);
    wait_for(jobs);
    INFO(jobs.jobs()[0].message);
    CHECK(jobs.jobs()[0].state == JobState::done);
    for (const char* name : {"1.png", "2.png"}) {
        const Image before = load(window / "in" / name);
        const Image after = load(window / "out" / name);
        CHECK(after.at(3, 4, 1) == 255 - before.at(3, 4, 1));
    }
    window.view.settle();
}
