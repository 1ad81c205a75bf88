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

} // namespace glproc::test
