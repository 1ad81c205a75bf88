// Where a muxer writes: a file that appears whole, or not at all.
#pragma once

#include "glproc/files/file.hpp"
#include "video/av.hpp"

#include <cstdint>
#include <exception>
#include <string>

namespace glproc::video {

class OutputFile {
  public:
    /// Throws Error(output).
    explicit OutputFile(const std::string& path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    AVIOContext* io() { return io_; }

    /// Throws what writing failed with, if it did.
    void check() const;

    /// Puts the file in its place. Throws Error(output).
    void commit();

  private:
    static int write(void* self, MuxedByte* bytes, int count);
    static std::int64_t seek(void* self, std::int64_t offset, int whence);

    AtomicFile file_;
    AVIOContext* io_ = nullptr;
    std::int64_t at_ = 0;
    std::int64_t size_ = 0;
    std::exception_ptr failure_;
};

} // namespace glproc::video
