#include "glproc/ops/distance/sweeps.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/ops/distance/bands.hpp"
#include "glproc/ops/distance/cpu.hpp"
#include "glproc/ops/distance/indices.hpp"
#include "glproc/ops/distance/sites.hpp"
#include "glproc/ops/distance/step_sweeps.hpp"
#include "glproc/ops/distance/steps.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace glproc {

namespace {

constexpr auto distance_methods =
    tuning<DistanceMethod>({{"llvmpipe", any_radius, DistanceMethod::cpu,
                             "2448x1505, random, half of it sites: cpu 185 ms, gpu 1155 (llvmpipe, Mesa "
                             "22.3.6, two busy cores, 2026-11-26); cpu about half of that since 2026-11-27"},
                            {"", any_radius, DistanceMethod::gpu, "see bench/notebook.md"}});

/// Each texel of the result has the roots of four squares.
GpuImage roots_of(Context& gpu, Metric metric, const Distances& distances, const Distances* inner) {
    const std::int64_t words = distances.is_wide ? 2 : 1;
    GpuImage image = gpu.make_image({distances.width, distances.height, 1, Depth::f32}, "distances");
    const std::int64_t part = most_pixel_rows(gpu.limits(), distances.width, words);
    for (std::int64_t row = 0; row < distances.height; row += part) {
        const std::int64_t count = std::min<std::int64_t>(part, distances.height - row);
        const PixelRows rows = pixel_rows(gpu.limits(), distances.width, row, count, words);
        Pass pass = gpu.pass("distance.roots", "distance/roots.comp",
                             {{"WIDE", distances.is_wide ? "1" : "0"},
                              {"SIGNED", inner != nullptr ? "1" : "0"},
                              {"METRIC", metric_define(metric)}});
        pass.reads("b_squares", distances.squares, rows.range);
        if (inner != nullptr) {
            pass.reads("b_inner", inner->squares, rows.range);
        }
        pass.writes("i_dst", image)
            .set("u_width", static_cast<std::uint32_t>(distances.width))
            .set("u_first_row", static_cast<std::uint32_t>(row))
            .set("u_first_pixel", rows.first_pixel)
            .over(image.texture().width(), count);
    }
    return image;
}

class LookOnGpu final : public SweepState {
  public:
    LookOnGpu(Context& gpu, const Distance& op, const BandCut& cut)
        : op_(op), cut_(cut), sites(gpu, distance_form(op, cut.picture)),
          others(gpu, distance_form(op, cut.picture)) {}

    RowsMade next(Context& gpu, Band& band) override {
        std::optional<GpuImage> black_and_white;
        if (op_.threshold) {
            black_and_white.emplace(black_and_white_of(gpu, op_, band.image()));
        }
        const GpuImage& picture = black_and_white ? *black_and_white : band.image();
        MaskBits bits = mask_bits(gpu, picture, sites_of(op_));
        RowsMade kept;
        if (!cut_.is_whole()) {
            kept = copy_of(gpu, bits);
        }
        sites.look(std::move(bits));
        if (op_.is_signed) {
            others.look(mask_bits(gpu, picture, others_of(op_)));
        }
        return kept;
    }

    void end(Context&) override {
        sites.end();
        if (op_.is_signed) {
            others.end();
        }
    }

  private:
    static GpuArray copy_of(Context& gpu, const MaskBits& bits) {
        Buffer words = gpu.make_buffer(bits.words.bytes(), "distance.kept");
        words.copy_from(bits.words, 0, 0, bits.words.bytes());
        return {ArrayType::u32,
                {static_cast<std::size_t>(bits.height), static_cast<std::size_t>(bits.row_words())},
                std::move(words)};
    }

    Distance op_;
    BandCut cut_;

  public:
    DistanceBands sites;
    DistanceBands others; ///< if distances are signed
};

/// The rows that the sweep before made.
HostMask made_mask(Band& band, int width) {
    const Image& rows = band.made()->pixels();
    HostMask mask{width, band.rows()};
    mask.words.resize(rows.bytes().size() / sizeof(std::uint32_t));
    std::memcpy(mask.words.data(), rows.bytes().data(), rows.bytes().size());
    return mask;
}

class MeasureOnGpu final : public SweepState {
  public:
    MeasureOnGpu(Context& gpu, const Distance& op, const BandCut& cut, LookOnGpu& look)
        : op_(op), cut_(cut), look_(look), indices_(index_writer(gpu, cut.picture, op.indices.to)) {}

    RowsMade next(Context& gpu, Band& band) override {
        if (!op_.is_signed && !indices_) {
            return cut_.is_whole() ? look_.sites.picture()
                                   : look_.sites.picture(upload(gpu, made_mask(band, cut_.picture.width)));
        }
        std::optional<Distances> inner;
        const Distances distances = measure(gpu, band, inner);
        if (indices_) {
            indices_->add(distances.sites->read<std::uint32_t>(2 * static_cast<std::size_t>(distances.width) *
                                                               static_cast<std::size_t>(distances.height)));
        }
        return roots_of(gpu, op_.metric, distances, inner ? &*inner : nullptr);
    }

    void end(Context&) override {
        if (indices_) {
            indices_->end();
        }
    }

  private:
    /// `inner` gets the distances to the others, if they are wanted.
    Distances measure(Context& gpu, Band& band, std::optional<Distances>& inner) {
        if (cut_.is_whole()) {
            if (op_.is_signed) {
                inner.emplace(look_.others.measure());
            }
            return look_.sites.measure();
        }
        HostMask mask = made_mask(band, cut_.picture.width);
        Distances distances = look_.sites.measure(upload(gpu, mask));
        if (op_.is_signed) {
            inner.emplace(look_.others.measure(upload(gpu, inverted(std::move(mask)))));
        }
        return distances;
    }

    Distance op_;
    BandCut cut_;
    LookOnGpu& look_;
    std::unique_ptr<IndexWriter> indices_;
};

class LookOnCpu final : public SweepState {
  public:
    LookOnCpu(const Distance& op, const BandCut& cut) : op_(op), cut_(cut) {}

    RowsMade next(Context& gpu, Band& band) override {
        const HostMask mask = sites_in(gpu, op_, cut_, band);
        sites.add(ends_on_cpu(mask, band.first_row()));
        if (op_.is_signed) {
            others.add(ends_on_cpu(inverted(mask), band.first_row()));
        }
        return as_bytes(mask.words);
    }

    void end(Context&) override {
        sites.end(cut_.picture.width);
        others.end(cut_.picture.width);
    }

  private:
    Distance op_;
    BandCut cut_;

  public:
    SiteCarry sites;
    SiteCarry others; ///< if distances are signed
};

class MeasureOnCpu final : public SweepState {
  public:
    MeasureOnCpu(Context& gpu, const Distance& op, const Form& picture, LookOnCpu& look)
        : op_(op), form_(distance_form(op, picture)), look_(look),
          indices_(index_writer(gpu, picture, op.indices.to)) {}

    RowsMade next(Context&, Band& band) override {
        HostMask mask = made_mask(band, form_.width);
        const std::size_t at = measured_++;
        HostDistances distances = distances_on_cpu(mask, band.first_row(), look_.sites.beyond(at), form_);
        if (indices_) {
            indices_->add(std::move(distances.sites));
        }
        if (op_.is_signed) {
            add_inner(distances.values, distances_on_cpu(inverted(std::move(mask)), band.first_row(),
                                                         look_.others.beyond(at), form_)
                                            .values);
        }
        return as_bytes(distances.values);
    }

    void end(Context&) override {
        if (indices_) {
            indices_->end();
        }
    }

  private:
    Distance op_;
    DistanceForm form_;
    LookOnCpu& look_;
    std::unique_ptr<IndexWriter> indices_;
    std::size_t measured_ = 0;
};

TileNeeds needs_of(Context& gpu, const Distance& op, const Form& form) {
    constexpr int result_pixels = 4;   // of a texel
    constexpr double index_bytes = 24; // a pixel's site, as it came, as it waits and as it is written
    const DistanceForm measured = distance_form(op, form);
    const int pixels = pixels_per_texel(form);
    const double source_bytes = 16.0 / pixels * (op.threshold ? 2 : 1);
    return {.what = "distance",
            .texel_pixels = std::min(pixels, result_pixels),
            .most_rows = DistanceTransform::most_rows(gpu, measured),
            .pixel_bytes = source_bytes + DistanceTransform::pixel_bytes(measured) * (op.is_signed ? 2 : 1) +
                           4 + (measured.sites ? index_bytes : 0),
            .pixel_work = 40};
}

std::unique_ptr<SweepState> begin_look(Context& gpu, const Distance& op, const BandCut& cut) {
    if (cut.is_wide || is_for_cpu(gpu, op, cut.picture)) {
        return std::make_unique<LookOnCpu>(op, cut);
    }
    return std::make_unique<LookOnGpu>(gpu, op, cut);
}

std::unique_ptr<SweepState> begin_measure(Context& gpu, const Distance& op, const BandCut& cut,
                                          SweepState& before) {
    if (auto* look = dynamic_cast<LookOnCpu*>(&before)) {
        return std::make_unique<MeasureOnCpu>(gpu, op, cut.picture, *look);
    }
    return std::make_unique<MeasureOnGpu>(gpu, op, cut, static_cast<LookOnGpu&>(before));
}

} // namespace

DistanceForm distance_form(const Distance& op, const Form& form) {
    return {.width = form.width,
            .height = form.height,
            .metric = op.metric,
            .sites = op.indices.to != nullptr,
            .most_square =
                square_within(op.metric, op.most.value_or(std::numeric_limits<double>::infinity()))};
}

bool has_turns_for(const Context& gpu, const Form& form) {
    constexpr int widest = 24000; // an invocation of glsl/distance/far.comp may look at all columns twice
    return form.width <= widest || !gpu.device().has_workaround("loops_end_early");
}

bool is_for_cpu(const Context& gpu, const Distance& op, const Form& form) {
    const bool is_slower =
        tuned(distance_methods, gpu.device()) == DistanceMethod::cpu || !has_turns_for(gpu, form);
    return op.method == DistanceMethod::cpu || (op.method == DistanceMethod::automatic && is_slower);
}

SweepPlan distance_sweeps(const Distance& op, const Form& form) {
    SweepPlan plan{
        .source = form, .needs = [op, form](Context& gpu) { return needs_of(gpu, op, form); }, .sweeps = {}};
    if (goes_in_steps(op)) {
        plan.sweeps = sweeps_in_steps(op, form);
        return plan;
    }
    plan.sweeps = {
        {.makes = bits_form(form),
         .begin = [op](Context& gpu, const BandCut& cut, SweepState*) { return begin_look(gpu, op, cut); }},
        {.reads_source = false,
         .reads_made = true,
         .makes = Form{form.width, form.height, 1, Depth::f32},
         .begin = [op](Context& gpu, const BandCut& cut, SweepState* before) {
             return begin_measure(gpu, op, cut, *before);
         }}};
    return plan;
}

HostDistances measure_on_cpu(const Distance& op, const Image& picture) {
    HostMask sites = sites_on_cpu(op, picture);
    const DistanceForm form = distance_form(op, picture.form());
    if (goes_in_steps(op)) {
        StepRows down(form.width);
        StepRows up(form.width);
        std::vector<std::uint32_t> nearest = down.go_down(sites, 0);
        up.go_up(nearest, 0);
        return distances_in_steps(std::move(nearest), 0, form);
    }
    const SitesBeyond none = no_sites_beyond(picture.width());
    HostDistances distances = distances_on_cpu(sites, 0, none, form);
    if (op.is_signed) {
        add_inner(distances.values, distances_on_cpu(inverted(std::move(sites)), 0, none, form).values);
    }
    return distances;
}

} // namespace glproc
