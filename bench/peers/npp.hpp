// What the rows of NPP share.
#pragma once

#include "measure.hpp"

#include <nppdefs.h>

#include <cmath>
#include <type_traits>
#include <variant>

namespace peers::npp {

inline void check(NppStatus status) {
    if (status != NPP_SUCCESS) {
        throw std::runtime_error("NPP status " + std::to_string(static_cast<int>(status)));
    }
}

inline NppStreamContext make_context() {
    NppStreamContext context{};
    cudaDeviceProp device{};
    peers::check(cudaGetDevice(&context.nCudaDeviceId));
    peers::check(cudaGetDeviceProperties(&device, context.nCudaDeviceId));
    context.nMultiProcessorCount = device.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = device.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = device.maxThreadsPerBlock;
    context.nSharedMemPerBlock = device.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = device.major;
    context.nCudaDevAttrComputeCapabilityMinor = device.minor;
    return context;
}

/// Asking for the device's properties takes longer than a small filter, so that is done once.
inline const NppStreamContext& context() {
    static const NppStreamContext made = make_context();
    return made;
}

inline NppiSize extent(Size size) {
    return {size.width, size.height};
}

inline int step_of(Size size) {
    return 4 * size.width;
}

/// Takes a number of bytes from NPP, whose functions do not agree on its type.
class Bytes {
  public:
    template <class Number>
    operator Number*() { // NOLINT(google-explicit-constructor): stands for the pointer
        return &number_.emplace<Number>();
    }
    std::size_t count() const {
        return std::visit([](auto number) { return static_cast<std::size_t>(number); }, number_);
    }

  private:
    std::variant<int, unsigned, std::size_t> number_;
};

/// One channel of one pixel of the result, as the CPU computes it.
using Truth = std::function<double(int x, int y, int channel)>;

enum class Places { all, inside };

/// How many channels a pixel of the result has, and how many of them, from the first, are compared.
struct Channels {
    int stored = 4;
    int compared = 4;
};

/// The bytes of the picture read as pixels of so many channels, without gaps. Beyond the border they repeat.
inline int packed_sample(const Picture& picture, int channels, int x, int y, int channel) {
    const auto row = static_cast<std::uint64_t>(std::clamp(y, 0, picture.size.height - 1));
    const auto column = static_cast<std::uint64_t>(std::clamp(x, 0, picture.size.width - 1));
    return byte_at(picture.input, (row * picture.size.width + column) * channels + channel);
}

/// Whether some pixels, corners among them unless told otherwise, are within this many codes of the truth.
inline bool right_in_places(Size size, const DeviceArray<std::uint8_t>& out, const Truth& truth,
                            double tolerance, Places which = Places::all, Channels channels = {}) {
    const int right = size.width - 1;
    const int bottom = size.height - 1;
    std::vector<std::array<int, 2>> places{
        {right / 2, bottom / 5}, {right / 5, bottom / 2}, {right / 3, bottom / 3}, {right - 40, bottom - 33}};
    if (which == Places::all) {
        places.insert(places.end(), {{0, 0}, {right, 0}, {0, bottom}, {right, bottom}});
    }
    for (const auto& [x, y] : places) {
        for (int channel = 0; channel < channels.compared; ++channel) {
            const std::size_t place =
                (static_cast<std::size_t>(y) * size.width + x) * channels.stored + channel;
            if (!(std::abs(out.at(place) - truth(x, y, channel)) <= tolerance)) {
                return false;
            }
        }
    }
    return true;
}

/// The same where NPP does not document which of several rules it follows: one of them must hold everywhere.
inline bool right_by_one(Size size, const DeviceArray<std::uint8_t>& out, const std::vector<Truth>& rules,
                         double tolerance, Places which = Places::all, Channels channels = {}) {
    return std::any_of(rules.begin(), rules.end(), [&](const Truth& truth) {
        return right_in_places(size, out, truth, tolerance, which, channels);
    });
}

} // namespace peers::npp
