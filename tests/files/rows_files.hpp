// Pictures in bands of rows, for the tests of those.
#pragma once

#include "files/metadata_files.hpp"

#include "glproc/files/rows.hpp"

#include <sys/resource.h>

namespace glproc::test {

/// All of a reader, `band` rows at a time.
inline Image read_in_bands(RowReader& reader, int band) {
    Image image(reader.form());
    auto left = image.bytes();
    while (!left.empty()) {
        const std::size_t size =
            std::min(left.size(), static_cast<std::size_t>(band) * reader.form().row_bytes());
        reader.read(left.first(size));
        left = left.subspan(size);
    }
    return image;
}

inline void write_in_bands(RowWriter& writer, const Image& image, int band) {
    auto left = image.bytes();
    while (!left.empty()) {
        const std::size_t size = std::min(left.size(), static_cast<std::size_t>(band) * image.row_bytes());
        writer.write(left.first(size));
        left = left.subspan(size);
    }
    writer.finish();
}

/// What can be read and written in rows.
inline const std::vector<std::string>& extensions() {
    static const std::vector<std::string> list{"png", "pgm", "ppm", "pnm", "pam", "pfm",
#ifdef GLPROC_WITH_TIFF
                                               "tif"
#endif
    };
    return list;
}

/// Runs `action` for every picture that a format holds.
template <class Action>
void for_all_pictures(Action action) {
    for (const std::string& extension : extensions()) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (int channels = 1; channels <= 4; ++channels) {
                if (error_of([&] { check_encodable(extension, channels, depth); }))
                    continue;
                for (const auto& [width, height] : packing_sizes) {
                    INFO(extension << " " << width << "x" << height << "x" << channels << " "
                                   << static_cast<int>(depth));
                    action(extension, picture(width, height, channels, depth));
                }
            }
        }
    }
}

/// The most memory the program has had so far.
inline long peak_kib() {
    struct rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

inline const Metadata& told() {
    static const Metadata metadata{.icc = icc_block(400), .exif = exif_block(1, true), .xmp = xmp_block()};
    return metadata;
}

} // namespace glproc::test
