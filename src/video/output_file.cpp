#include "video/output_file.hpp"

#include <algorithm>
#include <cstdio>
#include <new>

namespace glproc::video {

OutputFile::OutputFile(const std::string& path) : file_(path) {
    constexpr int buffer = 1 << 18;
    auto* memory = static_cast<std::uint8_t*>(av_malloc(buffer));
    io_ = memory == nullptr ? nullptr
                            : avio_alloc_context(memory, buffer, 1, this, nullptr, write,
                                                 file_.seekable() ? seek : nullptr);
    if (io_ == nullptr) {
        av_free(memory);
        throw std::bad_alloc();
    }
}

OutputFile::~OutputFile() {
    av_freep(&io_->buffer);
    avio_context_free(&io_);
}

/// Called by C, which no exception may pass.
int OutputFile::write(void* self, MuxedByte* bytes, int count) {
    auto& to = *static_cast<OutputFile*>(self);
    const auto data = std::as_bytes(std::span(bytes, static_cast<std::size_t>(count)));
    try {
        if (to.file_.seekable()) {
            to.file_.write_at(static_cast<std::uint64_t>(to.at_), data);
        } else {
            to.file_.write(data);
        }
    } catch (...) {
        to.failure_ = std::current_exception();
        return AVERROR(EIO);
    }
    to.at_ += count;
    to.size_ = std::max(to.size_, to.at_);
    return count;
}

std::int64_t OutputFile::seek(void* self, std::int64_t offset, int whence) {
    auto& to = *static_cast<OutputFile*>(self);
    if (whence == AVSEEK_SIZE) {
        return to.size_;
    }
    to.at_ = offset + (whence == SEEK_CUR ? to.at_ : whence == SEEK_END ? to.size_ : 0);
    return to.at_;
}

void OutputFile::check() const {
    if (failure_) {
        std::rethrow_exception(failure_);
    }
}

void OutputFile::commit() {
    avio_flush(io_);
    check();
    file_.commit();
}

} // namespace glproc::video
