#include "glproc/files/npy.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace glproc {

namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian, and read as they lie");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64; // NumPy's own: data starts on a multiple

[[noreturn]] void fail(std::string_view name, std::string_view why) {
    throw Error(ErrorCode::input, fmt::format("{}: {}", name, why));
}

/// Reads the header, a Python dictionary as NumPy prints it:
/// {'descr': '<u4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
  public:
    HeaderParser(std::string_view text, std::string_view name) : text_(text), name_(name) {}

    void parse() {
        expect('{');
        while (!accept('}')) {
            const std::string_view key = quoted();
            expect(':');
            if (key == "descr") {
                descr = quoted();
            } else if (key == "fortran_order") {
                fortran_order = boolean();
            } else if (key == "shape") {
                shape = tuple();
                has_shape = true;
            } else {
                fail(name_, fmt::format("its .npy header has an unknown key '{}'", key));
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skip_space();
        if (!text_.empty() || descr.empty() || !has_shape) {
            malformed();
        }
    }

    std::string_view descr;
    bool fortran_order = false;
    bool has_shape = false;
    std::vector<std::size_t> shape;

  private:
    [[noreturn]] void malformed() const { fail(name_, "its .npy header is malformed"); }

    void skip_space() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\n"), text_.size())); }

    bool accept(char c) {
        skip_space();
        if (text_.empty() || text_.front() != c) {
            return false;
        }
        text_.remove_prefix(1);
        return true;
    }

    void expect(char c) {
        if (!accept(c)) {
            malformed();
        }
    }

    std::string_view quoted() {
        const char quote = accept('\'') ? '\'' : '"';
        if (quote == '"') {
            expect('"');
        }
        const std::size_t end = text_.find(quote);
        if (end == std::string_view::npos) {
            malformed();
        }
        const std::string_view word = text_.substr(0, end);
        text_.remove_prefix(end + 1);
        return word;
    }

    bool boolean() {
        skip_space();
        for (const bool value : {true, false}) {
            const std::string_view word = value ? "True" : "False";
            if (text_.starts_with(word)) {
                text_.remove_prefix(word.size());
                return value;
            }
        }
        malformed();
    }

    std::vector<std::size_t> tuple() {
        std::vector<std::size_t> numbers;
        expect('(');
        while (!accept(')')) {
            skip_space();
            std::size_t number = 0;
            const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
            if (error != std::errc{}) {
                malformed();
            }
            text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
            numbers.push_back(number);
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return numbers;
    }

    std::string_view text_;
    std::string_view name_;
};

ArrayType type_of(std::string_view descr, std::string_view name) {
    const std::string_view kind = descr.substr(std::min<std::size_t>(1, descr.size()));
    if (descr.starts_with('<') || descr.starts_with('>') || descr.starts_with('=')) {
        if (kind == "u4") {
            return ArrayType::u32;
        }
        if (kind == "i4") {
            return ArrayType::i32;
        }
        if (kind == "f4") {
            return ArrayType::f32;
        }
    }
    throw Error(ErrorCode::input, fmt::format("{}: element type '{}' is not supported", name, descr),
                "convert it with NumPy: a.astype('uint32'), 'int32' or 'float32'");
}

std::string_view descr_of(ArrayType type) {
    switch (type) {
    case ArrayType::u32:
        return "<u4";
    case ArrayType::i32:
        return "<i4";
    case ArrayType::f32:
        break;
    }
    return "<f4";
}

/// The product of the shape, or a number that no file can have.
std::size_t element_count(const std::vector<std::size_t>& shape) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 8;
    std::size_t count = 1;
    if (std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end()) {
        return 0;
    }
    for (const std::size_t extent : shape) {
        if (extent > most / count) {
            return most;
        }
        count *= extent;
    }
    return count;
}

/// Where the header's text begins and how long it says it is.
struct HeaderPlace {
    std::size_t begin;
    std::size_t length;
};

HeaderPlace header_place(std::span<const std::byte> file, std::string_view name) {
    const auto byte = [&](std::size_t at) { return std::to_integer<std::size_t>(file[at]); };
    if (file.size() < 10 || !is_npy(file)) {
        fail(name, "not a .npy file");
    }
    if (byte(6) == 1) {
        return {10, byte(8) | byte(9) << 8};
    }
    if ((byte(6) != 2 && byte(6) != 3) || file.size() < 12) {
        fail(name, fmt::format("version {} of .npy is not known", byte(6)));
    }
    return {12, byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24};
}

} // namespace

bool is_npy(std::span<const std::byte> file) {
    return file.size() >= magic.size() && std::equal(magic.begin(), magic.end(), file.begin(),
                                                     [](char c, std::byte b) { return std::byte(c) == b; });
}

Array parse_npy(std::span<const std::byte> file, std::string_view name) {
    const HeaderPlace place = header_place(file, name);
    if (place.length > file.size() - place.begin) {
        fail(name, "its .npy header is cut off");
    }
    const std::string_view text(reinterpret_cast<const char*>(file.data()) + place.begin, place.length);
    HeaderParser header(text, name);
    header.parse();
    const ArrayType type = type_of(header.descr, name);
    if (header.fortran_order && header.shape.size() > 1) {
        throw Error(ErrorCode::input, fmt::format("{}: Fortran order is not supported", name),
                    "convert it with NumPy: numpy.ascontiguousarray(a)");
    }
    const std::span<const std::byte> data = file.subspan(place.begin + place.length);
    if (data.size() % 4 != 0 || data.size() / 4 != element_count(header.shape)) {
        fail(name,
             fmt::format("its shape needs {} of 4 bytes, the file holds {}",
                         counted(element_count(header.shape), "element"), counted(data.size(), "byte")));
    }
    Array array{type, std::move(header.shape), {data.begin(), data.end()}};
    if (header.descr.front() == '>') {
        for (auto element = array.bytes.begin(); element != array.bytes.end(); element += 4) {
            std::reverse(element, element + 4);
        }
    }
    return array;
}

Image image_of(const Array& array, std::string_view name) {
    const std::vector<std::size_t>& shape = array.shape;
    const bool is_picture = shape.size() == 2 || (shape.size() == 3 && shape[2] >= 1 && shape[2] <= 4);
    const auto fits = [](std::size_t side) { return side >= 1 && side <= std::size_t{1} << 20U; };
    if (array.type != ArrayType::f32 || !is_picture || !fits(shape[0]) || !fits(shape[1])) {
        fail(name, "an array that is read as an image holds floats (<f4), height x width x 1 to 4");
    }
    Image image(static_cast<int>(shape[1]), static_cast<int>(shape[0]), shape.size() == 3 ? static_cast<int>(shape[2]) : 1,
                Depth::f32);
    std::copy(array.bytes.begin(), array.bytes.end(), image.bytes().begin());
    return image;
}

std::vector<std::byte> npy_header(const ArrayForm& form) {
    std::string shape;
    for (const std::size_t extent : form.shape) {
        shape += fmt::format("{}, ", extent);
    }
    if (form.shape.size() > 1) {
        shape.resize(shape.size() - 2); // "(3, 4)", but "(3,)"
    } else if (form.shape.size() == 1) {
        shape.pop_back();
    }
    std::string header =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr_of(form.type), shape);
    const std::size_t before = magic.size() + 4;
    header.append(alignment - (before + header.size() + 1) % alignment, ' ');
    header += '\n';

    std::string file(magic);
    file += '\x01';
    file += '\x00';
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    file += header;
    std::vector<std::byte> bytes(file.size());
    std::transform(file.begin(), file.end(), bytes.begin(), [](char c) { return std::byte(c); });
    return bytes;
}

std::vector<std::byte> format_npy(const Array& array) {
    std::vector<std::byte> bytes = npy_header({array.type, array.shape});
    bytes.insert(bytes.end(), array.bytes.begin(), array.bytes.end());
    return bytes;
}

Array parse_raw(std::span<const std::byte> file, ArrayType type, std::string_view name) {
    if (file.size() % 4 != 0) {
        fail(name, fmt::format("its size, {}, is not that of 4-byte elements", counted(file.size(), "byte")));
    }
    return {type, {file.size() / 4}, {file.begin(), file.end()}};
}

} // namespace glproc
