// Where a muxer writes: a file that appears whole, or not at all.
#pragma once

#include "glproc/files/file.hpp"
#include "video/av.hpp"

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace glproc::video {

class OutputFile {
  public:
    /// "-" is stdout. Throws Error(output).
    explicit OutputFile(const std::string& path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    AVIOContext* io() { return io_; }
    /// Whether it can be written anywhere, at any time.
    bool seekable() const { return file_ && file_->seekable(); }

    /// Another one, which reads what was written; for muxers that move it. To be closed by
    /// avio_context_free(), after its buffer. Null where that cannot be.
    AVIOContext* reader();

    /// Throws what writing failed with, if it did.
    void check() const;

    /// Puts the file in its place. Throws Error(output).
    void commit();

  private:
    static int write(void* self, MuxedByte* bytes, int count);
    template <std::int64_t OutputFile::*Place>
    static std::int64_t seek(void* self, std::int64_t offset, int whence);
    static int read(void* self, std::uint8_t* bytes, int count);

    std::optional<AtomicFile> file_; ///< nothing for stdout
    AVIOContext* io_ = nullptr;
    std::int64_t at_ = 0;
    std::int64_t size_ = 0;
    std::int64_t read_at_ = 0; ///< by reader()
    std::exception_ptr failure_;
};

} // namespace glproc::video
