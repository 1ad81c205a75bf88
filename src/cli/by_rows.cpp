#include "cli/by_rows.hpp"

#include <memory>
#include <span>
#include <utility>

namespace glproc::cli {

namespace {

class TimedReader final : public RowReader {
  public:
    TimedReader(std::unique_ptr<RowReader> reader, Stages& stages)
        : reader_(std::move(reader)), stages_(stages) {}

    const Form& form() const override { return reader_->form(); }
    const Metadata& metadata() const override { return reader_->metadata(); }
    void read(std::span<std::byte> rows) override {
        stages_.run_within(Stage::compute, Stage::decode, [&] { reader_->read(rows); });
    }

  private:
    std::unique_ptr<RowReader> reader_;
    Stages& stages_;
};

class TimedWriter final : public RowWriter {
  public:
    TimedWriter(RowWriter& writer, Stages& stages) : writer_(writer), stages_(stages) {}

    void write(std::span<const std::byte> rows) override {
        stages_.run_within(Stage::compute, Stage::encode, [&] { writer_.write(rows); });
    }
    void finish() override { writer_.finish(); }

  private:
    RowWriter& writer_;
    Stages& stages_;
};

} // namespace

std::optional<Report> run_by_rows(const Operation& operation, Context& gpu, const std::string& name,
                                  const RowSource& from, RowWriter* to, Stages& stages) {
    const RowSource timed{from.form, from.metadata,
                          [&] { return std::make_unique<TimedReader>(from.open(), stages); }};
    std::optional<TimedWriter> writer;
    if (to != nullptr) {
        writer.emplace(*to, stages);
    }
    const RowsInput input{name, timed, [&](double share) { stages.advance(share); }};
    std::optional<Report> report = stages.run(
        Stage::compute, [&] { return operation.run_rows(gpu, input, writer ? &*writer : nullptr); });
    if (to != nullptr) {
        stages.run(Stage::encode, [&] { to->finish(); });
    }
    return report;
}

} // namespace glproc::cli
