// What `bench` works on: made up, or read from a file.
#pragma once

#include "cli/arguments.hpp"
#include "job/picture/source.hpp"

#include <cstdint>
#include <string>

namespace glproc::cli {

/// What the random numbers of inputs begin with: the same on every machine.
inline constexpr std::uint64_t bench_seed = 1;

class BenchInput {
  public:
    /// As --size and --input have it. Throws Error(usage).
    explicit BenchInput(const Arguments& arguments);
    /// Random, of the given size.
    BenchInput(const OpInfo& op, const std::string& size);

    /// Makes or reads it. Throws Error(input).
    Source load() const;

    /// "random" or the name of the file.
    const std::string& name() const { return name_; }

  private:
    void read_size(const std::string& text);
    Image make_image() const;
    Array make_array() const;
    void refuse_for_file(const std::string& flag) const;

    const OpInfo& op_;
    const Arguments* arguments_ = nullptr; ///< where the input may be a file
    std::string name_ = "random";
    bool is_file_ = false;
    int width_ = 0;
    int height_ = 0;
    int channels_ = 4;
    Depth depth_ = Depth::u8;
    std::size_t count_ = 0;
    ArrayType type_ = ArrayType::u32;
};

/// "2448x1505", or the number of values.
std::string size_of(const Source& source);

} // namespace glproc::cli
