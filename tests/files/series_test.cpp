// Files of several pictures: animations and pages, read, written and broken.
#include "files/handmade_files.hpp"

#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"
#include "glproc/files/codecs/palette.hpp"
#include "support/temp_dir.hpp"

#include <functional>
#include <set>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

struct Shown {
    std::vector<Image> images;
    std::vector<double> delays; ///< seconds
    SeriesInfo info;
};

Shown read_series(const Bytes& file, const std::string& name, const DecodeOptions& options = {}) {
    const auto series = open_series(file, name, options);
    REQUIRE(series != nullptr);
    Shown shown{.images = {}, .delays = {}, .info = series->info()};
    while (std::optional<SeriesPicture> picture = series->next()) {
        shown.images.push_back(std::move(picture->image));
        shown.delays.push_back(picture->delay.seconds());
    }
    return shown;
}

Bytes written(const std::string& format, const std::vector<Image>& images,
              const std::vector<FrameDelay>& delays, int plays) {
    const TempDir folder;
    const auto path = folder / ("a." + format);
    SeriesInfo like;
    like.plays = plays;
    const auto writer = write_series(path, format, like, {.lossless = true});
    for (std::size_t i = 0; i < images.size(); ++i)
        writer->write(images[i], delays[i]);
    writer->finish();
    return read_file(path);
}

/// Few colours; what is transparent has none, as GIF has it.
Image flat_picture(int width, int height, int channels, std::uint32_t seed) {
    Image image(width, height, channels, Depth::u8);
    const auto step = static_cast<std::size_t>(channels);
    auto values = image.values<std::uint8_t>();
    for (std::size_t i = 0; i < values.size(); i += step) {
        const std::uint32_t colour = hash(seed + static_cast<std::uint32_t>(i / 29)) % 60;
        const bool is_gap = channels == 4 && colour % 3 == 0;
        for (std::size_t c = 0; c < 3; ++c)
            values[i + c] =
                static_cast<std::uint8_t>(is_gap ? 0 : hash(colour * 3 + static_cast<std::uint32_t>(c)));
        if (channels == 4)
            values[i + 3] = is_gap ? 0 : 255;
    }
    return image;
}

/// A frame of a GIF of four colours, put together by hand; the control says what becomes of it.
Bytes gif_frame(int x, int y, int width, int height, int colour, int disposal, int delay, bool has_gap) {
    Bytes codes;
    std::uint32_t held = 0;
    int count = 0;
    const auto put = [&](std::uint32_t code) {
        held |= code << static_cast<unsigned>(count);
        for (count += 3; count >= 8; count -= 8, held >>= 8U)
            codes.push_back(static_cast<std::byte>(held & 255U));
    };
    for (int i = 0; i < width * height; ++i) {
        if (i % 2 == 0)
            put(4);
        put(has_gap && i % 3 == 0 ? 3 : static_cast<std::uint32_t>(colour)); // 3 is the transparent one
    }
    put(5);
    codes.push_back(static_cast<std::byte>(held));
    const auto number = [](int value) { return little_endian(static_cast<std::uint32_t>(value), 2); };
    return bytes_of({0x21, 0xf9, 4, disposal << 2 | (has_gap ? 1 : 0)}) + number(delay) +
           bytes_of({3, 0, 0x2c}) + number(x) + number(y) + number(width) + number(height) +
           bytes_of({0, 2, static_cast<int>(codes.size())}) + codes + bytes_of({0});
}

Bytes gif_file(int width, int height, const Bytes& frames, int repeats = -1) {
    const auto number = [](int value) { return little_endian(static_cast<std::uint32_t>(value), 2); };
    const Bytes loop = repeats < 0 ? Bytes{}
                                   : bytes_of({0x21, 0xff, 11}) + bytes_of("NETSCAPE2.0") + bytes_of({3, 1}) +
                                         number(repeats) + bytes_of({0});
    return bytes_of("GIF89a") + number(width) + number(height) +
           bytes_of({0x81, 0, 0, 10, 10, 10, 20, 20, 20, 30, 30, 30, 99, 99, 99}) + loop + frames +
           bytes_of({0x3b});
}

/// The first channel of each pixel, and - where it is transparent.
std::string seen(const Image& image) {
    std::string text;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const bool is_there = !image.has_alpha() || image.at(x, y, image.channels() - 1) > 0;
            text += is_there ? std::to_string(static_cast<int>(image.at(x, y, 0)) / 10) : "-";
        }
        text += y + 1 < image.height() ? "/" : "";
    }
    return text;
}

} // namespace

TEST_CASE("frames of a GIF are composed: places, gaps, and what becomes of each") {
    const Bytes whole = gif_frame(0, 0, 4, 3, 0, 1, 7, false);
    SECTION("kept") {
        const Shown shown =
            read_series(gif_file(4, 3, whole + gif_frame(1, 1, 2, 2, 1, 1, 0, false), 4), "a.gif");
        REQUIRE(shown.images.size() == 2);
        CHECK(shown.info.count == 2);
        CHECK(shown.info.plays == 5); // repeated four times
        CHECK(shown.delays == std::vector<double>{0.07, 0});
        CHECK(shown.images[0].channels() == 3);
        CHECK(seen(shown.images[0]) == "1111/1111/1111");
        CHECK(seen(shown.images[1]) == "1111/1221/1221");
    }
    SECTION("the first one brought back, which leaves nothing") {
        const Bytes frames = gif_frame(0, 0, 4, 3, 0, 3, 7, false) + gif_frame(1, 1, 2, 1, 1, 1, 0, false);
        const Shown shown = read_series(gif_file(4, 3, frames), "a.gif");
        REQUIRE(shown.images.size() == 2);
        CHECK(shown.images[0].has_alpha());
        CHECK(seen(shown.images[0]) == "1111/1111/1111");
        CHECK(seen(shown.images[1]) == "----/-22-/----");
    }
    SECTION("cleared, brought back, and seen through") {
        const Bytes frames = whole + gif_frame(0, 0, 2, 1, 1, 2, 0, false) +
                             gif_frame(2, 0, 2, 2, 2, 3, 0, false) + gif_frame(0, 2, 4, 1, 1, 1, 0, true);
        const Shown shown = read_series(gif_file(4, 3, frames, 0), "a.gif");
        REQUIRE(shown.images.size() == 4);
        CHECK(shown.info.plays == 0);
        CHECK(seen(shown.images[0]) == "1111/1111/1111");
        CHECK(seen(shown.images[1]) == "2211/1111/1111");
        CHECK(seen(shown.images[2]) == "--33/1133/1111");
        CHECK(seen(shown.images[3]) == "--11/1111/1221");
    }
    SECTION("what lies beyond the canvas is left out, with a note") {
        Notes notes;
        const Shown shown = read_series(gif_file(4, 3, whole + gif_frame(3, 2, 5, 5, 1, 2, 0, false)),
                                        "a.gif", {.notes = &notes});
        CHECK(seen(shown.images[1]) == "1111/1111/1112");
        CHECK(shown.info.plays == 1);
        CHECK(notes == Notes{"a.gif: frames reach beyond the canvas; that part of them is left out"});
    }
}

TEST_CASE("one frame is a still picture, and a page can be named") {
    const Bytes one = gif_frame(0, 0, 4, 3, 0, 1, 7, false);
    CHECK(open_series(gif_file(4, 3, one), "a.gif") == nullptr);
    const Bytes two = gif_file(4, 3, one + gif_frame(1, 1, 2, 2, 1, 1, 0, false));
    CHECK(seen(decode(two, "a.gif", {.page = 2})) == "1111/1221/1221");
    CHECK(message_of([&] { decode(two, "a.gif", {.page = 3}); }) ==
          "a.gif: there is no image 3: the file has 2");
    CHECK(message_of([&] { decode(gif_file(4, 3, one), "a.gif", {.page = 2}); }) ==
          "a.gif: there is no image 2: the file has 1");
}

TEST_CASE("animations come back as they were written: pixels, delays, how often they are played") {
    for (const std::string format : {"gif", "webp", "apng"}) {
        if (!holds_series(format, SeriesKind::frames))
            continue;
        for (const int channels : {3, 4}) {
            for (const int plays : {0, 1, 3}) {
                INFO(format << ", " << channels << " channels, played " << plays << " times");
                std::vector<Image> images{flat_picture(31, 18, channels, 1),
                                          flat_picture(31, 18, channels, 1)};
                for (std::uint32_t i = 0; i < 6; ++i)
                    images.push_back(flat_picture(31, 18, channels, i * 100));
                const std::vector<FrameDelay> delays{{0, 100},  {10, 1000}, {1, 2},    {7, 100},
                                                     {65, 100}, {0, 1000},  {30, 100}, {2, 1}};
                const Shown back = read_series(written(format, images, delays, plays), "a." + format);
                REQUIRE(back.images.size() == images.size());
                CHECK(back.info.count == static_cast<int>(images.size()));
                CHECK(back.info.plays == plays);
                for (std::size_t i = 0; i < images.size(); ++i) {
                    INFO("frame " << i);
                    CHECK(same(back.images[i], images[i]));
                    CHECK(back.delays[i] == Approx(delays[i].seconds()));
                }
            }
        }
    }
}

TEST_CASE("delays that a format cannot hold are rounded so that the whole lasts as long") {
    const std::vector<Image> images(30, flat_picture(5, 4, 3, 3));
    const std::vector<FrameDelay> delays(30, FrameDelay{1001, 30000});
    for (const std::string format : {"gif", "apng"}) {
        const Shown back = read_series(written(format, images, delays, 1), "a." + format);
        double all = 0;
        for (const double delay : back.delays)
            all += delay;
        CHECK(all == Approx(1.001).margin(0.005));
    }
}

TEST_CASE("frames of an APNG lie over others by their alpha, as doubles have it") {
    const Image under = picture(9, 7, 4, Depth::u8);
    Image over = picture(9, 7, 4, Depth::u8);
    for (auto& v : over.values<std::uint8_t>())
        v = static_cast<std::uint8_t>(hash(v) >> 3U);
    Bytes file = written("apng", {under, over}, {{1, 10}, {1, 10}}, 0);
    // The last fcTL says that frames lie over others; its checksum is made right.
    const std::string text(reinterpret_cast<const char*>(file.data()), file.size());
    const std::size_t control = text.rfind("fcTL");
    file[control + 4 + 25] = std::byte{1};
    std::uint32_t crc = 0xffffffffU;
    for (std::size_t i = control; i < control + 30; ++i) {
        crc ^= std::to_integer<std::uint32_t>(file[i]);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
    std::ranges::copy(big_endian(~crc, 4), file.begin() + static_cast<std::ptrdiff_t>(control + 30));
    const Shown shown = read_series(file, "a.apng");
    REQUIRE(shown.images.size() == 2);
    double worst = 0;
    for (int y = 0; y < 7; ++y) {
        for (int x = 0; x < 9; ++x) {
            const double a = over.at(x, y, 3) / 255;
            const double b = under.at(x, y, 3) / 255 * (1 - a);
            worst = std::max(worst, std::abs(shown.images[1].at(x, y, 3) - 255 * (a + b)));
            for (int c = 0; c < 3 && a + b > 0; ++c)
                worst = std::max(worst, std::abs(shown.images[1].at(x, y, c) -
                                                 (over.at(x, y, c) * a + under.at(x, y, c) * b) / (a + b)));
        }
    }
    CHECK(worst <= 0.5 + 1e-9);
}

TEST_CASE("a GIF of many colours has 256 of them, nearer than a fixed palette") {
    Image image(97, 61, 3, Depth::u8);
    for (int y = 0; y < 61; ++y) {
        for (int x = 0; x < 97; ++x) {
            auto* pixel = reinterpret_cast<std::uint8_t*>(image.row(y)) + 3 * x;
            pixel[0] = static_cast<std::uint8_t>(x * 2 + 10);
            pixel[1] = static_cast<std::uint8_t>(y * 3);
            pixel[2] = static_cast<std::uint8_t>((x + y) % 40);
        }
    }
    const Image back = decode(encode(image, "gif"), "a.gif");
    REQUIRE(back.form() == image.form());
    std::set<std::array<double, 3>> colours;
    double error = 0;
    double fixed = 0; // of six levels a channel
    std::array<double, 3> sums{};
    for (int y = 0; y < 61; ++y) {
        for (int x = 0; x < 97; ++x) {
            colours.insert({back.at(x, y, 0), back.at(x, y, 1), back.at(x, y, 2)});
            for (int c = 0; c < 3; ++c) {
                const double v = image.at(x, y, c);
                error += std::pow(v - back.at(x, y, c), 2);
                fixed += std::pow(v - 51 * std::round(v / 51), 2);
                sums.at(static_cast<std::size_t>(c)) += v - back.at(x, y, c);
            }
        }
    }
    CHECK(colours.size() <= 256);
    CHECK(colours.size() > 200);
    CHECK(error < fixed / 4);
    for (const double sum : sums) // dithering keeps means
        CHECK(std::abs(sum / (97 * 61)) < 0.5);
}

TEST_CASE("palettes: exact ones are, and boxes of colours split to the best means") {
    using codecs::Rgba;
    const std::vector<Rgba> pixels{{9, 9, 9, 255},   {1, 2, 3, 255},   {1, 2, 3, 255},
                                   {200, 0, 0, 255}, {204, 0, 0, 255}, {7, 7, 7, 255}};
    const std::vector<std::uint8_t> wanted{1, 1, 1, 1, 1, 0};
    const auto exact = codecs::exact_palette(pixels, wanted, 4);
    REQUIRE(exact.has_value());
    CHECK(*exact == std::vector<Rgba>{{1, 2, 3, 255}, {9, 9, 9, 255}, {200, 0, 0, 255}, {204, 0, 0, 255}});
    CHECK(codecs::exact_numbers(*exact, pixels, wanted) == std::vector<std::uint8_t>{1, 0, 0, 2, 3, 0});
    CHECK_FALSE(codecs::exact_palette(pixels, wanted, 3).has_value());
    auto near = codecs::near_palette(pixels, wanted, 2);
    std::ranges::sort(near);
    CHECK(near == std::vector<Rgba>{{4, 4, 5, 255}, {202, 0, 0, 255}}); // (9+1+1)/3, (9+2+2)/3, (9+3+3)/3
}

#ifdef GLPROC_WITH_TIFF
TEST_CASE("pages of a TIFF have any form, metadata of their own, and come back") {
    Image first = picture(40, 30, 3, Depth::u8);
    first.set_metadata({.density = Density{300, 300, Density::Unit::inch}});
    const std::vector<Image> pages{first, picture(17, 5, 1, Depth::u16), picture(9, 11, 4, Depth::f32)};
    const Bytes file = written("tif", pages, std::vector<FrameDelay>(3), 1);
    const Shown back = read_series(file, "a.tif");
    CHECK(back.info.kind == SeriesKind::pages);
    REQUIRE(back.images.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(same(back.images[i], pages[i]));
        CHECK(same(decode(file, "a.tif", {.page = static_cast<int>(i) + 1}), pages[i]));
    }
    CHECK(back.images[0].metadata().density == first.metadata().density);
    CHECK_FALSE(back.images[1].metadata().density.has_value());
}
#endif

TEST_CASE("broken animations: an error or fewer frames, whatever is cut or changed") {
    std::vector<Image> images;
    for (std::uint32_t i = 0; i < 3; ++i)
        images.push_back(flat_picture(13, 9, 4, i * 100));
    for (const std::string format : {"gif", "webp", "apng"}) {
        if (!holds_series(format, SeriesKind::frames))
            continue;
        const Bytes file = written(format, images, std::vector<FrameDelay>(3, {1, 10}), 0);
        const auto count = [&](const Bytes& broken) {
            std::size_t frames = 0;
            const auto error = error_of([&] {
                const auto series = open_series(broken, "a." + format);
                while (series != nullptr && series->next())
                    ++frames;
            });
            CHECK((!error || error->code() == ErrorCode::input));
            return error ? std::pair(frames, true) : std::pair(frames, false);
        };
        CHECK(count(file) == std::pair(std::size_t{3}, false));
        const std::size_t end = format == "gif" ? 1 : format == "apng" ? 12 : 0; // marks that say nothing
        for (std::size_t size = 0; size + end < file.size(); size += 3) {
            INFO(format << " cut to " << size);
            const auto [frames, failed] =
                count(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)));
            CHECK((failed || frames == 0));
        }
        for (std::uint32_t round = 0; round < 300; ++round) {
            Bytes broken = file;
            broken[hash(round) % broken.size()] = static_cast<std::byte>(hash(round + 1000));
            count(broken);
        }
    }
}

TEST_CASE("hostile animations are refused before they cost anything") {
    const Bytes frame = gif_frame(0, 0, 1, 1, 0, 1, 0, false);
    Bytes many;
    for (int i = 0; i < 1000; ++i)
        many = std::move(many) + frame;
    CHECK(message_of([&] { open_series(gif_file(20000, 20000, many), "a.gif"); }) ==
          fmt::format("a.gif: 1000 images of 20000x20000 pixels are too many for a file of {} bytes and a limit of 1073741824 pixels",
                      gif_file(20000, 20000, many).size()));
    CHECK(message_of([&] {
              open_series(gif_file(20000, 20000, many), "a.gif", {.max_pixels = 1000});
          }).starts_with("a.gif: 20000x20000 pixels are more than the limit of 1000"));
    CHECK(message_of([&] {
              open_series(gif_file(65535, 65535, frame + frame), "a.gif");
          }).starts_with("a.gif: truncated: "));
    Bytes some; // a canvas that the bytes pay for once, but not a hundred times
    for (int i = 0; i < 100; ++i)
        some = std::move(some) + frame;
    const Bytes large = gif_file(4000, 4000, some);
    CHECK(message_of([&] { open_series(large, "a.gif"); }).starts_with("a.gif: 100 images of 4000x4000 pixels are too many"));
    const auto error = error_of([&] { open_series(large, "a.gif"); });
    REQUIRE(error);
    constexpr std::string_view way = "if you trust the file: --max-pixels ";
    REQUIRE(error->hint().starts_with(way)); // which does as it says
    CHECK(open_series(large, "a.gif", {.max_pixels = std::stoull(error->hint().substr(way.size()))}) != nullptr);
    Bytes apng = written("apng", {flat_picture(13, 9, 3, 1), flat_picture(13, 9, 3, 2)}, {{1, 1}, {1, 1}}, 0);
    const std::string text(reinterpret_cast<const char*>(apng.data()), apng.size());
    apng[text.rfind("fcTL") + 4 + 12] = std::byte{1}; // far to the right, its checksum wrong
    CHECK(open_series(apng, "a.png") == nullptr); // then it is a still picture
    CHECK(seen(decode(apng, "a.png")) == seen(flat_picture(13, 9, 3, 1)));
}
