#include "glproc/base/error.hpp"
#include "glproc/kinds/chain.hpp"
#include "glproc/op/picture_facts.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// Operations described by text, run as one.
class ChainOperation final : public Operation {
  public:
    using Steps = std::vector<std::shared_ptr<Operation>>;

    /// `planned`: for the picture that it is called on, where that is known.
    explicit ChainOperation(Steps steps, std::vector<Plan> planned = {}) : steps_(std::move(steps)), planned_(std::move(planned)) {
        for (const auto& step : steps_) {
            chain_.then(Chain::Step([step](const Form& form) { return step->plan(form); }));
        }
    }

    void set(std::string_view field, std::string_view) override {
        throw Error(ErrorCode::usage, fmt::format("a chain has no --{}", field));
    }

    Products run(Context& gpu, const OpInput& input) const override {
        return chain_(gpu, std::get<ImageInput>(input).image);
    }

    std::vector<PictureInput*> pictures() override {
        std::vector<PictureInput*> all;
        for (const auto& step : steps_) {
            const auto some = step->pictures();
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }

    bool takes_floats() const override {
        return std::all_of(steps_.begin(), steps_.end(), [](const auto& step) { return step->takes_floats(); });
    }

    std::unique_ptr<Operation> on(PictureFacts& facts, const Form& form) const override {
        Steps steps;
        std::vector<Plan> plans;
        for (const auto& step : steps_) {
            const Form& at = plans.empty() ? form : plans.back().shape.result;
            std::shared_ptr<Operation> changed = step->on(facts, at);
            steps.push_back(changed ? std::move(changed) : step);
            plans.push_back(steps.back()->plan(at));
            const Meaning meaning = plans.back().shape.meaning;
            facts.curve = curve_after(meaning, facts.curve);
            facts.are_numbers = meaning == Meaning::kept ? facts.are_numbers : meaning == Meaning::numbers;
        }
        return std::make_unique<ChainOperation>(std::move(steps), std::move(plans));
    }

    bool by_processor(const Form& form, bool) const override { return needs_no_device(plan(form)); }
    MadeAlone make_alone(const std::string& /*name*/, const Image& /*pixels*/) const override { return {}; }
    Array make_array_alone(const Array& /*values*/) const override { return {}; }
    Plan plan(const Form& form) const override {
        const bool is_planned = !planned_.empty() && planned_.front().shape.source == form;
        return is_planned ? glproc::plan(chain_, planned_) : glproc::plan(chain_, form);
    }
    Form result_form(const Form& form) const override { return plan(form).shape.result; }
    bool takes_whole(Context& gpu, const Form& form) const override {
        return glproc::takes_whole(gpu, plan(form));
    }

    std::optional<Report> run_rows(Context& gpu, const RowsInput& input, RowWriter* to) const override {
        chain_(gpu, input.source, *to, input.progress);
        return std::nullopt;
    }

    ArrayForm array_form(const Form&) const override {
        throw Error(ErrorCode::operation, "a chain makes no array");
    }

    const Chain& chain() const { return chain_; }

  private:
    Steps steps_;
    std::vector<Plan> planned_;
    Chain chain_;
};

} // namespace

std::unique_ptr<Operation> chain_of(std::vector<std::unique_ptr<Operation>> operations) {
    return std::make_unique<ChainOperation>(ChainOperation::Steps(std::make_move_iterator(operations.begin()),
                                                                  std::make_move_iterator(operations.end())));
}

const Chain& chain_in(const Operation& operation) {
    return dynamic_cast<const ChainOperation&>(operation).chain();
}

} // namespace glproc
