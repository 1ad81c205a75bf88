// libdeflate's compressor, freed whatever happens.
#pragma once

#include <memory>
#include <new>

#include <libdeflate.h>

namespace glproc::codecs {

using Compressor = std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)>;

inline Compressor make_compressor(int level) {
    Compressor compressor(libdeflate_alloc_compressor(level), libdeflate_free_compressor);
    if (compressor == nullptr)
        throw std::bad_alloc();
    return compressor;
}

using Decompressor = std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>;

inline Decompressor make_decompressor() {
    Decompressor decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    if (decompressor == nullptr)
        throw std::bad_alloc();
    return decompressor;
}

} // namespace glproc::codecs
