// An operation as it describes itself, and a call of it, whose parameters are set by name before it runs.
#pragma once

#include "glproc/op/describe.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glproc {

inline void* member_at(void* op, std::ptrdiff_t offset) {
    return static_cast<std::byte*>(op) + offset;
}

/// A parameter struct of any type.
using AnyOp = std::unique_ptr<void, void (*)(void*)>;

struct DescribeAny::Described {
    OpType type;
    OpInfo info;
    std::vector<std::function<void(void* op, std::string_view text)>> setters; ///< one for each field
    std::vector<std::ptrdiff_t> pictures; ///< the fields that are second pictures
    std::vector<bool> holds_numbers;      ///< PictureInput::holds_numbers of each
    std::function<bool(const void* op)> reads_numbers = {}; ///< whether all do in this call
    std::vector<std::ptrdiff_t> arrays;   ///< the fields that are files for arrays
    std::vector<std::function<void(void* op)>> colours; ///< turns a field that is one from codes into light
    std::function<bool(const void* op)> takes_srgb = {}; ///< whatever profile the picture has
    std::optional<std::ptrdiff_t> joined; ///< the member that gets the pictures after the first one
    std::optional<std::ptrdiff_t> facts;  ///< the member for facts of the picture's file
    bool knows_each = false;              ///< it has one of these for each picture that is joined
    std::function<bool(const void* op)> wants_facts = {};
    Rows rows;
    Shrinking shrinking;
    Profiling profiling;
    Alone alone;
    std::function<Plan(const void* op, const Form&)> plan = {}; ///< of operations that turn one picture into another
    Run run; ///< of all others, and where it makes more than the plan

    class Call;
};

class DescribeAny::Described::Call final : public Operation {
  public:
    explicit Call(std::shared_ptr<const Described> described)
        : described_(std::move(described)), op_(described_->type.make(), described_->type.destroy) {}

    void set(std::string_view field, std::string_view text) override;
    Products run(Context& gpu, const OpInput& input) const override;
    std::vector<PictureInput*> pictures() override;
    std::vector<ArrayFile*> arrays() override;
    std::vector<PictureFacts*> joined_facts() override;
    std::vector<RowSource>* joined() override;
    Plan plan(const Form& form) const override;
    bool by_processor(const Form& form, bool at_need) const override;
    MadeAlone make_alone(const std::string& name, const Image& pixels) const override;
    Array make_array_alone(const Array& values) const override;
    std::optional<Extent> box() const override;
    std::unique_ptr<Operation> on(PictureFacts& facts, const Form& form) const override;
    bool takes_floats() const override { return described_->info.takes_floats; }
    Form result_form(const Form& form) const override;
    bool takes_whole(Context& gpu, const Form& form) const override;
    std::optional<Report> run_rows(Context& gpu, const RowsInput& input, RowWriter* to) const override;
    ArrayForm array_form(const Form& form) const override { return described_->rows.array(op(), form); }

    const void* op() const { return op_.get(); }
    void* op() { return op_.get(); }
    std::unique_ptr<Call> copy() const;
    bool is_of(const OpType& type) const { return described_->type.make == type.make; }

    /// Its parameters with the method of a variant.
    AnyOp with(const Variants& of, std::size_t row) const;

  private:
    /// Of fields of one type those whose value names a file.
    template <class File>
    std::vector<File*> named(const std::vector<std::ptrdiff_t>& fields) {
        std::vector<File*> files;
        for (const std::ptrdiff_t offset : fields) {
            auto* file = static_cast<File*>(member_at(op_.get(), offset));
            if (!file->path.empty()) {
                files.push_back(file);
            }
        }
        return files;
    }

    void refuse_contradiction(const FieldInfo& info) const;
    bool wants_facts() const { return described_->facts && described_->wants_facts(op_.get()); }
    bool leaves_floats_open() const;

    std::shared_ptr<const Described> described_;
    AnyOp op_;
    std::vector<std::string> given_; ///< names of the fields set so far
};

} // namespace glproc
