// What a module and the program know of each other. A module reads and writes one family of formats through a
// library that not every machine has; it is loaded when such a file is met (module_loader.cpp). It links
// nothing of the program: all it asks for goes through the two classes here, which the program implements.
#pragma once

#include "glproc/files/codec.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace glproc::modules {

/// A file that is being read, and where its picture goes. What throws here passes through the module, so no
/// library's callback may stand in between.
class Reading {
  public:
    Reading() = default;
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    virtual ~Reading() = default;

    virtual std::span<const std::byte> file() const = 0;
    virtual void set_metadata(Metadata metadata) = 0;
    /// Of a picture that the library turns upright by itself, whatever EXIF says.
    virtual void set_upright_metadata(Metadata metadata) = 0;
    /// How many pictures the file has; the module reads the first.
    virtual void set_frames(int frames) = 0;

    /// Throws Error(input) where the picture is too large or impossible. To be called before the library
    /// takes memory for it.
    virtual void check_size(std::uint64_t width, std::uint64_t height) = 0;

    /// After the metadata, where a smaller picture is to be made: by how much of 8, 4 and 2 the size may be divided, so that it
    /// still is enough, else 1; and whether another picture in the file is enough.
    virtual int divisor_for(const Extent& whole) const = 0;
    virtual bool is_enough(const Extent& part, const Extent& whole) const = 0;
    /// Such a picture is started next.
    virtual void set_fraction(const Fraction& fraction) = 0;

    /// After the metadata: the pixels to fill, zeros until then, rows without gaps. Empty if they are not
    /// wanted: the module is then done. Checks the size, too.
    virtual std::span<std::byte> start(const Form& form) = 0;

    virtual void note(std::string_view what) = 0;
    /// Throws Error(input), "name: reason".
    [[noreturn]] virtual void fail(std::string_view reason) = 0;
};

/// A picture that is being written.
class Writing {
  public:
    Writing() = default;
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;
    virtual ~Writing() = default;

    virtual const Form& form() const = 0;
    virtual std::span<const std::byte> pixels() const = 0;
    virtual const Metadata& metadata() const = 0;
    virtual const EncodeOptions& options() const = 0;
    virtual std::string_view extension() const = 0; ///< lower case, without its dot

    /// More of the file.
    virtual void append(std::span<const std::byte> bytes) = 0;

    virtual void note(std::string_view what) = 0;
    /// Throws Error(output), "name: reason".
    [[noreturn]] virtual void fail(std::string_view reason) = 0;
};

struct Module {
    void (*read)(Reading& reading);
    void (*write)(Writing& writing);
};

/// What every module exports; one that is built into the program has a name of its own.
#ifndef GLPROC_MODULE_NAME
#define GLPROC_MODULE_NAME glproc_module
#endif
#define GLPROC_MODULE(read, write)                                                                           \
    extern "C" __attribute__((visibility("default"))) const glproc::modules::Module GLPROC_MODULE_NAME {     \
        read, write                                                                                          \
    }

} // namespace glproc::modules
