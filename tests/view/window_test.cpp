// The window: what it shows, and what keys and the mouse do.
#include "view/window_fixture.hpp"

#include <sys/stat.h>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

TEST_CASE("window: at 1:1 it shows exactly what the chain computes") {
    Window window;
    window.press('1');
    CHECK(window.shows(load(window / "photo.png")));
    window.add("blur");
    CHECK(window.shows(window.expected()));
    window.document().set(0, window.field("sigma"), "7.5");
    window.view.settle();
    CHECK(window.news().is_whole);
    CHECK(window.shows(window.expected()));
    window.add("gray");
    CHECK(window.shows(window.expected()));
    window.add("resize");
    window.document().set(2, window.field("size"), "200x100");
    window.view.settle();
    CHECK(window.news().result.form.width == 200);
    CHECK(window.shows(window.expected()));
}

TEST_CASE("window: a slider is pulled with the mouse") {
    Window window;
    window.add("blur");
    const std::string before = window.document().steps()[0].value_of(window.field("sigma"));
    // The first slider of the first card: below the histogram and the name.
    const float x = width - 150;
    bool found = false;
    for (float y = 180; y < 260 && !found; y += 6) {
        window.point_at(x, y);
        window.hold(true);
        window.point_at(x + 40, y);
        window.hold(false);
        window.view.settle();
        found = window.document().steps()[0].value_of(window.field("sigma")) != before;
    }
    REQUIRE(found);
    window.press('1');
    CHECK(window.shows(window.expected()));
    CHECK(window.document().can_undo());
    window.press('Z', true);
    CHECK(window.document().steps()[0].value_of(window.field("sigma")) == before);
    CHECK(window.shows(window.expected()));
}

TEST_CASE("window: an operation is added with the keyboard alone") {
    Window window;
    window.press('A');
    window.type("inve");
    window.press(257); // Enter
    REQUIRE(window.document().steps().size() == 1);
    CHECK(window.document().steps()[0].op->name == "invert");
    for (const auto& [typed, name] : {std::pair("cro", "crop"), std::pair("scale", "resize"), std::pair("sharpen", "unsharp")}) {
        window.press('A'); // names come before words about them: "cro" is in "microscope"
        window.type(typed);
        window.press(257);
        CHECK(window.document().steps().back().op->name == name);
        window.press('Z', true);
    }
    window.press('1');
    CHECK(window.shows(window.expected()));
    window.press('Z', true);
    CHECK(window.document().steps().empty());
    CHECK(window.shows(load(window / "photo.png")));
    window.press('Q', true);
    CHECK(window.view.app().wants_to_quit());
}

TEST_CASE("window: letters that are typed into a field are no shortcuts") {
    Window window;
    window.press('O', true);
    window.press('1');
    window.press('Q', false);
    window.press('A');
    CHECK_FALSE(window.view.app().wants_to_quit());
    CHECK(window.document().steps().empty());
    CHECK(window.view.app().viewport().fits());
}

TEST_CASE("window: the histogram is that of the result") {
    Window window;
    window.add("invert");
    REQUIRE(window.news().counts != nullptr);
    const Image result = window.expected();
    for (const ChannelCounts& channel : *window.news().counts) {
        if (channel.channel == HistogramChannel::luma) {
            continue;
        }
        const int c = static_cast<int>(channel.channel) - static_cast<int>(HistogramChannel::red);
        std::vector<std::uint64_t> expected(256);
        for (int y = 0; y < result.height(); ++y) {
            for (int x = 0; x < result.width(); ++x) {
                ++expected[static_cast<std::size_t>(result.at(x, y, c))];
            }
        }
        CHECK(channel.counts == expected);
    }
}

TEST_CASE("window: the histogram of a large image counts each of its pixels, not means of them") {
    Image board(4100, 3000, 1, Depth::u8); // 12 megapixels of black and white; a smaller copy is grey
    for (int y = 0; y < board.height(); ++y) {
        for (int x = 0; x < board.width(); ++x) {
            board.row(y)[x] = (x + y) % 2 == 0 ? std::byte{0} : std::byte{255};
        }
    }
    Window window(board);
    const auto check = [&] {
        REQUIRE(window.news().counts != nullptr);
        const std::vector<std::uint64_t>& luma = window.news().counts->front().counts;
        CHECK(luma.front() == 6150000);
        CHECK(luma.back() == 6150000);
    };
    check();
    window.add("invert");
    check();
}

TEST_CASE("window: a crop shows the same part before and after") {
    Window window;
    window.document().replace({});
    window.add("crop");
    window.document().set(0, window.field("rect"), "40,30,120,90");
    window.add("invert");
    window.view.settle();
    REQUIRE(window.news().before.image != nullptr);
    CHECK(window.news().before.form.width == 120);
    CHECK(window.news().before.form.height == 90);
    window.document().replace({});
    window.view.settle();
    CHECK(window.news().before.image == nullptr); // the source stands for it
}

TEST_CASE("window: before and after, divided by a line that can be pulled") {
    Window window;
    window.add("invert");
    window.press('1');
    const Image after = window.view.app().picture_area();
    window.press('S');
    const Image split = window.view.app().picture_area();
    const Image photo = load(window / "photo.png");
    const Viewport& viewport = window.view.app().viewport();
    const auto is_photo = [&](const Image& area, int x, int y) {
        const Point2 at = viewport.to_frame({double(x), double(y)});
        return area.at(int(at.x), int(at.y), 0) == photo.at(x, y, 0);
    };
    int left = 0;
    int right = 0;
    for (int y = 0; y < 300; ++y) {
        left += is_photo(split, 30, y) ? 1 : 0;
        right += is_photo(split, 370, y) ? 1 : 0;
    }
    CHECK(left == 300);
    CHECK(right < 30);
    // The line is in the middle; pulled to the right end everything is as it was before.
    const float middle = (width - 340) / 2.0F;
    window.point_at(middle, 200);
    window.hold(true);
    window.point_at(width - 342, 200);
    window.hold(false);
    window.view.settle();
    int now = 0;
    for (int y = 0; y < 300; ++y) {
        now += is_photo(window.view.app().picture_area(), 370, y) ? 1 : 0;
    }
    CHECK(now == 300);
}

TEST_CASE("window: what cannot be read or done is said, and the last picture stays") {
    Window window;
    std::ofstream(window / "broken.png") << "no picture";
    window.view.app().open((window / "broken.png").string());
    window.view.settle();
    CHECK(window.news().message_is_fault);
    CHECK(window.news().message.find("broken.png") != std::string::npos);
    CHECK(window.news().source.image != nullptr);
    window.view.app().open((window / "nosuch.png").string());
    window.view.settle();
    CHECK(window.news().message.find("no such file") != std::string::npos);
    REQUIRE(::mkfifo((window / "fifo.png").c_str(), 0600) == 0); // which nobody writes to
    window.view.app().open((window / "fifo.png").string());
    window.view.settle();
    CHECK(window.news().message.find("fifo.png: a pipe, socket or device, not a file") != std::string::npos);
    window.add("crop");
    window.document().set(0, window.field("rect"), "0,0,9999,9999");
    window.view.settle();
    CHECK(window.news().fault.find("does not lie within") != std::string::npos);
    window.document().undo();
    window.view.settle();
    CHECK(window.news().fault.empty());
    window.view.engine().save(window.document().steps(), (window / "out.xyz").string());
    window.view.settle();
    CHECK(window.news().message_is_fault);
    CHECK_FALSE(std::filesystem::exists(window / "out.xyz"));
}

TEST_CASE("window: the result is saved whole, with what the chain computes") {
    Window window;
    window.add("unsharp");
    window.document().set(0, window.field("amount"), "1");
    window.view.settle();
    window.view.engine().save(window.document().steps(), (window / "out.png").string());
    window.view.settle();
    CHECK_FALSE(window.news().message_is_fault);
    const Image saved = load(window / "out.png");
    const Image expected = window.expected();
    CHECK(saved.form() == expected.form());
    CHECK(std::equal(saved.bytes().begin(), saved.bytes().end(), expected.bytes().begin(),
                     expected.bytes().end()));
}

TEST_CASE("window: every operation can be added without a fault, one after another and alone") {
    Window window(photo_like_image({160, 120, 3, Depth::u8}));
    for (const cli::Command& command : cli::pipe_steps()) {
        INFO(command.name);
        window.document().replace({new_step(*command.op)});
        window.view.settle();
        CHECK(window.news().fault.empty());
        CHECK(window.news().version == window.document().version());
    }
}

TEST_CASE("window: pictures of every depth and number of channels") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {1, 3}) {
            const TempDir folder;
            const std::string name = depth == Depth::f32 ? "p.pfm" : "p.png";
            save(photo_like_image({90, 70, channels, depth}), folder / name);
            Headless view(ContextOptions{}, width, height);
            view.app().open((folder / name).string());
            view.settle();
            const News& news = view.app().news();
            REQUIRE(news.source.image != nullptr);
            view.app().viewport().zoom_to(1);
            view.settle();
            const Image area = view.app().picture_area();
            const Image photo = load(folder / name);
            double worst = 0;
            for (int y = 0; y < 70; ++y) {
                for (int x = 0; x < 90; ++x) {
                    const Point2 at = view.app().viewport().to_frame({double(x), double(y)});
                    const double shown = area.at(int(at.x), int(at.y), 0) / 255;
                    const double is = std::clamp(photo.at(x, y, 0) / max_code(depth), 0.0, 1.0);
                    worst = std::max(worst, std::abs(shown - is));
                }
            }
            CHECK(worst <= 0.5 / 255 + 1e-6);
        }
    }
}

TEST_CASE("window: it can have any size, and none of a picture") {
    Headless view(ContextOptions{}, width, height);
    view.settle();
    for (const auto& [w, h] : {std::pair{64, 64}, {1920, 1080}, {300, 900}, {1, 1}}) {
        view.resize(w, h);
        view.settle();
        CHECK(view.screenshot().width() == w);
    }
}
