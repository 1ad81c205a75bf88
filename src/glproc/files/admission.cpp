#include "glproc/files/admission.hpp"

#include "glproc/base/error.hpp"

#include <fmt/format.h>

namespace glproc {

namespace {

Admission admitted = Admission::everything;

} // namespace

void admit_only(Admission admission) {
    admitted = admission;
}

bool is_robust(Format format) {
    switch (format) {
    case Format::png:
    case Format::jpeg:
    case Format::pnm:
    case Format::pfm:
    case Format::bmp:
    case Format::tga:
    case Format::hdr:
    case Format::gif:
    case Format::psd:
    case Format::webp:
        return true;
    case Format::tiff: // any of a dozen compressions, each a library
    case Format::pic:  // another's code, for a format that hardly anyone sends
    case Format::exr:
    case Format::jxl:
    case Format::heic:
    case Format::avif:
        return false;
    }
    return false;
}

bool is_fragile(Format format) {
    return format == Format::heic || format == Format::avif || format == Format::jxl;
}

void check_robust(Format format, std::string_view name) {
    if (!is_robust(format)) {
        throw Error(ErrorCode::input,
                    fmt::format("{}: {} is not read from untrusted files", name, extension_of(format)),
                    "PNG, JPEG, PNM, PFM, BMP, TGA, HDR, GIF, PSD and WebP are");
    }
}

void check_admitted(Format format, Parsing parsing, std::string_view name) {
    if (admitted == Admission::everything) {
        return;
    }
    check_robust(format, name);
    if (admitted == Admission::headers && parsing == Parsing::pixels) {
        throw Error(ErrorCode::input, fmt::format("{}: cannot be used here from untrusted files", name),
                    "this road has no confined process; glproc convert has one");
    }
}

void check_profiles_admitted() {
    if (admitted != Admission::everything) {
        throw Error(ErrorCode::input, "ICC profiles are not read from untrusted files",
                    "glproc convert --strip=all removes them, and works with untrusted files");
    }
}

} // namespace glproc
