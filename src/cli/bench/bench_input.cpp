#include "cli/bench/bench_input.hpp"

#include "cli/files/input.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/op/field.hpp"
#include "job/budget.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/output/encoding.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// 0 to 1 as a value of this depth.
void put_value(Image& image, std::size_t i, double value) {
    switch (image.depth()) {
    case Depth::u8:
        image.values<std::uint8_t>()[i] = static_cast<std::uint8_t>(255 * value + 0.5);
        return;
    case Depth::u16:
        image.values<std::uint16_t>()[i] = static_cast<std::uint16_t>(65535 * value + 0.5);
        return;
    case Depth::f32:
        image.values<float>()[i] = static_cast<float>(value);
        return;
    }
}

/// Codes of the whole range, floats from 0 to 1.
void fill_randomly(Image& image) {
    if (image.depth() != Depth::f32) {
        return fill_randomly(image.bytes());
    }
    const auto values = image.values<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(static_cast<std::uint32_t>(random_number(i)) * 0x1p-32);
    }
}

/// The fraction of the way from the top left to the bottom right.
double slope(int x, int y, const Image& image) {
    const double along = image.width() > 1 ? double(x) / (image.width() - 1) : 0;
    const double down = image.height() > 1 ? double(y) / (image.height() - 1) : 0;
    return (along + down) / 2;
}

void fill_gradually(Image& image) {
    const auto channels = static_cast<std::size_t>(image.channels());
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width()) +
                             static_cast<std::size_t>(x)) *
                            channels;
            for (std::size_t c = 0; c < channels; ++c) {
                put_value(image, at + c, slope(x, y, image));
            }
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

/// Whether the flag is that of `bench`, and not a parameter of the operation with the same name.
bool is_ours(const Arguments& arguments, std::string_view flag) {
    const std::vector<FieldInfo>& fields = arguments.command->op->fields;
    return std::none_of(fields.begin(), fields.end(),
                        [&](const FieldInfo& field) { return field.name == flag; });
}

int read_side(std::string_view text) {
    return parse_integer({"size", "pixels", side_limit}, text);
}

} // namespace

BenchInput::BenchInput(const OpInfo& op, const std::string& size) : op_(op), channels_(op.bench.channels) {
    read_size(size);
}

BenchInput::BenchInput(const Arguments& arguments) : op_(*arguments.command->op), arguments_(&arguments) {
    if (arguments.has("input")) {
        name_ = arguments.value("input");
        is_file_ = std::find(made_up.begin(), made_up.end(), name_) == made_up.end();
    }
    channels_ = op_.bench.channels;
    for (const char* flag : {"size", "depth", "channels"}) {
        if (arguments.has(flag) && is_ours(arguments, flag)) {
            refuse_for_file(flag);
        }
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
    if (arguments.has("depth")) {
        depth_ = FieldText<Depth>::parse({"depth", "", {}}, arguments.value("depth"));
    }
    if (arguments.has("channels") && is_ours(arguments, "channels")) {
        channels_ = parse_integer({"channels", "", {1, 4}}, arguments.value("channels"));
    }
    read_size(arguments.has("size") ? arguments.value("size") : op_.bench.size);
}

void BenchInput::refuse_for_file(const std::string& flag) const {
    if (is_file_) {
        throw Error(ErrorCode::usage, fmt::format("--{} is for made-up inputs; {} has its own", flag, name_),
                    fmt::format("one of: {}", fmt::join(made_up, ", ")));
    }
}

void BenchInput::read_size(const std::string& text) {
    if (op_.input == Input::vector) {
        count_ = static_cast<std::size_t>(parse_integer({"size", "values", count_limit}, text));
        return;
    }
    const std::size_t x = text.find('x');
    if (x == std::string::npos) {
        throw Error(ErrorCode::usage, fmt::format("--size {} is not WxH", text),
                    fmt::format("{} takes an image: --size {}", op_.name, op_.bench.size));
    }
    width_ = read_side(std::string_view(text).substr(0, x));
    height_ = read_side(std::string_view(text).substr(x + 1));
}

Source BenchInput::load() const {
    if (!is_file_) {
        return op_.input == Input::image ? Source(make_image()) : make_array();
    }
    if (op_.input == Input::image) {
        const NamedPage named = named_page(name_);
        DecodeOptions options = decode_options(*arguments_, nullptr);
        options.page = named.page;
        return decode_within(read_budget(*arguments_), read_input(named.path, "image"), input_name(name_),
                             options);
    }
    return array_reader(*arguments_).read_vector(name_, read_input(name_, "array"));
}

Image BenchInput::make_image() const {
    Image image(width_, height_, channels_, depth_);
    if (name_ == "random") {
        fill_randomly(image);
    } else if (name_ == "gradient") {
        fill_gradually(image);
    } else {
        for (std::size_t i = 0; i < image.bytes().size() / bytes_of(depth_); ++i) {
            put_value(image, i, 128 / 255.0);
        }
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
