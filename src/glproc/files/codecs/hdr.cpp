// Radiance HDR reading: three mantissas and an exponent, plain or in runs of the old and the new kind.
// G. Ward, "Real Pixels", Graphics Gems II, 1991; https://radsite.lbl.gov/radiance/refer/filefmts.pdf. The
// writer is in stb.cpp.
#include "glproc/files/codecs/codecs.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

namespace glproc::codecs {
namespace {

using Rgbe = std::array<std::byte, 4>;

class Scanner {
  public:
    explicit Scanner(const Source& source) : source_(source) {}

    unsigned byte() {
        if (at_ >= source_.bytes.size())
            fail(source_, "truncated HDR");
        return std::to_integer<unsigned>(source_.bytes[at_++]);
    }

    /// The next line without its end; refuses one that is longer than any real one.
    std::string_view line() {
        constexpr std::size_t most = 4096;
        const auto rest = source_.bytes.subspan(at_, std::min(most, source_.bytes.size() - at_));
        const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos)
            fail(source_, rest.size() < most ? "truncated HDR" : "corrupt HDR: a line does not end");
        at_ += end + 1;
        return text.substr(0, end);
    }

    Rgbe pixel() {
        Rgbe pixel{};
        for (std::byte& part : pixel)
            part = static_cast<std::byte>(byte());
        return pixel;
    }

    void back(std::size_t count) { at_ -= count; }

  private:
    const Source& source_;
    std::size_t at_ = 0;
};

/// The number after `name`, "-Y 20"; both leave `text`. Some writers pad the number with blanks.
std::uint64_t read_side(const Source& source, std::string_view& text, std::string_view name) {
    std::uint64_t value = 0;
    const auto skip_blanks = [&] {
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    };
    skip_blanks();
    if (!text.starts_with(name))
        fail(source, "unsupported HDR: rows are not stored from top to bottom, left to right");
    text.remove_prefix(name.size());
    skip_blanks();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc())
        fail(source, "corrupt HDR: no size");
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

Form read_header(const Source& source, Scanner& scanner) {
    if (!scanner.line().starts_with("#?"))
        fail(source, "corrupt HDR");
    bool told = false;
    for (std::string_view line = scanner.line(); !line.empty(); line = scanner.line()) {
        if (line.starts_with("FORMAT=") && line != "FORMAT=32-bit_rle_rgbe")
            fail(source, "unsupported HDR: not of RGB");
        told = told || line.starts_with("FORMAT=");
    }
    if (!told)
        fail(source, "corrupt HDR: no format");
    std::string_view size = scanner.line();
    const std::uint64_t height = read_side(source, size, "-Y");
    const std::uint64_t width = read_side(source, size, "+X");
    check_size(source, width, height, 1024); // runs of the old kind may be long
    return {static_cast<int>(width), static_cast<int>(height), 3, Depth::f32};
}

void put_floats(const Rgbe& pixel, float* out) {
    const int exponent = std::to_integer<int>(pixel[3]);
    constexpr int bias = 128 + 8; // of the exponent, and the mantissas' bits
    const float scale = exponent == 0 ? 0.0F : std::ldexp(1.0F, exponent - bias);
    for (std::size_t c = 0; c < 3; ++c)
        out[c] = static_cast<float>(std::to_integer<unsigned>(pixel.at(c))) * scale;
}

/// The four planes of a row, one after another: n > 128 stands before a value that is repeated n − 128 times,
/// n ≤ 128 before so many values.
void read_new_runs(const Source& source, Scanner& scanner, std::vector<Rgbe>& row) {
    for (std::size_t plane = 0; plane < 4; ++plane) {
        for (std::size_t x = 0; x < row.size();) {
            const unsigned code = scanner.byte();
            const bool repeated = code > 128;
            const std::size_t count = repeated ? code - 128 : code;
            if (count == 0 || count > row.size() - x)
                fail(source, "corrupt HDR: a run beyond its row");
            std::byte value{};
            for (std::size_t i = 0; i < count; ++i, ++x) {
                if (!repeated || i == 0)
                    value = static_cast<std::byte>(scanner.byte());
                row[x].at(plane) = value;
            }
        }
    }
}

/// Pixels as they are; 1, 1, 1, n repeats the last one n times, and what follows it at once 256 times as
/// often.
void read_old_runs(const Source& source, Scanner& scanner, std::vector<Rgbe>& row) {
    unsigned shift = 0;
    for (std::size_t x = 0; x < row.size();) {
        const Rgbe pixel = scanner.pixel();
        constexpr std::byte one{1};
        if (pixel[0] != one || pixel[1] != one || pixel[2] != one) {
            row[x++] = pixel;
            shift = 0;
            continue;
        }
        const std::uint64_t count = std::to_integer<std::uint64_t>(pixel[3]) << shift;
        if (x == 0 || count > row.size() - x || shift > 24)
            fail(source, "corrupt HDR: a run beyond its row");
        std::fill_n(row.begin() + static_cast<std::ptrdiff_t>(x), count, row[x - 1]);
        x += count;
        shift += 8;
    }
}

void read_row(const Source& source, Scanner& scanner, std::vector<Rgbe>& row) {
    if (row.size() >= 8 && row.size() < 32768) {
        const Rgbe start = scanner.pixel();
        constexpr std::byte two{2};
        if (start[0] == two && start[1] == two && std::to_integer<unsigned>(start[2]) < 128) {
            if (std::to_integer<std::size_t>(start[2]) * 256 + std::to_integer<std::size_t>(start[3]) !=
                row.size())
                fail(source, "corrupt HDR: a row of another width");
            return read_new_runs(source, scanner, row);
        }
        scanner.back(start.size());
    }
    read_old_runs(source, scanner, row);
}

} // namespace

Summary inspect_hdr(const Source& source) {
    Scanner scanner(source);
    return {.form = read_header(source, scanner)};
}

Image decode_hdr(const Source& source) {
    Scanner scanner(source);
    Image image(read_header(source, scanner));
    std::vector<Rgbe> row(static_cast<std::size_t>(image.width()));
    float* out = image.values<float>().data();
    for (int y = 0; y < image.height(); ++y) {
        read_row(source, scanner, row);
        for (const Rgbe& pixel : row) {
            put_floats(pixel, out);
            out += 3;
        }
    }
    return image;
}

} // namespace glproc::codecs
