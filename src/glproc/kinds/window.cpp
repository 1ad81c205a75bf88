#include "glproc/kinds/window.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/kinds/surroundings.hpp"
#include "glproc/kinds/twin.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::int64_t block_columns = 32; // WIDE of glsl/kinds/window.comp
constexpr std::int64_t group_rows = 8;
constexpr std::int64_t table_words = 1280;  // TABLE of glsl/kinds/window.comp
constexpr std::int64_t column_words = 1794; // of glsl/kinds/window_mean_column.glsl
constexpr int most_reach_of_four = 7; // beyond it columns of two results are faster: see bench/notebook.md
constexpr std::array<std::int64_t, 4> held_sizes{2048, 4096, 7168, 11264};
constexpr std::int64_t most_turns = 60000; // see the workaround loops_end_early

constexpr auto window_methods =
    tuning<WindowMethod>({{"llvmpipe", any_radius, WindowMethod::direct,
                           "2448x1505 RGB8, bilateral with radius 5 and 9, whole commands: direct 1.19 and "
                           "3.51 s, blocks 1.60 and 6.36 (llvmpipe, Mesa 22.3.6, two cores, 2026-11-25)"},
                          {"", any_radius, WindowMethod::blocks, "what neighbours share is loaded once"}});

/// Whether weights are looked up in shared memory, or computed.
constexpr auto shares_tables = tuning<bool>(
    {{"llvmpipe", any_radius, false,
      "the same with radius 3, blocks: weights computed 0.91 s of CPU time, looked up in shared memory 1.07"},
     {"", 5, false,
      "8192x8192 RGBA8, straight alpha, bilateral with radius 3 and 5: 2.93 and 6.05 ms, looked up 3.27 and "
      "6.37 (NVIDIA H100, driver 580.159.04, 2026-11-26)"},
     {"", any_radius, true, "the same with radius 9, columns of two: looked up 20.1 ms, computed 21.4"}});

/// The same where colour is weighted by alpha.
constexpr auto shares_tables_of_weighted = tuning<bool>(
    {{"llvmpipe", any_radius, false, "as where alpha is straight"},
     {"", any_radius, true,
      "8192x8192 RGBA8, colour weighted by alpha, bilateral with radius 3, 5 and 9: looked up 4.80, 10.9 and "
      "42.2 ms, computed 5.66, 12.7 and 46.4 (NVIDIA H100, driver 580.159.04, 2026-11-26)"}});

using Float2 = std::array<float, 2>;

/// Whether the last channel is stored and not filtered. RGB is stored with an opaque fourth channel, which
/// stays so.
bool keeps_last(const Form& form, const Window& window) {
    return form.channels == 3 || (form.has_alpha() && window.alpha == AlphaMode::ignore);
}

/// ALPHA of glsl/lib/pixel.glsl.
int alpha_code(const Form& form, const Window& window) {
    return keeps_last(form, window) ? 2 : form.has_alpha() && window.alpha == AlphaMode::premultiply ? 1 : 0;
}

/// How a group computes its block.
struct BlockPlan {
    std::int64_t rows = 1;  ///< that an invocation computes
    std::int64_t held = 0;  ///< words of shared memory for pixels; 0: they are read from the image
    bool is_column = false; ///< whether they are computed all at once
};

std::int64_t pixel_words(const Form& form) {
    return std::max<std::int64_t>(stored_channels(form.channels) * static_cast<int>(form.depth) / 32, 1);
}

bool shares_table(Context& gpu, const Form& form, const Window& window) {
    const bool is_weighted = alpha_code(form, window) == 1;
    return !window.table.empty() && window.table.size() <= table_words &&
           (is_weighted ? tuned(shares_tables_of_weighted, gpu.device())
                        : tuned(shares_tables, gpu.device(), window.reach.x));
}

/// Whether the table in shared memory, filled up with 0, has an entry for every difference of four channels.
bool is_padded(Context& gpu, const Form& form, const Window& window) {
    constexpr int differences = 4 * 255 + 1;
    const int squared = window.reach.x * window.reach.x;
    return form.depth == Depth::u8 && shares_table(gpu, form, window) &&
           squared + 1 + differences <= table_words;
}

/// The plan for so many rows an invocation, where shared memory holds all that the block sees.
std::optional<BlockPlan> plan_block(Context& gpu, const Form& form, const Window& window, std::int64_t rows,
                                    bool is_column) {
    const std::int64_t tall = group_rows * rows;
    const std::int64_t seen =
        (block_columns + 2 * window.reach.x) * (tall + 2 * window.reach.y) * pixel_words(form);
    const std::int64_t others = block_columns * tall * (pixel_words(form) + (is_column ? 1 : 0)) +
                                (is_column ? column_words : 0) +
                                (shares_table(gpu, form, window) ? table_words : 0);
    const auto held =
        std::find_if(held_sizes.begin(), held_sizes.end(), [&](std::int64_t size) { return size >= seen; });
    if (held == held_sizes.end() || 4 * (*held + others) > gpu.limits().shared_bytes ||
        (rows > 1 && window.turns * rows > most_turns)) {
        return std::nullopt;
    }
    return BlockPlan{rows, *held, is_column};
}

std::optional<BlockPlan> plan_blocks(Context& gpu, const Form& form, const Window& window) {
    std::optional<BlockPlan> plan;
    // Of 16 bits, colour weighted by alpha comes out a code wrong on NVIDIA (580.159.04) where columns leave
    // it to floats.
    const bool has_bound =
        form.depth == Depth::u8 || (form.depth == Depth::u16 && alpha_code(form, window) != 1);
    if (window.has_columns && has_bound) {
        const std::int64_t rows = window.reach.x > most_reach_of_four ? 2 : 4;
        plan = plan_block(gpu, form, window, rows, true);
    }
    for (const std::int64_t rows : {4, 1}) {
        plan = plan ? plan : plan_block(gpu, form, window, rows, false);
    }
    return plan;
}

/// Each value as the sum of two floats.
std::vector<Float2> table_of(const Window& window) {
    std::vector<Float2> pairs;
    for (const double value : window.table) {
        const auto high = static_cast<float>(value);
        pairs.push_back({high, static_cast<float>(value - double{high})});
    }
    pairs.resize(std::max<std::size_t>(pairs.size(), 1)); // a buffer has at least one value
    return pairs;
}

std::vector<float> params_of(const Window& window) {
    std::vector<float> params = window.params;
    params.resize(Window::most_params);
    return params;
}

Buffer table_buffer(Context& gpu, const Window& window) {
    const std::vector<Float2> pairs = table_of(window);
    Buffer buffer = gpu.make_buffer(pairs.size() * sizeof(Float2), window.name + ".table");
    buffer.write(pairs);
    return buffer;
}

std::optional<Twin<WindowTwin>> twin_of(const Form& form, const Window& window) {
    return find_twin(window_twins(), window.glsl,
                     {{"SRC_DEPTH", text(static_cast<int>(form.depth))},
                      {"ALPHA", alpha_code(form, window) == 1 ? "1" : "0"},
                      {"TABLE", form.depth == Depth::f32 ? "0" : "1"}});
}

void run_twin(const Twin<WindowTwin>& twin, const Window& window, RowReader& source, RowWriter& to) {
    const Form& form = source.form();
    const std::vector<Float2> table = table_of(window);
    const std::vector<float> params = params_of(window);
    const bool keeps = form.has_alpha() && keeps_last(form, window);
    const int channels = form.channels;
    const WindowRow row{.params = params.data(),
                        .numbers = twin.numbers.data(),
                        .table = table.front().data(),
                        .reach_x = window.reach.x,
                        .reach_y = window.reach.y,
                        .width = form.width,
                        .channels = channels,
                        .keeps_last = keeps};
    const Sight sight{
        .border = window.border, .reach = window.reach, .values = 4, .seen = channels - (keeps ? 1 : 0)};
    make_rows(source, sight, form, to, [&](const Surroundings& around, int y, std::byte* made) {
        WindowRow own = row;
        own.pixels = around.row(y);
        own.pitch = around.pitch() / sight.values;
        own.own = around.stored(y);
        own.to = made;
        twin.run(own);
    });
}

GpuImage run_window(Context& gpu, const GpuImage& source, const Window& window) {
    const Form& form = source.form();
    GpuImage dst = gpu.make_image(form, "result");
    const bool is_direct = window.method == WindowMethod::direct ||
                           (window.method == WindowMethod::automatic &&
                            tuned(window_methods, gpu.device()) == WindowMethod::direct);
    const BlockPlan plan = is_direct ? BlockPlan{} : plan_blocks(gpu, form, window).value_or(BlockPlan{});
    const Buffer table = table_buffer(gpu, window);
    gpu.pass(window.name, "kinds/window.comp",
             {{"OPERATION", window.glsl},
              {"BORDER", text(static_cast<int>(window.border.mode))},
              {"CHANNELS", text(source.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(form.depth))},
              {"ALPHA", text(alpha_code(form, window))},
              {"ROWS", text(static_cast<int>(plan.rows))},
              {"HELD", text(static_cast<int>(plan.held))},
              {"TABLE", shares_table(gpu, form, window) ? text(static_cast<int>(table_words)) : "0"},
              {"COLUMN", plan.is_column ? "1" : "0"},
              {"PADDED", plan.is_column && is_padded(gpu, form, window) ? "1" : "0"},
              {"FETCHED", fetched(gpu.device())}})
        .reads("i_src", source)
        .reads("b_table", table)
        .writes("i_dst", dst)
        .set("u_size", Int2{form.width, form.height})
        .set("u_border_texel",
             border_texel(form, border_codes(form, window.border, window.border.alpha()), form.depth))
        .set("u_reach", Int2{window.reach.x, window.reach.y})
        .set("u_table_size", static_cast<int>(window.table.size()))
        .set("u_params", params_of(window))
        .groups(covering(form.width, block_columns),
                (form.height + group_rows * plan.rows - 1) / (group_rows * plan.rows));
    return dst;
}

std::optional<std::string> why_unavailable(Context& gpu, const Form& form, const Window& window) {
    if (window.method == WindowMethod::blocks && !plan_blocks(gpu, form, window)) {
        return fmt::format("blocks needs more shared memory than the {} bytes of {}",
                           gpu.limits().shared_bytes, gpu.device().renderer);
    }
    return std::nullopt;
}

} // namespace

Plan window_plan(const Form& form, Window window) {
    check_border(window.border, form);
    Plan plan{.shape = {.source = form, .result = form}};
    const double work = 8.0 * static_cast<double>(window.turns) * form.channels;
    plan.work.needs = [=, name = window.name, reach = window.reach,
                       repeats = window.border.mode == BorderMode::wrap](Context&) {
        const int pixels = pixels_per_texel(form);
        return TileNeeds{.what = name,
                         .halo = {covering(reach.x, pixels) * pixels, reach.y},
                         .grain = {pixels, 1},
                         .repeats = repeats,
                         .texel_pixels = pixels,
                         .pixel_bytes = 32.0 / pixels,
                         .pixel_work = work};
    };
    plan.work.why_unavailable = [=](Context& gpu) { return why_unavailable(gpu, form, window); };
    plan.twin.row_cost = form.width * work;
    if (const auto twin = twin_of(form, window)) {
        plan.twin.run = [twin = *twin, window](RowReader& source, RowWriter& to) {
            run_twin(twin, window, source, to);
        };
    }
    plan.twin.holds_picture = window.border.mode == BorderMode::wrap;
    plan.twin.work = 8.0 * static_cast<double>(window.turns);
    plan.twin.only_proves = window.method == WindowMethod::blocks || window.method == WindowMethod::direct;
    if (window.method == WindowMethod::cpu && !plan.twin.run) {
        fail_without_twin(window.glsl);
    }
    if (window.method == WindowMethod::cpu) {
        return on_cpu(std::move(plan));
    }
    plan.work.run = [window = std::move(window)](Context& gpu, const Part& source, const Rect&) {
        return run_window(gpu, source.image, window);
    };
    return plan;
}

} // namespace glproc
