// JPEG files with something changed.
#pragma once

#include "gpu_codecs/jpeg_kinds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace glproc::test {

/// Where the data begins, behind the header of the scan.
inline std::size_t data_of(const Bytes& file) {
    for (std::size_t i = 2; i + 4 < file.size();) {
        const std::size_t next = i + 2 + std::to_integer<std::size_t>(file[i + 2]) * 256 + std::to_integer<std::size_t>(file[i + 3]);
        if (file[i + 1] == std::byte{0xda}) {
            return next;
        }
        i = next;
    }
    throw std::out_of_range("a JPEG without a scan");
}

/// A file with something changed; `n` says what.
inline Bytes mutant_of(const Bytes& sound, std::uint32_t n) {
    const std::size_t data = data_of(sound);
    Bytes file = sound;
    std::uint32_t step = 0;
    const auto random = [&](std::size_t below) {
        return static_cast<std::size_t>(hash_01(n, ++step) * static_cast<double>(below));
    };
    const auto place = [&] { return data + random(file.size() - data - 2); };
    const auto at = [&](std::size_t i) { return file.begin() + static_cast<std::ptrdiff_t>(i); };
    switch (n % 6) {
    case 0:
        file[place()] ^= static_cast<std::byte>(1U << random(8));
        break;
    case 1:
        for (int i = 0; i < 8; ++i) {
            file[place()] = static_cast<std::byte>(random(256));
        }
        break;
    case 2:
        file.resize(place());
        break;
    case 3: {
        const std::size_t from = place();
        file.erase(at(from), at(std::min(file.size(), from + 1 + random(64))));
        break;
    }
    case 4: {
        const std::size_t to = place();
        for (std::size_t i = random(16) + 1; i > 0; --i) {
            file.insert(at(to), static_cast<std::byte>(random(3) > 0 ? random(256) : 255));
        }
        break;
    }
    default:
        file[2 + random(data - 2)] = static_cast<std::byte>(random(256));
    }
    return file;
}

} // namespace glproc::test
