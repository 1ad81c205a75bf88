// PFM: floats, grey or RGB, rows bottom up, of either byte order.
// http://www.pauldebevec.com/Research/HDR/PFM/
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/output.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <system_error>

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

/// Words separated by white space; exactly one white-space byte ends the last one.
class Words {
  public:
    explicit Words(const Source& source) : source_(source), start_(most) {
        start_.resize(source.read_at(0, start_));
        text_ = {reinterpret_cast<const char*>(start_.data()), start_.size()};
    }

    std::string_view next() {
        std::size_t start = text_.find_first_not_of(spaces, position_);
        while (start != std::string_view::npos &&
               text_[start] == '#') { // a comment, up to the end of its line
            start = text_.find('\n', start);
            start = start == std::string_view::npos ? start : text_.find_first_not_of(spaces, start);
        }
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
    static constexpr std::size_t most = 4096; ///< no real header is longer

    const Source& source_;
    std::vector<std::byte> start_;
    std::string_view text_;
    std::size_t position_ = 0;
};

/// The sign of the scale gives the byte order; its magnitude has no effect on the values.
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

/// The last row first.
void turn_over(std::span<std::byte> rows, std::size_t row) {
    const auto bytes = static_cast<std::ptrdiff_t>(row);
    for (auto top = rows.begin(), end = rows.end(); end - top > bytes; top += bytes, end -= bytes)
        std::swap_ranges(top, top + bytes, end - bytes);
}

class PfmRows final : public RowReader {
  public:
    explicit PfmRows(const Source& source) : source_(source), header_(read_header(source)) {
        check_size(source, header_.width, header_.height, 0.25 / header_.channels);
        form_ = {static_cast<int>(header_.width), static_cast<int>(header_.height), header_.channels,
                 Depth::f32};
        if (source.size() - header_.size < form_.bytes())
            fail(source, "truncated PFM");
    }

    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return metadata_; }

    void read(std::span<std::byte> rows) override {
        const std::size_t row = form_.row_bytes();
        left_ -= rows.size() / row;
        if (source_.read_at(header_.size + left_ * row, rows) < rows.size())
            fail(source_, "truncated PFM");
        turn_over(rows, row);
        if (header_.little != (std::endian::native == std::endian::little))
            swap_floats(rows);
    }

  private:
    const Source& source_;
    Header header_;
    Form form_;
    Metadata metadata_;
    std::size_t left_ = static_cast<std::size_t>(header_.height); ///< rows, which the file begins with
};

class PfmWriter final : public RowWriter {
  public:
    PfmWriter(const RowJob& job, Output& output)
        : row_(job.form.row_bytes()), left_(static_cast<std::size_t>(job.form.height)), output_(output) {
        const std::string header =
            fmt::format("{}\n{} {}\n{}\n", job.form.channels == 3 ? "PF" : "Pf", job.form.width,
                        job.form.height, std::endian::native == std::endian::little ? "-1.0" : "1.0");
        header_size_ = header.size();
        output_.write_at(0, std::as_bytes(std::span(header)));
    }

    void write(std::span<const std::byte> rows) override {
        std::vector<std::byte> turned(rows.begin(), rows.end());
        turn_over(turned, row_);
        left_ -= rows.size() / row_;
        output_.write_at(header_size_ + left_ * row_, turned);
    }
    void finish() override { output_.finish(); }

  private:
    std::size_t row_;
    std::size_t left_; ///< rows that are still to come
    std::size_t header_size_ = 0;
    Output& output_;
};

} // namespace

std::unique_ptr<RowReader> pfm_rows(const Source& source) {
    return std::make_unique<PfmRows>(source);
}

Summary inspect_pfm(const Source& source) {
    return summary_of(PfmRows(source));
}

Image decode_pfm(const Source& source) {
    PfmRows rows(source);
    return read_all(rows);
}

std::unique_ptr<RowWriter> pfm_writer(RowJob job, Output& output) {
    return std::make_unique<PfmWriter>(job, output);
}

std::vector<std::byte> encode_pfm(const Job& job) {
    return encode_rows(job, pfm_writer);
}

} // namespace glproc::codecs
