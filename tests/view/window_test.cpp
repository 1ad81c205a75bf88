// The window, drawn into memory and driven by what ImGui gets from a mouse and a keyboard.
#include "view/headless.hpp"

#include "cli/commands.hpp"
#include "glproc/image/codec.hpp"
#include "glproc/kinds/chain.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/temp_dir.hpp"

#include <algorithm>
#include <fstream>
#include <memory>
#include <thread>

#include <imgui.h>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

constexpr int width = 1000;
constexpr int height = 640;

/// A window with a photo in it.
struct Window : TempDir {
    Headless view{ContextOptions{}, width, height};

    explicit Window(const Image& photo = photo_like_image({400, 300, 3, Depth::u8})) {
        save(photo, path() / "photo.png");
        view.app().open((path() / "photo.png").string());
        view.settle();
    }

    Document& document() { return view.document(); }
    const News& news() { return view.app().news(); }

    void add(const std::string& name) {
        document().add(*find_operation(name));
        view.settle();
    }

    const FieldInfo& field(const std::string& name) {
        const auto& fields = document().steps().back().op->fields;
        return *std::find_if(fields.begin(), fields.end(),
                             [&](const FieldInfo& info) { return info.name == name; });
    }

    void press(int key, bool control = false) {
        ImGuiIO& io = ImGui::GetIO();
        io.KeyCtrl = control;
        io.KeysDown[key] = true;
        view.app().press(key, control, false);
        view.draw();
        io.KeysDown[key] = false;
        io.KeyCtrl = false;
        view.draw();
        view.settle();
    }

    void type(const std::string& text) {
        ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
        view.draw();
        view.settle();
    }

    void point_at(float x, float y) {
        ImGui::GetIO().MousePos = {x, y};
        view.draw();
    }

    void hold(bool down) {
        ImGui::GetIO().MouseDown[0] = down;
        view.draw();
    }

    /// What the chain makes of the photo by itself.
    Image expected() {
        const std::unique_ptr<Operation> chain = [&] {
            std::vector<std::unique_ptr<Operation>> operations;
            for (const Step& step : document().steps()) {
                operations.push_back(operation_of(step));
            }
            return chain_of(std::move(operations));
        }();
        Image result;
        const Image photo = load(path() / "photo.png");
        std::thread([&] { // which has no context yet
            Context gpu;
            const GpuImage source = gpu.upload(photo);
            result = gpu.download(std::get<GpuImage>(chain->run(gpu, ImageInput{"photo", photo, source})));
        })
            .join();
        return result;
    }

    /// At 1:1: whether the picture's part of the window shows these pixels, and nothing of others.
    bool shows(const Image& picture) {
        const Image area = view.app().picture_area();
        const Viewport& viewport = view.app().viewport();
        REQUIRE(viewport.zoom() == 1);
        std::size_t wrong = 0;
        std::size_t seen = 0;
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                const Point2 at = viewport.to_frame({double(x), double(y)});
                if (at.x < 0 || at.y < 0 || at.x >= area.width() || at.y >= area.height()) {
                    continue;
                }
                ++seen;
                for (int c = 0; c < 3; ++c) {
                    const int of = picture.channels() < 3 ? 0 : c;
                    wrong += picture.at(x, y, of) != area.at(int(at.x), int(at.y), c) ? 1 : 0;
                }
            }
        }
        INFO(wrong << " values of " << seen << " pixels differ");
        CHECK(wrong == 0);
        return wrong == 0 && seen > 1000;
    }
};

} // namespace

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

TEST_CASE("window: what is before keeps its shape where the result has another") {
    Window window; // 400x300
    window.add("crop");
    CHECK(window.document().steps()[0].value_of(window.field("rect")) == "0,0,400,300");
    CHECK(window.news().result.form.width == 400);
    window.document().set(0, window.field("rect"), "0,0,100,300");
    window.view.settle();
    window.press('S');
    // As wide as the result, and a quarter as high, in its middle.
    const Image area = window.view.app().picture_area();
    const Place place = window.view.app().viewport().place();
    const auto is_empty = [&](double x, double y) {
        return area.at(int(x), int(y), 0) == 0x16 && area.at(int(x), int(y), 2) == 0x1c;
    };
    const double left = place.corner.x + place.width / 4; // of the line
    const double right = place.corner.x + 3 * place.width / 4;
    const double high = place.width * 300 / 400;
    const double middle = place.corner.y + place.height / 2;
    CHECK(is_empty(left, middle - high / 2 - 4));
    CHECK_FALSE(is_empty(left, middle - high / 2 + 4));
    CHECK_FALSE(is_empty(left, middle + high / 2 - 4));
    CHECK(is_empty(left, middle + high / 2 + 4));
    CHECK_FALSE(is_empty(right, middle - high / 2 - 4));
}

TEST_CASE("window: a density that differs across and down is the shape of pixels") {
    Image fax = photo_like_image({200, 100, 3, Depth::u8});
    fax.set_metadata({.density = Density{204, 102, Density::Unit::inch}});
    Window window(fax);
    const auto shape = [&] {
        const Place place = window.view.app().viewport().place();
        return place.width / place.height;
    };
    CHECK(shape() == Approx(1).margin(0.01));
    window.add("rotate");
    window.document().set(0, window.field("angle"), "90");
    window.view.settle();
    CHECK(window.news().result.form.width == 100);
    CHECK(shape() == Approx(1).margin(0.01));
    window.add("resize");
    window.document().set(1, window.field("size"), "400x50");
    window.view.settle();
    CHECK(shape() == Approx(1).margin(0.01)); // the same, of other pixels
    window.document().set(1, window.field("size"), "50%");
    window.view.settle();
    CHECK(shape() == Approx(1).margin(0.01));
}

TEST_CASE("window: in a narrow one every button is there, and a message can be closed") {
    Window window;
    window.view.resize(420, 600);
    window.view.settle();
    CHECK(window.view.app().picture_area().height() < 480); // three lines of them
    window.add("crop");
    window.document().set(0, window.field("rect"), "0,0,9999,9999");
    window.view.settle();
    REQUIRE_FALSE(window.news().fault.empty());
    const Image with = window.view.screenshot();
    const Point2 cross = window.view.app().message_cross();
    window.point_at(float(cross.x), float(cross.y));
    window.hold(true);
    window.hold(false);
    window.point_at(1, 1);
    window.view.settle();
    const Image without = window.view.screenshot();
    const auto lit = [&](const Image& image) { // its edge has a colour of its own
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < 200; ++x) {
                count += image.at(x, y, 0) == 0xf0 && image.at(x, y, 1) == 0x74 ? 1 : 0;
            }
        }
        return count;
    };
    CHECK(lit(with) > 20);
    CHECK(lit(without) == 0);
    // Another fault is said again, and Escape closes it as well.
    window.document().set(0, window.field("rect"), "0,0,9999,8888");
    window.view.settle();
    CHECK(lit(window.view.screenshot()) > 20);
    window.press(256);
    CHECK(lit(window.view.screenshot()) == 0);
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
