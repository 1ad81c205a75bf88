#include "cli/bench_input.hpp"

#include "cli/input.hpp"
#include "glproc/error.hpp"
#include "glproc/image/codec.hpp"
#include "glproc/op/field.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr Limit side_limit{1, 1 << 20};
constexpr Limit count_limit{1, 2147483647};

const std::vector<std::string> made_up{"random", "constant", "gradient"};

/// Sebastiano Vigna's SplitMix64: a number for each place, so that any order gives the same.
std::uint64_t random_number(std::uint64_t place) {
    std::uint64_t z = (place + 1) * 0x9E3779B97F4A7C15U + bench_seed;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
}

void fill_randomly(std::span<std::byte> bytes) {
    for (std::size_t first = 0; first < bytes.size(); first += sizeof(std::uint64_t)) {
        const std::uint64_t number = random_number(first / sizeof(number));
        std::memcpy(bytes.data() + first, &number, std::min(sizeof(number), bytes.size() - first));
    }
}

/// The fraction of the way from the top left to the bottom right.
double slope(int x, int y, const Image& image) {
    const double along = image.width() > 1 ? double(x) / (image.width() - 1) : 0;
    const double down = image.height() > 1 ? double(y) / (image.height() - 1) : 0;
    return (along + down) / 2;
}

void fill_gradually(Image& image) {
    const auto values = image.values<std::uint8_t>();
    const auto channels = static_cast<std::size_t>(image.channels());
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width()) +
                             static_cast<std::size_t>(x)) *
                            channels;
            std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(at), channels,
                        static_cast<std::uint8_t>(255 * slope(x, y, image) + 0.5));
        }
    }
}

/// The bits of a value: random numbers use the whole range, of floats 0 to 1.
std::uint32_t element(const std::string& input, ArrayType type, std::size_t i, std::size_t count) {
    const double fraction = double(i) / static_cast<double>(std::max<std::size_t>(count - 1, 1));
    const auto random = static_cast<std::uint32_t>(random_number(i));
    if (type == ArrayType::f32) {
        const double value = input == "random" ? random * 0x1p-32 : input == "constant" ? 0.5 : fraction;
        return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
    const double largest = type == ArrayType::u32 ? 4294967295.0 : 2147483647.0;
    return input == "random" ? random
                             : static_cast<std::uint32_t>(largest * (input == "constant" ? 0.5 : fraction));
}

int read_side(std::string_view text) {
    return parse_integer({"size", "pixels", side_limit}, text);
}

} // namespace

BenchInput::BenchInput(const OpInfo& op, const std::string& size) : op_(op) {
    read_size(size);
}

BenchInput::BenchInput(const Arguments& arguments) : op_(*arguments.command->op), arguments_(&arguments) {
    if (arguments.has("input")) {
        name_ = arguments.value("input");
        is_file_ = std::find(made_up.begin(), made_up.end(), name_) == made_up.end();
    }
    if (is_file_ && arguments.has("size")) {
        throw Error(ErrorCode::usage, fmt::format("--size is for made-up inputs; {} has its own", name_),
                    fmt::format("one of: {}", fmt::join(made_up, ", ")));
    }
    if (const std::string nearest = did_you_mean(name_, made_up);
        is_file_ && !nearest.empty() && !std::filesystem::exists(name_)) {
        throw Error(ErrorCode::usage,
                    fmt::format("unknown --input '{}' (did you mean '{}'?)", name_, nearest),
                    fmt::format("one of: {}, or the name of a file", fmt::join(made_up, ", ")));
    }
    if (arguments.has("dtype")) {
        type_ = FieldText<ArrayType>::parse({"dtype", "", {}}, arguments.value("dtype"));
    }
    read_size(arguments.has("size") ? arguments.value("size") : op_.bench.size);
}

void BenchInput::read_size(const std::string& text) {
    if (op_.input == Input::vector) {
        count_ = static_cast<std::size_t>(parse_integer({"size", "values", count_limit}, text));
        return;
    }
    const std::size_t x = text.find('x');
    if (x == std::string::npos) {
        throw Error(ErrorCode::usage, fmt::format("--size {} is not WxH", text),
                    fmt::format("{} takes a picture: --size {}", op_.name, op_.bench.size));
    }
    width_ = read_side(std::string_view(text).substr(0, x));
    height_ = read_side(std::string_view(text).substr(x + 1));
}

Source BenchInput::load() const {
    if (!is_file_) {
        return op_.input == Input::image ? Source(make_image()) : make_array();
    }
    if (op_.input == Input::image) {
        return decode(read_input(name_, "picture"), input_name(name_), decode_options(*arguments_, nullptr));
    }
    return ArrayReader(*arguments_).read_vector(name_, read_input(name_, "array"));
}

Image BenchInput::make_image() const {
    Image image(width_, height_, op_.bench.channels, Depth::u8);
    if (name_ == "random") {
        fill_randomly(image.bytes());
    } else if (name_ == "gradient") {
        fill_gradually(image);
    } else {
        std::fill(image.bytes().begin(), image.bytes().end(), std::byte{128});
    }
    return image;
}

Array BenchInput::make_array() const {
    Array array{type_, {count_}, std::vector<std::byte>(count_ * sizeof(std::uint32_t))};
    for (std::size_t i = 0; i < count_; ++i) {
        const std::uint32_t bits = element(name_, type_, i, count_);
        std::memcpy(array.bytes.data() + i * sizeof(bits), &bits, sizeof(bits));
    }
    return array;
}

std::string size_of(const Source& source) {
    if (const auto* image = std::get_if<Image>(&source)) {
        return fmt::format("{}x{}", image->width(), image->height());
    }
    return std::to_string(std::get<Array>(source).count());
}

} // namespace glproc::cli
