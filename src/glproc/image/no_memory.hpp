// Where memory ends: an error that says for which image.
#pragma once

#include "glproc/image/image.hpp"

#include <new>
#include <string>

namespace glproc {

/// Decoders and others that hold it for any lack of memory add the name of the file.
class NoMemoryForImage final : public std::bad_alloc {
  public:
    explicit NoMemoryForImage(const Form& form);
    const char* what() const noexcept override { return what_.c_str(); }

  private:
    std::string what_;
};

inline constexpr const char* no_memory_hint = "make the result smaller, or in parts with glproc crop";

} // namespace glproc
