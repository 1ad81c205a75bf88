#include "glproc/ops/components/bands.hpp"

#include "glproc/ops/components/runs.hpp"

#include <numeric>
#include <utility>

namespace glproc {

namespace {

class LabelsOnGpu final : public BandLabels {
  public:
    LabelsOnGpu(Context& gpu, MaskBits mask, Connectivity connectivity)
        : gpu_(gpu), labelling_(gpu, std::move(mask), connectivity) {}

    std::uint32_t count() override { return labelling_.count(); }
    std::vector<ComponentSums> sums(bool moments, int first_row) override {
        return labelling_.sums(moments, first_row);
    }
    Buffer labels(int first_row, int rows, std::span<const std::uint32_t> numbers) override {
        std::optional<Buffer> map;
        if (!numbers.empty()) {
            map.emplace(gpu_.make_buffer(numbers.size_bytes(), "components.numbers"));
            map->write(std::as_bytes(numbers));
        }
        Buffer labels = gpu_.make_buffer(static_cast<std::size_t>(labelling_.mask().width) *
                                             static_cast<std::size_t>(rows) * sizeof(std::uint32_t),
                                         "components.labels");
        labelling_.write_labels(labels, first_row, rows, map ? &*map : nullptr);
        return labels;
    }
    std::vector<std::uint32_t> row(int y) override { return labelling_.row_labels(y); }

  private:
    Context& gpu_;
    Labelling labelling_;
};

class LabelsOnCpu final : public BandLabels {
  public:
    LabelsOnCpu(Context& gpu, const MaskBits& mask, Connectivity connectivity)
        : gpu_(gpu), width_(static_cast<std::size_t>(mask.width)), runs_(host_mask(mask), connectivity) {}

    std::uint32_t count() override { return runs_.count(); }
    std::vector<ComponentSums> sums(bool moments, int first_row) override {
        return runs_.sums(moments, first_row);
    }
    Buffer labels(int first_row, int rows, std::span<const std::uint32_t> numbers) override {
        std::vector<std::uint32_t> found(width_ * static_cast<std::size_t>(rows));
        runs_.write_labels(found, first_row, rows, numbers);
        Buffer labels = gpu_.make_buffer(found.size() * sizeof(std::uint32_t), "components.labels");
        labels.write(found);
        return labels;
    }
    std::vector<std::uint32_t> row(int y) override {
        std::vector<std::uint32_t> found(width_);
        runs_.write_labels(found, y, 1);
        return found;
    }

  private:
    Context& gpu_;
    std::size_t width_;
    MaskRuns runs_;
};

} // namespace

/// The mask of a band, with the last row of the band before above it.
MaskBits ComponentBands::next_mask(const GpuImage& band) {
    MaskBits mask =
        mask_bits(gpu_, band, wanted_.pixels, row_above_ ? &*row_above_ : nullptr, row_above_ ? 1 : 0);
    MaskBits last{mask.width, 1, gpu_.make_buffer(mask.row_bytes(), "components.row_above")};
    last.words.copy_from(mask.words, mask.words.bytes() - mask.row_bytes(), 0, mask.row_bytes());
    row_above_ = std::move(last);
    return mask;
}

void ComponentBands::look(const GpuImage& band) {
    if (last_) {
        join_last();
        is_joined_ = true;
    }
    label(next_mask(band));
    ++bands_;
}

void ComponentBands::label(MaskBits mask) {
    last_rows_ = mask.height;
    if (wanted_.on_cpu) {
        last_ = std::make_unique<LabelsOnCpu>(gpu_, mask, wanted_.connectivity);
    } else {
        last_ = std::make_unique<LabelsOnGpu>(gpu_, std::move(mask), wanted_.connectivity);
    }
}

std::vector<ComponentSums> ComponentBands::sums_of_last() {
    const int above = bands_ > 1 ? 1 : 0;
    return wanted_.sums || wanted_.moments ? last_->sums(wanted_.moments, above)
                                           : std::vector<ComponentSums>(last_->count());
}

void ComponentBands::join_last() {
    const int above = bands_ > 1 ? 1 : 0;
    std::vector<ComponentSums> sums = sums_of_last();
    for (ComponentSums& component : sums) {
        component.move_down(rows_);
    }
    join_.add(std::move(sums), above == 1 ? last_->row(0) : std::vector<std::uint32_t>(),
              last_->row(last_rows_ - 1));
    rows_ += last_rows_ - above;
    last_.reset();
}

std::vector<ComponentSums> ComponentBands::end() {
    std::vector<ComponentSums> result;
    if (is_joined_) {
        join_last();
        result = join_.end();
        if (wanted_.labels) {
            std::vector<std::uint32_t> labels(result.size());
            std::iota(labels.begin(), labels.end(), 1U);
            chosen_ = std::move(labels);
        }
    } else if (last_) {
        result = sums_of_last();
    }
    row_above_.reset();
    count_ = static_cast<std::uint32_t>(result.size());
    return result;
}

void ComponentBands::choose(std::span<const std::uint32_t> labels) {
    chosen_.assign(labels.begin(), labels.end());
}

void ComponentBands::choose_again(std::span<const std::uint32_t> labels) {
    if (is_joined_) {
        join_.renumber_bands(labels);
    } else {
        renumber(chosen_, labels);
    }
}

Buffer ComponentBands::paint(const GpuImage& band) {
    if (painted_ == bands_) {
        painted_ = 0;
        row_above_.reset();
    }
    if (is_joined_ && !std::exchange(is_numbered_, true)) {
        join_.number_bands(std::exchange(chosen_, {}));
    }
    const int above = painted_ > 0 ? 1 : 0;
    if (is_joined_) {
        label(next_mask(band));
    }
    const std::span<const std::uint32_t> numbers =
        is_joined_ ? join_.labels_of_band(painted_) : std::span<const std::uint32_t>(chosen_);
    ++painted_;
    return last_->labels(above, band.height(), numbers);
}

} // namespace glproc
