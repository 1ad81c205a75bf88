#include "glproc/files/output.hpp"

#include "glproc/files/codecs/codecs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace glproc::codecs {
namespace {

class MemoryOutput final : public Output {
  public:
    explicit MemoryOutput(std::vector<std::byte>& bytes) : bytes_(bytes) {}

    void append(std::span<const std::byte> bytes) override {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
        if (offset == bytes_.size())
            return append(bytes);
        bytes_.resize(std::max<std::size_t>(bytes_.size(), offset + bytes.size()));
        std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    void finish() override {}

  private:
    std::vector<std::byte>& bytes_;
};

/// An unnamed file for bytes that do not come in order; there from the first of them on.
class Scratch {
  public:
    explicit Scratch(std::string_view name) : name_(name) {}
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        if (file_ != nullptr)
            std::fclose(file_);
    }

    void write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
        file_ = file_ == nullptr ? std::tmpfile() : file_;
        check(file_ != nullptr && ::fseeko(file_, static_cast<off_t>(offset), SEEK_SET) == 0 &&
              std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size());
    }

    std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) {
        check(file_ != nullptr && std::fflush(file_) == 0 && ::fseeko(file_, static_cast<off_t>(offset), SEEK_SET) == 0);
        return std::fread(out.data(), 1, out.size(), file_);
    }

    /// What was written, if anything was.
    void copy_to(Output& output) {
        if (file_ == nullptr)
            return;
        std::vector<std::byte> buffer(std::size_t{1} << 20U);
        check(std::fflush(file_) == 0 && ::fseeko(file_, 0, SEEK_SET) == 0);
        while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file_))
            output.append(std::span(buffer).first(got));
        check(std::ferror(file_) == 0);
    }

  private:
    void check(bool good) const {
        if (!good)
            fail_output(name_, std::string("no place for a temporary file: ") + std::strerror(errno));
    }

    std::string_view name_;
    std::FILE* file_ = nullptr;
};

class ScratchOutput final : public Output {
  public:
    ScratchOutput(Output& to, std::string name) : to_(to), name_(std::move(name)), scratch_(name_) {}

    void append(std::span<const std::byte> bytes) override { write_at(size_, bytes); }
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
        scratch_.write_at(offset, bytes);
        size_ = std::max(size_, offset + bytes.size());
    }
    std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) override { return scratch_.read_at(offset, out); }
    void finish() override {
        scratch_.copy_to(to_);
        to_.finish();
    }

  private:
    Output& to_;
    std::string name_;
    Scratch scratch_;
    std::uint64_t size_ = 0;
};

class DescriptorOutput final : public Output {
  public:
    DescriptorOutput(int descriptor, std::string name)
        : descriptor_(descriptor), name_(std::move(name)), scratch_(name_) {}

    void append(std::span<const std::byte> bytes) override { write_descriptor(descriptor_, bytes, name_); }
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
        scratch_.write_at(offset, bytes);
    }
    void finish() override { scratch_.copy_to(*this); }

  private:
    int descriptor_;
    std::string name_;
    Scratch scratch_;
};

class FileOutput final : public Output {
  public:
    explicit FileOutput(const std::filesystem::path& path)
        : name_(path.native()), file_(path), scratch_(name_) {}

    void append(std::span<const std::byte> bytes) override { file_.write(bytes); }
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
        if (file_.seekable())
            return file_.write_at(offset, bytes);
        scratch_.write_at(offset, bytes);
    }
    void finish() override {
        scratch_.copy_to(*this);
        file_.commit();
    }

  private:
    std::string name_;
    AtomicFile file_;
    Scratch scratch_;
};

} // namespace

std::unique_ptr<Output> memory_output(std::vector<std::byte>& bytes) {
    return std::make_unique<MemoryOutput>(bytes);
}

std::unique_ptr<Output> file_output(const std::filesystem::path& path) {
    return std::make_unique<FileOutput>(path);
}

std::unique_ptr<Output> scratch_output(Output& to, std::string name) {
    return std::make_unique<ScratchOutput>(to, std::move(name));
}

std::unique_ptr<Output> descriptor_output(int descriptor, std::string name) {
    return std::make_unique<DescriptorOutput>(descriptor, std::move(name));
}

} // namespace glproc::codecs
