// Pictures by number: frame-%04d.png.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace glproc::video {

/// The name of a picture with its number left open.
class NumberedName {
  public:
    /// Nothing where the name has no place for a number, as %d or %04d; %% is a percent sign. Throws
    /// Error(usage) for two of them.
    static std::optional<NumberedName> parse(const std::string& pattern);

    std::string of(std::int64_t number) const;

    /// What a shell takes for all such names.
    std::string glob() const;

    /// The files there are, by number. Throws Error(input) where there is none.
    std::map<std::int64_t, std::string> existing() const;

    /// What is missing among growing numbers, in one line, or empty. They may all grow by more than one.
    std::string gaps_in(std::span<const std::int64_t> numbers) const;

  private:
    std::string pattern_;
    std::string before_;
    std::string after_;
    int digits_ = 0; ///< at least, with zeros
};

} // namespace glproc::video
