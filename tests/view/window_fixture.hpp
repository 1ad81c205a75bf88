// The window with a photo in it, drawn into memory and driven by what ImGui gets from a mouse and a keyboard.
#pragma once

#include "view/headless.hpp"
#include "view/keys.hpp"

#include "cli/commands.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/kinds/chain.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/temp_dir.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <thread>

#include <imgui.h>

namespace glproc::test {

using namespace view;

inline constexpr int width = 1000;
inline constexpr int height = 640;

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
        pass_key(key, true, control ? 2 : 0);
        view.app().press(key, control, false);
        view.draw();
        pass_key(key, false, 0);
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
            result = gpu.download(chain->run(gpu, ImageInput{"photo", photo, source}).picture.value());
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

/// Where a place in the picture is on the screen, at any zoom.
inline Point2 on_screen(Window& window, double x, double y) {
    const Point2 at = window.view.app().viewport().to_frame({x, y});
    const Point2 area = window.view.app().picture_corner();
    return {area.x + at.x, area.y + at.y};
}

inline void drag(Window& window, Point2 from, Point2 to) {
    window.point_at(float(from.x), float(from.y));
    window.hold(true);
    window.point_at(float((from.x + to.x) / 2), float((from.y + to.y) / 2));
    window.point_at(float(to.x), float(to.y));
    window.hold(false);
    window.view.settle();
}

/// The pixel of the screen there.
inline std::array<int, 3> seen(Window& window, double x, double y) {
    const Image area = window.view.app().picture_area();
    const Point2 at = window.view.app().viewport().to_frame({x + 0.5, y + 0.5});
    const auto value = [&](int c) { return static_cast<int>(area.at(int(at.x), int(at.y), c)); };
    return {value(0), value(1), value(2)};
}

/// Grey from black at the left to white at the right.
inline Image ramp() {
    Image image(256, 200, 3, Depth::u8);
    auto values = image.values<std::uint8_t>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::uint8_t>(i / 3 % 256);
    }
    return image;
}

} // namespace glproc::test
