// OpenEXR, through the library of that name: the first part of a file, channels R, G, B or Y and A, of
// halves, floats or integers, scan lines or tiles. https://openexr.com/en/latest/TechnicalIntroduction.html
#include "glproc/files/modules/alpha.hpp"
#include "glproc/files/modules/module.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <set>
#include <string>
#include <thread>

#include <ImfArray.h>
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfOutputFile.h>
#include <ImfPartType.h>
#include <ImfRgbaFile.h>
#include <ImfStandardAttributes.h>
#include <ImfThreading.h>

namespace {

using glproc::Depth;
using glproc::Form;
using glproc::modules::Reading;
using glproc::modules::Writing;
using Bytes = std::vector<std::byte>;

/// The library makes room for what an attribute says to hold before it reads that. It asks for an attribute's size, of four
/// bytes, right behind the byte that ends a name: more than the file has left is refused there.
class MemoryIn final : public Imf::IStream {
  public:
    explicit MemoryIn(std::span<const std::byte> bytes) : IStream("picture"), bytes_(bytes) {}

    bool read(char* out, int count) override {
        if (count < 0 || static_cast<std::size_t>(count) > bytes_.size() - at_)
            throw Iex::InputExc("Unexpected end of file.");
        const auto some = bytes_.subspan(at_, static_cast<std::size_t>(count));
        std::ranges::copy(some, reinterpret_cast<std::byte*>(out));
        at_ += some.size();
        if (ended_name_ && some.size() == 4 && little_endian(some) > bytes_.size() - at_)
            throw Iex::InputExc("Unexpected end of file.");
        ended_name_ = some.size() == 1 && some[0] == std::byte{0};
        return at_ < bytes_.size();
    }
    std::uint64_t tellg() override { return at_; }
    void seekg(std::uint64_t at) override {
        at_ = std::min<std::uint64_t>(at, bytes_.size());
        ended_name_ = false;
    }

  private:
    static std::size_t little_endian(std::span<const std::byte> bytes) {
        std::size_t value = 0;
        for (std::size_t i = bytes.size(); i > 0; --i)
            value = value << 8U | std::to_integer<std::size_t>(bytes[i - 1]);
        return value;
    }

    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    bool ended_name_ = false;
};

class MemoryOut final : public Imf::OStream {
  public:
    MemoryOut() : OStream("picture") {}

    void write(const char* from, int count) override {
        const auto size = static_cast<std::size_t>(count);
        bytes_.resize(std::max(bytes_.size(), at_ + size));
        std::memcpy(bytes_.data() + at_, from, size);
        at_ += size;
    }
    std::uint64_t tellp() override { return at_; }
    void seekp(std::uint64_t at) override { at_ = at; }

    const Bytes& bytes() const { return bytes_; }

  private:
    Bytes bytes_;
    std::size_t at_ = 0;
};

/// Runs `work`, which must not call back into the program. Returns the text of what the library throws.
template <class Work>
std::string words_of(Work work) {
    try {
        work();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        std::string words = error.what();
        std::erase_if(words, [](char c) { return c < ' ' || c > '~'; });
        return words.empty() ? "unknown error" : words;
    }
    return {};
}

/// Which of a file's channels make the picture, grey or RGB, alpha last.
struct ExrChannels {
    std::vector<std::string> names;
    bool chroma = false; ///< colour at half resolution beside Y
    std::string layer;   ///< from which they are taken; empty for the usual one
    std::string problem; ///< why there are none
};

std::string list_of(const Imf::ChannelList& channels) {
    std::string list;
    int count = 0;
    for (auto i = channels.begin(); i != channels.end() && count < 12; ++i, ++count)
        list += (list.empty() ? "" : ", ") + std::string(i.name());
    return list;
}

/// The layer's channels, if it has a picture's.
bool take_layer(const Imf::ChannelList& channels, const std::string& prefix, ExrChannels& layout) {
    const auto has = [&](const char* name) { return channels.findChannel(prefix + name) != nullptr; };
    if (has("R") && has("G") && has("B")) {
        layout.names = {prefix + "R", prefix + "G", prefix + "B"};
    } else if (has("Y")) {
        layout.names = {prefix + "Y"};
        layout.chroma = prefix.empty() && has("RY") && has("BY");
    } else {
        return false;
    }
    if (has("A"))
        layout.names.push_back(prefix + "A");
    return true;
}

ExrChannels choose(const Imf::ChannelList& channels) {
    ExrChannels layout;
    if (!take_layer(channels, "", layout)) {
        std::set<std::string> layers;
        channels.layers(layers);
        for (const std::string& layer : layers) {
            if (take_layer(channels, layer + ".", layout)) {
                layout.layer = layer;
                break;
            }
        }
    }
    auto second = channels.begin();
    if (layout.names.empty() && second != channels.end() && ++second == channels.end())
        layout.names = {channels.begin().name()};
    if (layout.names.empty()) {
        layout.problem = "OpenEXR without R, G and B or Y; its channels are " + list_of(channels);
    }
    for (const std::string& name : layout.names) {
        const Imf::Channel& channel = channels[name.c_str()];
        if (channel.xSampling != 1 || channel.ySampling != 1)
            layout.problem = "OpenEXR whose channel " + name + " is subsampled is not supported";
    }
    return layout;
}

/// What is known of a part of the file.
struct Picture {
    Imath::Box2i window;
    Imath::Box2i display;
    ExrChannels layout;
    int parts = 0;
    bool deep = false;
    double pixel_aspect = 1;
    bool has_other_colours = false; ///< than those of sRGB
    std::string left_out = {};      ///< channels

    std::uint64_t width() const { return side(window.min.x, window.max.x); }
    std::uint64_t height() const { return side(window.min.y, window.max.y); }
    int channels() const {
        const int alpha = layout.names.size() % 2 == 0 ? 1 : 0;
        return layout.chroma ? 3 + alpha : static_cast<int>(layout.names.size());
    }

  private:
    static std::uint64_t side(int low, int high) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(std::int64_t{high} - low + 1, 0));
    }
};

/// Nothing said means those of sRGB.
bool has_other_colours(const Imf::Header& header) {
    if (!Imf::hasChromaticities(header))
        return false;
    const Imf::Chromaticities& said = Imf::chromaticities(header);
    const Imf::Chromaticities usual;
    const auto is_near = [](const Imath::V2f& a, const Imath::V2f& b) { return (a - b).length() < 0.0015F; };
    return !(is_near(said.red, usual.red) && is_near(said.green, usual.green) && is_near(said.blue, usual.blue) &&
             is_near(said.white, usual.white));
}

/// Channels that are no part of the picture.
std::string left_out(const Imf::ChannelList& channels, const ExrChannels& layout) {
    Imf::ChannelList others;
    for (auto i = channels.begin(); i != channels.end(); ++i) {
        const std::string name = i.name();
        const bool is_chroma = layout.chroma && (name == "RY" || name == "BY");
        if (!is_chroma && std::find(layout.names.begin(), layout.names.end(), name) == layout.names.end())
            others.insert(name, i.channel());
    }
    return list_of(others);
}

Picture look_at(const Imf::MultiPartInputFile& file) {
    const Imf::Header& header = file.header(0);
    return {.window = header.dataWindow(),
            .display = header.displayWindow(),
            .layout = choose(header.channels()),
            .parts = file.parts(),
            .deep = header.hasType() && Imf::isDeepData(header.type()),
            .pixel_aspect = header.pixelAspectRatio(),
            .has_other_colours = has_other_colours(header),
            .left_out = left_out(header.channels(), choose(header.channels()))};
}

/// Y at full, colour at half resolution, which the library joins, in halves.
void read_chroma(std::span<const std::byte> file, const Picture& picture, std::span<float> out) {
    MemoryIn stream(file);
    Imf::RgbaInputFile input(stream);
    const auto width = static_cast<std::size_t>(picture.width());
    const auto channels = static_cast<std::size_t>(picture.channels());
    std::vector<Imf::Rgba> row(width);
    for (int y = picture.window.min.y; y <= picture.window.max.y; ++y) {
        input.setFrameBuffer(row.data() - picture.window.min.x, 1, 0);
        input.readPixels(y);
        for (const Imf::Rgba& pixel : row) {
            const std::array<float, 4> values{pixel.r, pixel.g, pixel.b, pixel.a};
            std::memcpy(out.data(), values.data(), channels * sizeof(float));
            out = out.subspan(channels);
        }
    }
}

void read_channels(Imf::MultiPartInputFile& file, const Picture& picture, std::span<float> out) {
    const std::size_t pixel = picture.layout.names.size() * sizeof(float);
    Imf::FrameBuffer buffer;
    for (std::size_t i = 0; i < picture.layout.names.size(); ++i) {
        buffer.insert(picture.layout.names[i], Imf::Slice::Make(Imf::FLOAT, out.data() + i, picture.window,
                                                                pixel, pixel * picture.width()));
    }
    Imf::InputPart part(file, 0);
    part.setFrameBuffer(buffer);
    part.readPixels(picture.window.min.y, picture.window.max.y);
}

void use_threads() {
    static const bool once = [] {
        constexpr int most = 16;
        Imf::setGlobalThreadCount(std::min<int>(most, static_cast<int>(std::thread::hardware_concurrency())));
        // A tile is taken into memory whole, whatever the picture's size.
        Imf::Header::setMaxTileSize(8192, 8192);
        return true;
    }();
    static_cast<void>(once);
}

void say_what_is_odd(Reading& reading, const Picture& picture) {
    if (picture.parts > 1)
        reading.note("has " + std::to_string(picture.parts) + " parts; the first one is used");
    if (!picture.layout.layer.empty())
        reading.note("the layer '" + picture.layout.layer + "' is taken");
    if (!picture.left_out.empty())
        reading.note("has further channels, which are left out: " + picture.left_out);
    if (picture.has_other_colours)
        reading.note("its colours are not those of sRGB (chromaticities); they are taken for these");
    if (picture.window != picture.display)
        reading.note("its data window is not its display window: the image covers the data window");
}

void read(Reading& reading) {
    use_threads();
    MemoryIn stream(reading.file());
    std::unique_ptr<Imf::MultiPartInputFile> file;
    Picture picture;
    std::string words = words_of([&] {
        file = std::make_unique<Imf::MultiPartInputFile>(stream);
        picture = look_at(*file);
    });
    if (!words.empty())
        reading.fail("corrupt OpenEXR: " + words);
    if (picture.deep)
        reading.fail("a deep OpenEXR is not supported");
    if (!picture.layout.problem.empty())
        reading.fail(picture.layout.problem);
    reading.check_size(picture.width(), picture.height());
    say_what_is_odd(reading, picture);
    if (picture.pixel_aspect > 0 && picture.pixel_aspect != 1 && std::isfinite(picture.pixel_aspect)) {
        glproc::Metadata metadata;
        metadata.density = glproc::Density{1, picture.pixel_aspect, glproc::Density::Unit::none};
        reading.set_metadata(std::move(metadata));
    }
    const Form form{static_cast<int>(picture.width()), static_cast<int>(picture.height()), picture.channels(),
                    Depth::f32};
    const std::span<std::byte> pixels = reading.start(form);
    if (pixels.empty())
        return;
    const std::span<float> values(reinterpret_cast<float*>(pixels.data()), pixels.size() / sizeof(float));
    words = words_of([&] {
        if (picture.layout.chroma) {
            read_chroma(reading.file(), picture, values);
        } else {
            read_channels(*file, picture, values);
        }
    });
    if (!words.empty())
        reading.fail("corrupt OpenEXR: " + words);
    if (form.has_alpha())
        glproc::modules::divide_by_alpha(values, static_cast<std::size_t>(form.channels));
}

void encode(const Form& form, const glproc::Metadata& metadata, std::span<const float> values, MemoryOut& stream) {
    Imf::Header header(form.width, form.height);
    if (const double aspect = metadata.density.value_or(glproc::Density{}).pixel_aspect(); aspect > 0)
        header.pixelAspectRatio() = static_cast<float>(aspect);
    header.compression() = Imf::ZIP_COMPRESSION;
    const std::array<const char*, 4> colour{"R", "G", "B", "A"};
    const std::array<const char*, 2> grey{"Y", "A"};
    Imf::FrameBuffer buffer;
    for (int c = 0; c < form.channels; ++c) {
        const auto i = static_cast<std::size_t>(c);
        const char* name = form.channels < 3 ? grey.at(i) : colour.at(i);
        header.channels().insert(name, Imf::Channel(Imf::FLOAT));
        buffer.insert(name, Imf::Slice::Make(Imf::FLOAT, values.data() + i, header.dataWindow(),
                                             form.pixel_bytes(), form.row_bytes()));
    }
    Imf::OutputFile file(stream, header);
    file.setFrameBuffer(buffer);
    file.writePixels(form.height);
}

void write(Writing& writing) {
    use_threads();
    const Form& form = writing.form();
    const std::span<const std::byte> pixels = writing.pixels();
    std::span<const float> values(reinterpret_cast<const float*>(pixels.data()),
                                  pixels.size() / sizeof(float));
    std::vector<float> multiplied;
    if (form.has_alpha()) {
        multiplied.assign(values.begin(), values.end());
        glproc::modules::multiply_by_alpha(multiplied, static_cast<std::size_t>(form.channels));
        values = multiplied;
    }
    MemoryOut stream;
    const std::string words = words_of([&] { encode(form, writing.metadata(), values, stream); });
    if (!words.empty())
        writing.fail("OpenEXR: " + words);
    writing.append(stream.bytes());
}

} // namespace

GLPROC_MODULE(read, write);
