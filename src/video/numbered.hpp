// Pictures by number: frame-%04d.png.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace glproc::video {

/// The name of a picture with its number left open.
class NumberedName {
  public:
    /// Nothing where the name has no place for a number, as %d or %04d; %% is a percent sign. Throws
    /// Error(usage) for two of them.
    static std::optional<NumberedName> parse(const std::string& pattern);

    std::string of(std::int64_t number) const;

    /// The files there are, by number. Throws Error(input) where there is none.
    std::vector<std::string> existing() const;

  private:
    std::string pattern_;
    std::string before_;
    std::string after_;
    int digits_ = 0; ///< at least, with zeros
};

} // namespace glproc::video
