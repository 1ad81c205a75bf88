// The formats that images are read from.
#pragma once

namespace glproc {

/// PSD (flattened picture) and Softimage PIC cannot be written. TIFF and those after it are there in builds with the option of
/// their name, and the latter are read and written by modules that are loaded when such a file is met.
enum class Format { png, jpeg, pnm, pfm, bmp, tga, hdr, gif, psd, pic, tiff, webp, exr, jxl, heic, avif };

} // namespace glproc
