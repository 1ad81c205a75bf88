#include "glproc/kinds/seen.hpp"

#include "glproc/gl/pass.hpp"
#include "glproc/kinds/point.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace glproc {

namespace {

constexpr int word_pixels = 32;

bool is_hidden(const Image& image, int x, int y) {
    return image.at(x, y, image.channels() - 1) == 0;
}

/// Along an axis; `has_colour` says which pixels have one before, and then which have one after.
Image along(const Image& image, bool down, int reach, std::vector<char>& has_colour) {
    Image made = image;
    made.set_metadata({});
    std::vector<char> given = has_colour;
    const auto place = [&](int x, int y) {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width()) + static_cast<std::size_t>(x);
    };
    const auto has = [&](int x, int y) {
        return x >= 0 && y >= 0 && x < image.width() && y < image.height() && has_colour[place(x, y)] != 0;
    };
    const auto alpha = image.pixel_bytes() - bytes_of(image.depth());
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int d = 1; d <= reach && !has(x, y); ++d) {
                const int dx = down ? 0 : d;
                const int dy = down ? d : 0;
                const int sign = has(x - dx, y - dy) ? -1 : has(x + dx, y + dy) ? 1 : 0;
                if (sign != 0) {
                    const std::size_t to = static_cast<std::size_t>(x) * image.pixel_bytes();
                    const std::size_t from = static_cast<std::size_t>(x + sign * dx) * image.pixel_bytes();
                    std::memcpy(made.row(y) + to, image.row(y + sign * dy) + from, alpha);
                    given[place(x, y)] = 1;
                    break;
                }
            }
        }
    }
    has_colour = std::move(given);
    return made;
}

Point hidden_point(double code, const Form& form) {
    const double value = code / max_code(form.depth);
    return {.name = "hidden",
            .glsl = "kinds/hidden.glsl",
            .params = {static_cast<float>(value)},
            .quick = true,
            .reference = [value](const Colour4& v) { return v[3] == 0 ? Colour4{value, value, value, v[3]} : v; }};
}

} // namespace

Image with_seen_colours(const Image& image, const Int2& reach) {
    std::vector<char> has_colour;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            has_colour.push_back(is_hidden(image, x, y) ? 0 : 1);
        }
    }
    return along(along(image, false, reach[0], has_colour), true, reach[1], has_colour);
}

GpuImage with_seen_colours(Context& gpu, const GpuImage& image, const Int2& reach) {
    const int words = (image.width() + word_pixels - 1) / word_pixels;
    Buffer given = gpu.make_buffer(sizeof(std::uint32_t) * static_cast<std::size_t>(words) *
                                       static_cast<std::size_t>(image.height()),
                                   "seen.given");
    const auto along = [&](const GpuImage& from, int axis) {
        GpuImage made = gpu.make_image(image.form(), "seen");
        gpu.pass("seen", "kinds/seen.comp",
                 {{"AXIS", std::to_string(axis)},
                  {"CHANNELS", std::to_string(image.stored_channels())},
                  {"SRC_DEPTH", std::to_string(static_cast<int>(image.depth()))}})
            .reads("i_src", from)
            .updates("b_given", given)
            .writes("i_dst", made)
            .set("u_size", Int2{image.width(), image.height()})
            .set("u_reach", reach[static_cast<std::size_t>(axis)])
            .set("u_words", words)
            .over(words, image.height());
        return made;
    };
    return along(along(image, 0), 1);
}

Image with_hidden(Image image, double code) {
    const auto put = [&]<class T>(std::span<T> values) {
        const auto channels = static_cast<std::size_t>(image.channels());
        for (std::size_t i = 0; i < values.size(); i += channels) {
            if (values[i + channels - 1] == T{0}) {
                std::fill_n(&values[i], channels - 1, static_cast<T>(code));
            }
        }
    };
    switch (image.depth()) {
    case Depth::u8:
        put(image.values<std::uint8_t>());
        break;
    case Depth::u16:
        put(image.values<std::uint16_t>());
        break;
    case Depth::f32:
        put(image.values<float>());
        break;
    }
    return image;
}

GpuImage with_hidden(Context& gpu, const GpuImage& image, double code) {
    const Form& form = image.form();
    const Rect all{0, 0, form.width, form.height};
    return point_plan(form, hidden_point(code, form)).run(gpu, {image, all}, all);
}

Plan seen_plan(const Form& form, Plan filter, const Int2& reach) {
    if (!form.has_alpha()) {
        return filter;
    }
    Plan plan = filter;
    plan.point.reset();
    plan.by_processor = {};
    plan.needs = [needs = filter.needs, reach](Context& gpu) {
        TileNeeds wider = needs(gpu);
        const int grain = std::max(wider.grain.x, 1);
        wider.halo.x += (reach[0] + grain - 1) / grain * grain;
        wider.halo.y += reach[1];
        wider.pixel_bytes *= 2;
        return wider;
    };
    plan.run = [filter, reach](Context& gpu, const Part& source, const Rect& result) {
        const GpuImage seen = with_seen_colours(gpu, source.image, reach);
        return filter.run(gpu, {seen, source.rect}, result);
    };
    plan.reference.rows = [rows = filter.reference.rows, reach](const Image& source, std::span<const int> wanted) {
        return rows(with_seen_colours(source, reach), wanted);
    };
    return filter.on_cpu ? on_cpu(std::move(plan)) : plan;
}

} // namespace glproc
