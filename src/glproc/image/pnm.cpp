// Netpbm: P1-P6 (plain and raw bitmaps, grey and colour) and P7 (PAM), maxval 1-65535.
// http://netpbm.sourceforge.net/doc/pnm.html, http://netpbm.sourceforge.net/doc/pam.html
#include "glproc/image/codecs.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

struct Header {
    char kind = 0; ///< '1' to '7'
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::uint64_t channels = 0;
    std::uint64_t maxval = 1;
};

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Reads words and numbers; a '#' starts a comment that ends with its line.
class Scanner {
  public:
    explicit Scanner(const Source& source)
        : source_(source), text_(reinterpret_cast<const char*>(source.bytes.data()), source.bytes.size()) {}

    std::size_t position() const { return position_; }
    std::string_view rest() const { return text_.substr(position_); }

    /// The next character, which must be there.
    char take() {
        if (position_ >= text_.size())
            fail(source_, "truncated PNM");
        return text_[position_++];
    }

    void skip_space() {
        while (position_ < text_.size()) {
            if (text_[position_] == '#') {
                position_ = std::min(text_.find('\n', position_), text_.size());
            } else if (!is_space(text_[position_++])) {
                return static_cast<void>(--position_);
            }
        }
    }

    /// The next number; saturates far above anything valid.
    std::uint64_t number() {
        skip_space();
        if (!is_digit(take()))
            fail(source_, "corrupt PNM: a number is missing");
        --position_;
        std::uint64_t value = 0;
        while (position_ < text_.size() && is_digit(text_[position_])) {
            value =
                std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(take() - '0'), 1ULL << 40U);
        }
        return value;
    }

    std::string_view word() {
        skip_space();
        const std::size_t start = position_;
        while (position_ < text_.size() && !is_space(text_[position_]))
            ++position_;
        return text_.substr(start, position_ - start);
    }

  private:
    const Source& source_;
    std::string_view text_;
    std::size_t position_ = 0;
};

Header read_pam_header(const Source& source, Scanner& scanner) {
    Header header{.kind = '7', .maxval = 0};
    for (;;) {
        const std::string_view key = scanner.word();
        if (key == "ENDHDR")
            break;
        if (key == "WIDTH") {
            header.width = scanner.number();
        } else if (key == "HEIGHT") {
            header.height = scanner.number();
        } else if (key == "DEPTH") {
            header.channels = scanner.number();
        } else if (key == "MAXVAL") {
            header.maxval = scanner.number();
        } else if (key == "TUPLTYPE") {
            scanner.word(); // the depth says the same
        } else {
            fail(source, "corrupt PNM: unknown line in a PAM header");
        }
    }
    if (scanner.take() != '\n')
        fail(source, "corrupt PNM: the PAM header does not end");
    return header;
}

Header read_header(const Source& source, Scanner& scanner) {
    scanner.take();
    Header header{.kind = scanner.take()};
    if (header.kind == '7')
        return read_pam_header(source, scanner);
    header.width = scanner.number();
    header.height = scanner.number();
    header.channels = header.kind == '3' || header.kind == '6' ? 3 : 1;
    if (header.kind != '1' && header.kind != '4')
        header.maxval = scanner.number();
    if (!is_space(scanner.take()))
        fail(source, "corrupt PNM: the header does not end");
    return header;
}

/// A value in 0 … maxval as one in 0 … full, rounded to the nearest.
std::uint64_t rescale(std::uint64_t value, std::uint64_t maxval, std::uint64_t full) {
    return (value * full + maxval / 2) / maxval;
}

/// Plain (text) samples. In P1 each is one digit, spaces optional, and 1 is black.
template <class T>
void read_plain(const Source& source, Scanner& scanner, const Header& header, std::span<T> out,
                std::uint64_t full) {
    for (T& value : out) {
        std::uint64_t sample = 0;
        if (header.kind == '1') {
            scanner.skip_space();
            sample = static_cast<std::uint64_t>('1') - static_cast<std::uint64_t>(scanner.take());
        } else {
            sample = scanner.number();
        }
        if (sample > header.maxval)
            fail(source, "corrupt PNM: a value is above the maximum");
        value = static_cast<T>(rescale(sample, header.maxval, full));
    }
}

/// P4: eight pixels a byte, rows start at a byte, 1 is black.
void read_bits(std::span<const std::byte> data, Image& image) {
    const auto width = static_cast<std::size_t>(image.width());
    const std::size_t stride = (width + 7) / 8;
    for (int y = 0; y < image.height(); ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            const std::byte byte = data[static_cast<std::size_t>(y) * stride + x / 8];
            const bool black = (byte >> (7 - x % 8) & std::byte{1}) != std::byte{0};
            image.row(y)[x] = black ? std::byte{0} : std::byte{255};
        }
    }
}

/// Raw samples of one byte, or two with the high byte first.
template <class T>
void read_raw(const Source& source, std::span<const std::byte> data, const Header& header, std::span<T> out,
              std::uint64_t full) {
    if (header.maxval == full && sizeof(T) == 1) {
        std::memcpy(out.data(), data.data(), out.size());
        return;
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::uint64_t sample = 0;
        for (std::size_t k = 0; k < sizeof(T); ++k)
            sample = sample << 8U | std::to_integer<std::uint64_t>(data[i * sizeof(T) + k]);
        if (sample > header.maxval)
            fail(source, "corrupt PNM: a value is above the maximum");
        out[i] = static_cast<T>(rescale(sample, header.maxval, full));
    }
}

template <class T>
void read_samples(const Source& source, Scanner& scanner, const Header& header, Image& image) {
    const auto full = static_cast<std::uint64_t>(max_code(image.depth()));
    const bool plain = header.kind >= '1' && header.kind <= '3';
    if (plain)
        return read_plain<T>(source, scanner, header, image.values<T>(), full);
    const std::size_t row = header.kind == '4' ? (header.width + 7) / 8 : image.row_bytes();
    const auto data = source.bytes.subspan(scanner.position());
    if (data.size() < row * header.height)
        fail(source, "truncated PNM");
    if (header.kind == '4')
        return read_bits(data, image);
    read_raw<T>(source, data, header, image.values<T>(), full);
}

} // namespace

Image decode_pnm(const Source& source) {
    Scanner scanner(source);
    const Header header = read_header(source, scanner);
    if (header.channels < 1 || header.channels > 4)
        fail(source, fmt::format("a PAM of {} channels is not supported", header.channels));
    if (header.maxval < 1 || header.maxval > 65535)
        fail(source, fmt::format("corrupt PNM: impossible maximum {}", header.maxval));
    const Depth depth = header.maxval < 256 ? Depth::u8 : Depth::u16;
    const double pixels_per_byte = header.kind == '4' ? 8 : 1;
    Image image = allocate(source, header.width, header.height, static_cast<int>(header.channels), depth,
                           pixels_per_byte);
    if (depth == Depth::u8) {
        read_samples<std::uint8_t>(source, scanner, header, image);
    } else {
        read_samples<std::uint16_t>(source, scanner, header, image);
    }
    return image;
}

std::vector<std::byte> encode_pnm(const Job& job) {
    const Image& image = job.image;
    const int maxval = static_cast<int>(max_code(image.depth()));
    std::string header;
    // ".pnm" is whichever of the family fits; only PAM has alpha.
    if (job.extension == "pam" || image.has_alpha()) {
        constexpr std::array<std::string_view, 4> types{"GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"};
        header = fmt::format("P7\nWIDTH {}\nHEIGHT {}\nDEPTH {}\nMAXVAL {}\nTUPLTYPE {}\nENDHDR\n",
                             image.width(), image.height(), image.channels(), maxval,
                             types.at(static_cast<std::size_t>(image.channels() - 1)));
    } else {
        header = fmt::format("P{}\n{} {}\n{}\n", image.channels() == 1 ? 5 : 6, image.width(), image.height(),
                             maxval);
    }
    std::vector<std::byte> out(header.size() + image.bytes().size());
    std::memcpy(out.data(), header.data(), header.size());
    std::byte* to = out.data() + header.size();
    if (image.depth() == Depth::u8) {
        std::memcpy(to, image.bytes().data(), image.bytes().size());
        return out;
    }
    for (const std::uint16_t value : image.values<std::uint16_t>()) {
        *to++ = static_cast<std::byte>(value >> 8U);
        *to++ = static_cast<std::byte>(value & 0xffU);
    }
    return out;
}

} // namespace glproc::codecs
