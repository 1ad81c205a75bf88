#include "glproc/files/codecs/tiff/tiff.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <new>
#include <string_view>

namespace glproc::codecs {

TiffFile::TiffFile(const Source& source) : source_(&source), size_(source.size()) {
    if (source.page)
        point_header_at(source.page->directory);
    open("rm"); // m: read, never mapped
}

TiffFile::TiffFile(Output& output, bool big) : output_(&output) {
    open(big ? "w8" : "w");
}

/// TIFFSetSubDirectory() goes through all directories of the file, for each page again. Instead libtiff is shown a header that
/// points to the one that is wanted.
void TiffFile::point_header_at(std::uint64_t directory) {
    std::array<std::byte, 16> start{};
    const std::size_t got = source_->read_at(0, start);
    const bool is_big_endian = start[0] == std::byte{'M'};
    const bool is_wide = start[is_big_endian ? 3 : 2] == std::byte{43}; // BigTIFF
    const std::size_t bytes = is_wide ? 8 : 4;
    if (got < 2 * bytes)
        return; // libtiff says what is wrong
    header_.assign(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(2 * bytes));
    for (std::size_t i = 0; i < bytes; ++i)
        header_[bytes + (is_big_endian ? bytes - 1 - i : i)] = static_cast<std::byte>(directory >> 8 * i);
}

void TiffFile::open(const char* mode) {
    const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                   TIFFOpenOptionsFree);
    if (options == nullptr)
        throw std::bad_alloc();
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, this);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, this);
    // A tag or a strip has no reason to be much larger than the file; the picture itself is allocated by us.
    constexpr tmsize_t least = tmsize_t{1} << 28U;
    if (source_ != nullptr)
        TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), std::max(least, static_cast<tmsize_t>(size_) * 2));
    tiff_ = TIFFClientOpenExt(
        "picture", mode, this, on_read, on_write, on_seek, [](thandle_t) { return 0; }, on_size, nullptr,
        nullptr, options.get());
}

void TiffFile::close() {
    if (tiff_ != nullptr)
        TIFFClose(tiff_);
    tiff_ = nullptr;
}

std::uint64_t TiffFile::append(std::span<const std::byte> bytes) {
    const std::uint64_t offset = next_offset();
    output_->write_at(offset, bytes);
    size_ = offset + bytes.size();
    return offset;
}

/// The first message says most; what it quotes from a file may be anything.
std::string TiffFile::remember(const char* module, const char* format, va_list arguments) {
    std::array<char, 200> buffer{};
    std::vsnprintf(buffer.data(), buffer.size(), format, arguments);
    std::string text = buffer.data();
    std::erase_if(text, [](char c) { return c < ' ' || c > '~'; });
    if (text.empty())
        text = module == nullptr ? "damaged" : module;
    if (message_.empty())
        message_ = text;
    return text;
}

int TiffFile::on_error(TIFF*, void* self, const char* module, const char* format, va_list arguments) {
    auto& file = *static_cast<TiffFile*>(self);
    const bool of_private_tag = std::string_view(format).starts_with("Defined set_field_type of custom tag");
    (of_private_tag ? file.lost_private_tag_ : file.failed_) = true;
    file.remember(module, format, arguments);
    return 1; // no other handler is asked
}

int TiffFile::on_warning(TIFF*, void* self, const char* module, const char* format, va_list arguments) {
    auto& file = *static_cast<TiffFile*>(self);
    const std::string_view kind(format);
    if (kind.starts_with("Old-style LZW") || kind.starts_with("Deprecated and troublesome old-style JPEG"))
        return 1; // both are read well
    file.warned_ = true;
    const std::string text = file.remember(module, format, arguments);
    if (text.find("ignor") != std::string::npos) {
        const bool is_private = text.find("\"Tag ") != std::string::npos; // those without a name
        (is_private ? file.lost_private_tag_ : file.lost_known_tag_) = true;
    }
    return 1;
}

tmsize_t TiffFile::on_read(thandle_t self, void* out, tmsize_t count) {
    auto& file = *static_cast<TiffFile*>(self);
    if (count < 0)
        return -1;
    std::size_t got = 0;
    try {
        const std::span<std::byte> room{static_cast<std::byte*>(out), static_cast<std::size_t>(count)};
        got = file.source_ != nullptr ? file.source_->read_at(file.position_, room)
                                      : file.output_->read_at(file.position_, room);
    } catch (...) {
        file.thrown_ = std::current_exception();
    }
    for (std::size_t i = 0; i < got && file.position_ + i < file.header_.size(); ++i)
        static_cast<std::byte*>(out)[i] = file.header_[file.position_ + i];
    file.truncated_ = file.truncated_ || got < static_cast<std::size_t>(count);
    file.position_ += got;
    return static_cast<tmsize_t>(got);
}

tmsize_t TiffFile::on_write(thandle_t self, void* data, tmsize_t count) {
    auto& file = *static_cast<TiffFile*>(self);
    if (file.output_ == nullptr || count < 0 || file.thrown_ != nullptr)
        return -1;
    try {
        file.output_->write_at(file.position_,
                               {static_cast<const std::byte*>(data), static_cast<std::size_t>(count)});
    } catch (...) {
        file.thrown_ = std::current_exception();
        return -1;
    }
    file.position_ += static_cast<std::uint64_t>(count);
    file.size_ = std::max(file.size_, file.position_);
    return count;
}

toff_t TiffFile::on_seek(thandle_t self, toff_t offset, int whence) {
    auto& file = *static_cast<TiffFile*>(self);
    const toff_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.position_ : file.size_;
    file.position_ = base + offset;
    return file.position_;
}

toff_t TiffFile::on_size(thandle_t self) {
    return static_cast<const TiffFile*>(self)->size_;
}

} // namespace glproc::codecs
