#include "video/write/output_file.hpp"

#include <algorithm>
#include <cstdio>
#include <new>

#include <unistd.h>

namespace glproc::video {

namespace {

constexpr int buffer = 1 << 18;

} // namespace

OutputFile::OutputFile(const std::string& path) {
    if (path != "-") {
        file_.emplace(path);
    }
    auto* memory = static_cast<std::uint8_t*>(check_memory(av_malloc(buffer)));
    io_ = avio_alloc_context(memory, buffer, 1, this, nullptr, write,
                             seekable() ? seek<&OutputFile::at_> : nullptr);
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
        if (!to.file_) {
            write_descriptor(STDOUT_FILENO, data, "stdout");
        } else if (to.seekable()) {
            to.file_->write_at(static_cast<std::uint64_t>(to.at_), data);
        } else {
            to.file_->write(data);
        }
    } catch (...) {
        to.failure_ = std::current_exception();
        return AVERROR(EIO);
    }
    to.at_ += count;
    to.size_ = std::max(to.size_, to.at_);
    return count;
}

template <std::int64_t OutputFile::*Place>
std::int64_t OutputFile::seek(void* self, std::int64_t offset, int whence) {
    auto& file = *static_cast<OutputFile*>(self);
    if (whence == AVSEEK_SIZE) {
        return file.size_;
    }
    file.*Place = offset + (whence == SEEK_CUR ? file.*Place : whence == SEEK_END ? file.size_ : 0);
    return file.*Place;
}

int OutputFile::read(void* self, std::uint8_t* bytes, int count) {
    auto& from = *static_cast<OutputFile*>(self);
    try {
        const std::size_t got =
            from.file_->read_back(static_cast<std::uint64_t>(from.read_at_),
                                  std::as_writable_bytes(std::span(bytes, static_cast<std::size_t>(count))));
        from.read_at_ += static_cast<std::int64_t>(got);
        return got == 0 ? AVERROR_EOF : static_cast<int>(got);
    } catch (...) {
        from.failure_ = std::current_exception();
        return AVERROR(EIO);
    }
}

AVIOContext* OutputFile::reader() {
    auto* memory = seekable() ? static_cast<std::uint8_t*>(av_malloc(buffer)) : nullptr;
    AVIOContext* io = memory == nullptr ? nullptr
                                        : avio_alloc_context(memory, buffer, 0, this, read, nullptr,
                                                             seek<&OutputFile::read_at_>);
    if (io == nullptr) {
        av_free(memory);
    }
    read_at_ = 0;
    return io;
}

void OutputFile::check() const {
    if (failure_) {
        std::rethrow_exception(failure_);
    }
}

void OutputFile::commit() {
    avio_flush(io_);
    check();
    if (file_) {
        file_->commit();
    }
}

} // namespace glproc::video
