// Text for a terminal: lines of a width, and two columns.
#pragma once

#include "cli/commands.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glproc::cli {

/// `text` in lines of at most `columns`; every line but the first is indented.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

/// A command line in lines of at most `columns`, as a shell takes it: each but the last ends in a backslash.
std::string wrapped_call(std::string_view call, std::size_t columns, std::size_t indent);

/// Two columns: what is explained, and the explanation.
class TextTable {
  public:
    /// `indent` is where the second column begins.
    TextTable(std::size_t columns, std::size_t indent) : columns_(columns), indent_(indent) {}

    /// A term too long for its column gets a line of its own.
    std::string row(const std::string& term, const std::string& text) const;

    std::string rows(const std::vector<Flag>& flags) const;
    /// With what each value of a flag means.
    std::string rows_with_values(const std::vector<Flag>& flags) const;

  private:
    std::size_t columns_;
    std::size_t indent_;
};

} // namespace glproc::cli
