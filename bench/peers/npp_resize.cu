// NPP: another size. Its Lanczos has six taps at any scale, so that it aliases when it shrinks.
#include "npp.hpp"
#include "npp_rows.hpp"

#include <nppi_geometry_transforms.h>

namespace peers::npp {

namespace {

/// Which samples of an axis a pixel of the result sees, and how much of each.
struct Footprint {
    int first;
    std::vector<double> weights;
};

double lanczos3(double x) {
    constexpr double pi = 3.14159265358979323846;
    if (std::abs(x) >= 3) {
        return 0;
    }
    return x == 0 ? 1 : 3 * std::sin(pi * x) * std::sin(pi * x / 3) / (pi * pi * x * x);
}

/// Six taps around a place.
Footprint lanczos_at(double place) {
    Footprint seen{static_cast<int>(std::floor(place)) - 2, {}};
    double sum = 0;
    for (int i = 0; i < 6; ++i) {
        seen.weights.push_back(lanczos3(place - (seen.first + i)));
        sum += seen.weights.back();
    }
    for (double& weight : seen.weights) {
        weight /= sum;
    }
    return seen;
}

/// What a pixel of the result covers.
Footprint covered(int place, double scale) {
    const double begin = place * scale;
    const double end = begin + scale;
    Footprint seen{static_cast<int>(std::floor(begin)), {}};
    for (int i = seen.first; i < end; ++i) {
        seen.weights.push_back((std::min(end, i + 1.0) - std::max(begin, double(i))) / scale);
    }
    return seen;
}

double weighed(const Picture& picture, const Footprint& along_x, const Footprint& along_y, int channel) {
    double sum = 0;
    for (std::size_t j = 0; j < along_y.weights.size(); ++j) {
        for (std::size_t i = 0; i < along_x.weights.size(); ++i) {
            sum += along_y.weights[j] * along_x.weights[i] *
                   picture.sample(along_x.first + static_cast<int>(i), along_y.first + static_cast<int>(j),
                                  channel);
        }
    }
    return std::clamp(sum, 0.0, 255.0);
}

/// NPP does not document where its samples lie. Enlarging f times, as a fit of its results shows, it begins
/// (f - 1) / 2 pixels before the first centre of the source, and shrinking on it: to half it picks every
/// second pixel.
bool is_lanczos(const Picture& picture, Size to, const DeviceArray<std::uint8_t>& out) {
    const auto place = [](int i, double scale) { return i * scale - std::max(0.0, (1 / scale - 1) / 2); };
    const double scale_x = double(picture.size.width) / to.width;
    const double scale_y = double(picture.size.height) / to.height;
    const auto truth = [&](int x, int y, int c) {
        return weighed(picture, lanczos_at(place(x, scale_x)), lanczos_at(place(y, scale_y)), c);
    };
    return right_in_places(to, out, truth, 1, Places::inside);
}

bool is_mean(const Picture& picture, Size to, const DeviceArray<std::uint8_t>& out) {
    const auto truth = [&](int x, int y, int c) {
        return weighed(picture, covered(x, double(picture.size.width) / to.width),
                       covered(y, double(picture.size.height) / to.height), c);
    };
    return right_in_places(to, out, truth, 1.5, Places::inside);
}

void resize_to(Report& report, const Picture& picture, Size to, const char* name, int how,
               bool (*is_right)(const Picture&, Size, const DeviceArray<std::uint8_t>&)) {
    const Size from = picture.size;
    const DeviceArray<std::uint8_t> out(4 * to.pixels());
    report.variant(
        std::string("NPP Resize ") + name + " to " + text(to),
        4.0 * static_cast<double>(from.pixels() + to.pixels()),
        [&] {
            check(nppiResize_8u_C4R_Ctx(picture.bytes.data(), step_of(from), extent(from),
                                        {0, 0, from.width, from.height}, out.data(), step_of(to), extent(to),
                                        {0, 0, to.width, to.height}, how, context()));
        },
        [&] { return is_right(picture, to, out); });
}

} // namespace

void resize(Report& report, const Picture& picture) {
    const Size half{picture.size.width / 2, picture.size.height / 2};
    const Size eighth{picture.size.width / 8, picture.size.height / 8};
    const Size larger{picture.size.width * 3 / 2, picture.size.height * 3 / 2};
    for (const Size to : {half, eighth}) {
        resize_to(report, picture, to, "Lanczos", NPPI_INTER_LANCZOS, is_lanczos);
        resize_to(report, picture, to, "super sampling", NPPI_INTER_SUPER, is_mean);
    }
    resize_to(report, picture, larger, "Lanczos", NPPI_INTER_LANCZOS, is_lanczos);
}

} // namespace peers::npp
