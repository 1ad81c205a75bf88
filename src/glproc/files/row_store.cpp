#include "glproc/files/row_store.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace glproc {

namespace {

std::size_t bytes_of(const Form& form) {
    return form.row_bytes() * static_cast<std::size_t>(form.height);
}

std::string temporary_folder() {
    const char* named = std::getenv("TMPDIR");
    return named != nullptr && *named != '\0' ? named : "/tmp";
}

[[noreturn]] void fail(const std::string& folder, const char* what) {
    throw Error(ErrorCode::operation,
                fmt::format("cannot {} a temporary file in {}: {}", what, folder, std::system_category().message(errno)),
                "set TMPDIR to a folder with enough room, or raise --memory");
}

} // namespace

/// A file without a name.
class RowStore::File {
  public:
    File() : folder_(temporary_folder()) {
        descriptor_ = open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (descriptor_ < 0) { // a file system that makes none without a name
            std::string path = folder_ + "/glproc-XXXXXX";
            descriptor_ = mkostemp(path.data(), O_CLOEXEC);
            if (descriptor_ < 0) {
                fail(folder_, "make");
            }
            unlink(path.c_str());
        }
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { close(descriptor_); }

    void put(std::size_t at, std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const ssize_t done = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
            if (done < 0 && errno != EINTR) {
                fail(folder_, "write");
            }
            const auto count = static_cast<std::size_t>(std::max<ssize_t>(done, 0));
            at += count;
            bytes = bytes.subspan(count);
        }
    }

    void get(std::size_t at, std::span<std::byte> bytes) const {
        while (!bytes.empty()) {
            const ssize_t done = pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
            if (done < 0 && errno != EINTR) {
                fail(folder_, "read");
            }
            if (done == 0) { // beyond what was ever put
                std::fill(bytes.begin(), bytes.end(), std::byte{0});
                return;
            }
            const auto count = static_cast<std::size_t>(std::max<ssize_t>(done, 0));
            at += count;
            bytes = bytes.subspan(count);
        }
    }

  private:
    std::string folder_;
    int descriptor_ = -1;
};

namespace {

class StoreReader final : public RowReader {
  public:
    StoreReader(const RowStore& store, bool upwards)
        : store_(store), upwards_(upwards), next_(upwards ? store.form().height : 0) {}

    const Form& form() const override { return store_.form(); }
    const Metadata& metadata() const override { return metadata_; }

    void read(std::span<std::byte> rows) override {
        const std::size_t row_bytes = form().row_bytes();
        const int count = static_cast<int>(rows.size() / row_bytes);
        if (!upwards_) {
            store_.get(next_, rows);
            next_ += count;
            return;
        }
        next_ -= count;
        store_.get(next_, rows);
        for (std::size_t above = 0, below = rows.size(); above + row_bytes < below; above += row_bytes) {
            below -= row_bytes;
            const auto row = rows.subspan(above, row_bytes);
            std::swap_ranges(row.begin(), row.end(), rows.begin() + static_cast<std::ptrdiff_t>(below));
        }
    }

  private:
    const RowStore& store_;
    Metadata metadata_;
    bool upwards_;
    int next_; ///< upwards, the row after the next
};

} // namespace

RowStore::RowStore(const Form& form, std::size_t memory_bytes)
    : form_(form), memory_(std::min(bytes_of(form), memory_bytes)) {
    if (file_bytes() > 0) {
        file_ = std::make_unique<File>();
    }
}

RowStore::~RowStore() = default;

void RowStore::write(std::span<const std::byte> rows) {
    put(static_cast<int>(written_ / form_.row_bytes()), rows);
    written_ += rows.size();
}

void RowStore::finish() {
    if (written_ != bytes_of(form_)) {
        throw Error(ErrorCode::output, "rows are missing at the end of an image");
    }
}

void RowStore::put(int first_row, std::span<const std::byte> rows) {
    const std::size_t at = static_cast<std::size_t>(first_row) * form_.row_bytes();
    if (first_row < 0 || rows.size() % form_.row_bytes() != 0 || at + rows.size() > bytes_of(form_)) {
        throw Error(ErrorCode::operation, "these are not rows of the image");
    }
    const std::size_t in_memory = std::min(rows.size(), memory_.size() - std::min(memory_.size(), at));
    std::copy_n(rows.begin(), in_memory, memory_.begin() + static_cast<std::ptrdiff_t>(std::min(at, memory_.size())));
    if (in_memory < rows.size()) {
        file_->put(at + in_memory - memory_.size(), rows.subspan(in_memory));
    }
}

void RowStore::get(int first_row, std::span<std::byte> rows) const {
    const std::size_t at = static_cast<std::size_t>(first_row) * form_.row_bytes();
    if (first_row < 0 || rows.size() % form_.row_bytes() != 0 || at + rows.size() > bytes_of(form_)) {
        throw Error(ErrorCode::operation, "these are not rows of the image");
    }
    const std::size_t in_memory = std::min(rows.size(), memory_.size() - std::min(memory_.size(), at));
    std::copy_n(memory_.begin() + static_cast<std::ptrdiff_t>(std::min(at, memory_.size())), in_memory, rows.begin());
    if (in_memory < rows.size()) {
        file_->get(at + in_memory - memory_.size(), rows.subspan(in_memory));
    }
}

RowSource RowStore::down() const {
    return {form_, {}, [this] { return std::make_unique<StoreReader>(*this, false); }};
}

RowSource RowStore::up() const {
    return {form_, {}, [this] { return std::make_unique<StoreReader>(*this, true); }};
}

std::size_t RowStore::file_bytes() const {
    return bytes_of(form_) - memory_.size();
}

} // namespace glproc
