#include "glproc/ops/clahe.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/ops/clahe/tiles.hpp"
#include "glproc/ops/histogram/count.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit tiles_limit{1, 32};
constexpr Limit clip_limit{0, 65536};
constexpr int slab_rows = 32; // SLAB of glsl/clahe/count.comp

void check(const Clahe& op, const Form& form) {
    if (form.depth == Depth::f32) {
        throw Error(ErrorCode::usage, "clahe takes 8- and 16-bit images; this one holds floats",
                    "convert it first: --depth 16");
    }
    check_limit("tiles", op.tiles.width, tiles_limit);
    check_limit("tiles", op.tiles.height, tiles_limit);
    check_limit("clip", op.clip, clip_limit);
}

bool fits(Context& gpu, const Clahe& op, const Form& form) {
    const auto bytes = static_cast<std::int64_t>(ClaheTiles(op, form).entries() * sizeof(std::uint32_t));
    return bytes <= gpu.limits().storage_block_bytes;
}

Defines defines_of(const Form& form, int stored_channels) {
    return {{"CHANNELS", text(stored_channels)}, {"SRC_DEPTH", text(static_cast<int>(form.depth))}};
}

/// Sets the weights of luma.
void set_luma(Pass& pass, const ClaheTiles& tiles) {
    const double white = tiles.luma.sum * max_code(tiles.picture.depth);
    pass.set("u_luma",
             Uint4{tiles.luma.red, tiles.luma.green, tiles.luma.blue, static_cast<std::uint32_t>(white)})
        .set("u_luma_scale", scale_below(static_cast<double>(tiles.bins()) / white));
}

/// The first sweep: counts the pixels of each tile, and makes the tables.
class CountTiles final : public SweepState {
  public:
    CountTiles(Context& gpu, const Clahe& op, const BandCut& cut)
        : tiles(op, cut.picture),
          on_cpu(op.method == ClaheMethod::cpu || cut.is_wide || !fits(gpu, op, cut.picture)) {}

    RowsMade next(Context& gpu, Band& band) override {
        if (on_cpu) {
            count_tiles(tiles, band.pixels(), band.first_row(), counts_);
        } else {
            count(gpu, band.image(), band.first_row());
        }
        return {};
    }

    void end(Context& gpu) override {
        if (on_cpu) {
            tables = tables_of(tiles, std::exchange(counts_, {}));
            return;
        }
        const bool is_u8 = tiles.picture.depth == Depth::u8;
        const std::int64_t more = is_u8 ? 1 : 0;
        const std::int64_t across = tiles.count.width + more;
        const std::int64_t down = tiles.count.height + more;
        on_gpu.emplace(gpu.make_buffer(
            static_cast<std::size_t>(across * down) * tiles.bins() * sizeof(std::uint32_t), "clahe.tables"));
        gpu.pass("clahe.tables", "clahe/tables.comp", {{"SRC_DEPTH", is_u8 ? "8" : "16"}, {"HIDES", hides()}})
            .reads("b_counts", *counted_)
            .writes("b_tables", *on_gpu)
            .set("u_tiles", Int2{tiles.count.width, tiles.count.height})
            .set("u_limit", tiles.limit)
            .set("u_pixels", tiles.pixels())
            .set("u_scale", tiles.scale)
            .groups(across, down);
        counted_.reset();
    }

  private:
    std::string hides() const { return tiles.picture.has_alpha() ? "1" : "0"; }

    void count(Context& gpu, const GpuImage& rows, int first_row) {
        if (!counted_) {
            counted_.emplace(gpu.make_buffer(tiles.entries() * sizeof(std::uint32_t), "clahe.counts"));
            counted_->fill(0);
        }
        const int end = first_row + rows.height();
        const int slabs = covering(tiles.size.height, slab_rows);
        const auto slab_of = [&](int y) {
            return y / tiles.size.height * slabs + y % tiles.size.height / slab_rows;
        };
        // Rows beyond the image are mirrored, so that their pixels may be in any of the last bands.
        const int beyond = tiles.rows() - tiles.picture.height;
        const int last = end + beyond + 1 > tiles.picture.height ? tiles.rows() - 1 : end - 1;
        Defines defines = defines_of(tiles.picture, rows.stored_channels());
        defines["FETCHED"] = fetched(gpu.device());
        defines["HIDES"] = hides();
        Pass pass = gpu.pass("clahe.count", "clahe/count.comp", defines);
        pass.reads("i_src", rows)
            .updates("b_counts", *counted_)
            .set("u_picture", Int2{tiles.picture.width, tiles.picture.height})
            .set("u_tile", Int2{tiles.size.width, tiles.size.height})
            .set("u_rows", Int2{first_row, end})
            .set("u_slabs", slabs)
            .set("u_first_slab", slab_of(first_row));
        set_luma(pass, tiles);
        pass.groups(tiles.count.width, slab_of(last) - slab_of(first_row) + 1);
    }

    TileCounts counts_;
    std::optional<Buffer> counted_;

  public:
    ClaheTiles tiles;
    bool on_cpu;
    TileTables tables;            ///< on the processor
    std::optional<Buffer> on_gpu; ///< else
};

/// The second sweep.
class MapTiles final : public SweepState {
  public:
    explicit MapTiles(const CountTiles& counted) : counted_(counted) {}

    RowsMade next(Context& gpu, Band& band) override {
        if (counted_.on_cpu) {
            const Image rows = map_rows(counted_.tiles, band.pixels(), band.first_row(), counted_.tables);
            return std::vector<std::byte>(rows.bytes().begin(), rows.bytes().end());
        }
        return map(gpu, band.image(), band.first_row());
    }

  private:
    GpuImage map(Context& gpu, const GpuImage& rows, int first_row) const {
        const ClaheTiles& tiles = counted_.tiles;
        GpuImage dst = gpu.make_image(rows.form(), "result");
        Pass pass = gpu.pass("clahe.map", "clahe/map.comp", defines_of(rows.form(), rows.stored_channels()));
        pass.reads("i_src", rows)
            .reads("b_tables", *counted_.on_gpu)
            .writes("i_dst", dst)
            .set("u_first_row", first_row)
            .set("u_tiles", Int2{tiles.count.width, tiles.count.height})
            .set("u_per_tile", Float4{1.0F / static_cast<float>(tiles.size.width),
                                      1.0F / static_cast<float>(tiles.size.height), 0, 0});
        set_luma(pass, tiles);
        pass.over(rows.texture().width(), rows.height());
        return dst;
    }

    const CountTiles& counted_;
};

SweepPlan sweeps_of(const Clahe& op, const Form& form) {
    const auto needs = [form](Context&) {
        const int pixels = pixels_per_texel(form);
        return TileNeeds{.what = "clahe",
                         .grain = {pixels, 1},
                         .texel_pixels = pixels,
                         .pixel_bytes = 32.0 / pixels,
                         .pixel_work = 20};
    };
    return {.source = form,
            .needs = needs,
            .sweeps = {{.begin = [op](Context& gpu, const BandCut& cut,
                                      SweepState*) { return std::make_unique<CountTiles>(gpu, op, cut); }},
                       {.makes = form, .begin = [](Context&, const BandCut&, SweepState* before) {
                            return std::make_unique<MapTiles>(static_cast<const CountTiles&>(*before));
                        }}}};
}

} // namespace

Plan plan(const Clahe& op, const Form& form) {
    check(op, form);
    Swept swept{.sweeps = [op](const Form& any) { return sweeps_of(op, any); },
                .by_processor =
                    [op](const Image& source) {
                        const ClaheTiles tiles(op, source.form());
                        TileCounts counts;
                        count_tiles(tiles, source, 0, counts);
                        return map_rows(tiles, source, 0, tables_of(tiles, counts));
                    },
                .row_cost = 20.0 * form.width};
    Plan plan = swept_plan(form, std::move(swept));
    plan.work.on_cpu = op.method == ClaheMethod::cpu;
    plan.twin.only_proves = op.method == ClaheMethod::gpu;
    plan.work.why_unavailable = [op, form](Context& gpu) -> std::optional<std::string> {
        if (op.method == ClaheMethod::gpu && !fits(gpu, op, form)) {
            return fmt::format("the tables of {}x{} tiles are larger than a storage block of {}",
                               op.tiles.width, op.tiles.height, gpu.device().renderer);
        }
        return std::nullopt;
    };
    return plan;
}

const OpInfo& clahe_info() {
    static const OpInfo info =
        Describe<Clahe>("clahe", "bring out local contrast by equalising tile by tile (CLAHE)",
                        "in.png out.png")
            .example("Bring out detail in the shadows of a photo, but not its noise",
                     "photo.jpg out.jpg --tiles 4x4 --clip 1.5")
            .found_by({"createclahe", "histlocal"}, "IN OUT")
            .found_by({"-local-contrast N", "-clahe N"})
            .cost({.alone = 9})
            .integers_only()
            .field("tiles", &Clahe::tiles,
                   {.value = "WxH",
                    .limit = tiles_limit,
                    .help = "how many tiles, across and down; more tiles bring out smaller details"})
            .field("clip", &Clahe::clip,
                   {.value = "C",
                    .limit = clip_limit,
                    .slider = {0, 10, 0.1},
                    .help = "how far contrast may rise; 1 hardly changes the image, and 0 sets no limit"})
            .field("luma", &Clahe::luma,
                   {.value = "rec709|rec601", .help = "how r, g and b are weighted in luma"})
            .method(&Clahe::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "Adaptive equalisation of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"8x8 tiles", "2448x1505"},
                                              {"16x16 tiles", "2448x1505", {{"tiles", "16x16"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
