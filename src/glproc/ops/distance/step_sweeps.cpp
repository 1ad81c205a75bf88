#include "glproc/ops/distance/step_sweeps.hpp"

#include "glproc/ops/distance/indices.hpp"
#include "glproc/ops/distance/sites.hpp"
#include "glproc/ops/distance/steps.hpp"
#include "glproc/ops/distance/sweeps.hpp"

#include <cstring>
#include <memory>
#include <utility>

namespace glproc {

namespace {

class StepDown final : public SweepState {
  public:
    StepDown(const Distance& op, const BandCut& cut) : op_(op), cut_(cut), rows_(cut.picture.width) {}

    RowsMade next(Context& gpu, Band& band) override {
        return as_bytes(rows_.go_down(sites_in(gpu, op_, cut_, band), band.first_row()));
    }

  private:
    Distance op_;
    BandCut cut_;
    StepRows rows_;
};

std::vector<std::uint32_t> made_sites(Band& band) {
    const auto bytes = band.made()->pixels().bytes();
    std::vector<std::uint32_t> sites(bytes.size() / sizeof(std::uint32_t));
    std::memcpy(sites.data(), bytes.data(), bytes.size());
    return sites;
}

class StepUp final : public SweepState {
  public:
    explicit StepUp(int width) : rows_(width) {}

    RowsMade next(Context&, Band& band) override {
        std::vector<std::uint32_t> sites = made_sites(band);
        rows_.go_up(sites, band.first_row());
        return as_bytes(sites);
    }

  private:
    StepRows rows_;
};

class MeasureSteps final : public SweepState {
  public:
    MeasureSteps(Context& gpu, const Distance& op, const Form& picture)
        : form_(distance_form(op, picture)), indices_(picture, *op.indices.to, gpu.memory_bytes() / 8) {}

    RowsMade next(Context&, Band& band) override {
        HostDistances distances = distances_in_steps(made_sites(band), band.first_row(), form_);
        indices_.add(std::move(distances.sites));
        return as_bytes(distances.values);
    }

    void end(Context&) override { indices_.end(); }

  private:
    DistanceForm form_;
    IndexWriter indices_;
};

} // namespace

bool goes_in_steps(const Distance& op) {
    return op.metric == Metric::chessboard && op.indices.to != nullptr;
}

std::vector<Sweep> sweeps_in_steps(const Distance& op, const Form& form) {
    const Form rows{2 * form.width, form.height, 1, Depth::f32}; // column and row, for each pixel
    return {{.makes = rows,
             .begin = [op](Context&, const BandCut& cut,
                           SweepState*) { return std::make_unique<StepDown>(op, cut); }},
            {.direction = Direction::up,
             .reads_source = false,
             .reads_made = true,
             .makes = rows,
             .begin = [form](Context&, const BandCut&,
                             SweepState*) { return std::make_unique<StepUp>(form.width); }},
            {.reads_source = false,
             .reads_made = true,
             .makes = Form{form.width, form.height, 1, Depth::f32},
             .begin = [op, form](Context& gpu, const BandCut&, SweepState*) {
                 return std::make_unique<MeasureSteps>(gpu, op, form);
             }}};
}

} // namespace glproc
