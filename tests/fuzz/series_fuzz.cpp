// Animations and pages: what open_series() takes, and every picture of it.
#include "fuzz/fuzz.hpp"
#include "glproc/files/series.hpp"

using namespace glproc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::uint64_t most = std::uint64_t{1} << 18U;
    constexpr int most_frames = 64; // of the cost of all; the rest are like them
    const fuzz::Cost cost(size, most * most_frames);
    fuzz::expect_only({ErrorCode::input}, [&] {
        const auto series = open_series(fuzz::as_file(data, size), "fuzz", {.max_pixels = most});
        int count = 0;
        Form form;
        while (series != nullptr && count < most_frames) {
            const std::optional<SeriesPicture> picture = series->next();
            if (!picture) {
                fuzz::require(count == series->info().count, "there are as many pictures as the file says");
                return;
            }
            const Form& next = picture->image.form();
            const auto pixels =
                static_cast<std::uint64_t>(next.width) * static_cast<std::uint64_t>(next.height);
            fuzz::require(pixels >= 1 && pixels <= most, "a picture has pixels, and no more than asked for");
            fuzz::require(count == 0 || series->info().kind == SeriesKind::pages || next == form,
                          "all frames of an animation have one form");
            fuzz::require(picture->delay.denominator > 0, "a delay is a number");
            form = next;
            ++count;
        }
    });
    return 0;
}
