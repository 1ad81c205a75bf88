#include "glproc/files/overlap.hpp"

#include "glproc/base/clock.hpp"
#include "glproc/base/pixel_memory.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace glproc {

namespace {

/// Whole rows on their way from one thread to another.
struct Block {
    std::span<std::byte> room;
    std::size_t used = 0;

    std::span<std::byte> rows() const { return room.first(used); }
};

constexpr std::size_t block_bytes = std::size_t{2} << 20U;

/// Blocks that one thread hands to another, in order.
class Channel {
  public:
    void put(Block block) {
        {
            const std::lock_guard lock(mutex_);
            blocks_.push_back(block);
        }
        changed_.notify_one();
    }

    /// Waits for a block, and adds how long; nothing once the channel is closed and empty.
    std::optional<Block> take(double* waited = nullptr) {
        const Clock::time_point begin = Clock::now();
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !blocks_.empty(); });
        if (waited != nullptr) {
            *waited += milliseconds_since(begin);
        }
        if (blocks_.empty()) {
            return std::nullopt;
        }
        const Block block = blocks_.front();
        blocks_.pop_front();
        return block;
    }

    /// After the last block.
    void close() { close_with([] {}); }

    /// Instead of any more blocks, those that wait included.
    void abandon() {
        close_with([this] { blocks_.clear(); });
    }

  private:
    template <class Work>
    void close_with(Work work) {
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
            work();
        }
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Block> blocks_;
    bool closed_ = false;
};

/// Blocks on their way between two threads, and back again when they are empty.
struct Exchange {
    explicit Exchange(std::size_t row_bytes) {
        const std::size_t bytes = std::max<std::size_t>(block_bytes / row_bytes, 1) * row_bytes;
        const std::size_t count = std::max<std::size_t>(overlap_bytes / bytes, 3); // each side has one in hand
        memory = PixelMemory(count * bytes);
        for (std::size_t i = 0; i < count; ++i) {
            empty.put({{memory.data() + i * bytes, bytes}});
        }
    }

    PixelMemory memory; ///< in one piece, for huge pages
    Channel empty;
    Channel full;
};

class ReadAhead final : public RowReader {
  public:
    ReadAhead(std::unique_ptr<RowReader>& rows, double* waited)
        : waited_(waited), exchange_(rows->form().row_bytes()),
          thread_([this, &source = *rows] { read_all(source); }) {
        rows_ = std::move(rows);
    }
    ~ReadAhead() override {
        exchange_.empty.abandon();
        thread_.join();
    }

    const Form& form() const override { return rows_->form(); }
    const Metadata& metadata() const override { return rows_->metadata(); }

    void read(std::span<std::byte> rows) override {
        while (!rows.empty()) {
            if (taken_ == block_.used) {
                next_block();
            }
            const auto part = block_.rows().subspan(taken_);
            const std::size_t count = std::min(part.size(), rows.size());
            std::copy_n(part.begin(), count, rows.begin());
            taken_ += count;
            rows = rows.subspan(count);
        }
    }

  private:
    void next_block() {
        if (block_.used > 0) {
            exchange_.empty.put(std::exchange(block_, {}));
        }
        const std::optional<Block> block = exchange_.full.take(waited_);
        if (!block) {
            std::rethrow_exception(failure_);
        }
        block_ = *block;
        taken_ = 0;
    }

    /// On the thread.
    void read_all(RowReader& source) {
        try {
            const std::size_t whole = source.form().bytes();
            for (std::size_t done = 0; done < whole;) {
                std::optional<Block> block = exchange_.empty.take();
                if (!block) {
                    return; // the reader is gone
                }
                block->used = std::min(block->room.size(), whole - done);
                source.read(block->rows());
                done += block->used;
                exchange_.full.put(*block);
            }
        } catch (...) {
            failure_ = std::current_exception();
        }
        exchange_.full.close();
    }

    std::unique_ptr<RowReader> rows_;
    double* waited_;
    Exchange exchange_;
    Block block_; ///< being taken from
    std::size_t taken_ = 0;
    std::exception_ptr failure_; ///< set before `full` is closed
    std::thread thread_;
};

class WriteBehind final : public RowWriter {
  public:
    WriteBehind(RowWriter& rows, std::size_t row_bytes, double* waited)
        : waited_(waited), exchange_(row_bytes), thread_([this, &rows] { write_all(rows); }) {}
    ~WriteBehind() override {
        exchange_.full.abandon();
        stop();
    }

    void write(std::span<const std::byte> rows) override {
        while (!rows.empty()) {
            if (block_.used == block_.room.size()) {
                next_block();
            }
            const auto part = rows.first(std::min(rows.size(), block_.room.size() - block_.used));
            std::copy(part.begin(), part.end(), block_.room.subspan(block_.used).begin());
            block_.used += part.size();
            rows = rows.subspan(part.size());
        }
    }

    void finish() override {
        if (block_.used > 0) {
            exchange_.full.put(std::exchange(block_, {}));
        }
        stop();
        if (failure_) {
            std::rethrow_exception(failure_);
        }
    }

  private:
    void next_block() {
        if (block_.used > 0) {
            exchange_.full.put(std::exchange(block_, {}));
        }
        const std::optional<Block> block = exchange_.empty.take(waited_);
        if (!block) {
            stop();
            std::rethrow_exception(failure_);
        }
        block_ = *block;
    }

    void stop() {
        exchange_.full.close();
        if (thread_.joinable()) {
            thread_.join();
        }
    }

    /// On the thread.
    void write_all(RowWriter& rows) {
        try {
            while (std::optional<Block> block = exchange_.full.take()) {
                rows.write(block->rows());
                exchange_.empty.put({block->room});
            }
        } catch (...) {
            failure_ = std::current_exception();
        }
        exchange_.empty.close();
    }

    double* waited_;
    Exchange exchange_;
    Block block_;                ///< being filled
    std::exception_ptr failure_; ///< set before `empty` is closed
    std::thread thread_;
};

/// Writes at once.
class WriteNow final : public RowWriter {
  public:
    explicit WriteNow(RowWriter& rows) : rows_(rows) {}
    void write(std::span<const std::byte> rows) override { rows_.write(rows); }
    void finish() override {}

  private:
    RowWriter& rows_;
};

} // namespace

std::unique_ptr<RowReader> read_ahead(std::unique_ptr<RowReader> rows, double* waited) {
    if (rows->keeps_thread() || dynamic_cast<ReadAhead*>(rows.get()) != nullptr) {
        return rows;
    }
    try {
        return std::make_unique<ReadAhead>(rows, waited);
    } catch (const std::system_error&) {
        return rows;
    }
}

std::unique_ptr<RowWriter> write_behind(RowWriter& rows, std::size_t row_bytes, double* waited) {
    try {
        return std::make_unique<WriteBehind>(rows, row_bytes, waited);
    } catch (const std::system_error&) {
        return std::make_unique<WriteNow>(rows);
    }
}

} // namespace glproc
