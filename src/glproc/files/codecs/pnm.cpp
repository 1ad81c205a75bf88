// Netpbm: P1-P6 (plain and raw bitmaps, grey and colour) and P7 (PAM), maxval 1-65535.
// http://netpbm.sourceforge.net/doc/pnm.html, http://netpbm.sourceforge.net/doc/pam.html
#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/cursor.hpp"
#include "glproc/files/output.hpp"

#include <algorithm>
#include <array>
#include <bit>
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
    explicit Scanner(const Source& source) : source_(source), cursor_(source) {}

    Cursor& cursor() { return cursor_; }

    /// The next character, which must be there.
    char take() {
        const int next = cursor_.take();
        if (next < 0)
            fail(source_, "truncated PNM");
        return static_cast<char>(next);
    }

    void skip_space() {
        for (bool comment = false; cursor_.peek() >= 0; cursor_.take()) {
            const char next = peek();
            comment = comment ? next != '\n' : next == '#';
            if (!comment && !is_space(next))
                return;
        }
    }

    /// The next number; saturates far above anything valid.
    std::uint64_t number() {
        skip_space();
        const char first = take();
        if (!is_digit(first))
            fail(source_, "corrupt PNM: a number is missing");
        auto value = static_cast<std::uint64_t>(first - '0');
        while (is_digit(peek())) {
            value =
                std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(take() - '0'), 1ULL << 40U);
        }
        return value;
    }

    /// The next word; no more of it is kept than the longest known word has.
    std::string word() {
        constexpr std::size_t most = 16;
        skip_space();
        std::string text;
        for (; cursor_.peek() >= 0 && !is_space(peek()); cursor_.take()) {
            if (text.size() < most)
                text += peek();
        }
        return text;
    }

  private:
    char peek() { return static_cast<char>(std::max(cursor_.peek(), 0)); }

    const Source& source_;
    Cursor cursor_;
};

Header read_pam_header(const Source& source, Scanner& scanner) {
    Header header{.kind = '7', .maxval = 0};
    for (;;) {
        const std::string key = scanner.word();
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
            if (const std::string type = scanner.word();
                type == "CMYK" || type == "CMYKA") // else DEPTH tells
                fail(source, "a PAM of CMYK is not supported");
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
    char end = scanner.take();
    for (const bool is_comment = end == '#'; is_comment && end != '\n';) // whose end is the header's
        end = scanner.take();
    if (!is_space(end))
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
void read_bits(std::span<const std::byte> data, std::span<std::byte> row) {
    for (std::size_t x = 0; x < row.size(); ++x) {
        const bool black = (data[x / 8] >> (7 - x % 8) & std::byte{1}) != std::byte{0};
        row[x] = black ? std::byte{0} : std::byte{255};
    }
}

/// Raw samples of one byte, or two with the high byte first, in their place.
template <class T>
void read_raw(const Source& source, const Header& header, std::span<T> values, std::uint64_t full) {
    if (header.maxval == full) {
        if constexpr (sizeof(T) == 2 && std::endian::native == std::endian::little) {
            for (T& value : values)
                value = static_cast<T>(value << 8U | value >> 8U);
        }
        return;
    }
    for (T& value : values) {
        std::array<std::byte, sizeof(T)> stored{};
        std::memcpy(stored.data(), &value, sizeof(T));
        const std::uint64_t sample = big_number(stored, sizeof(T));
        if (sample > header.maxval)
            fail(source, "corrupt PNM: a value is above the maximum");
        value = static_cast<T>(rescale(sample, header.maxval, full));
    }
}

class PnmRows final : public RowReader {
  public:
    explicit PnmRows(const Source& source)
        : source_(source), scanner_(source), header_(read_header(source, scanner_)) {
        if (header_.channels < 1 || header_.channels > 4)
            fail(source, fmt::format("a PAM of {} channels is not supported", header_.channels));
        if (header_.maxval < 1 || header_.maxval > 65535)
            fail(source, fmt::format("corrupt PNM: impossible maximum {}", header_.maxval));
        const double pixels_per_byte = header_.kind == '4' ? 8 : 1;
        check_size(source, header_.width, header_.height, pixels_per_byte);
        form_ = {static_cast<int>(header_.width), static_cast<int>(header_.height),
                 static_cast<int>(header_.channels), header_.maxval < 256 ? Depth::u8 : Depth::u16};
        const std::size_t row = header_.kind == '4' ? (header_.width + 7) / 8 : form_.row_bytes();
        if (!plain() && !source.salvages && source.size() - scanner_.cursor().position() < row * header_.height)
            fail(source, "truncated PNM");
        if (!plain() && !source.alone && has_another(scanner_.cursor().position() + row * header_.height))
            note(source, "has several images; the first one is used");
        if (header_.kind == '4')
            bits_.resize(row);
        left_ = header_.height;
    }

    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return metadata_; }

    void read(std::span<std::byte> rows) override {
        read_rows(rows);
        left_ -= rows.size() / form_.row_bytes();
        if (left_ == 0 && source_.alone) {
            scanner_.skip_space();
            if (scanner_.cursor().peek() >= 0)
                fail(source_, "holds more than one image, and only one is read");
        }
    }

  private:
    /// Whether the data, which end there, are followed by another header.
    bool has_another(std::uint64_t end) const {
        std::array<std::byte, 16> after{};
        const std::size_t size = source_.read_at(end, after);
        const std::string_view text(reinterpret_cast<const char*>(after.data()), size);
        const std::size_t next = text.find_first_not_of(" \t\r\n");
        return next < text.size() && text[next] == 'P' && next + 1 < text.size() && text[next + 1] >= '1' && text[next + 1] <= '7';
    }

    void read_rows(std::span<std::byte> rows) {
        if (header_.kind == '4') {
            for (; !rows.empty(); rows = rows.subspan(form_.row_bytes())) {
                fill(bits_);
                read_bits(bits_, rows.first(form_.row_bytes()));
            }
            return;
        }
        if (!plain())
            fill(rows);
        if (form_.depth == Depth::u8) {
            read_samples<std::uint8_t>(rows);
        } else {
            read_samples<std::uint16_t>(rows);
        }
    }

    bool plain() const { return header_.kind >= '1' && header_.kind <= '3'; }

    void fill(std::span<std::byte> bytes) {
        if (scanner_.cursor().read(bytes) < bytes.size())
            fail(source_, "truncated PNM");
    }

    template <class T>
    void read_samples(std::span<std::byte> rows) {
        const auto full = static_cast<std::uint64_t>(max_code(form_.depth));
        const std::span<T> values(reinterpret_cast<T*>(rows.data()), rows.size() / sizeof(T));
        if (plain())
            return read_plain<T>(source_, scanner_, header_, values, full);
        read_raw<T>(source_, header_, values, full);
    }

    const Source& source_;
    Scanner scanner_;
    Header header_;
    Form form_;
    Metadata metadata_;
    std::uint64_t left_ = 0;      ///< rows
    std::vector<std::byte> bits_; ///< a row of P4
};

std::string header_of(const RowJob& job) {
    const Form& form = job.form;
    const int maxval = static_cast<int>(max_code(form.depth));
    // ".pnm" is whichever of the family fits; only PAM has alpha.
    if (job.extension != "pam" && !form.has_alpha()) {
        return fmt::format("P{}\n{} {}\n{}\n", form.channels == 1 ? 5 : 6, form.width, form.height, maxval);
    }
    constexpr std::array<std::string_view, 4> types{"GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"};
    return fmt::format("P7\nWIDTH {}\nHEIGHT {}\nDEPTH {}\nMAXVAL {}\nTUPLTYPE {}\nENDHDR\n", form.width,
                       form.height, form.channels, maxval,
                       types.at(static_cast<std::size_t>(form.channels - 1)));
}

class PnmWriter final : public RowWriter {
  public:
    PnmWriter(const RowJob& job, Output& output) : depth_(job.form.depth), output_(output) {
        const std::string header = header_of(job);
        output_.append(std::as_bytes(std::span(header)));
    }

    void write(std::span<const std::byte> rows) override {
        if (depth_ == Depth::u8)
            return output_.append(rows);
        constexpr std::size_t most = std::size_t{1} << 16U;
        for (; !rows.empty(); rows = rows.subspan(swapped_.size())) {
            swapped_.resize(std::min(most, rows.size()));
            for (std::size_t i = 0; i < swapped_.size(); i += 2) {
                std::uint16_t value = 0;
                std::memcpy(&value, &rows[i], 2);
                swapped_[i] = static_cast<std::byte>(value >> 8U);
                swapped_[i + 1] = static_cast<std::byte>(value & 0xffU);
            }
            output_.append(swapped_);
        }
    }
    void finish() override { output_.finish(); }

  private:
    Depth depth_;
    Output& output_;
    std::vector<std::byte> swapped_;
};

} // namespace

std::unique_ptr<RowReader> pnm_rows(const Source& source) {
    return std::make_unique<PnmRows>(source);
}

Summary inspect_pnm(const Source& source) {
    return summary_of(PnmRows(source));
}

Image decode_pnm(const Source& source) {
    PnmRows rows(source);
    return read_all(rows);
}

std::unique_ptr<RowWriter> pnm_writer(RowJob job, Output& output) {
    return std::make_unique<PnmWriter>(job, output);
}

std::vector<std::byte> encode_pnm(const Job& job) {
    return encode_rows(job, pnm_writer);
}

} // namespace glproc::codecs
