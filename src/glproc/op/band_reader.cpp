#include "glproc/op/band_reader.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/files/overlap.hpp"

#include <algorithm>
#include <utility>

namespace glproc {

namespace {

constexpr std::size_t most_read_ahead = 4; // pictures that have a thread each

/// Rows of an image, except for the first ones.
Image rows_after(const Image& image, int first) {
    Form form = image.form();
    form.height -= first;
    Image rows(form);
    std::copy(image.row(first), image.row(first) + rows.bytes().size(), rows.row(0));
    return rows;
}

Image joined(const Image& above, const Image& below) {
    Form form = above.form();
    form.height += below.height();
    Image both(form);
    std::copy(above.bytes().begin(), above.bytes().end(), both.row(0));
    std::copy(below.bytes().begin(), below.bytes().end(), both.row(above.height()));
    return both;
}

} // namespace

Image rows_in(const RowStore& store, int first, int rows) {
    Form form = store.form();
    form.height = rows;
    Image image(form);
    store.get(first, image.bytes());
    return image;
}

BandReader::BandReader(const SweepPlan& plan, const RowSource& picture, int band_rows,
                       std::size_t memory_bytes)
    : sources_{picture}, height_(plan.source.height), band_rows_(band_rows) {
    sources_.insert(sources_.end(), plan.more.begin(), plan.more.end());
    const bool goes_up = std::any_of(plan.sweeps.begin(), plan.sweeps.end(), [](const Sweep& sweep) {
        return sweep.reads_source && sweep.direction == Direction::up;
    });
    for (std::size_t k = 0; goes_up && k < sources_.size(); ++k) {
        copies_.push_back(std::make_unique<RowStore>(sources_[k].form, memory_bytes));
    }
}

void BandReader::open(const Sweep& sweep) {
    halo_ = sweep.halo;
    if (is_copied_) {
        return;
    }
    open_sources();
    if (sweep.direction == Direction::up) {
        for (int first = 0; first < height_; first += band_rows_) {
            read_down(first, std::min(band_rows_, height_ - first));
        }
        is_copied_ = true;
    }
}

void BandReader::open_sources() {
    readers_.clear();
    held_.clear();
    next_row_ = 0;
    for (const RowSource& source :
         sources_) { // many are read side by side instead, so that little is read ahead
        readers_.push_back(sources_.size() > most_read_ahead ? source.open() : read_ahead(source.open()));
    }
}

void BandReader::close() {
    is_copied_ = is_copied_ || !copies_.empty();
    readers_.clear();
}

std::vector<Image> BandReader::read_down(int first, int rows) {
    std::vector<Image> images(sources_.size());
    const auto read_one = [&](std::size_t k) {
        Form form = sources_[k].form;
        form.height = rows;
        images[k] = Image(form);
        readers_[k]->read(images[k].bytes());
        if (!copies_.empty()) {
            copies_[k]->put(first, images[k].bytes());
        }
    };
    read_one(0); // its rows may be made by this thread's context
    parallel_for(sources_.size() - 1, [&](std::size_t k) { read_one(k + 1); });
    return images;
}

/// Rows that bands share are read once: those after row `kept` are held for the next band.
std::vector<Image> BandReader::read_with_halo(int begin, int end, int kept) {
    std::vector<Image> images = std::exchange(held_, {});
    if (next_row_ < end) {
        std::vector<Image> more = read_down(next_row_, end - next_row_);
        for (std::size_t k = 0; k < images.size(); ++k) {
            more[k] = joined(images[k], more[k]);
        }
        images = std::move(more);
        next_row_ = end;
    }
    for (const Image& image : images) {
        held_.push_back(rows_after(image, std::max(kept - begin, 0)));
    }
    return images;
}

std::vector<Image> BandReader::read(int first, int rows) {
    const int begin = std::max(first - halo_, 0);
    const int end = std::min(first + rows + halo_, height_);
    if (is_copied_) {
        std::vector<Image> images(copies_.size());
        std::transform(copies_.begin(), copies_.end(), images.begin(),
                       [&](const auto& copy) { return rows_in(*copy, begin, end - begin); });
        return images;
    }
    return halo_ == 0 ? read_down(first, rows) : read_with_halo(begin, end, first + rows - halo_);
}

} // namespace glproc
