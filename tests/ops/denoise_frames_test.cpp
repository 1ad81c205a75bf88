// denoise over frames of a video.
#include "glproc/kinds/hidden.hpp"
#include "glproc/ops/denoise/frames.hpp"

#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/reference.hpp"
#include "support/tiled.hpp"

#include <array>
#include <cmath>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

using Frames = std::vector<Image>;

/// A value with 1 for white; beyond the image it is mirrored.
double value_at(const Image& image, int x, int y, int c) {
    return image.at(border_index(BorderMode::mirror, x, image.width()),
                    border_index(BorderMode::mirror, y, image.height()), c) /
           max_code(image.depth());
}

/// The mean squared difference of the patches around (x, y) of one frame and (u, v) of another.
double distance(const Denoise& op, const Image& own, int x, int y, const Image& other, int u, int v) {
    const int colours = own.channels() < 3 ? 1 : 3;
    double sum = 0;
    for (int j = -op.patch; j <= op.patch; ++j) {
        for (int i = -op.patch; i <= op.patch; ++i) {
            for (int c = 0; c < colours; ++c) {
                sum += std::pow(value_at(own, x + i, y + j, c) - value_at(other, u + i, v + j, c), 2);
            }
        }
    }
    return sum / ((2 * op.patch + 1) * (2 * op.patch + 1) * colours);
}

/// The definition, pixel by pixel.
Reference right_answer(const Denoise& op, const Frames& frames, std::size_t own) {
    const Image& image = frames[own];
    const int colours = image.channels() < 3 ? 1 : 3;
    Reference result = reference_of(image);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            double total = 0;
            std::array<double, 3> sums{};
            for (const Image& frame : frames) {
                for (int v = y - op.search; v <= y + op.search; ++v) {
                    for (int u = x - op.search; u <= x + op.search; ++u) {
                        const double d = distance(op, image, x, y, frame, u, v);
                        const double free = 2 * op.noise * op.noise;
                        const double weight =
                            std::isfinite(d) ? std::exp(-std::max(d - free, 0.0) / (op.strength * op.strength)) : 0;
                        total += weight;
                        for (int c = 0; c < colours && weight > 0; ++c) {
                            sums[static_cast<std::size_t>(c)] += weight * value_at(frame, u, v, c);
                        }
                    }
                }
            }
            for (int c = 0; c < colours && total > 0; ++c) {
                result.at(x, y, c) = sums[static_cast<std::size_t>(c)] / total * max_code(image.depth());
            }
        }
    }
    return result;
}

Image made(const Denoise& op, const Frames& frames, std::size_t own) {
    Context& on = gpu();
    std::vector<GpuImage> uploaded;
    for (const Image& frame : frames) {
        uploaded.push_back(on.upload(frame));
    }
    FrameWindow window{{}, own};
    for (const GpuImage& frame : uploaded) {
        window.frames.push_back(&frame);
    }
    return on.download(denoise_frames(on, op, window));
}

/// Hidden pixels have the colours of those around them.
Frames seen(const Denoise& op, Frames frames) {
    for (Image& frame : frames) {
        frame = frame.has_alpha() ? filled(frame, {.reach = op.search + op.patch, .border = BorderMode::mirror}) : frame;
    }
    return frames;
}

void check(Denoise op, const Frames& frames, std::size_t own) {
    const Reference right = right_answer(op, seen(op, frames), own);
    INFO(describe(frames[own]) << ", frame " << own << " of " << frames.size() << ", patch " << op.patch << ", search "
                               << op.search);
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        op.method = method;
        INFO(name_of(method));
        CHECK_THAT(made(op, frames, own), Matches(right, {2e-6, 0.001}));
    }
}

/// Frames that show the same with other noise, moved a little.
Frames noisy_frames(const Shape& shape, std::size_t count) {
    Frames frames;
    for (std::size_t k = 0; k < count; ++k) {
        Image frame = photo_like_image(shape);
        const Image noise = random_image(shape, static_cast<unsigned>(k) + 1);
        for (std::size_t i = 0; i < frame.bytes().size() && shape.depth == Depth::u8; ++i) {
            frame.bytes()[i] = static_cast<std::byte>((3 * static_cast<int>(frame.bytes()[i]) + static_cast<int>(noise.bytes()[i])) / 4);
        }
        frames.push_back(shape.depth == Depth::u8 ? frame : noise);
    }
    return frames;
}

} // namespace

TEST_CASE("denoise over frames: every depth, number of channels and size") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const Size& size : {Size{1, 1}, Size{1, 7}, Size{5, 2}, Size{37, 35}}) {
                const Frames frames = noisy_frames({size.width, size.height, channels, depth}, 3);
                check({.strength = 0.3, .noise = 0.05, .patch = 1, .search = 2}, frames, 1);
            }
        }
    }
}

TEST_CASE("denoise over frames: the ends of a video, and the largest patches and searches") {
    for (const Depth depth : {Depth::u8, Depth::f32}) {
        const Frames frames = noisy_frames({35, 17, 3, depth}, 2);
        check({}, frames, 0);
        check({.patch = 2, .search = 3}, frames, 1);
    }
}

TEST_CASE("denoise over frames: a frame alone has the bits of an image") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {1, 2, 3, 4}) {
            const Image image = photo_like_image({67, 41, channels, depth});
            const Denoise op{.patch = 2, .search = 4};
            CHECK_THAT(made(op, {image}, 0), IsBitwise(whole(op, image)));
        }
    }
}

TEST_CASE("denoise over frames: values that are not finite leave their pixel alone") {
    Frames frames = noisy_frames({30, 20, 3, Depth::f32}, 3);
    frames[0].values<float>()[200] = std::numeric_limits<float>::quiet_NaN();
    frames[1].values<float>()[1500] = std::numeric_limits<float>::infinity();
    check({.strength = 0.4, .patch = 1, .search = 2}, frames, 1);
}
