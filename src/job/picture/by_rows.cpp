#include "job/picture/by_rows.hpp"

#include "glproc/base/clock.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/overlap.hpp"
#include "job/input_file.hpp"

#include <span>
#include <utility>

namespace glproc::job {

namespace {

class TimedReader final : public RowReader {
  public:
    TimedReader(std::unique_ptr<RowReader> reader, Stages& stages, double* waited = nullptr)
        : reader_(std::move(reader)), stages_(stages), waited_(waited) {}

    const Form& form() const override { return reader_->form(); }
    const Metadata& metadata() const override { return reader_->metadata(); }
    void read(std::span<std::byte> rows) override {
        const Clock::time_point begin = Clock::now();
        try {
            stages_.run_beside(Stage::decode, [&] { reader_->read(rows); });
        } catch (const Error& error) {
            throw with_way_on(error, {}); // what is kept in part comes as a whole
        }
        if (waited_ != nullptr) {
            *waited_ += milliseconds_since(begin);
        }
    }

  private:
    std::unique_ptr<RowReader> reader_;
    Stages& stages_;
    double* waited_; ///< by the thread that reads
};

class TimedWriter final : public RowWriter {
  public:
    TimedWriter(RowWriter& writer, Stages& stages) : writer_(writer), stages_(stages) {}

    void write(std::span<const std::byte> rows) override {
        stages_.run_beside(Stage::encode, [&] { writer_.write(rows); });
    }
    void finish() override {}

  private:
    RowWriter& writer_;
    Stages& stages_;
};

} // namespace

RowSource start_reading(RowSource source, Stages& stages, double& waited) {
    const auto open = [open = std::move(source.open), &stages, &waited] {
        return read_ahead(std::make_unique<TimedReader>(open(), stages), &waited);
    };
    // Held in a pointer, since a function must be one that can be copied.
    auto first = std::make_shared<std::unique_ptr<RowReader>>(open());
    source.open = [open, first = std::move(first)] { return *first ? std::move(*first) : open(); };
    return source;
}

RowSource timed_source(RowSource source, Stages& stages, double& waited) {
    source.open = [open = std::move(source.open), &stages, &waited] {
        return std::make_unique<TimedReader>(open(), stages, &waited);
    };
    return source;
}

std::unique_ptr<RowWriter> timed_writer(RowWriter& writer, Stages& stages) {
    return std::make_unique<TimedWriter>(writer, stages);
}

} // namespace glproc::job
