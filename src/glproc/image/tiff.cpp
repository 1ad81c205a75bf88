#include "glproc/image/tiff.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <new>
#include <string_view>

namespace glproc::codecs {

TiffFile::TiffFile(const Source& source) : source_(&source), size_(source.size()) {
    open("rm"); // m: read, never mapped
}

TiffFile::TiffFile(Output& output, bool big) : output_(&output) {
    open(big ? "w8" : "w");
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

/// The first message says most; what it quotes from a file may be anything.
void TiffFile::remember(const char* module, const char* format, va_list arguments) {
    if (!message_.empty())
        return;
    std::array<char, 200> text{};
    std::vsnprintf(text.data(), text.size(), format, arguments);
    message_ = text.data();
    std::erase_if(message_, [](char c) { return c < ' ' || c > '~'; });
    if (message_.empty())
        message_ = module == nullptr ? "damaged" : module;
}

int TiffFile::on_error(TIFF*, void* self, const char* module, const char* format, va_list arguments) {
    auto& file = *static_cast<TiffFile*>(self);
    file.failed_ = true;
    file.remember(module, format, arguments);
    return 1; // no other handler is asked
}

int TiffFile::on_warning(TIFF*, void* self, const char* module, const char* format, va_list arguments) {
    auto& file = *static_cast<TiffFile*>(self);
    if (std::string_view(format).starts_with("Old-style LZW"))
        return 1;
    file.warned_ = true;
    file.remember(module, format, arguments);
    return 1;
}

tmsize_t TiffFile::on_read(thandle_t self, void* out, tmsize_t count) {
    auto& file = *static_cast<TiffFile*>(self);
    if (file.source_ == nullptr || count < 0)
        return -1;
    std::size_t got = 0;
    try {
        got = file.source_->read_at(file.position_,
                                    {static_cast<std::byte*>(out), static_cast<std::size_t>(count)});
    } catch (...) {
        file.thrown_ = std::current_exception();
    }
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
