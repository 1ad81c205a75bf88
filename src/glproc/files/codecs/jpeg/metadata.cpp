// The segments of a JPEG file that hold metadata: APP1 for EXIF and XMP, APP2 for ICC profiles, APP13 for
// IPTC, COM for comments. EXIF 2.32, section 4.5.4; XMP specification part 3, 1.1.3; ICC.1:2022, annex B.4.
#include "glproc/base/covering.hpp"
#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/codecs/iptc.hpp"
#include "glproc/image/exif.hpp"

#include <array>

namespace glproc::codecs {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view exif_name = "Exif\0\0"sv;
constexpr std::string_view xmp_name = "http://ns.adobe.com/xap/1.0/\0"sv;
constexpr std::string_view long_xmp_name = "http://ns.adobe.com/xmp/extension/\0"sv;
constexpr std::string_view icc_name = "ICC_PROFILE\0"sv;
constexpr std::size_t app1 = 0xe1;
constexpr std::size_t app2 = 0xe2;
constexpr std::string_view pictures_name = "MPF\0"sv;
constexpr std::size_t app13 = 0xed;
constexpr std::size_t comment = 0xfe;
constexpr std::size_t max_payload = 65533;

/// Calls `visit` with the marker and payload of each segment before the first scan. Stray bytes between
/// segments are passed over, as the decoder does. Whether all of them were there.
template <class Visit>
bool for_each_segment(ByteView file, Visit visit) {
    std::size_t at = 2;
    while (at + 4 <= file.size()) {
        const auto marker = std::to_integer<std::size_t>(file[at + 1]);
        const bool is_marker = file[at] == std::byte{0xff} && marker != 0xff && marker != 0;
        if (!is_marker) {
            ++at;
            continue;
        }
        const bool alone = marker == 0x01 || (marker >= 0xd0 && marker <= 0xd7);
        if (alone) {
            at += 2;
            continue;
        }
        const std::size_t length = big_number(file.subspan(at + 2), 2);
        if (marker == 0xda || marker == 0xd9 || length < 2)
            return true;
        if (length > file.size() - at - 2)
            return false;
        visit(marker, file.subspan(at + 4, length - 2));
        at += 2 + length;
    }
    return false;
}

/// Of an open file as much as holds all segments before the first scan.
std::vector<std::byte> beginning_of(const Source& source) {
    std::vector<std::byte> bytes;
    for (std::size_t size = std::size_t{1} << 16U;; size *= 4) {
        bytes.resize(std::min<std::uint64_t>(size, source.size()));
        bytes.resize(source.read_at(0, bytes));
        const bool has_all = for_each_segment(bytes, [](std::size_t, ByteView) {});
        if (has_all || bytes.size() < size)
            return bytes;
    }
}

/// An ICC profile in up to 255 parts, each with its number and how many there are.
class IccParts {
  public:
    void add(ByteView payload) {
        if (payload.size() < 2)
            return static_cast<void>(broken_ = true);
        const auto number = std::to_integer<std::size_t>(payload[0]);
        const auto count = std::to_integer<std::size_t>(payload[1]);
        broken_ = broken_ || number == 0 || number > count || (count_ != 0 && count_ != count) ||
                  !parts_.at(number).empty() || payload.size() == 2;
        count_ = count;
        parts_.at(number) = payload.subspan(2);
    }

    std::vector<std::byte> joined(const Source& source) const {
        std::vector<std::byte> profile;
        bool whole = !broken_;
        for (std::size_t i = 1; i <= count_; ++i) {
            whole = whole && !parts_.at(i).empty();
            put(profile, parts_.at(i));
        }
        if (!whole) {
            note(source, "parts of the ICC profile are missing; it is left out");
            profile.clear();
        }
        return profile;
    }

  private:
    std::array<ByteView, 256> parts_{};
    std::size_t count_ = 0;
    bool broken_ = false;
};

/// Further pictures are not read; what announces one of them would not be true of what is written.
void leave_out_pictures(const Source& source, bool has_pictures, Metadata& metadata) {
    const std::string_view xmp(reinterpret_cast<const char*>(metadata.xmp.data()), metadata.xmp.size());
    const bool is_announced = xmp.find("hdrgm:") != std::string_view::npos || xmp.find("GContainer") != std::string_view::npos ||
                              xmp.find("HDRGainMap") != std::string_view::npos;
    if (has_pictures)
        note(source, "holds further images, such as a gain map or a second view; the first one is used");
    if (is_announced) {
        note(source, "its XMP announces images that are left out, and is left out, too");
        metadata.xmp.clear();
    }
}

void put_segment(std::vector<std::byte>& out, std::size_t marker, std::string_view name, ByteView data) {
    put_big(out, 0xff00 + marker, 2);
    put_big(out, 2 + name.size() + data.size(), 2);
    put(out, name);
    put(out, data);
}

void put_icc(const Job& job, std::vector<std::byte>& out, ByteView profile) {
    const std::size_t room = max_payload - icc_name.size() - 2;
    const std::size_t count = covering(profile.size(), room);
    if (count > 255)
        return note(job, "the ICC profile is too large for JPEG; it is left out");
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::byte> part;
        put_big(part, i + 1, 1);
        put_big(part, count, 1);
        put(part, profile.subspan(i * room, std::min(room, profile.size() - i * room)));
        put_segment(out, app2, icc_name, part);
    }
}

/// The comments, or where there is none the description, as other formats call it.
void put_comments(const Job& job, std::vector<std::byte>& out, const Metadata& metadata) {
    const std::string_view name =
        find_text(metadata, comment_text) != nullptr ? comment_text : description_text;
    for (const Text& text : metadata.texts) {
        if (!is_named(text, name))
            continue;
        if (text.text.size() > max_payload) {
            note(job, "a comment is too large for JPEG; it is left out");
        } else {
            put_segment(out, comment, {}, std::as_bytes(std::span(text.text)));
        }
    }
}

} // namespace

Metadata read_jpeg_metadata(const Source& source) {
    Metadata metadata;
    IccParts icc;
    bool long_xmp = false;
    bool has_pictures = false;
    const std::vector<std::byte> beginning = source.file == nullptr ? std::vector<std::byte>{} : beginning_of(source);
    for_each_segment(source.file == nullptr ? source.bytes : ByteView(beginning), [&](std::size_t marker, ByteView payload) {
        if (marker == app1 && metadata.exif.empty() && begins_with(payload, exif_name)) {
            metadata.exif = copy_of(payload.subspan(exif_name.size()));
        } else if (marker == app1 && metadata.xmp.empty() && begins_with(payload, xmp_name)) {
            metadata.xmp = copy_of(payload.subspan(xmp_name.size()));
        } else if (marker == app1 && begins_with(payload, long_xmp_name)) {
            long_xmp = true;
        } else if (marker == app13 && begins_with(payload, photoshop_name)) {
            metadata.iptc = metadata.iptc.empty() ? iptc_in(payload) : std::move(metadata.iptc);
        } else if (marker == app2 && begins_with(payload, pictures_name)) {
            has_pictures = true;
        } else if (marker == app2 && begins_with(payload, icc_name)) {
            icc.add(payload.subspan(icc_name.size()));
        } else if (marker == comment) {
            const std::string_view text(reinterpret_cast<const char*>(payload.data()), payload.size());
            metadata.texts.push_back({std::string(comment_text), utf8_of(text.substr(0, text.find('\0')))});
        }
    });
    if (long_xmp)
        note(source, "XMP spans several segments; only the first is kept");
    metadata.icc = icc.joined(source);
    leave_out_pictures(source, has_pictures, metadata);
    return sound(source, std::move(metadata));
}

std::vector<std::byte> jpeg_metadata(const Job& job) {
    const Metadata& metadata = job.image.metadata();
    std::vector<std::byte> out;
    const auto put_one = [&](std::size_t marker, std::string_view title, std::string_view name,
                             ByteView data) {
        if (data.size() + name.size() > max_payload) {
            note(job, std::string(title) + " is too large for JPEG; it is left out");
        } else if (!data.empty()) {
            put_segment(out, marker, name, data);
        }
    };
    put_one(app1, "EXIF", exif_name, exif_that_agrees(metadata));
    put_one(app1, "XMP", xmp_name, metadata.xmp);
    if (!metadata.iptc.empty())
        put_one(app13, "IPTC", photoshop_name, photoshop_resource_of(metadata.iptc));
    put_icc(job, out, metadata.icc);
    put_comments(job, out, metadata);
    return out;
}

} // namespace glproc::codecs
