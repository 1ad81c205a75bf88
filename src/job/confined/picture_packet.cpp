#include "job/confined/picture_packet.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace glproc::job {

namespace {

class Packer {
  public:
    template <class T>
    void put(T value) {
        append(std::as_bytes(std::span(&value, 1)));
    }
    void put_block(std::span<const std::byte> block) {
        put<std::uint64_t>(block.size());
        append(block);
    }
    void put_text(std::string_view text) { put_block(std::as_bytes(std::span(text))); }
    std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    void append(std::span<const std::byte> bytes) {
        const std::size_t before = bytes_.size();
        bytes_.resize(before + bytes.size());
        std::copy_n(bytes.data(), bytes.size(), bytes_.data() + before);
    }

    std::vector<std::byte> bytes_;
};

class Unpacker {
  public:
    explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}

    [[noreturn]] static void refuse() {
        throw Error(ErrorCode::input, "the decoder's process answered with nonsense");
    }
    template <class T>
    T take() {
        T value{};
        std::memcpy(&value, block(sizeof value).data(), sizeof value);
        return value;
    }
    std::span<const std::byte> block(std::uint64_t size) {
        if (size > bytes_.size()) {
            refuse();
        }
        const auto result = bytes_.first(size);
        bytes_ = bytes_.subspan(size);
        return result;
    }
    std::vector<std::byte> take_block() {
        const auto bytes = block(take<std::uint64_t>());
        return {bytes.begin(), bytes.end()};
    }
    std::string take_text() {
        const auto bytes = block(take<std::uint64_t>());
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    /// One of `count` values.
    template <class E>
    E take_choice(std::uint32_t count) {
        const auto value = take<std::uint32_t>();
        return value < count ? static_cast<E>(value) : (refuse(), E{});
    }
    std::span<const std::byte> rest() const { return bytes_; }

  private:
    std::span<const std::byte> bytes_;
};

void put_metadata(Packer& packer, const Metadata& metadata) {
    for (const auto* block : {&metadata.icc, &metadata.exif, &metadata.xmp, &metadata.iptc}) {
        packer.put_block(*block);
    }
    packer.put<std::uint32_t>(metadata.density.has_value());
    const Density density = metadata.density.value_or(Density{});
    packer.put(density.x);
    packer.put(density.y);
    packer.put(static_cast<std::uint32_t>(density.unit));
    packer.put<std::uint64_t>(metadata.texts.size());
    for (const Text& text : metadata.texts) {
        packer.put_text(text.name);
        packer.put_text(text.text);
    }
    packer.put<std::uint32_t>(metadata.jpeg.has_value());
    const JpegPacking jpeg = metadata.jpeg.value_or(JpegPacking{});
    packer.put<std::int32_t>(jpeg.quality);
    packer.put(static_cast<std::uint32_t>(jpeg.subsampling));
    packer.put<std::uint32_t>(metadata.fraction.has_value());
    const Fraction fraction = metadata.fraction.value_or(Fraction{});
    packer.put<std::int32_t>(fraction.whole.width);
    packer.put<std::int32_t>(fraction.whole.height);
    packer.put(fraction.columns);
    packer.put(fraction.rows);
    packer.put<std::uint32_t>(metadata.format.has_value());
    packer.put(static_cast<std::uint32_t>(metadata.format.value_or(Format{})));
    const Interval range = metadata.range.value_or(Interval{0, 0});
    packer.put(range.low);
    packer.put(range.high);
}

Format take_format(Unpacker& unpacker) {
    return unpacker.take_choice<Format>(static_cast<std::uint32_t>(Format::avif) + 1);
}

/// Nothing, or what is possible of a picture of this form.
std::optional<Fraction> take_fraction(Unpacker& unpacker, const Form& form) {
    const bool is_there = unpacker.take<std::uint32_t>() != 0;
    Fraction fraction;
    fraction.whole.width = unpacker.take<std::int32_t>();
    fraction.whole.height = unpacker.take<std::int32_t>();
    fraction.columns = unpacker.take<double>();
    fraction.rows = unpacker.take<double>();
    if (!is_there) {
        return std::nullopt;
    }
    const auto is_possible = [](int whole, int given, double shown) {
        return given <= whole && shown > given - 1 && shown <= given;
    };
    if (!is_possible(fraction.whole.width, form.width, fraction.columns) ||
        !is_possible(fraction.whole.height, form.height, fraction.rows)) {
        Unpacker::refuse();
    }
    return fraction;
}

Metadata take_metadata(Unpacker& unpacker, const Form& form) {
    Metadata metadata;
    for (auto* block : {&metadata.icc, &metadata.exif, &metadata.xmp, &metadata.iptc}) {
        *block = unpacker.take_block();
    }
    const bool has_density = unpacker.take<std::uint32_t>() != 0;
    Density density;
    density.x = unpacker.take<double>();
    density.y = unpacker.take<double>();
    density.unit = unpacker.take_choice<Density::Unit>(4);
    if (has_density && density.possible()) {
        metadata.density = density;
    }
    for (auto count = unpacker.take<std::uint64_t>(); count > 0; --count) {
        std::string name = unpacker.take_text();
        metadata.texts.push_back({std::move(name), unpacker.take_text()});
    }
    const bool has_jpeg = unpacker.take<std::uint32_t>() != 0;
    JpegPacking jpeg;
    jpeg.quality = std::clamp(unpacker.take<std::int32_t>(), 1, 100);
    jpeg.subsampling = unpacker.take_choice<Subsampling>(5);
    if (has_jpeg) {
        metadata.jpeg = jpeg;
    }
    metadata.fraction = take_fraction(unpacker, form);
    const bool has_format = unpacker.take<std::uint32_t>() != 0;
    const auto format = take_format(unpacker);
    metadata.format = has_format ? std::optional(format) : std::nullopt;
    Interval range;
    range.low = unpacker.take<double>();
    range.high = unpacker.take<double>();
    if (range.low < range.high) {
        metadata.range = range;
    }
    return metadata;
}

/// What begins every answer: throws the Error that it is.
void take_status(Unpacker& unpacker) {
    if (const auto code = unpacker.take<std::uint32_t>(); code != 0) {
        const std::string what = unpacker.take_text();
        throw Error(code == static_cast<std::uint32_t>(ErrorCode::operation) ? ErrorCode::operation
                                                                             : ErrorCode::input,
                    what, unpacker.take_text());
    }
}

void put_notes(Packer& packer, const Notes& notes) {
    packer.put<std::uint64_t>(notes.size());
    for (const std::string& note : notes) {
        packer.put_text(note);
    }
}

void take_notes(Unpacker& unpacker, Notes* notes) {
    for (auto count = unpacker.take<std::uint64_t>(); count > 0; --count) {
        std::string note = unpacker.take_text();
        if (notes != nullptr) {
            notes->push_back(std::move(note));
        }
    }
}

} // namespace

std::vector<std::byte> pack_header(const Image& image, const Notes& notes) {
    Packer packer;
    packer.put<std::uint32_t>(0);
    const Form form = image.form();
    for (const int value : {form.width, form.height, form.channels, static_cast<int>(form.depth)}) {
        packer.put<std::int32_t>(value);
    }
    put_metadata(packer, image.metadata());
    put_notes(packer, notes);
    return packer.take();
}

std::vector<std::byte> pack_error(const Error& error) {
    Packer packer;
    packer.put(static_cast<std::uint32_t>(error.code()));
    packer.put_text(error.what());
    packer.put_text(error.hint());
    return packer.take();
}

std::vector<std::byte> pack_series(const std::optional<SeriesInfo>& info, const Notes& notes) {
    Packer packer;
    packer.put<std::uint32_t>(0);
    const SeriesInfo facts = info.value_or(SeriesInfo{});
    packer.put<std::int32_t>(facts.count);
    packer.put<std::int32_t>(facts.plays);
    packer.put(facts.seconds);
    packer.put(static_cast<std::uint32_t>(facts.kind));
    packer.put(static_cast<std::uint32_t>(facts.format));
    packer.put_text(facts.damage);
    put_metadata(packer, facts.metadata);
    put_notes(packer, notes);
    return packer.take();
}

std::optional<SeriesInfo> unpack_series(std::span<const std::byte> packet, Notes* notes) {
    Unpacker unpacker(packet);
    take_status(unpacker);
    SeriesInfo info;
    info.count = unpacker.take<std::int32_t>();
    info.plays = unpacker.take<std::int32_t>();
    info.seconds = unpacker.take<double>();
    info.kind = unpacker.take_choice<SeriesKind>(2);
    info.format = take_format(unpacker);
    info.damage = unpacker.take_text();
    info.metadata = take_metadata(unpacker, {});
    take_notes(unpacker, notes);
    if (info.count < 0 || info.plays < 0 || !(info.seconds >= 0 && info.seconds < 1e18)) {
        Unpacker::refuse();
    }
    return info.count == 0 ? std::nullopt : std::optional(std::move(info));
}

std::vector<std::byte> pack_delay(FrameDelay delay) {
    Packer packer;
    packer.put(delay.numerator);
    packer.put(delay.denominator);
    return packer.take();
}

FrameDelay take_delay(std::span<const std::byte>& packet) {
    Unpacker unpacker(packet);
    FrameDelay delay;
    delay.numerator = unpacker.take<std::uint32_t>();
    delay.denominator = unpacker.take<std::uint32_t>();
    if (delay.denominator == 0) {
        Unpacker::refuse();
    }
    packet = unpacker.rest();
    return delay;
}

Image unpack_picture(std::span<const std::byte> packet, std::uint64_t max_pixels, Notes* notes) {
    Unpacker unpacker(packet);
    take_status(unpacker);
    Form form;
    form.width = unpacker.take<std::int32_t>();
    form.height = unpacker.take<std::int32_t>();
    form.channels = unpacker.take<std::int32_t>();
    const auto depth = unpacker.take<std::int32_t>();
    const bool possible =
        form.width > 0 && form.height > 0 && form.channels >= 1 && form.channels <= 4 &&
        (depth == 8 || depth == 16 || depth == 32) &&
        static_cast<std::uint64_t>(form.width) * static_cast<std::uint64_t>(form.height) <= max_pixels;
    if (!possible) {
        Unpacker::refuse();
    }
    form.depth = static_cast<Depth>(depth);
    Metadata metadata = take_metadata(unpacker, form);
    take_notes(unpacker, notes);
    const auto pixels = unpacker.rest();
    if (pixels.size() != form.bytes()) {
        Unpacker::refuse();
    }
    Image image(form);
    std::ranges::copy(pixels, image.bytes().begin());
    image.set_metadata(std::move(metadata));
    return image;
}

} // namespace glproc::job
