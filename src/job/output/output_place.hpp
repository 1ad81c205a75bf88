// Where the bytes of a product go: a file or stdout.
#pragma once

#include "glproc/files/rows.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glproc::job {

class OutputPlace {
  public:
    /// "-" is stdout.
    explicit OutputPlace(std::string path) : path_(std::move(path)) {}

    /// Throws Error(usage) for a terminal, which gets no `product`, and Error(output) for what cannot be
    /// written.
    void check(std::string_view product) const;

    /// Throws Error(usage) where writing would replace one of `inputs` ("-" is stdin), by whatever name: a
    /// second output is never meant to.
    void refuse_inputs(std::string_view flag, const std::vector<std::string>& inputs) const;

    void write(std::span<const std::byte> bytes) const;

    /// From now on write() appends to what open() of another place with this path gave.
    void share(RowWriter& writer) { shared_ = &writer; }

    /// Takes bytes as they come. A file appears with finish(); what stdout got stays.
    std::unique_ptr<RowWriter> open() const;

    bool is_stdout() const { return path_ == "-"; }
    const std::string& path() const { return path_; }
    /// For people.
    std::string name() const { return is_stdout() ? "stdout" : path_; }

  private:
    std::string path_;
    RowWriter* shared_ = nullptr;
};

} // namespace glproc::job
