// Where encoders put their files: memory, a file that appears when it is whole, or a descriptor.
#pragma once

#include "glproc/files/file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace glproc::codecs {

/// An encoder either appends or writes in any order. All failures are Error(output).
class Output {
  public:
    Output() = default;
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    virtual ~Output() = default;

    virtual void append(std::span<const std::byte> bytes) = 0;
    /// Gaps are zeros.
    virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
    virtual void finish() = 0;
    /// What was written there, where it can be read back: how many bytes there were.
    virtual std::size_t read_at(std::uint64_t /*offset*/, std::span<std::byte> /*out*/) { return 0; }
};

/// Into `bytes`, which must outlive it.
std::unique_ptr<Output> memory_output(std::vector<std::byte>& bytes);

/// An AtomicFile.
std::unique_ptr<Output> file_output(const std::filesystem::path& path);

/// Kept in an unnamed file that can be read back, until finish() copies it to `to`, and finishes that.
std::unique_ptr<Output> scratch_output(Output& to, std::string name);

/// A pipe takes bytes only in order, so all other bytes are kept in an unnamed file until the end.
std::unique_ptr<Output> descriptor_output(int descriptor, std::string name);

} // namespace glproc::codecs
