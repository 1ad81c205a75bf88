#include "job/page_files.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/page_reader.hpp"
#include "glproc/image/descriptions.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/input_file.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <sys/stat.h>

namespace glproc::job {

namespace {

/// Whether another file has taken its place, or it has changed.
using Identity = std::tuple<std::string, dev_t, ino_t, off_t, std::int64_t, std::int64_t>;

/// Nothing of what is no regular file: a pipe is read once.
std::optional<Identity> identity_of(const std::string& path) {
    struct stat status {};
    if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return std::nullopt;
    }
    return Identity{path,           status.st_dev,         status.st_ino,
                    status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

Image read_alone(std::span<const std::byte> file, int page, const std::string& name, const Budget& budget,
                 DecodeOptions options) {
    options.page = page;
    return decode_within(budget, file, name, options);
}

/// Of this thread alone: the system gives its own numbers again.
std::uint64_t number_of_thread() {
    static std::atomic<std::uint64_t> threads = 0;
    thread_local const std::uint64_t number = threads++;
    return number;
}

/// One way through the frames of a file for all threads, as each frame is seen through those before it.
/// Threads ask a little out of order, so the frames that are passed on the way to one wait for whoever comes
/// late.
class FramesInTurn {
  public:
    FramesInTurn(std::span<const std::byte> file, const DecodeOptions& options)
        : reader_({}, file, options) {}

    bool is_for(const DecodeOptions& options) const { return reader_.is_for(options); }

    /// Nothing for a frame that was passed and is not there any more.
    std::optional<Image> read(int number, const std::string& name, Notes* notes) {
        const std::lock_guard lock(mutex_);
        const int first =
            last_ == 0
                ? number
                : std::max(last_ + 1, number - most_late); // the frames before may not be wanted at all
        for (int passed = first; passed < number; ++passed) {
            keep(passed, name);
        }
        if (number > last_) {
            last_ = number;
            return reader_.read(number, name, notes);
        }
        const auto found = late_.find(number);
        if (found == late_.end()) {
            return std::nullopt;
        }
        Image image = std::move(found->second);
        bytes_ -= image.bytes().size();
        late_.erase(found);
        return image;
    }

  private:
    static constexpr int most_late = 16;
    static constexpr std::size_t most_bytes = std::size_t{1} << 28U;

    /// One that is odd or broken is left to who asks for it: its name belongs to that.
    void keep(int number, const std::string& name) {
        last_ = number;
        try {
            Notes notes;
            Image image = reader_.read(number, name, &notes);
            const std::size_t size = image.bytes().size();
            while (!late_.empty() && bytes_ + size > most_bytes) {
                bytes_ -= late_.begin()->second.bytes().size();
                late_.erase(late_.begin());
            }
            if (notes.empty() && size <= most_bytes) {
                late_.emplace(number, std::move(image));
                bytes_ += size;
            }
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): who asks for it gets it
        }
    }

    std::mutex mutex_;
    PagesWithin reader_;
    int last_ = 0;
    std::map<int, Image> late_;
    std::size_t bytes_ = 0; ///< of those
};

class PageFile {
  public:
    explicit PageFile(Identity identity) : identity_(std::move(identity)) {}

    const Identity& identity() const { return identity_; }

    Image read(int page, const std::string& name, const Budget& budget, const DecodeOptions& options) {
        if (stays_in_file(budget, options)) {
            return described(reader_for(budget, options).read(page, name, options.notes), page, budget,
                             options);
        }
        const std::span<const std::byte> file = bytes();
        if (!may_be_series_) {
            return read_alone(file, page, name, budget, options);
        }
        FramesInTurn* frames = has_frames_ && !budget.any() ? frames_for(options) : nullptr;
        std::optional<Image> image =
            frames != nullptr ? frames->read(page, name, options.notes) : std::nullopt;
        return image ? std::move(*image)
                     : described(reader_for(budget, options).read(page, name, options.notes), page, budget,
                                 options);
    }

    std::optional<RowSource> rows(int page, const std::vector<int>& numbers, const Budget& budget,
                                  const DecodeOptions& options) {
        if (!stays_in_file(budget, options)) {
            return std::nullopt;
        }
        const std::lock_guard lock(mutex_);
        if (!rows_.contains(page)) {
            std::vector<std::optional<RowSource>> rows = open_pages(opened_, path(), numbers, options);
            rows_.clear();
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                rows_[numbers[i]] = std::move(rows[i]);
            }
        }
        return std::exchange(rows_[page], std::nullopt);
    }

    const PictureInfo& info() {
        std::call_once(inspected_, [this] { info_ = inspect(std::filesystem::path(path())); });
        return *info_;
    }

  private:
    const std::string& path() const { return std::get<0>(identity_); }

    /// Whether images are read from the file one by one, which then need not fit into memory.
    bool stays_in_file(const Budget& budget, const DecodeOptions& options) {
        std::call_once(looked_, [this] {
            opened_ = std::make_shared<OpenFile>(path());
            if (!has_pages_in_file(*opened_, path())) {
                opened_.reset();
            }
        });
        return opened_ != nullptr && !budget.any() && !options.keep_partial;
    }

    std::span<const std::byte> bytes() {
        std::call_once(read_, [this] {
            bytes_ = read_input(path(), "image");
            const std::optional<Format> format = sniff(bytes_);
            has_frames_ = format == Format::gif || format == Format::webp || format == Format::png;
            may_be_series_ = has_frames_ || format == Format::tiff;
        });
        return bytes_;
    }

    /// ImageJ, OME-XML and tifffile tell the size of pixels once, with the first page.
    Image described(Image image, int page, const Budget& budget, DecodeOptions options) {
        if (page == 1 || has_frames_ || find_text(image.metadata(), description_text) != nullptr) {
            return image; // without a look at the first
        }
        options.notes = nullptr;
        std::call_once(described_, [&] {
            try {
                const Image first = stays_in_file(budget, options)
                                        ? PageReader(opened_, options).read(1, path(), nullptr)
                                        : read_alone(bytes_, 1, path(), budget, options);
                description_ = description_of_all(first, 1);
            } catch (const Error&) { // NOLINT(bugprone-empty-catch): who asks for it gets it
            }
        });
        add_description(image, description_);
        return image;
    }

    /// Null for other options than those of the first who asked.
    FramesInTurn* frames_for(const DecodeOptions& options) {
        const std::lock_guard lock(mutex_);
        if (!frames_) {
            frames_ = std::make_unique<FramesInTurn>(bytes_, options);
        }
        return frames_->is_for(options) ? frames_.get() : nullptr;
    }

    /// Each thread has its own: images are decoded side by side, and a decoder's process ends with the thread
    /// that began it.
    PagesWithin& reader_for(const Budget& budget, const DecodeOptions& options) {
        const std::lock_guard lock(mutex_);
        std::unique_ptr<PagesWithin>& reader = readers_[number_of_thread()];
        if (!reader || !reader->is_for(options)) {
            reader = stays_in_file(budget, options) ? std::make_unique<PagesWithin>(opened_, options)
                                                    : std::make_unique<PagesWithin>(budget, bytes_, options);
        }
        return *reader;
    }

    Identity identity_;
    std::once_flag inspected_;
    std::optional<PictureInfo> info_;
    std::once_flag described_;
    std::string description_; ///< of all pages
    std::once_flag looked_;
    std::shared_ptr<const OpenFile> opened_; ///< of a TIFF
    std::map<int, std::optional<RowSource>> rows_;
    std::once_flag read_;
    std::vector<std::byte> bytes_;
    bool may_be_series_ = false;
    bool has_frames_ = false;
    std::mutex mutex_;
    std::unique_ptr<FramesInTurn> frames_;
    std::map<std::uint64_t, std::unique_ptr<PagesWithin>> readers_;
};

/// The files that were read last: one that is worked on, and one that is joined to it.
class LastFiles {
  public:
    std::shared_ptr<PageFile> file(const Identity& identity) {
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(files_.begin(), files_.end(),
                                        [&](const auto& file) { return file->identity() == identity; });
        if (found != files_.end()) {
            std::rotate(files_.begin(), found, found + 1);
            return files_.front();
        }
        constexpr std::size_t most = 2;
        files_.resize(std::min(files_.size(), most - 1));
        return *files_.insert(files_.begin(), std::make_shared<PageFile>(identity));
    }

  private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<PageFile>> files_; ///< the last one first
};

/// Null where the place is none of a file.
std::shared_ptr<PageFile> page_file(const std::string& path) {
    static LastFiles files;
    const std::optional<Identity> identity = identity_of(path);
    return identity ? files.file(*identity) : nullptr;
}

} // namespace

std::vector<std::byte> start_for_pages(const std::string& path) {
    return identity_of(path) ? peek_input(path) : read_input(path, "image");
}

Image read_page(const NamedPage& named, std::span<const std::byte> start, const std::string& name,
                const Budget& budget, const DecodeOptions& options) {
    const std::shared_ptr<PageFile> file = page_file(named.path);
    return file ? file->read(named.page, name, budget, options)
                : read_alone(start, named.page, name, budget, options);
}

std::optional<RowSource> open_page(const NamedPage& named, const std::vector<int>& numbers,
                                   const Budget& budget, const DecodeOptions& options) {
    const std::shared_ptr<PageFile> file = page_file(named.path);
    return file ? file->rows(named.page, numbers, budget, options) : std::nullopt;
}

PictureInfo inspect_once(const std::string& path) {
    const std::shared_ptr<PageFile> file = page_file(path);
    return file ? file->info() : inspect(std::filesystem::path(path));
}

} // namespace glproc::job
