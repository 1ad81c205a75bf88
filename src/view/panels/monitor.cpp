#include "view/panels/monitor.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/colour_management.hpp"
#include "glproc/ops/profile/matrix_form.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#ifdef GLPROC_WITH_X11
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#endif

namespace glproc::view {

#ifdef GLPROC_WITH_X11
std::vector<std::byte> monitor_profile() {
    const std::unique_ptr<Display, int (*)(Display*)> display(XOpenDisplay(nullptr), XCloseDisplay);
    if (display == nullptr) {
        return {};
    }
    const Atom name = XInternAtom(display.get(), "_ICC_PROFILE", True);
    if (name == None) {
        return {};
    }
    Atom type = None;
    int bits = 0;
    unsigned long count = 0;
    unsigned long left = 0;
    unsigned char* bytes = nullptr;
    constexpr long most_words = 4 << 20; // of 32 bits: larger than any profile
    const int status =
        XGetWindowProperty(display.get(), DefaultRootWindow(display.get()), name, 0, most_words, False,
                           AnyPropertyType, &type, &bits, &count, &left, &bytes);
    const std::unique_ptr<unsigned char, int (*)(void*)> kept(bytes, XFree);
    constexpr int bits_of_byte = 8;
    if (status != Success || bytes == nullptr || bits != bits_of_byte || left != 0) {
        return {};
    }
    std::vector<std::byte> profile(count);
    std::transform(bytes, bytes + count, profile.begin(), [](unsigned char c) { return std::byte{c}; });
    return profile;
}
#else
std::vector<std::byte> monitor_profile() {
    return {};
}
#endif

namespace {

using Fault = modules::ProfileFault::Kind;

/// By three values for each entry.
std::vector<float> colours_of_entries() {
    constexpr int side = MonitorColours::side;
    const auto value = [](int i) {
        const float share = static_cast<float>(i) / (side - 1);
        return share * share;
    };
    std::vector<float> colours;
    for (int b = 0; b < side; ++b) {
        for (int g = 0; g < side; ++g) {
            for (int r = 0; r < side; ++r) {
                colours.insert(colours.end(), {value(r), value(g), value(b)});
            }
        }
    }
    return colours;
}

} // namespace

MonitorColours monitor_colours(std::span<const std::byte> image, std::span<const std::byte> monitor) {
    const modules::ColourModule& library = colour_management();
    if (const modules::ProfileFault fault = library.check(monitor, false); fault.kind != Fault::none) {
        throw Error(ErrorCode::input, "the profile of the monitor cannot be used: " + fault.what);
    }
    const bool has_own = !image.empty() && library.check(image, false).kind == Fault::none;
    const std::vector<std::byte> srgb = library.standard({});
    const std::span<const std::byte> from = has_own ? image : std::span<const std::byte>(srgb);
    if (std::equal(from.begin(), from.end(), monitor.begin(), monitor.end())) {
        return {};
    }
    const auto from_matrix = matrix_profile(from);
    const auto to_matrix = matrix_profile(monitor);
    if (const auto made =
            from_matrix && to_matrix ? MatrixConversion::between(*from_matrix, *to_matrix) : std::nullopt) {
        return {.formulas = made->params(), .table = {}};
    }
    std::string problem;
    const auto conversion = library.begin(
        {.from = from, .to = monitor, .intent = modules::ColourIntent::relative, .black_points = true},
        problem);
    if (conversion == nullptr) {
        throw Error(ErrorCode::input, "the profile of the monitor cannot be used: " + problem);
    }
    const std::vector<float> colours = colours_of_entries();
    std::vector<float> made(colours.size());
    conversion->convert(colours.data(), made.data(), colours.size() / 3);
    MonitorColours result;
    result.table.reserve(made.size() / 3 * 4);
    for (std::size_t i = 0; i < made.size(); ++i) {
        result.table.push_back(std::isfinite(made[i]) ? made[i] : 0);
        if (i % 3 == 2) {
            result.table.push_back(0);
        }
    }
    return result;
}

} // namespace glproc::view
