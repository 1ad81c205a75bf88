#include "glproc/kinds/host_mask.hpp"

#include "glproc/kinds/hidden.hpp"

namespace glproc {

namespace {

template <class T>
void set_bits(const Image& picture, bool wanted, HostMask& mask) {
    const auto channels = static_cast<std::size_t>(picture.channels());
    const std::size_t colours = channels - (picture.has_alpha() ? 1 : 0);
    const T* pixel = picture.values<T>().data();
    for (int y = 0; y < mask.height; ++y) {
        std::uint32_t* words = &mask.words[mask.word_of(0, y)];
        for (std::size_t x = 0; x < static_cast<std::size_t>(mask.width); ++x, pixel += channels) {
            bool is_set = false;
            for (std::size_t c = 0; c < colours; ++c) {
                is_set = is_set || pixel[c] != 0;
            }
            is_set = is_set && (colours == channels || !hides(pixel[colours]));
            words[x / 32] |= (is_set == wanted ? 1U : 0U) << (x % 32);
        }
    }
}

} // namespace

HostMask host_mask(const MaskBits& bits) {
    HostMask mask{bits.width, bits.height, bits.words.read<std::uint32_t>(static_cast<std::size_t>(bits.word_count()))};
    const int last = bits.width % 32;
    for (int y = 0; y < bits.height && last > 0; ++y) { // a driver that computes wrongly may leave bits there
        mask.words[mask.word_of(bits.width - 1, y)] &= (1U << static_cast<unsigned>(last)) - 1;
    }
    return mask;
}

HostMask host_mask(const Image& picture, MaskedPixels which) {
    HostMask mask{picture.width(), picture.height()};
    mask.words.resize(static_cast<std::size_t>(MaskBits::row_words_of(mask.width) * mask.height));
    const bool wanted = which == MaskedPixels::nonzero;
    switch (picture.depth()) {
    case Depth::u8:
        set_bits<std::uint8_t>(picture, wanted, mask);
        break;
    case Depth::u16:
        set_bits<std::uint16_t>(picture, wanted, mask);
        break;
    case Depth::f32:
        set_bits<float>(picture, wanted, mask);
        break;
    }
    return mask;
}

HostMask inverted(HostMask mask) {
    const auto row_words = static_cast<std::size_t>(MaskBits::row_words_of(mask.width));
    const unsigned beyond = static_cast<unsigned>(row_words) * 32 - static_cast<unsigned>(mask.width);
    for (std::size_t i = 0; i < mask.words.size(); ++i) {
        mask.words[i] = ~mask.words[i] & ((i + 1) % row_words == 0 ? ~0U >> beyond : ~0U);
    }
    return mask;
}

MaskBits upload(Context& gpu, const HostMask& mask) {
    MaskBits bits{mask.width, mask.height,
                  gpu.make_buffer(mask.words.size() * sizeof(std::uint32_t), "mask.bits")};
    bits.words.write(mask.words);
    return bits;
}

Image picture_of(const HostMask& mask) {
    Image picture(mask.width, mask.height, 1, Depth::u8);
    std::uint8_t* pixel = picture.values<std::uint8_t>().data();
    for (int y = 0; y < mask.height; ++y) {
        const std::uint32_t* words = &mask.words[mask.word_of(0, y)];
        for (int x = 0; x < mask.width; ++x) {
            *pixel++ = (words[x / 32] >> (static_cast<unsigned>(x) % 32) & 1U) != 0 ? 255 : 0;
        }
    }
    return picture;
}

GpuImage picture_of(Context& gpu, const MaskBits& mask) {
    GpuImage picture = gpu.make_image({mask.width, mask.height, 1, Depth::u8}, "mask");
    gpu.pass("mask.picture", "mask/picture.comp")
        .reads("b_bits", mask.words)
        .writes("i_dst", picture)
        .set("u_width", static_cast<std::uint32_t>(mask.width))
        .set("u_row_words", static_cast<std::uint32_t>(mask.row_words()))
        .over(picture.texture().width(), mask.height);
    return picture;
}

Form bits_form(const Form& form) {
    return {static_cast<int>(MaskBits::row_words_of(form.width)), form.height, 1, Depth::f32};
}

} // namespace glproc
