// What the system says of files, in our words.
#pragma once

#include <string>
#include <system_error>

#include <unistd.h>

namespace glproc {

/// "no such file" for ENOENT, else the system's words in lower case.
inline std::string reason(int error) {
    if (error == ENOENT)
        return "no such file";
    std::string text = std::generic_category().message(error);
    if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z')
        text.front() = static_cast<char>(text.front() - 'A' + 'a');
    return text;
}

/// Closes the descriptor at the end of the scope.
class Descriptor {
  public:
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (value_ >= 0)
            ::close(value_);
    }
    int get() const { return value_; }

  private:
    int value_;
};

} // namespace glproc
