#include "job/stream/frames.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace glproc::job {

namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

[[noreturn]] void fail(const ByteReader& reader, const std::string& why) {
    throw Error(ErrorCode::input, fmt::format("{}: {}", reader.name(), why));
}

} // namespace

bool ByteReader::wait_for_bytes(const Patience& patience) const {
    return patience.await(descriptor_, name_, [this] { return !stopped_; });
}

ByteReader::ByteReader(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {
    constexpr int pipe_bytes = 1 << 20; // in place of 64 KiB, where it is a pipe
    static_cast<void>(::fcntl(descriptor, F_SETPIPE_SZ, pipe_bytes));
}

std::span<const std::byte> ByteReader::peek(std::size_t count) {
    constexpr std::size_t part = std::size_t{1} << 20U;
    if (used_ + count > bytes_.size()) {
        std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(used_),
                  bytes_.begin() + static_cast<std::ptrdiff_t>(filled_), bytes_.begin());
        filled_ -= std::exchange(used_, 0);
    }
    std::optional<Patience>
        begun; // the next frame of a stream may be long in coming, and then has to come as fast as a file
    while (filled_ - used_ < count && !ended_) {
        if (!begun && filled_ > used_) {
            begun.emplace();
        }
        if (filled_ == bytes_.size()) { // memory grows with what comes, not with what a header says
            bytes_.resize(std::max(part, 2 * filled_));
        }
        const ssize_t got = wait_for_bytes(begun ? *begun : patience_)
                                ? ::read(descriptor_, bytes_.data() + filled_, bytes_.size() - filled_)
                                : 0;
        if (got < 0 && errno != EINTR) {
            fail(*this, std::generic_category().message(errno));
        }
        filled_ += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        ended_ = got == 0;
    }
    return std::span(bytes_).subspan(used_, std::min(count, filled_ - used_));
}

void ByteReader::skip(std::size_t count) {
    used_ += count;
}

std::vector<std::byte> ByteReader::take_rest() {
    std::vector<std::byte> rest(bytes_.begin() + static_cast<std::ptrdiff_t>(used_),
                                bytes_.begin() + static_cast<std::ptrdiff_t>(filled_));
    used_ = filled_;
    return rest;
}

namespace {

/// The words of a header.
class HeaderWords {
  public:
    explicit HeaderWords(std::string_view text) : text_(text) {}

    /// Empty where the text ends before the word does.
    std::string_view next() {
        bool comment = false;
        for (; at_ < text_.size() && (comment || is_space(text_[at_]) || text_[at_] == '#'); ++at_) {
            comment = comment ? text_[at_] != '\n' : text_[at_] == '#';
        }
        const std::size_t begin = at_;
        while (at_ < text_.size() && !is_space(text_[at_])) {
            ++at_;
        }
        return at_ < text_.size() ? text_.substr(begin, at_ - begin) : std::string_view();
    }

    /// Nothing where the text ends; too large a number is one.
    std::optional<std::uint64_t> number() {
        constexpr std::uint64_t most = std::uint64_t{1} << 31U;
        const std::string_view word = next();
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        is_bad_ = is_bad_ || (!word.empty() &&
                              (error == std::errc::invalid_argument || end != word.data() + word.size()));
        return word.empty() ? std::nullopt : std::optional(std::min(value, most));
    }

    bool is_bad() const { return is_bad_; }
    /// Past the white space that ends the header.
    std::size_t end() const { return at_ + 1; }

  private:
    std::string_view text_;
    std::size_t at_ = 2;
    bool is_bad_ = false;
};

std::optional<std::uint64_t> pam_size(HeaderWords& words) {
    std::map<std::string_view, std::uint64_t> values;
    for (;;) {
        const std::string_view key = words.next();
        if (key.empty()) {
            return std::nullopt;
        }
        if (key == "ENDHDR") {
            return words.end() +
                   values["HEIGHT"] * values["WIDTH"] * values["DEPTH"] * (values["MAXVAL"] > 255 ? 2 : 1);
        }
        if (key == "TUPLTYPE") {
            if (words.next().empty()) {
                return std::nullopt;
            }
            continue;
        }
        const std::optional<std::uint64_t> value = words.number();
        if (!value || words.is_bad()) {
            return words.is_bad() ? std::optional<std::uint64_t>(0) : std::nullopt;
        }
        values[key] = std::min<std::uint64_t>(*value, 1U << 24U);
    }
}

} // namespace

std::optional<std::uint64_t> pnm_size(std::span<const std::byte> bytes) {
    const std::string_view text = text_of(bytes);
    if (text.size() < 3 || text[0] != 'P' || text[1] < '4' || text[1] > '7' ||
        !(is_space(text[2]) || text[2] == '#')) {
        return 0;
    }
    HeaderWords words(text);
    if (text[1] == '7') {
        return pam_size(words);
    }
    const std::optional<std::uint64_t> width = words.number();
    const std::optional<std::uint64_t> height = words.number();
    const std::optional<std::uint64_t> maxval = text[1] == '4' ? 1 : words.number();
    if (words.is_bad()) {
        return 0;
    }
    if (!width || !height || !maxval) {
        return std::nullopt;
    }
    const std::uint64_t channels = text[1] == '6' ? 3 : 1;
    const std::uint64_t row = text[1] == '4' ? (*width + 7) / 8 : *width * channels * (*maxval > 255 ? 2 : 1);
    return words.end() + row * *height;
}

std::optional<std::vector<std::byte>> next_pnm(ByteReader& reader, std::uint64_t most) {
    constexpr std::size_t longest_header = std::size_t{1} << 16U;
    while (!reader.peek(1).empty() && is_space(text_of(reader.peek(1)).front())) {
        reader.skip(1);
    }
    while (text_of(reader.peek(1)) == "#") { // after a picture, as our own reader allows it
        while (!reader.peek(1).empty() && text_of(reader.peek(1)) != "\n") {
            reader.skip(1);
        }
        reader.skip(reader.peek(1).size());
    }
    if (reader.peek(1).empty()) {
        return std::nullopt;
    }
    std::optional<std::uint64_t> size;
    // Byte by byte at first: to look further than the picture would wait for the next one.
    for (std::size_t look = 3; !size && look <= longest_header; look = look < 256 ? look + 1 : 2 * look) {
        size = pnm_size(reader.peek(look));
    }
    if (!size || *size == 0) {
        fail(reader, "the data after an image are not binary PNM or PAM");
    }
    if (*size > most) {
        fail(reader, fmt::format("an image of {} bytes does not fit in memory", *size));
    }
    const std::span<const std::byte> bytes = reader.peek(static_cast<std::size_t>(*size));
    std::vector<std::byte> file(bytes.begin(), bytes.end()); // where it is not whole, decoding says it
    reader.skip(bytes.size());
    return file;
}

namespace {

/// A line without its end, which must be there.
std::string read_line(ByteReader& reader, std::string_view what) {
    constexpr std::size_t longest = 4096;
    std::string_view text;
    std::size_t end = std::string_view::npos;
    for (std::size_t look = 6; end == std::string_view::npos && look <= longest;
         look = look < 256 ? look + 1 : 2 * look) {
        text = text_of(reader.peek(look));
        end = text.find('\n');
    }
    if (end == std::string_view::npos) {
        fail(reader, fmt::format("corrupt YUV4MPEG2: {} does not end", what));
    }
    std::string line(text.substr(0, end));
    reader.skip(end + 1);
    return line;
}

} // namespace

Y4mHeader read_y4m(ByteReader& reader) {
    return parse_y4m(read_line(reader, "the first line"), reader.name());
}

std::optional<std::vector<std::byte>> next_y4m(ByteReader& reader, std::size_t bytes) {
    if (reader.peek(1).empty()) {
        return std::nullopt;
    }
    if (!read_line(reader, "the line before a frame").starts_with("FRAME")) {
        fail(reader, "corrupt YUV4MPEG2: FRAME is missing");
    }
    const std::span<const std::byte> frame = reader.peek(bytes);
    if (frame.size() < bytes) {
        fail(reader, "truncated YUV4MPEG2: the last frame is not whole");
    }
    std::vector<std::byte> copy(frame.begin(), frame.end());
    reader.skip(bytes);
    return copy;
}

} // namespace glproc::job
