#include "view/engine/pictures.hpp"

#include "glproc/files/codec.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <system_error>
#include <utility>

namespace glproc::view {

std::shared_ptr<const Image> Pictures::get(const std::string& path) {
    std::error_code fault;
    const auto written = std::filesystem::last_write_time(path, fault);
    const std::uintmax_t size = fault ? 0 : std::filesystem::file_size(path, fault);
    const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.path == path; });
    if (known != kept_.end()) {
        if (!fault && known->written == written && known->size == size) {
            kept_.splice(kept_.begin(), kept_, known);
            return known->image;
        }
        kept_.erase(known);
    }
    auto image = std::make_shared<const Image>(load(path));
    if (!fault) {
        kept_.push_front({path, written, size, image});
        if (kept_.size() > most) {
            kept_.pop_back();
        }
    }
    return image;
}

Image thinned(const Image& image, int halved) {
    const auto side = [&](int n) { return std::max(1, n >> halved); };
    Image result(side(image.width()), side(image.height()), image.channels(), image.depth());
    const std::size_t size = image.pixel_bytes();
    const int middle = (1 << halved) / 2;
    for (int y = 0; y < result.height(); ++y) {
        const std::byte* from = image.row(std::min((y << halved) + middle, image.height() - 1));
        std::byte* to = result.row(y);
        for (int x = 0; x < result.width(); ++x, to += size) {
            const int column = std::min((x << halved) + middle, image.width() - 1);
            std::memcpy(to, from + static_cast<std::size_t>(column) * size, size);
        }
    }
    return result;
}

Image thinned_places(const Image& map, int halved) {
    Image result = thinned(map, halved);
    if (map.depth() != Depth::f32) { // no map at all, as the operation will say
        return result;
    }
    const auto channels = static_cast<std::size_t>(result.channels());
    auto values = result.values<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % channels < 2 ? std::ldexp(values[i], -halved) : values[i];
    }
    return result;
}

} // namespace glproc::view
