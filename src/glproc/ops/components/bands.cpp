#include "glproc/ops/components/bands.hpp"

#include <numeric>
#include <utility>

namespace glproc {

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
    last_.emplace(gpu_, next_mask(band), wanted_.connectivity);
    ++bands_;
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
    const int height = last_->mask().height;
    join_.add(std::move(sums), above == 1 ? last_->row_labels(0) : std::vector<std::uint32_t>(),
              last_->row_labels(height - 1));
    rows_ += height - above;
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

Buffer ComponentBands::map_of(std::span<const std::uint32_t> labels) const {
    Buffer map = gpu_.make_buffer(std::max<std::size_t>(labels.size_bytes(), 4), "components.numbers");
    map.write(std::as_bytes(labels));
    return map;
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
        last_.emplace(gpu_, next_mask(band), wanted_.connectivity);
    }
    std::optional<Buffer> map;
    if (is_joined_) {
        map = map_of(join_.labels_of_band(painted_));
    } else if (!chosen_.empty()) {
        map = map_of(chosen_);
    }
    ++painted_;
    Buffer labels = gpu_.make_buffer(static_cast<std::size_t>(band.width()) *
                                         static_cast<std::size_t>(band.height()) * sizeof(std::uint32_t),
                                     "components.labels");
    last_->write_labels(labels, above, band.height(), map ? &*map : nullptr);
    return labels;
}

} // namespace glproc
