// PFM: floats, grey or RGB, rows bottom up, of either byte order.
// http://www.pauldebevec.com/Research/HDR/PFM/
#include "glproc/image/codecs.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

constexpr std::string_view spaces = " \t\r\n";

struct Header {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    int channels = 0;
    bool little = false;
    std::size_t size = 0; ///< of the header itself
};

/// Words between white space; exactly one space ends the last one.
class Words {
  public:
    explicit Words(const Source& source)
        : source_(source), text_(reinterpret_cast<const char*>(source.bytes.data()), source.bytes.size()) {}

    std::string_view next() {
        const std::size_t start = text_.find_first_not_of(spaces, position_);
        const std::size_t end = start == std::string_view::npos ? start : text_.find_first_of(spaces, start);
        if (end == std::string_view::npos)
            fail(source_, "truncated PFM");
        position_ = end + 1;
        return text_.substr(start, end - start);
    }

    template <class T>
    T number() {
        const std::string_view word = next();
        T value{};
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size())
            fail(source_, "corrupt PFM: a number is missing");
        return value;
    }

    std::size_t position() const { return position_; }

  private:
    const Source& source_;
    std::string_view text_;
    std::size_t position_ = 0;
};

/// The sign of the scale tells the byte order; what it scales to is for people to know.
Header read_header(const Source& source) {
    Words words(source);
    Header header{.channels = words.next() == "PF" ? 3 : 1};
    header.width = words.number<std::uint64_t>();
    header.height = words.number<std::uint64_t>();
    const auto scale = words.number<double>();
    if (scale == 0 || !std::isfinite(scale))
        fail(source, "corrupt PFM: its scale tells no byte order");
    header.little = scale < 0;
    header.size = words.position();
    return header;
}

void swap_floats(std::span<std::byte> row) {
    for (std::size_t i = 0; i < row.size(); i += 4) {
        std::swap(row[i], row[i + 3]);
        std::swap(row[i + 1], row[i + 2]);
    }
}

} // namespace

Image decode_pfm(const Source& source) {
    const Header header = read_header(source);
    Image image =
        allocate(source, header.width, header.height, header.channels, Depth::f32, 0.25 / header.channels);
    const auto data = source.bytes.subspan(header.size);
    if (data.size() < image.bytes().size())
        fail(source, "truncated PFM");
    for (int y = 0; y < image.height(); ++y) {
        const auto stored = static_cast<std::size_t>(image.height() - 1 - y);
        std::memcpy(image.row(y), data.data() + stored * image.row_bytes(), image.row_bytes());
        if (header.little != (std::endian::native == std::endian::little))
            swap_floats({image.row(y), image.row_bytes()});
    }
    return image;
}

std::vector<std::byte> encode_pfm(const Job& job) {
    const Image& image = job.image;
    const std::string header =
        fmt::format("{}\n{} {}\n{}\n", image.channels() == 3 ? "PF" : "Pf", image.width(), image.height(),
                    std::endian::native == std::endian::little ? "-1.0" : "1.0");
    std::vector<std::byte> out(header.size() + image.bytes().size());
    std::memcpy(out.data(), header.data(), header.size());
    std::byte* to = out.data() + header.size();
    for (int y = image.height() - 1; y >= 0; --y, to += image.row_bytes())
        std::memcpy(to, image.row(y), image.row_bytes());
    return out;
}

} // namespace glproc::codecs
