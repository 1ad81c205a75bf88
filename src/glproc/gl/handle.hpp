// The one owner of OpenGL names. No other class of glproc writes a move constructor.
#pragma once

#include <utility>

namespace glproc {

/// Owns a value of Traits::Type until it is moved from; Traits::destroy() ends it. A default value owns
/// nothing.
template <class Traits>
class Handle {
  public:
    using Type = typename Traits::Type;

    Handle() = default;
    explicit Handle(Type value) : value_(value) {}
    Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, Type{})) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (value_ != Type{}) {
            Traits::destroy(value_);
        }
    }

    Type get() const { return value_; }
    explicit operator bool() const { return value_ != Type{}; }

  private:
    Type value_{};
};

} // namespace glproc
