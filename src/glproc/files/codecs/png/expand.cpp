#include "glproc/files/codecs/png/expand.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace glproc::codecs {
namespace {

/// Sample `i` of fewer than 8 bits, or of 8.
unsigned small_sample(const std::uint8_t* row, std::size_t i, unsigned bits) {
    const std::size_t place = i * bits;
    return row[place / 8] >> (8 - bits - place % 8) & ((1U << bits) - 1);
}

void copy_words(const std::uint8_t* row, std::span<std::byte> out) {
    if constexpr (std::endian::native == std::endian::big) {
        std::memcpy(out.data(), row, out.size());
    } else {
        for (std::size_t i = 0; i < out.size(); i += 2) {
            out[i] = static_cast<std::byte>(row[i + 1]);
            out[i + 1] = static_cast<std::byte>(row[i]);
        }
    }
}

template <class Value>
Value sample_at(const std::uint8_t* row, std::size_t i) {
    if constexpr (sizeof(Value) == 1)
        return row[i];
    return static_cast<Value>(row[2 * i] << 8U | row[2 * i + 1]);
}

} // namespace

PngExpander::PngExpander(const PngLayout& layout)
    : bits_(layout.bits), samples_(layout.samples()), palette_(layout.colour == PngColour::palette),
      whole_(bits_ >= 8 && !palette_ && layout.transparency.empty()) {
    const auto& alphas = layout.transparency;
    if (palette_) {
        entries_ = layout.palette.size() / 3;
        const std::size_t values = layout.has_grey_palette() ? 1 : 3;
        entry_bytes_ = values + (alphas.empty() ? 0 : 1);
        for (std::size_t i = 0; i < entries_; ++i) {
            std::copy_n(&layout.palette[3 * i], values, colours_.at(i).begin());
            colours_.at(i).at(values) = i < alphas.size() ? alphas[i] : std::byte{0xff};
        }
    } else if (!alphas.empty()) {
        has_transparent_ = true;
        for (std::size_t c = 0; c < samples_; ++c)
            transparent_.at(c) =
                static_cast<unsigned>(big_number(std::span(alphas).subspan(2 * c), 2)) & ((1U << bits_) - 1);
    }
}

bool PngExpander::expand(std::span<const std::uint8_t> row, std::span<std::byte> out) const {
    if (palette_)
        return look_up(row.data(), out);
    if (whole_ && bits_ == 8) {
        std::memcpy(out.data(), row.data(), out.size());
    } else if (whole_) {
        copy_words(row.data(), out);
    } else if (bits_ < 8) {
        spread(row.data(), out);
    } else if (bits_ == 8) {
        add_alpha<std::uint8_t>(row.data(), out);
    } else {
        add_alpha<std::uint16_t>(row.data(), out);
    }
    return true;
}

bool PngExpander::look_up(const std::uint8_t* row, std::span<std::byte> out) const {
    bool good = true;
    for (std::size_t i = 0; i < out.size() / entry_bytes_; ++i) {
        const unsigned index = small_sample(row, i, bits_);
        good = good && index < entries_;
        std::memcpy(&out[i * entry_bytes_], colours_[index].data(), entry_bytes_); // NOLINT: there are 256
    }
    return good;
}

/// Grey of few bits to the whole range of 8.
void PngExpander::spread(const std::uint8_t* row, std::span<std::byte> out) const {
    const unsigned scale = 255 / ((1U << bits_) - 1);
    const std::size_t step = has_transparent_ ? 2 : 1;
    for (std::size_t i = 0; i < out.size() / step; ++i) {
        const unsigned sample = small_sample(row, i, bits_);
        out[i * step] = static_cast<std::byte>(sample * scale);
        if (has_transparent_)
            out[i * step + 1] = static_cast<std::byte>(sample == transparent_[0] ? 0 : 255);
    }
}

/// Alpha is 0 where the colour is the one that is transparent.
template <class Value>
void PngExpander::add_alpha(const std::uint8_t* row, std::span<std::byte> out) const {
    const std::size_t pixel = (samples_ + 1) * sizeof(Value);
    for (std::size_t i = 0; i < out.size() / pixel; ++i) {
        std::array<Value, 4> values{};
        bool clear = true;
        for (std::size_t c = 0; c < samples_; ++c) {
            values.at(c) = sample_at<Value>(row, i * samples_ + c);
            clear = clear && values.at(c) == transparent_.at(c);
        }
        values.at(samples_) = clear ? Value{0} : static_cast<Value>(~Value{0});
        std::memcpy(&out[i * pixel], values.data(), pixel);
    }
}

} // namespace glproc::codecs
