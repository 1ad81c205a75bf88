#include "glproc/ops/canny.hpp"

#include "glproc/op/describe.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/ops/canny/edges.hpp"
#include "glproc/ops/canny/hysteresis.hpp"

#include <cstring>
#include <utility>

namespace glproc {

namespace {

constexpr Limit gradient_limit{0, 1e9};
constexpr Limit canny_sigma_limit{0, 100};

/// The first sweep: finds the pixels that may be edges, and at the end which of them are.
class LookForEdges final : public SweepState {
  public:
    LookForEdges(Context& gpu, const Canny& op, const BandCut& cut)
        : rules_(op, cut.picture), is_whole_(cut.is_whole()), hysteresis(gpu),
          on_cpu(op.method == CannyMethod::cpu || cut.is_wide ||
                 most_labelled_rows(gpu, cut.picture.width) < 2),
          masks_{{cut.picture.width, 0}, {cut.picture.width, 0}} {}

    RowsMade next(Context& gpu, Band& band) override {
        const CannyRows rows{band.above(), band.rows()};
        if (on_cpu) {
            const EdgeMasks found = edge_masks(band.pixels(), rules_, rows);
            append(masks_.weak, found.weak);
            append(masks_.strong, found.strong);
            return {};
        }
        EdgeBits bits = edge_bits(gpu, band.image(), rules_, rows);
        if (is_whole_) {
            hysteresis.look_at_all(std::move(bits.weak), bits.strong);
            return {};
        }
        hysteresis.look(bits.weak, bits.strong);
        return GpuArray{
            ArrayType::u32,
            {static_cast<std::size_t>(band.rows()), static_cast<std::size_t>(bits.weak.row_words())},
            std::move(bits.weak.words)};
    }

    void end(Context&) override {
        if (on_cpu) {
            edges = connected(std::exchange(masks_, {}));
        } else {
            hysteresis.end();
        }
    }

  private:
    static void append(HostMask& all, const HostMask& rows) {
        all.height += rows.height;
        all.words.insert(all.words.end(), rows.words.begin(), rows.words.end());
    }

    CannyRules rules_;
    bool is_whole_;

  public:
    Hysteresis hysteresis;
    bool on_cpu;
    HostMask edges; ///< on the processor

  private:
    EdgeMasks masks_;
};

/// The second sweep.
class ShowEdges final : public SweepState {
  public:
    ShowEdges(LookForEdges& look, const BandCut& cut)
        : look_(look), width_(cut.picture.width), is_whole_(cut.is_whole()) {}

    RowsMade next(Context& gpu, Band& band) override {
        if (look_.on_cpu) {
            const Image rows = picture_of(rows_of(look_.edges, band.first_row(), band.rows()));
            return std::vector<std::byte>(rows.bytes().begin(), rows.bytes().end());
        }
        if (is_whole_) {
            return picture_of(gpu, look_.hysteresis.keep_all());
        }
        HostMask weak{width_, band.rows()};
        const auto bytes = band.made()->pixels().bytes();
        weak.words.resize(bytes.size() / sizeof(std::uint32_t));
        std::memcpy(weak.words.data(), bytes.data(), bytes.size());
        return picture_of(gpu, look_.hysteresis.keep(upload(gpu, weak)));
    }

  private:
    static HostMask rows_of(const HostMask& mask, int first, int count) {
        HostMask rows{mask.width, count};
        const auto begin = mask.words.begin() + static_cast<std::ptrdiff_t>(mask.word_of(0, first));
        rows.words.assign(begin,
                          begin + static_cast<std::ptrdiff_t>(MaskBits::row_words_of(mask.width) * count));
        return rows;
    }

    LookForEdges& look_;
    int width_;
    bool is_whole_;
};

TileNeeds needs_of(Context& gpu, const Canny& op, const Form& form) {
    const CannyRules rules(op, form);
    const int pixels = pixels_per_texel(form);
    constexpr double masks = 5;
    const double blurred = rules.blur_reach() == 0 ? 0 : form.channels < 3 ? 8 : 32;
    return {.what = "canny",
            .halo = {0, rules.halo()},
            .grain = {pixels, 1},
            .texel_pixels = blurred > 0 ? std::min(pixels, form.channels < 3 ? 4 : 1) : pixels,
            .most_rows = std::max(most_labelled_rows(gpu, form.width) - 1, 1),
            .pixel_bytes = 16.0 / pixels + blurred + masks,
            .pixel_work = 60 + 4.0 * rules.blur_reach() * form.channels};
}

SweepPlan sweeps_of(const Canny& op, const Form& form) {
    const auto look = [op](Context& gpu, const BandCut& cut, SweepState*) {
        return std::make_unique<LookForEdges>(gpu, op, cut);
    };
    const auto show = [](Context&, const BandCut& cut, SweepState* before) {
        return std::make_unique<ShowEdges>(static_cast<LookForEdges&>(*before), cut);
    };
    return {.source = form,
            .needs = [op, form](Context& gpu) { return needs_of(gpu, op, form); },
            .sweeps = {{.halo = CannyRules(op, form).halo(), .makes = bits_form(form), .begin = look},
                       {.reads_source = false,
                        .reads_made = true,
                        .makes = Form{form.width, form.height, 1, Depth::u8},
                        .begin = show}}};
}

} // namespace

Plan plan(const Canny& op, const Form& form) {
    check_limit("low", op.low, gradient_limit);
    check_limit("high", op.high, gradient_limit);
    check_limit("sigma", op.sigma, canny_sigma_limit);
    Swept swept{.sweeps = [op](const Form& any) { return sweeps_of(op, any); },
                .by_processor =
                    [op](const Image& source) {
                        const CannyRules rules(op, source.form());
                        return picture_of(connected(edge_masks(source, rules, {0, source.height()})));
                    },
                .row_cost = 60.0 * form.width};
    Plan plan = swept_plan(form, std::move(swept));
    plan.twin.work = 130;
    plan.work.on_cpu = op.method == CannyMethod::cpu;
    plan.twin.only_proves = op.method == CannyMethod::gpu;
    return plan;
}

const OpInfo& canny_info() {
    static const OpInfo info =
        Describe<Canny>("canny", "find edges as thin lines (Canny)", "in.png out.png --low 50 --high 150")
            .example("Draw the outlines of a photo, without its texture",
                     "photo.jpg out.png --sigma 1.5 --low 20 --high 60")
            .found_by({"houghlines", "-hough-lines N"})
            .cost({.alone = 23})
            .field("low", &Canny::low,
                   {.value = "V",
                    .limit = gradient_limit,
                    .slider = {0, 500, 1},
                    .help = "keep lines whose gradient is above this, if they lead to a strong one; a bare "
                            "number counts steps of 1/255"})
            .field("high", &Canny::high,
                   {.value = "V",
                    .limit = gradient_limit,
                    .slider = {0, 1000, 1},
                    .help = "gradients above this are strong; higher means fewer lines"})
            .field(
                "sigma", &Canny::sigma,
                {.value = "S",
                 .unit = "pixels",
                 .limit = canny_sigma_limit,
                 .slider = {0, 10, 0.1},
                 .help = "first blur with a Gaussian of this standard deviation, against noise and texture"})
            .field("norm", &Canny::norm, {.value = "N", .help = "how to measure the size of a gradient"})
            .method(&Canny::method,
                    {.size = "2448x1505",
                     .channels = 1,
                     .ladders = {{.title = "Canny's edges of a random 2448x1505 grey image, ms",
                                  .columns = {{"low 100, high 200", "2448x1505"},
                                              {"sigma 2",
                                               "2448x1505",
                                               {{"sigma", "2"}, {"low", "5"}, {"high", "10"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
