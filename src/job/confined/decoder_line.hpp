// The line between this process and one that decodes for it: a file one way, a packet the other. A socket,
// as files in memory are bound by the limit on the size of files (ulimit -f) that is meant for outputs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc::job {

/// Nothing: for ever.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// What the other process answered.
class Packet {
  public:
    Packet() = default;
    explicit Packet(std::size_t size)
        : data_(std::make_unique_for_overwrite<std::byte[]>(size)), size_(size) {}
    std::span<std::byte> bytes() { return {data_.get(), size_}; }

  private:
    std::unique_ptr<std::byte[]> data_; // NOLINT(modernize-avoid-c-arrays): a vector would be filled first
    std::size_t size_ = 0;
};

/// The end of the process that asks.
class DecoderLine {
  public:
    DecoderLine();
    DecoderLine(const DecoderLine&) = delete;
    DecoderLine& operator=(const DecoderLine&) = delete;
    ~DecoderLine();

    /// The other end, for the process that is about to start.
    int theirs() const { return theirs_; }

    /// Once the other process has started.
    void send_file(std::span<const std::byte> file, const Deadline& deadline);

    /// After the file: which of its images is wanted, and its name for messages.
    void ask_for(int page, std::string_view name, const Deadline& deadline);

    /// Waits for an answer of at most `most` bytes (0: any number). Nothing, and the line is closed, where
    /// there is none: the other process has ended, is late, or says too much.
    std::optional<Packet> receive(const Deadline& deadline, std::uint64_t most);

    /// So that the other process does not wait for a reader.
    void close();

  private:
    bool send(std::span<const std::byte> bytes, const Deadline& deadline) const;
    bool take(std::span<std::byte> bytes, const Deadline& deadline) const;

    int ours_ = -1;
    int theirs_ = -1;
};

/// The file, in the process that decodes.
std::vector<std::byte> take_file(int descriptor);

struct PageWanted {
    int page = 0;
    std::string name;
};
/// Nothing once nobody asks any more.
std::optional<PageWanted> take_question(int descriptor);

/// Its answer: the parts one after another.
void answer(int descriptor, std::span<const std::byte> header, std::span<const std::byte> pixels = {});

} // namespace glproc::job
