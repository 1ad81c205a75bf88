#include "glproc/op/sweep.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/overlap.hpp"
#include "glproc/files/row_store.hpp"
#include "glproc/op/band_reader.hpp"
#include "glproc/op/proof.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace glproc {

namespace {

/// Rows of an array as rows of a picture.
Form rows_form(const ArrayForm& array) {
    const auto words = std::accumulate(array.shape.begin() + 1, array.shape.end(), std::size_t{1}, std::multiplies<>());
    return {static_cast<int>(words), static_cast<int>(array.shape.front()), 1, Depth::f32};
}

/// The form of the rows that a sweep of the plan makes, if it makes any.
std::optional<Form> rows_form(const SweepPlan& plan, std::size_t sweep) {
    if (plan.sweeps[sweep].makes) {
        return plan.sweeps[sweep].makes;
    }
    const bool is_last = sweep + 1 == plan.sweeps.size();
    return is_last && plan.array ? std::optional(rows_form(*plan.array)) : std::nullopt;
}

void check_rows(const std::optional<Form>& form, const GpuImage& made, int rows) {
    if (!form || made.form() != Form{form->width, rows, form->channels, form->depth}) {
        throw Error(ErrorCode::operation, "a band became an image of another form");
    }
}

/// Puts rows into a store, beginning with a given one.
class StoreWriter final : public RowWriter {
  public:
    StoreWriter(RowStore& store, int first_row) : store_(store), next_(first_row) {}

    void write(std::span<const std::byte> rows) override {
        store_.put(next_, rows);
        next_ += static_cast<int>(rows.size() / store_.form().row_bytes());
    }
    void finish() override {}

    int next_row() const { return next_; }

  private:
    RowStore& store_;
    int next_;
};

/// The sweeps of a plan in their order, and again where they ask for that: `go_over(i)` sees all bands.
template <class GoOver>
void run_all(Context& gpu, const SweepPlan& plan, const BandCut& cut, SweepResult& result, const GoOver& go_over) {
    for (std::size_t i = 0; i < plan.sweeps.size();) {
        if (result.states.size() == i) {
            SweepState* before = i == 0 ? nullptr : result.states[i - 1].get();
            result.states.push_back(plan.sweeps[i].begin(gpu, cut, before));
        }
        go_over(i);
        result.states[i]->end(gpu);
        i = result.states[i]->again() ? plan.sweeps[i].again_from.value_or(i) : i + 1;
    }
}

/// Programs are proved once all sweeps have begun: a proof runs all of them, and makes no new programs.
RowsMade next_band(Context& gpu, const SweepPlan& plan, std::size_t sweep, SweepState& state, Band& band) {
    RowsMade made = state.next(gpu, band);
    const bool is_last = sweep + 1 == plan.sweeps.size();
    if (is_last && plan.prove && has_open_programs(gpu)) {
        plan.prove(gpu);
    }
    return made;
}

void check_inputs(const SweepPlan& plan) {
    for (const RowSource& other : plan.more) {
        if (other.form.width != plan.source.width || other.form.height != plan.source.height) {
            throw Error(ErrorCode::usage, "the images differ in size", "resize one of them first");
        }
    }
}

/// A run over a picture of any size.
class BandRun {
  public:
    BandRun(Context& gpu, const SweepPlan& plan, const RowSource& source, RowWriter* to, const TileProgress& progress)
        : gpu_(gpu), plan_(plan), cut_(band_cut(gpu, plan)), to_(to), progress_(progress),
          reader_(plan, source, cut_.rows, gpu.memory_bytes() / 8),
          passes_(plan.sweeps.size() + static_cast<std::size_t>(std::count_if(
                                           plan.sweeps.begin(), plan.sweeps.end(),
                                           [](const Sweep& sweep) { return sweep.may_repeat; }))) {}

    SweepResult run() {
        SweepResult result;
        run_all(gpu_, plan_, cut_, result, [&](std::size_t i) { go_over(i, *result.states[i]); });
        if (to_ != nullptr && made_) { // rows that could not be passed on as they came
            const auto written = write_behind(*to_, made_->form().row_bytes());
            const auto reader = made_->down().open();
            std::vector<std::byte> rows;
            for (int y = 0; y < made_->form().height; y += cut_.rows) {
                const int count = std::min(cut_.rows, made_->form().height - y);
                rows.resize(static_cast<std::size_t>(count) * made_->form().row_bytes());
                reader->read(rows);
                written->write(rows);
            }
            written->finish();
        }
        return result;
    }

  private:
    /// Rows on their way to where they belong.
    struct UnderWay {
        RowsMade rows;
        int first_row;
        int count;
    };

    std::unique_ptr<RowStore> store_of(const Form& form) const {
        return std::make_unique<RowStore>(form, gpu_.memory_bytes() / 8);
    }

    void go_over(std::size_t i, SweepState& state) {
        const Sweep& sweep = plan_.sweeps[i];
        const bool up = sweep.direction == Direction::up;
        const std::optional<Form> form = rows_form(plan_, i);
        const bool direct = i + 1 == plan_.sweeps.size() && !up && !sweep.may_repeat && to_ != nullptr && form;
        std::unique_ptr<RowStore> made = form && !direct ? store_of(*form) : nullptr;
        std::unique_ptr<RowWriter> written = direct ? write_behind(*to_, form->row_bytes()) : nullptr;
        int next_row = 0; // of an array, which may have rows of its own
        const auto take = [&](const UnderWay& done) {
            if (written) {
                has_written_ = true;
                return put(done, form, *written);
            }
            if (made) {
                StoreWriter writer(*made, up || sweep.makes ? done.first_row : next_row);
                put(done, form, writer);
                next_row = writer.next_row();
            }
        };
        if (sweep.reads_source) {
            reader_.open(sweep);
        }
        std::optional<UnderWay> under_way;
        for (int k = 0; k < cut_.count(); ++k) {
            const int first = (up ? cut_.count() - 1 - k : k) * cut_.rows;
            const int rows = std::min(cut_.rows, cut_.picture.height - first);
            std::vector<BandRows> inputs = read(sweep, first, rows);
            std::optional<BandRows> before = read_made(sweep, first, rows);
            Band band(first, rows, inputs, before ? &*before : nullptr, std::min(first, sweep.halo));
            UnderWay next{make_next(i, state, band), first, rows};
            if (under_way) { // while the GPU works on the next
                take(*under_way);
            }
            under_way = std::move(next);
            tell(k + 1);
        }
        take(*under_way);
        if (written) {
            written->finish();
        }
        if (sweep.reads_source) {
            reader_.close();
        }
        if (form) {
            made_ = std::move(made);
        }
        ++pass_;
    }

    /// Rows that have left cannot be made again by another method.
    RowsMade make_next(std::size_t sweep, SweepState& state, Band& band) {
        try {
            return next_band(gpu_, plan_, sweep, state, band);
        } catch (const WrongKernel& wrong) {
            if (has_written_) {
                throw Error(wrong.code(), wrong.what(), wrong.hint());
            }
            throw;
        }
    }

    void put(const UnderWay& done, const std::optional<Form>& form, RowWriter& to) {
        if (const auto* image = std::get_if<GpuImage>(&done.rows)) {
            check_rows(form, *image, done.count);
            gpu_.download(*image, to);
        } else if (const auto* array = std::get_if<GpuArray>(&done.rows)) {
            to.write(gpu_.download(*array).bytes);
        } else if (const auto* bytes = std::get_if<std::vector<std::byte>>(&done.rows)) {
            to.write(*bytes);
        }
    }

    std::vector<BandRows> read(const Sweep& sweep, int first, int rows) {
        std::vector<BandRows> inputs;
        if (sweep.reads_source) {
            for (Image& image : reader_.read(first, rows)) {
                inputs.emplace_back(gpu_, std::move(image));
            }
        }
        return inputs;
    }

    std::optional<BandRows> read_made(const Sweep& sweep, int first, int rows) {
        if (!sweep.reads_made || !made_) {
            return std::nullopt;
        }
        return BandRows(gpu_, rows_in(*made_, first, rows));
    }

    void tell(int bands) const {
        if (progress_) {
            const double share = static_cast<double>(bands) / cut_.count();
            progress_((static_cast<double>(pass_) + share) / static_cast<double>(std::max(passes_, pass_ + 1)));
        }
    }

    Context& gpu_;
    const SweepPlan& plan_;
    BandCut cut_;
    RowWriter* to_;
    const TileProgress& progress_;
    BandReader reader_;
    std::unique_ptr<RowStore> made_ = {}; ///< by the sweep that ran last
    bool has_written_ = false;
    std::size_t pass_ = 0;
    std::size_t passes_; ///< expected
};

/// The result of the only band, as rows that the next sweep reads.
std::optional<BandRows> as_rows(Context& gpu, const std::optional<Form>& form, RowsMade made) {
    if (auto* image = std::get_if<GpuImage>(&made)) {
        check_rows(form, *image, form ? form->height : 0);
        return BandRows(gpu, std::move(*image));
    }
    if (const auto* bytes = std::get_if<std::vector<std::byte>>(&made)) {
        Image image(form.value());
        std::copy(bytes->begin(), bytes->end(), image.bytes().begin());
        return BandRows(gpu, std::move(image));
    }
    return std::nullopt;
}

void set_result(Context& gpu, const SweepPlan& plan, RowsMade made, SweepResult& result) {
    if (auto* array = std::get_if<GpuArray>(&made)) {
        result.array = std::move(*array);
    } else if (auto* bytes = std::get_if<std::vector<std::byte>>(&made); bytes != nullptr && plan.array) {
        result.array = gpu.upload(Array{plan.array->type, plan.array->shape, std::move(*bytes)});
    } else if (auto rows = as_rows(gpu, plan.sweeps.back().makes, std::move(made))) {
        result.picture = rows->take_image();
    }
}

} // namespace

const GpuImage& BandRows::image() {
    if (image_ != nullptr) {
        return *image_;
    }
    if (!own_image_) {
        own_image_ = gpu_->upload(pixels(), "band");
    }
    return *own_image_;
}

const Image& BandRows::pixels() {
    if (pixels_ != nullptr) {
        return *pixels_;
    }
    if (!own_pixels_) {
        own_pixels_ = gpu_->download(image());
    }
    return *own_pixels_;
}

GpuImage BandRows::take_image() {
    image();
    return std::move(*own_image_);
}

BandCut band_cut(Context& gpu, const SweepPlan& plan) {
    const TileNeeds needs = plan.needs(gpu);
    const TileGrid grid = plan_grid(gpu, plan.source, needs);
    if (!grid.is_cut_x(plan.source)) {
        return {plan.source, grid.size.y, false};
    }
    const double rows =
        room_of(gpu).bytes / (needs.pixel_bytes * plan.source.width) - 2.0 * needs.halo.y; // beside each other in memory
    const int grains = std::max(static_cast<int>(rows / needs.grain.y), 1);
    return {plan.source, std::min(grains * needs.grain.y, grid.size.y), true};
}

bool takes_whole(Context& gpu, const SweepPlan& plan) {
    return plan_grid(gpu, plan.source, plan.needs(gpu)).is_whole(plan.source);
}

SweepResult run_sweeps(Context& gpu, const SweepPlan& plan, const GpuImage& picture, const Image* pixels) {
    check_inputs(plan);
    const bool has_pixels = pixels != nullptr && pixels->form() == picture.form();
    std::vector<BandRows> inputs;
    inputs.emplace_back(gpu, &picture, has_pixels ? pixels : nullptr);
    for (const RowSource& other : plan.more) {
        Image pixels_of_it(other.form);
        other.open()->read(pixels_of_it.bytes());
        inputs.emplace_back(gpu, std::move(pixels_of_it)); // goes to the GPU where it is asked for there
    }
    SweepResult result;
    std::optional<BandRows> made;
    const BandCut cut{plan.source, plan.source.height, false};
    run_all(gpu, plan, cut, result, [&](std::size_t i) {
        const Sweep& sweep = plan.sweeps[i];
        std::vector<BandRows> none;
        Band band(0, cut.rows, sweep.reads_source ? inputs : none, sweep.reads_made && made ? &*made : nullptr);
        RowsMade rows = next_band(gpu, plan, i, *result.states[i], band);
        const bool is_last = i + 1 == plan.sweeps.size();
        if (is_last && (plan.array || !sweep.may_repeat)) {
            return set_result(gpu, plan, std::move(rows), result);
        }
        if (rows_form(plan, i)) {
            made = as_rows(gpu, rows_form(plan, i), std::move(rows));
        }
    });
    if (plan.sweeps.back().may_repeat && made) { // what it made the last time
        result.picture = made->take_image();
    }
    return result;
}

SweepResult run_sweeps(Context& gpu, const SweepPlan& plan, const RowSource& source, RowWriter* to,
                       const TileProgress& progress) {
    check_inputs(plan);
    return BandRun(gpu, plan, source, to, progress).run();
}

} // namespace glproc
