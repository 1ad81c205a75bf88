// What is asked of a picture besides all of it: its header, what is sound of it, and a smaller one. They
// agree with decode().
#include "fuzz/fuzz.hpp"
#include "glproc/files/admission.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/series.hpp"
#include "glproc/files/stored_form.hpp"
#include "glproc/image/exif_facts.hpp"
#include "glproc/image/profile.hpp"

#include <optional>

using namespace glproc;

namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 19U;
constexpr const char* name = "fuzz.tga"; // what has no signature is taken for one

/// What `work` gives, or nothing where it refuses.
template <class Work>
auto tried(Work work) {
    std::optional<decltype(work())> result;
    fuzz::expect_only({ErrorCode::input}, [&] { result = work(); });
    return result;
}

bool same_pixels(const Image& a, const Image& b) {
    return a.form() == b.form() && std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin());
}

/// A GIF is told to have transparent pixels where it may have some.
bool fits(const Form& told, const Form& form, Format format) {
    const bool may_differ = format == Format::gif && told.channels == 4;
    return told.width == form.width && told.height == form.height && told.depth == form.depth &&
           (told.channels == form.channels || may_differ);
}

void check_header(std::span<const std::byte> file, const std::optional<Image>& whole) {
    static_cast<void>(stored_form(file));
    const auto info = tried([&] { return inspect(file, name, {.max_pixels = most}); });
    fuzz::require(info || !whole, "what can be decoded has a header");
    if (!info) {
        return;
    }
    static_cast<void>(exif_facts(info->metadata.exif));
    static_cast<void>(profile_name(info->metadata.icc));
    static_cast<void>(names_srgb(info->metadata.icc));
    if (whole) {
        fuzz::require(fits(info->form, whole->form(), info->format), "the header tells the form");
        fuzz::require(info->metadata.icc == whole->metadata().icc &&
                          info->metadata.exif == whole->metadata().exif &&
                          info->metadata.xmp == whole->metadata().xmp,
                      "the header tells the metadata");
    }
}

void check_sound_part(std::span<const std::byte> file, const std::optional<Image>& whole) {
    Notes notes;
    const auto part = tried(
        [&] { return decode(file, name, {.max_pixels = most, .notes = &notes, .keep_partial = true}); });
    fuzz::require(part || !whole, "what is whole has a sound part");
    fuzz::require(!whole || same_pixels(*part, *whole), "of what is whole all is sound");
    fuzz::require(!part || whole || !notes.empty(), "what is missing is told");
}

void check_small(std::span<const std::byte> file, const std::optional<Image>& whole) {
    const Extent box{1 + static_cast<int>(file.size() % 9), static_cast<int>(file.size() % 7)};
    const auto small = tried([&] { return decode(file, name, {.max_pixels = most, .box = box}); });
    fuzz::require(small.has_value() == whole.has_value(), "a smaller one comes where the whole does");
    fuzz::require(!small || (small->width() <= whole->width() && small->height() <= whole->height()),
                  "and is no larger");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = fuzz::as_file(data, size);
    if (const auto format = sniff(file); format && is_fragile(*format)) {
        return 0; // their libraries take long, and have targets of their own
    }
    const fuzz::Cost cost(size, 4 * most);
    const auto whole = tried([&] { return decode(file, name, {.max_pixels = most}); });
    check_header(file, whole);
    check_sound_part(file, whole);
    check_small(file, whole);
    static_cast<void>(tried([&] { return inspect_series(file, name).has_value(); }));
    return 0;
}
