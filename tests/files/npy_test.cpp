// .npy and raw arrays. Files are spelled out by hand here, so that reading and writing do not only agree with
// each other.
#include "glproc/base/error.hpp"
#include "glproc/files/npy.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <string>

using namespace glproc;

namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

template <class T>
std::string raw(std::initializer_list<T> values) {
    std::string text(values.size() * sizeof(T), '\0');
    std::memcpy(text.data(), std::data(values), text.size());
    return text;
}

/// A file of version 1 whose header is padded as NumPy does it.
std::string npy(const std::string& dictionary, const std::string& data) {
    std::string header = dictionary;
    header.append(63 - (10 + header.size()) % 64, ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    return file + header + data;
}

std::string refusal(const std::string& file) {
    try {
        parse_npy(bytes_of(file), "a.npy");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::input);
        return error.what();
    }
    return "accepted";
}

const std::string three = raw<std::uint32_t>({1, 2, 0xffffffffU});
const std::string u4 = "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }";

} // namespace

TEST_CASE("a .npy file as NumPy writes it is read") {
    const Array array = parse_npy(bytes_of(npy(u4, three)), "a.npy");
    CHECK(array.type == ArrayType::u32);
    CHECK(array.shape == std::vector<std::size_t>{3});
    CHECK(array.bytes == bytes_of(three));
}

TEST_CASE("writing gives the file that NumPy would, for every number of dimensions") {
    const auto written = [](std::vector<std::size_t> shape, const std::string& data) {
        return format_npy({ArrayType::u32, std::move(shape), bytes_of(data)});
    };
    CHECK(written({3}, three) == bytes_of(npy(u4, three)));
    CHECK(written({0}, "") == bytes_of(npy("{'descr': '<u4', 'fortran_order': False, 'shape': (0,), }", "")));
    CHECK(written({1, 3}, three) ==
          bytes_of(npy("{'descr': '<u4', 'fortran_order': False, 'shape': (1, 3), }", three)));
    const std::string one = raw<std::uint32_t>({7});
    CHECK(written({}, one) == bytes_of(npy("{'descr': '<u4', 'fortran_order': False, 'shape': (), }", one)));
}

TEST_CASE("every element type survives a round trip") {
    for (const ArrayType type : {ArrayType::u32, ArrayType::i32, ArrayType::f32}) {
        const Array array{type, {3}, bytes_of(three)};
        const Array again = parse_npy(format_npy(array), "a.npy");
        CHECK(again.type == type);
        CHECK(again.shape == array.shape);
        CHECK(again.bytes == array.bytes);
    }
}

TEST_CASE("big-endian files are turned round") {
    const std::string big("\x00\x00\x00\x01\x00\x00\x00\x02\xff\xff\xff\xff", 12);
    const Array array =
        parse_npy(bytes_of(npy("{'descr': '>u4', 'fortran_order': False, 'shape': (3,), }", big)), "a");
    CHECK(array.bytes == bytes_of(three));
}

TEST_CASE("version 2 has a longer header length") {
    std::string file = npy(u4, three);
    file[6] = 2;
    file.insert(10, 2, '\0');
    CHECK(parse_npy(bytes_of(file), "a.npy").shape == std::vector<std::size_t>{3});
}

TEST_CASE("what is no .npy file is refused with the reason") {
    CHECK(refusal("") == "a.npy: not a .npy file");
    CHECK(refusal("P5 1 1 255 \x01") == "a.npy: not a .npy file");
    CHECK(refusal(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", three + three)) ==
          "a.npy: element type '<f8' is not supported");
    CHECK(refusal(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (12,), }", three)) ==
          "a.npy: element type '|u1' is not supported");
    CHECK(refusal(npy("{'descr': '<u4', 'fortran_order': True, 'shape': (1, 3), }", three)) ==
          "a.npy: Fortran order is not supported");
    CHECK(refusal(npy("{'descr': '<u4', 'fortran_order': False, 'shape': (4,), }", three)) ==
          "a.npy: its shape needs 4 elements of 4 bytes, the file holds 12 bytes");
    CHECK(refusal(npy(u4, three + "x")) ==
          "a.npy: its shape needs 3 elements of 4 bytes, the file holds 13 bytes");
    std::string version = npy(u4, three);
    version[6] = 9;
    CHECK(refusal(version) == "a.npy: version 9 of .npy is not known");
}

TEST_CASE("malformed headers are refused, whatever they say") {
    for (const char* header :
         {"", "{", "}", "{}", "{'descr': '<u4'}", "{'descr': '<u4', 'fortran_order': False, 'shape': (3,)",
          "{'descr': '<u4', 'fortran_order': Maybe, 'shape': (3,), }",
          "{'descr': '<u4', 'fortran_order': False, 'shape': (-3,), }",
          "{'descr': '<u4', 'fortran_order': False, 'shape': (3 4), }",
          "{'descr': '<u4', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
          "{'descr': '<u4, 'fortran_order': False, 'shape': (3,), }",
          "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), } x"}) {
        INFO(header);
        CHECK(refusal(npy(header, three)).find(".npy header") != std::string::npos);
    }
    CHECK(refusal(
              npy("{'descr': '<u4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296), }",
                  three))
              .find("its shape needs") != std::string::npos);
}

TEST_CASE("a file cut off anywhere is refused") {
    const std::string file = npy(u4, three);
    for (std::size_t length = 0; length < file.size(); ++length) {
        INFO(length);
        CHECK(refusal(file.substr(0, length)) != "accepted");
    }
}

TEST_CASE("raw files are elements as they lie") {
    const Array array = parse_raw(bytes_of(three), ArrayType::i32, "a.raw");
    CHECK(array.type == ArrayType::i32);
    CHECK(array.shape == std::vector<std::size_t>{3});
    CHECK(array.bytes == bytes_of(three));
    CHECK(parse_raw({}, ArrayType::u32, "a.raw").shape == std::vector<std::size_t>{0});
    CHECK_THROWS_WITH(parse_raw(bytes_of("12345"), ArrayType::u32, "a.raw"),
                      "a.raw: its size, 5 bytes, is not that of 4-byte elements");
}

TEST_CASE("arrays of floats are read as images, others are not") {
    Array array{ArrayType::f32, {2, 3, 2}, std::vector<std::byte>(48)};
    const float value = 1.5F;
    std::memcpy(array.bytes.data() + 4 * (3 * 2 + 2 * 2 + 1), &value, 4); // row 1, column 2, channel 1
    const Image image = image_of(array, "map.npy");
    CHECK(image.form() == Form{3, 2, 2, Depth::f32});
    CHECK(image.at(2, 1, 1) == 1.5);
    CHECK(image.at(2, 1, 0) == 0);
    array.shape = {4, 3};
    CHECK(image_of(array, "map.npy").form() == Form{3, 4, 1, Depth::f32});
    for (const std::vector<std::size_t>& shape : {std::vector<std::size_t>{12}, {1, 2, 6}, {1, 1, 3, 4}, {}, {0, 3}}) {
        array.shape = shape;
        CHECK_THROWS_AS(image_of(array, "map.npy"), Error);
    }
    array.shape = {4, 3};
    array.type = ArrayType::i32;
    CHECK_THROWS_AS(image_of(array, "map.npy"), Error);
}
