#include "glproc/image/tiff.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

namespace glproc::codecs {

TiffFile::TiffFile(std::span<const std::byte> bytes) : bytes_(bytes) {
    open("rm"); // m: read, never mapped
}

TiffFile::TiffFile(bool big) : writes_(true) {
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
    if (!writes_)
        TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(),
                                            std::max(least, static_cast<tmsize_t>(bytes_.size()) * 2));
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
    const std::span<const std::byte> all =
        file.writes_ ? std::span<const std::byte>(file.written_) : file.bytes_;
    const std::uint64_t left = file.position_ < all.size() ? all.size() - file.position_ : 0;
    const std::uint64_t take = std::min(left, static_cast<std::uint64_t>(std::max<tmsize_t>(count, 0)));
    file.truncated_ = file.truncated_ || take < static_cast<std::uint64_t>(count);
    if (take > 0)
        std::memcpy(out, all.data() + file.position_, take);
    file.position_ += take;
    return static_cast<tmsize_t>(take);
}

tmsize_t TiffFile::on_write(thandle_t self, void* data, tmsize_t count) {
    auto& file = *static_cast<TiffFile*>(self);
    if (!file.writes_ || count < 0)
        return -1;
    const std::uint64_t end = file.position_ + static_cast<std::uint64_t>(count);
    try {
        if (end > file.written_.size())
            file.written_.resize(end);
    } catch (const std::exception&) { // may not pass through libtiff
        return -1;
    }
    if (count > 0)
        std::memcpy(file.written_.data() + file.position_, data, static_cast<std::size_t>(count));
    file.position_ = end;
    return count;
}

toff_t TiffFile::on_seek(thandle_t self, toff_t offset, int whence) {
    auto& file = *static_cast<TiffFile*>(self);
    const toff_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.position_ : on_size(self);
    file.position_ = base + offset;
    return file.position_;
}

toff_t TiffFile::on_size(thandle_t self) {
    const auto& file = *static_cast<TiffFile*>(self);
    return file.writes_ ? file.written_.size() : file.bytes_.size();
}

} // namespace glproc::codecs
