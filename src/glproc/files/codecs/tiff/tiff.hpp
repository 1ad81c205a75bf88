// libtiff on sources and outputs instead of files. Nothing of it reaches stderr.
#pragma once

#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/output.hpp"

#include <cstdarg>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <tiffio.h>

namespace glproc::codecs {

/// One TIFF file, with what libtiff said about it last.
class TiffFile {
  public:
    /// For reading, from the directory of the page that the source names.
    explicit TiffFile(const Source& source);
    /// For writing; `big` has no limit at 4 GiB.
    TiffFile(Output& output, bool big);
    TiffFile(const TiffFile&) = delete;
    TiffFile& operator=(const TiffFile&) = delete;
    ~TiffFile() { close(); }

    TIFF* get() const { return tiff_; } ///< null where it could not be opened

    /// Writes what is still to be written.
    void close();

    /// Throws what reading or writing ended with, if it did.
    void check_thrown() const {
        if (thrown_ != nullptr)
            std::rethrow_exception(thrown_);
    }

    /// Forgets what was said so far.
    void forgive() {
        warned_ = false;
        failed_ = false;
        truncated_ = false;
        message_.clear();
    }

    const std::string& message() const { return message_; }
    bool failed() const { return failed_; }       ///< there was an error
    bool warned() const { return warned_; }       ///< something was forgiven that may show in the pixels
    bool truncated() const { return truncated_; } ///< more was wanted than there is
    bool lost_private_tag() const { return lost_private_tag_; } ///< one that TIFF does not define was ignored
    bool lost_known_tag() const { return lost_known_tag_; }     ///< one that it does

    /// Puts bytes at the end of a file that is being written, at an even offset, which it returns.
    std::uint64_t append(std::span<const std::byte> bytes);
    std::uint64_t next_offset() const { return (size_ + 1) / 2 * 2; }

  private:
    void open(const char* mode);
    void point_header_at(std::uint64_t directory);
    std::string remember(const char* module, const char* format, va_list arguments);

    static int on_error(TIFF* tiff, void* self, const char* module, const char* format, va_list arguments);
    static int on_warning(TIFF* tiff, void* self, const char* module, const char* format, va_list arguments);
    static tmsize_t on_read(thandle_t self, void* out, tmsize_t count);
    static tmsize_t on_write(thandle_t self, void* data, tmsize_t count);
    static toff_t on_seek(thandle_t self, toff_t offset, int whence);
    static toff_t on_size(thandle_t self);

    const Source* source_ = nullptr;
    Output* output_ = nullptr;
    std::vector<std::byte> header_; ///< that stands for the file's own; empty: none does
    std::uint64_t size_ = 0;
    std::uint64_t position_ = 0;
    std::exception_ptr thrown_; ///< may not pass through libtiff
    bool failed_ = false;
    bool warned_ = false;
    bool truncated_ = false;
    bool lost_private_tag_ = false;
    bool lost_known_tag_ = false;
    std::string message_;
    TIFF* tiff_ = nullptr;
};

} // namespace glproc::codecs
